package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// Front matter that is JSON is read as far as YAML is.
func TestJSONFrontMatterLimits(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	tests := []struct {
		name, text   string
		fields       int // at least; -1 = there is no front matter
		below        int // and fewer than that
		diagnostic   string
		firstOf, end string // the first field's name; the text that is left
	}{
		{"too large", "{\n\"title\": \"x\",\n" + many(20_000, "\"key%d\": [\"aaaaaaaaaaaaaa\"],\n") + "\"last\": 1\n}\nText.", -1, 0, "", "", ""},
		{"too many", "{\"title\": \"x\"," + many(12_000, "\"k%d\": 1,") + "\"last\": 1}\nText.", 9_000, 10_001, "front-matter-size", "title", "Text."},
		{"too deep", `{"title": "x", "a": ` + strings.Repeat(`{"b": `, 40) + "1" + strings.Repeat("}", 40) + "}\nText.", 1, 2, "front-matter-size", "title", "Text."},
		{"deeper than JSON is read", strings.Repeat(`{"b": `, 10_001) + "1" + strings.Repeat("}", 10_001), -1, 0, "", "", ""},
		{"JSON Lines", "{\"a\": 1}\n{\"a\": 2}\n", -1, 0, "", "", ""},
		{"a shortcode behind it", "{\"title\": \"x\"}\n{{< toc >}}\nText.", 1, 2, "front-matter-form", "title", "Text."},
		{"a second \"ä\" in a line", "{\n\"ä\": \"äöü\", \"ä\": 1\n}\nText.", 1, 2, "front-matter-duplicate 2:13", "ä", "Text."},
		{"byte order mark and line ends", "\ufeff{\r\n\t\"title\": \"x\"\r}\r\nText.", 1, 2, "front-matter-form", "title", "Text."},
		{"not UTF-8", "{\"title\": \"\xff\"}\nText.", 1, 2, "front-matter-form", "title", "Text."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse("a.md", []byte(tt.text))
			if tt.fields < 0 {
				if d.FrontMatter != nil {
					t.Fatalf("Parse = front matter in lines %d-%d, want none", d.FrontMatter.LineStart, d.FrontMatter.LineEnd)
				}
				return
			}
			if d.FrontMatter == nil {
				t.Fatal("Parse finds no front matter")
			}
			fields := d.FrontMatter.Fields
			if len(fields) < tt.fields || len(fields) >= tt.below || fields[0].Name != tt.firstOf {
				t.Errorf("Parse = %d fields, want from %d to %d, the first %q", len(fields), tt.fields, tt.below-1, tt.firstOf)
			}
			var texts, rules []string
			for _, run := range d.Mentions {
				texts = append(texts, run.Text)
			}
			for _, r := range d.Diags {
				rules = append(rules, fmt.Sprintf("%s %d:%d", r.Rule, r.Line, r.Col))
				if r.Rule == "front-matter-form" && !strings.Contains(r.Hint, "an example") {
					t.Errorf("hint %q, want what an example needs", r.Hint)
				}
			}
			if got := strings.Join(texts, "/"); got != tt.end {
				t.Errorf("Parse leaves %.80q, want %q", got, tt.end)
			}
			if !strings.Contains(strings.Join(rules, " "), tt.diagnostic) {
				t.Errorf("Parse tells %q, want %s", rules, tt.diagnostic)
			}
		})
	}
}
