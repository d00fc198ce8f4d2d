package format

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// movingNumbers finds what changes in a text when lines move: "line 12", "lines 3-4", "column 7", "a.md:12:3".
var movingNumbers = regexp.MustCompile(`\b(lines?|columns?) \d+(?:(?:-| to | and )\d+)?|(\.[a-zA-Z]+):\d+(?::\d+)?`)

// elsewhere is where the text of a rule begins to name other documents, which change without this one.
var elsewhere = map[string]string{
	"duplicate-id":     " is also that of ",
	"id-case":          " differs only in case ",
	"duplicate-title":  " is also that of ",
	"ambiguous-target": " may mean any of ",
	"moved-link":       `" leads to `,
}

// Fingerprint names a finding across edits: the first 16 hex digits of SHA-256 over rule, path and text. Places are left
// out, and so are line and column numbers inside the text, so it stays when lines move, and what the text says of other
// documents, so it stays when those change. Two findings of one rule with the same text in one file share a fingerprint.
// It is here since builds and queries must agree on it.
func Fingerprint(rule, path, text string) string {
	if from := elsewhere[rule]; from != "" {
		if at := strings.LastIndex(text, from); at >= 0 {
			text = text[:at]
		}
	}
	text = movingNumbers.ReplaceAllString(text, "$1$2")
	sum := sha256.Sum256([]byte(rule + "\x00" + path + "\x00" + text))
	return hex.EncodeToString(sum[:8])
}

// Fingerprint names the finding across edits.
func (f *Finding) Fingerprint() string { return Fingerprint(f.Rule, f.Path, f.Text) }
