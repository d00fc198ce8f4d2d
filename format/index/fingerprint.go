package index

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"
)

// movingNumbers finds what changes in a text when lines move: "line 12", "lines 3-4", "column 7", "a.md:12:3".
var movingNumbers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(lines?|columns?) \d+(?:(?:-| to | and )\d+)?|(\.[a-zA-Z]+):\d+(?::\d+)?`)
})

// namedThings finds what the text of a finding names: quoted, or as a wiki link.
var namedThings = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\[\[.*?\]\]`) })

// subjects is how many of the names in a finding's text are its own, for rules whose texts go on to other documents,
// which change without this one, or to a list that grows and shrinks; all, where the rule is not here.
var subjects = map[string]int{
	"duplicate-id": 1, "id-case": 1, "duplicate-title": 1, "ambiguous-target": 1, "moved-link": 1,
	"coverage-hole": 0,
}

// Fingerprint names the finding across edits: the first 16 hex digits of SHA-256 over rule, path and the names that the
// text quotes.
//
// Places and wording are left out, so it stays when lines move and when a rule is worded anew; so is what the text says
// of other documents, which change without this one. A text that names nothing counts as it is, without line and column
// numbers. Two findings of one rule with the same names in one file share a fingerprint. It is here since builds and
// queries must agree on it.
func (f *Finding) Fingerprint() string {
	own, limited := subjects[f.Rule]
	if !limited {
		own = -1
	}
	subject := strings.Join(namedThings().FindAllString(f.Text, own), "\x00")
	if subject == "" && !limited {
		subject = movingNumbers().ReplaceAllString(f.Text, "$1$2")
	}
	sum := sha256.Sum256([]byte(f.Rule + "\x00" + f.Path + "\x00" + subject))
	return hex.EncodeToString(sum[:8])
}
