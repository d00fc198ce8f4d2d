package markdown

import (
	"bytes"
	"sync"

	emoji "github.com/yuin/goldmark-emoji/definition"
)

// maxIcon bounds the name of an icon or emoji, in bytes.
const maxIcon = 80

// iconSets are the beginnings of the names of icons that Material for MkDocs draws: ":material-account-circle:".
var iconSets = [...]string{"material-", "fontawesome-", "octicons-", "simple-"}

// emojis are the names that GitHub shows as emoji, such as ":tada:".
var emojis = sync.OnceValue(func() emoji.Emojis { return emoji.Github() })

// icon is a picture in a plain text that the source gives by its name: [from, to) is what the text has for it, an emoji
// or nothing.
type icon struct {
	from, to int
	name     string // with its colons, and the spaces after it that the text leaves out
}

// mayHaveIcon reports whether a letter or sign follows a ":" in raw, which has another ":" behind it.
func mayHaveIcon(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, ':')
		if i < 0 || i+2 >= len(raw) {
			return false
		}
		raw = raw[i+1:]
		if iconName(raw) > 0 {
			return true
		}
	}
}

// iconName returns the length of the name at the beginning of raw, if a ":" follows it, else 0.
func iconName(raw []byte) int {
	n := 0
	for n < len(raw) && n < maxIcon && (isAlpha(raw[n]) || isDigit(raw[n]) || raw[n] == '-' || raw[n] == '_' || raw[n] == '+') {
		n++
	}
	if n < len(raw) && raw[n] == ':' {
		return n
	}
	return 0
}

// icon takes ":name:" at i out of the text if name is an emoji's, which takes its place, or an icon's. Names inside a
// word are text, as in "a:b:c", and so are those that code follows: roles of reStructuredText.
func (s *scanner) icon(i int) int {
	n := iconName(s.raw[i+1:])
	end := i + n + 2
	if n == 0 || i > 0 && (isAlpha(s.raw[i-1]) || isDigit(s.raw[i-1]) || s.raw[i-1] == ':') {
		return i
	}
	if end < len(s.raw) && (isAlpha(s.raw[end]) || isDigit(s.raw[end]) || s.raw[end] == ':' || s.raw[end] == '`') {
		return i
	}
	name := s.raw[i+1 : end-1]
	for _, set := range iconSets {
		if bytes.HasPrefix(name, []byte(set)) {
			s.add(item{kind: itemIcon, start: i, end: end})
			return end
		}
	}
	if found, ok := emojis().Get(string(name)); ok && found.IsUnicode() {
		s.add(item{kind: itemIcon, start: i, end: end, lit: string(found.Unicode)})
		return end
	}
	return i
}

// colon reads what may begin at a ":" or stand around it: a bare URL or an icon.
func (s *scanner) colon(i int) int {
	if next := s.bareURL(i); next != i {
		return next
	}
	return s.icon(i)
}
