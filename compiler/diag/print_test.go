package diag

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kdd/format/index"
)

var sample = []Diagnostic{
	{Severity: Note, Code: "KDD301", Rule: "r", Text: "about the build"},
	{Path: "docs/a.md", Line: 12, Col: 3, Severity: Warning, Code: "KDD104", Rule: "broken-anchor", Text: `link to missing anchor "#setup"`, Hint: `the nearest is "#set-up"`},
	{Path: "docs/a,b:c%.md", Line: 7, Severity: Error, Code: "KDD001", Rule: "unreadable", Text: "100% gone, at: all"},
	{Path: "new\nline\x1b[2J.md", Col: 5, Severity: Warning, Code: "KDD014", Rule: "name-not-utf8", Text: "\xff \u202e日本\r\n::error::x", Hint: "a\u200bb"},
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := (Printer{}).Text(&b, sample); err != nil {
		t.Fatal(err)
	}
	want := `note: about the build [KDD301]
docs/a.md:12:3: warning: link to missing anchor "#setup" [KDD104]
    the nearest is "#set-up"
docs/a,b:c%.md:7: error: 100% gone, at: all [KDD001]
new\nline\x1b[2J.md: warning: \xff \u202e日本\r\n::error::x [KDD014]
    a\u200bb
`
	if b.String() != want {
		t.Errorf("Text =\n%s\nwant\n%s", b.String(), want)
	}
}

func TestTextColor(t *testing.T) {
	var b strings.Builder
	p := Printer{Color: true, Name: func(path string) string { return "site/" + path }}
	if err := p.Text(&b, sample[:2]); err != nil {
		t.Fatal(err)
	}
	want := "\x1b[1;34mnote:\x1b[0m about the build\x1b[2m [KDD301]\x1b[0m\n" +
		"\x1b[1msite/docs/a.md:12:3:\x1b[0m \x1b[1;33mwarning:\x1b[0m link to missing anchor \"#setup\"\x1b[2m [KDD104]\x1b[0m\n" +
		"    \x1b[2mthe nearest is \"#set-up\"\x1b[0m\n"
	if b.String() != want {
		t.Errorf("Text =\n%q\nwant\n%q", b.String(), want)
	}
}

func TestGitHub(t *testing.T) {
	var b strings.Builder
	if err := (Printer{}).GitHub(&b, sample); err != nil {
		t.Fatal(err)
	}
	want := "::notice title=r [KDD301]::about the build\n" +
		"::warning file=docs/a.md,line=12,col=3,title=broken-anchor [KDD104]::link to missing anchor \"#setup\"%0Athe nearest is \"#set-up\"\n" +
		"::error file=docs/a%2Cb%3Ac%25.md,line=7,title=unreadable [KDD001]::100%25 gone, at: all\n" +
		"::warning file=new%0Aline\x1b[2J.md,title=name-not-utf8 [KDD014]::\\xff \\u202e日本\\r\\n::error::x%0Aa\\u200bb\n"
	if b.String() != want {
		t.Errorf("GitHub =\n%q\nwant\n%q", b.String(), want)
	}
}

type brokenWriter struct{}

var errFull = errors.New("disk full")

func (brokenWriter) Write([]byte) (int, error) { return 0, errFull }

func TestPrintErrors(t *testing.T) {
	if err := (Printer{}).Text(brokenWriter{}, sample); !errors.Is(err, errFull) {
		t.Errorf("Text to a full disk: %v", err)
	}
	if err := (Printer{}).GitHub(brokenWriter{}, sample); !errors.Is(err, errFull) {
		t.Errorf("GitHub to a full disk: %v", err)
	}
}

func TestJSON(t *testing.T) {
	got, err := json.Marshal(ListJSON(sample[:2]))
	want := `[{"severity":"note","code":"KDD301","rule":"r","message":"about the build"},` +
		`{"path":"docs/a.md","line":12,"col":3,"severity":"warning","code":"KDD104","rule":"broken-anchor",` +
		`"message":"link to missing anchor \"#setup\"","hint":"the nearest is \"#set-up\""}]`
	if err != nil || string(got) != want {
		t.Errorf("ListJSON = %s, %v\nwant %s", got, err, want)
	}
	if got, err := json.Marshal(ListJSON(nil)); err != nil || string(got) != "[]" {
		t.Errorf("ListJSON(nil) = %s, %v, want []", got, err)
	}
}

// fingerprint is the one that the artifact's finding has.
func fingerprint(d Diagnostic) string {
	f := index.Finding{Rule: d.Rule, Path: d.Path, Text: d.Text}
	return f.Fingerprint()
}

func TestFingerprint(t *testing.T) {
	base := Diagnostic{Path: "a.md", Line: 1, Col: 2, Rule: "r", Code: "KDD001", Text: "defined at line 12 and at b.md:7:3"}
	want := fingerprint(base)
	if len(want) != 16 || strings.Trim(want, "0123456789abcdef") != "" {
		t.Fatalf("Fingerprint = %q, want 16 hex digits", want)
	}
	tests := []struct {
		name   string
		change func(*Diagnostic)
		same   bool
	}{
		{"another place", func(d *Diagnostic) { d.Line, d.Col = 99, 1 }, true},
		{"other lines in the text", func(d *Diagnostic) { d.Text = "defined at line 13 and at b.md:70" }, true},
		{"another severity and hint", func(d *Diagnostic) { d.Severity, d.Hint = Error, "h" }, true},
		{"another path", func(d *Diagnostic) { d.Path = "b.md" }, false},
		{"another rule", func(d *Diagnostic) { d.Rule = "s" }, false},
		{"another text", func(d *Diagnostic) { d.Text += "." }, false},
		{"another number", func(d *Diagnostic) { d.Text = "defined at line 12 and at c.md:7:3" }, false},
		{"a border moved", func(d *Diagnostic) { d.Rule, d.Path = "ra", ".md" }, false},
	}
	for _, tt := range tests {
		d := base
		tt.change(&d)
		if got := fingerprint(d); (got == want) != tt.same {
			t.Errorf("%s: Fingerprint = %s, base %s, want equal %t", tt.name, got, want, tt.same)
		}
	}
}

// What a finding names makes its fingerprint, not how it is said; of rules whose texts name other documents, its own
// name.
func TestFingerprintNames(t *testing.T) {
	for _, tt := range []struct {
		name, rule, a, b string
		same             bool
	}{
		{"reworded", "broken-link", `link "a b.md": no such document`, `"a b.md" cannot be found, though it is linked`, true},
		{"another target", "broken-link", `link "a.md": no such document`, `link "b.md": no such document`, false},
		{"a quote in a name", "broken-link", `link "a\"b": no such document`, `link "a\"c": no such document`, false},
		{"both names count", "golden-target", `question "q-1": no document "a.md"`, `question "q-1": no document "b.md"`, false},
		{"reworded, another's place", "duplicate-title", `title "A" is also that of b.md`, `title "A" is the title of c.md too`, true},
		{"another title", "duplicate-title", `title "A" is also that of b.md`, `title "B" is also that of b.md`, false},
		{"another spelling elsewhere", "id-case", `id "R-1" differs only in case or accents from "r-1" of b.md`, `id "R-1" is spelt "r-1" in c.md`, true},
		{"the choice grows", "ambiguous-target", `[[Order]] may mean any of 2`, `[[Order]] may mean any of 3`, true},
		{"another wiki link", "ambiguous-target", `[[Order]] may mean any of 2`, `[[Orders]] may mean any of 2`, false},
		{"a hole less", "coverage-hole", `Entity:A has no rules, no events`, `Entity:A has no events`, true},
	} {
		one, other := Diagnostic{Path: "a.md", Rule: tt.rule, Text: tt.a}, Diagnostic{Path: "a.md", Rule: tt.rule, Text: tt.b}
		if got := fingerprint(one) == fingerprint(other); got != tt.same {
			t.Errorf("%s: fingerprints of %q and %q are equal: %t, want %t", tt.name, tt.a, tt.b, got, tt.same)
		}
	}
}

func TestEscape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a b", "a b"},
		{"other scripts", "日本 ünï 😀 e\u0301", "日本 ünï 😀 e\u0301"},
		{"quotes and backslashes stay", `"'\`, `"'\`},
		{"controls", "\x00\a\t\n\r\x7f", `\x00\a\t\n\r\x7f`},
		{"not UTF-8", "a\xffb", `a\xffb`},
		{"a real U+FFFD", "\uFFFD", "\uFFFD"},
		{"both", "\uFFFD\xff", "\uFFFD" + `\xff`},
		{"marks that turn or hide text", "\u202e\u200b\u2066\ufeff", `\u202e\u200b\u2066\ufeff`},
		{"no-break space", "a\u00a0b", `a\u00a0b`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Escape(tt.in); got != tt.want {
				t.Errorf("Escape(%q) = %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}
