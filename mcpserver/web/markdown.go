package web

import (
	"regexp"
	"strings"
)

// plainMarkdown makes markdown safe for pages whose renderer passes on HTML and any address. Outside of code, a "<"
// that would begin a tag becomes &lt;, and a link to anything but the web, mail or the same site becomes text that is
// no link.
//
// Renderers disagree on what is code. What one of them may take for text is treated as text: the worst that can happen
// to code then is that it shows "&lt;". So only two kinds of code stay as they are: fences at the beginning of a line,
// outside of lists and quotations, and spans within a line of a paragraph that has no unclosed span before.
//
// A parser of goldmark would tell more code apart, but its packages take 1.0 ms to initialize in every process of kddq,
// a sixth of a search (bench/runs/2026-11-23-xeon/start). It is the reference of the fuzz test.
func plainMarkdown(text string) string {
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) // each ends a line for readers of markdown
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	fence := ""   // that is open
	open := false // a run of backticks without an end was in this paragraph
	for line := range strings.Lines(text) {
		switch {
		case fence != "":
			if closes(line, fence) {
				fence = ""
			}
			b.WriteString(line)
			continue
		case strings.Trim(line, " \t\n") == "":
			open = false
		default:
			if fence = fenceOf(line); fence != "" {
				open = false
				b.WriteString(strings.ReplaceAll(line, "<", "&lt;"))
				continue
			}
		}
		open = plainLine(&b, line, open)
	}
	return b.String()
}

// fenceOf returns the backticks or tildes that begin a block of code at the beginning of a line, "" if it does not.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		run := line[:len(line)-len(strings.TrimLeft(line, c))]
		if len(run) >= 3 && !strings.Contains(line[len(run):], "`") {
			return run
		}
	}
	return ""
}

// closes says whether a line might end a block of code.
func closes(line, fence string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), fence)
}

// plainLine writes a line of text and returns whether a run of backticks is open behind it.
func plainLine(b *strings.Builder, line string, open bool) bool {
	table := strings.Contains(line, "|") // cells part spans
	rest := line
	for rest != "" {
		at := strings.IndexAny(rest, "`\\")
		if at < 0 {
			plainText(b, rest)
			break
		}
		if rest[at] == '\\' {
			at = min(at+2, len(rest))
			plainText(b, rest[:at])
			rest = rest[at:]
			continue
		}
		run := rest[at : len(rest)-len(strings.TrimLeft(rest[at:], "`"))]
		plainText(b, rest[:at])
		rest = rest[at+len(run):]
		end := spanEnd(rest, len(run))
		switch {
		case end < 0:
			open = true
			b.WriteString(run)
		case open || table:
			b.WriteString(run)
		default:
			b.WriteString(run + rest[:end+len(run)])
			rest = rest[end+len(run):]
		}
	}
	return open
}

// spanEnd returns where the run of exactly n backticks begins that ends a span of code, -1 if there is none.
func spanEnd(rest string, n int) int {
	for at := 0; at < len(rest); {
		if rest[at] != '`' {
			at++
			continue
		}
		run := len(rest[at:]) - len(strings.TrimLeft(rest[at:], "`"))
		if run == n {
			return at
		}
		at += run
	}
	return -1
}

var (
	tagStart = regexp.MustCompile(`<([A-Za-z/!?]|$)`)
	linkTo   = regexp.MustCompile(`\](\(|:)[ \t]*`)
	safeLink = regexp.MustCompile(`^(?i:https?://|mailto:|#|[^:&\\()\s<]+[)\s])`)
)

// plainText writes text that is no code.
func plainText(b *strings.Builder, text string) {
	text = tagStart.ReplaceAllString(text, "&lt;$1")
	for {
		at := linkTo.FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return
		}
		b.WriteString(text[:at[0]+1])
		if !safeLink.MatchString(text[at[1]:]) {
			b.WriteByte(' ') // so that it leads nowhere
		}
		b.WriteString(text[at[0]+1 : at[1]])
		text = text[at[1]:]
	}
}
