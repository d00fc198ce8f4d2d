package diag

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSort(t *testing.T) {
	want := []Diagnostic{
		{Text: "about the build"},
		{Path: "a.md"},
		{Path: "a.md", Line: 2},
		{Path: "a.md", Line: 2, Col: 1, Code: "KDD001"},
		{Path: "a.md", Line: 2, Col: 1, Code: "KDD002", Text: "a"},
		{Path: "a.md", Line: 2, Col: 1, Code: "KDD002", Text: "b"},
		{Path: "a.md", Line: 2, Col: 1, Code: "KDD002", Text: "b", Severity: Error},
		{Path: "a.md", Line: 2, Col: 1, Code: "KDD002", Text: "b", Severity: Error, Hint: "h"},
		{Path: "a.md", Line: 10},
		{Path: "a/b.md"},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		mixed := append(slices.Clone(want), want...)
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if got := Sort(mixed); !slices.Equal(got, want) {
			t.Fatalf("Sort = %v, want %v", got, want)
		}
	}
	if got := Sort(nil); len(got) != 0 {
		t.Errorf("Sort(nil) = %v, want nothing", got)
	}
}

func TestSeverity(t *testing.T) {
	tests := []struct {
		text string
		want Severity
		ok   bool
	}{
		{"note", Note, true}, {"warning", Warning, true}, {"error", Error, true},
		{"Warnings", Warning, true}, {"ERROR", Error, true}, {"", Note, false}, {"warn", Note, false},
	}
	for _, tt := range tests {
		got, err := ParseSeverity(tt.text)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("ParseSeverity(%q) = %v, %v, want %v, ok %t", tt.text, got, err, tt.want, tt.ok)
		}
	}
	for s := Note; s <= Error; s++ {
		text, err := json.Marshal(s)
		var back Severity
		if err != nil || json.Unmarshal(text, &back) != nil || back != s {
			t.Errorf("severity %v: JSON %s reads back as %v (%v)", s, text, back, err)
		}
	}
	if got := Severity(9).String(); got != "severity(9)" {
		t.Errorf("Severity(9).String() = %q, want severity(9)", got)
	}
}

func TestCount(t *testing.T) {
	c := Count([]Diagnostic{{Severity: Error}, {}, {Severity: Warning}, {}, {Severity: Warning}, {}})
	if want := (Counts{Errors: 1, Warnings: 2, Notes: 3}); c != want {
		t.Fatalf("Count = %+v, want %+v", c, want)
	}
	for s, want := range map[Severity]int{Error: 1, Warning: 3, Note: 6} {
		if got := c.AtLeast(s); got != want {
			t.Errorf("AtLeast(%v) = %d, want %d", s, got, want)
		}
	}
	for c, want := range map[Counts]string{{}: "", {Notes: 1}: "1 note", {Errors: 2, Warnings: 1}: "2 errors, 1 warning", c: "1 error, 2 warnings, 3 notes"} {
		if got := c.String(); got != want {
			t.Errorf("%+v.String() = %q, want %q", c, got, want)
		}
	}
}

func TestNewTakesTheRulesRow(t *testing.T) {
	d := At(NotUTF8, "a.md", 3, 4, "byte 0x%02x", 0xe9)
	want := Diagnostic{Path: "a.md", Line: 3, Col: 4, Severity: Warning, Code: "KDD004", Rule: "not-utf8", Text: "byte 0xe9", Hint: NotUTF8.Cure}
	if d != want {
		t.Errorf("At = %+v, want %+v", d, want)
	}
	if d := New(Unreadable, "", "all of it"); d.Text != "all of it" || d.Line != 0 {
		t.Errorf("New = %+v, want a diagnostic about the whole build", d)
	}
	d = d.WithHint("see %s", "b.md").WithSeverity(Error)
	if d.Hint != "see b.md" || d.Severity != Error || d.Code != "KDD004" {
		t.Errorf("WithHint, WithSeverity = %+v", d)
	}
}

func TestRules(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	codes, names := map[string]bool{}, map[string]bool{}
	for _, row := range Rules() {
		if codes[row.Code()] || names[row.Name] {
			t.Errorf("%s %s: a number or name of two rules", row.Code(), row.Name)
		}
		codes[row.Code()], names[row.Name] = true, true
		if !name.MatchString(row.Name) {
			t.Errorf("%s: name %q, want lower-case words joined by -", row.Code(), row.Name)
		}
		for _, text := range []string{row.About, row.Cure} {
			if strings.ContainsAny(text, "\n\t") || strings.HasSuffix(text, ".") {
				t.Errorf("%s %s: %q, want one line without full stop", row.Code(), row.Name, text)
			}
		}
		if row.Number == 0 || row.About == "" || row.Severity > Error {
			t.Errorf("%s %s: no number, description or severity", row.Code(), row.Name)
		}
	}
	if !slices.IsSortedFunc(Rules(), func(a, b Rule) int { return int(a.Number) - int(b.Number) }) || len(codes) == 0 {
		t.Error("Rules are not sorted by number")
	}
}
