package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/text"
)

// alertMark returns the length of the mark that a quote's first line begins with where it is an alert of GitHub's or a
// callout of Obsidian's: "[!NOTE]", "[!tip]- ", whose rest is a title; 0 if there is none.
func alertMark(line []byte) int {
	if len(line) < 4 || line[0] != '[' || line[1] != '!' {
		return 0
	}
	end := bytes.IndexByte(line[:min(len(line), 64)], ']')
	if end < 3 {
		return 0
	}
	for _, c := range line[2:end] {
		if !isAlpha(c) && !isDigit(c) && strings.IndexByte("-_| ", c) < 0 {
			return 0
		}
	}
	if end++; end < len(line) && (line[end] == '-' || line[end] == '+') {
		end++
	}
	if end < len(line) && !isBlank(line[end]) {
		return 0
	}
	return skipSpaces(line, end)
}

func oneLine(line text.Segment) *text.Segments {
	lines := text.NewSegments()
	lines.Append(line)
	return lines
}

// blockID returns the name that Obsidian's blocks may have at their end, " ^name", with the white space around it; nil
// if there is none. A power, such as 10 ^6 or x ^n, is none.
func blockID(raw []byte) []byte {
	text := bytes.TrimRight(raw, " \t\r\n")
	i := len(text)
	letter := false
	for i > 0 && (isAlpha(text[i-1]) || isDigit(text[i-1]) || text[i-1] == '-') {
		i--
		letter = letter || isAlpha(text[i])
	}
	if i < 1 || text[i-1] != '^' || i > 1 && !isBlank(text[i-2]) || len(text)-i > maxAnchor || len(text)-i < 2 || !letter && len(text)-i < 6 {
		return nil
	}
	return raw[len(bytes.TrimRight(text[:i-1], " \t\r\n")):]
}
