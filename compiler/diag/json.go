package diag

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
)

// JSON is the wire form of a Diagnostic.
type JSON struct {
	Path     string `json:"path,omitempty"`
	Line     int    `json:"line,omitempty"`
	Col      int    `json:"col,omitempty"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Rule     string `json:"rule"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

// JSON returns the wire form of d.
func (d Diagnostic) JSON() JSON {
	return JSON{
		Path: d.Path, Line: d.Line, Col: d.Col, Severity: d.Severity.String(),
		Code: d.Code, Rule: d.Rule, Message: d.Text, Hint: d.Hint,
	}
}

// ListJSON returns the wire form of all of ds; never nil, so that it encodes as an array.
func ListJSON(ds []Diagnostic) []JSON {
	list := make([]JSON, len(ds))
	for i := range ds {
		list[i] = ds[i].JSON()
	}
	return list
}

// movingNumbers finds what changes in a text when lines move: "line 12", "lines 3-4", "column 7", "a.md:12:3".
var movingNumbers = regexp.MustCompile(`\b(lines?|columns?) \d+(?:(?:-| to | and )\d+)?|(\.[a-zA-Z]+):\d+(?::\d+)?`)

// Fingerprint names a finding across edits: the first 16 hex digits of SHA-256 over rule, path and text. Places are
// left out, and so are line and column numbers inside the text, so it stays when lines move. Two findings of one rule
// with the same text in one file share a fingerprint.
func Fingerprint(d Diagnostic) string {
	text := movingNumbers.ReplaceAllString(d.Text, "$1$2")
	sum := sha256.Sum256([]byte(d.Rule + "\x00" + d.Path + "\x00" + text))
	return hex.EncodeToString(sum[:8])
}
