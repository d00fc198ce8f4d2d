package site

import (
	"slices"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/bidi"

	"kdd/format/index"
)

const ltr, rtl = "ltr", "rtl" // values of the attribute dir

// rightToLeft are the scripts that are written so (ISO 15924).
var rightToLeft = []string{"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"}

// direction is how a language is written. The language may name a region or a script (BCP 47).
func direction(code string) string {
	script, _ := language.Make(code).Script()
	if slices.Contains(rightToLeft, script.String()) {
		return rtl
	}
	return ltr
}

// language is that of a document, or of the site where nothing is known.
func (r *documents) language(d index.DocID) string {
	if code := r.x.DocLanguage(d); code != "" && code != "unknown" {
		return code
	}
	return r.lang
}

// directions marks the blocks whose letters are all written in the other direction than the page. Code does not count.
func directions(doc ast.Node, source []byte, page string) {
	other := rtl
	if page == rtl {
		other = ltr
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *ast.Paragraph, *ast.Heading, *ast.List, *ast.ListItem, *ast.Blockquote, *extast.TableCell:
			if written(n, source) == other {
				n.SetAttributeString("dir", []byte(other))
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, nil
	})
}

// written is the direction of a text whose letters have one, "" where they have both or there are none (UAX #9, 3.2).
func written(n ast.Node, source []byte) string {
	left, right := false, false
	_ = ast.Walk(n, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			for _, r := range string(n.Segment.Value(source)) {
				switch p, _ := bidi.LookupRune(r); p.Class() {
				case bidi.L:
					left = true
				case bidi.R, bidi.AL:
					right = true
				}
			}
		}
		return ast.WalkContinue, nil
	})
	switch {
	case left == right:
		return ""
	case left:
		return ltr
	}
	return rtl
}
