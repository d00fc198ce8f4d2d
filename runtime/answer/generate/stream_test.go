package generate

import (
	"strings"
	"testing"
)

// TestDraft cuts a text at every byte, and into single bytes: what is told is the same.
func TestDraft(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"words", "A deploy takes ten minutes.\n", "A deploy takes ten minutes."},
		{"evidence", `It is so. <cite n="1">it is so</cite>` + "\n" + `And so. <cite n="2">and so</cite> <cite n="3">x</cite>`, "It is so.\nAnd so."},
		{"evidence in the middle", `a <cite n="1">x</cite> b`, "a b"},
		{"another tag", "a <b>c</b> <citadel", "a <b>c</b> <citadel"},
		{"a mark that ends the text", "a < b <ci", "a < b <ci"},
		{"evidence without end", `a <cite n="1">b c`, "a"},
		{"no answer", "NO ANSWER", ""},
		{"no answer with marks and words", "\n **NO ANSWER**: nothing is said", ""},
		{"nearly no answer", "NO ANSWERS", ""}, // Check takes it for none too
		{"another beginning", "NO ANGEL", "NO ANGEL"},
		{"spaces first", "\n  yes", "yes"},
		{"nothing", " \n ", ""},
	} {
		for at := 0; at <= len(tt.text); at++ {
			cuts := []string{tt.text[:at], tt.text[at:]}
			if at == len(tt.text) {
				cuts = strings.Split(tt.text, "")
			}
			got := ""
			d := &Stream{Words: func(text string) {
				if text == "" {
					t.Errorf("%s: empty words", tt.name)
				}
				got += text
			}, Void: func() { t.Errorf("%s: void", tt.name) }}
			for _, cut := range cuts {
				d.write(cut)
			}
			d.end()
			if got != tt.want {
				t.Fatalf("%s, cut at %d: told %q, want %q", tt.name, at, got, tt.want)
			}
		}
	}
}

// What was told of a stream that breaks is void once the model is asked again, and only then.
func TestCompleteTellsADraft(t *testing.T) {
	requests, told := 0, ""
	m := endpoint(t, &requests, says(503, "text/plain", ""), says(200, stream1, event("half ")+event("of it")), says(200, stream1, event("all ")+event("of it")+"data: [DONE]\n\n"))
	got, err := m.Complete(t.Context(), []Message{{"user", "q"}}, 50, &Stream{Words: func(text string) { told += text }, Void: func() { told += "|" }})
	if err != nil || got != "all of it" || told != "half of it|all of it" {
		t.Errorf("Complete = %q, %v, told %q", got, err, told)
	}
}
