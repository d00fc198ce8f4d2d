package wire

import (
	"strings"

	"kdd/format/text"
)

// Nearest is text.Nearest: the one of names that was most likely meant by name, or "".
func Nearest(name string, names []string) string { return text.Nearest(name, names) }

// Alternatives joins names as a sentence does: "a, b or c".
func Alternatives(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
