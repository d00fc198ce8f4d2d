package markdown

import "testing"

// FuzzParse parses anything, as Markdown, MDX and Gherkin, and checks what must hold of any document.
func FuzzParse(f *testing.F) {
	for _, c := range corpus(f) {
		f.Add(c.data)
	}
	for _, c := range strange {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.md", "a.mdx", "a.feature"} {
			if err := broken(Parse(name, data)); err != nil {
				t.Errorf("Parse(%s, %q): %v", name, data, err)
			}
		}
	})
}
