package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testFlags = []Flag{
	{Name: "limit", Aliases: []string{"k"}, Value: "N"},
	{Name: "kinds", Aliases: []string{"kind"}, Type: List},
	{Name: "compare", Type: Pair, Value: "A B"},
	{Name: "explain", Type: Switch},
	{Name: "mode", Enum: []string{"hybrid", "lexical"}},
	{Name: "source-commit", Type: Optional, Value: "COMMIT", Bare: "auto"},
	{Name: "format", Enum: []string{"text", "json"}},
}

func TestArrange(t *testing.T) {
	tests := []struct {
		name, argv, want string
	}{
		{"nothing", "", "--"},
		{"words", "how does it", "--|how|does|it"},
		{"flags last", "word --limit 3", "--limit=3|--|word"},
		{"flags between", "how --limit 3 does", "--limit=3|--|how|does"},
		{"one dash", "-k 3 word", "--limit=3|--|word"},
		{"equals", "word --limit=3", "--limit=3|--|word"},
		{"empty value", "word --limit=", "--limit=|--|word"},
		{"value with equals", "word --kind=a=b", "--kinds=a=b|--|word"},
		{"value that looks like a flag", "word --kind --limit", "--kinds=--limit|--|word"},
		{"alias and name", "--kind a --kinds b", "--kinds=a|--kinds=b|--"},
		{"switch", "--explain word", "--explain=true|--|word"},
		{"switch off", "--explain=false word", "--explain=false|--|word"},
		{"optional alone", "--source-commit docs", "--source-commit=auto|--|docs"},
		{"optional with value", "--source-commit=1a2b docs", "--source-commit=1a2b|--|docs"},
		{"two values", "word --compare a b more", "--compare=a|--compare=b|--|word|more"},
		{"two values one by one", "--compare=a word --compare=b", "--compare=a|--compare=b|--|word"},
		{"end of flags", "word -- --limit 3", "--|word|--limit|3"},
		{"second end is a word", "-- a -- b", "--|a|--|b"},
		{"single dash is a word", "- --limit 3", "--limit=3|--|-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := arrange(testFlags, strings.Fields(tt.argv))
			if joined := strings.Join(got, "|"); err != nil || joined != tt.want {
				t.Errorf("arrange(%q) = %s, %v, want %s", tt.argv, joined, err, tt.want)
			}
		})
	}
}

func TestArrangeSpaces(t *testing.T) {
	got, err := arrange(testFlags, []string{"-draft is a word here", "-x y=z"})
	if want := []string{"--", "-draft is a word here", "-x y=z"}; err != nil || !cmp.Equal(got, want) {
		t.Errorf("arrange = %q, %v, want %q", got, err, want)
	}
}

func TestArrangeErrors(t *testing.T) {
	tests := []struct {
		name, argv, want string
	}{
		{"misspelt", "--lmit 3", "unknown flag --lmit; did you mean --limit?"},
		{"misspelt alias", "--kindd x", "unknown flag --kindd; did you mean --kinds?"},
		{"from another tool", "x --json", "unknown flag --json; did you mean --format json?"},
		{"short count", "x -n 3", "unknown flag -n; did you mean --limit?"},
		{"one letter is not like another", "x -y", `unknown flag -y; a word that begins with "-" goes behind "--"`},
		{"word with a dash", "tokens -zebra", `unknown flag -zebra; a word that begins with "-" goes behind "--"`},
		{"value is shown without", "--secret=hunter2", "unknown flag --secret"},
		{"no value", "word --limit", "--limit needs a value: --limit N"},
		{"one value of two", "word --compare a", "--compare needs two values: --compare A B"},
		{"value for a switch", "--explain=maybe", `--explain takes no value, got "maybe"`},
		{"not of the list", "--mode lexcal", `--mode takes hybrid or lexical, got "lexcal"; did you mean "lexical"?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := arrange(testFlags, strings.Fields(tt.argv))
			if err == nil || err.Error() != tt.want {
				t.Fatalf("arrange(%q) = %q, %v, want error %s", tt.argv, got, err, tt.want)
			}
			if code := ExitCode(err); code != ExitUsage {
				t.Errorf("ExitCode = %d, want %d", code, ExitUsage)
			}
		})
	}
}

func TestLeading(t *testing.T) {
	moved, rest, err := leading(commonFlags(), strings.Fields("-i a.kddx --format=json search x -i b.kddx"))
	if err != nil || strings.Join(moved, " ") != "-i a.kddx --format=json" || strings.Join(rest, " ") != "search x -i b.kddx" {
		t.Errorf("leading = %q, %q, %v", moved, rest, err)
	}
	if _, _, err := leading(commonFlags(), []string{"--index"}); err == nil {
		t.Error("leading(--index) = nil, want an error: the value is missing")
	}
	if _, _, err := leading(commonFlags(), strings.Fields("--limit 3 search")); err == nil {
		t.Error("leading(--limit 3 search) = nil, want an error: only common flags may stand there")
	}
}

func TestWantsJSON(t *testing.T) {
	tests := []struct {
		argv string
		want bool
	}{
		{"search x --format json", true},
		{"search x --format=json", true},
		{"search x -format jsonl", true},
		{"search x --format text", false},
		{"search -- --format json", false},
		{"search format json", false},
		{"search x --format", false},
		{"", false},
	}
	for _, tt := range tests {
		if got := wantsJSON(strings.Fields(tt.argv)); got != tt.want {
			t.Errorf("wantsJSON(%q) = %t, want %t", tt.argv, got, tt.want)
		}
	}
}

// FuzzArrange checks that what comes before the "--" are known flags with values, and that no word is lost.
func FuzzArrange(f *testing.F) {
	for _, seed := range []string{"word\n--limit\n3", "-k=1\n--\n--kind", "-\n--explain\n=\n-=\n--=", "--source-commit\n\n- a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		argv := strings.Split(text, "\n")
		got, err := arrange(testFlags, argv)
		if err != nil {
			if ExitCode(err) != ExitUsage {
				t.Fatalf("arrange(%q): %v is no usage error", argv, err)
			}
			return
		}
		for i, arg := range got {
			if arg == "--" {
				if len(got)-i-1 > len(argv) {
					t.Fatalf("arrange(%q) = %q has more words than went in", argv, got)
				}
				return
			}
			name, _, assigned := splitFlag(arg)
			if f := find(testFlags, name); f == nil || f.Name != name || !assigned {
				t.Fatalf("arrange(%q) = %q: %q is no flag with a value", argv, got, arg)
			}
		}
		t.Fatalf("arrange(%q) = %q has no end of flags", argv, got)
	})
}
