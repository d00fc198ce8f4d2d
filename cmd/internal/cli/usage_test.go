package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
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

// shown runs a command with the flags of argv and shows what it was given: the flags with their values, "--", the
// words.
func shown(t *testing.T, argv []string) (string, error) {
	t.Helper()
	var parts []string
	err := probe(t, testFlags, argv, func(c *Call) {
		for i := range testFlags {
			for _, text := range c.List(testFlags[i].Name) {
				parts = append(parts, "--"+testFlags[i].Name+"="+text)
			}
		}
		parts = append(append(parts, "--"), c.Args...)
	})
	return strings.Join(parts, "|"), err
}

func TestFlags(t *testing.T) {
	tests := []struct{ name, argv, want string }{
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
		{"commas stay", "--kind a,b", "--kinds=a,b|--"},
		{"switch", "--explain word", "--explain=true|--|word"},
		{"switch off", "--explain=false word", "--explain=false|--|word"},
		{"optional alone", "--source-commit docs", "--source-commit=auto|--|docs"},
		{"optional with value", "--source-commit=1a2b docs", "--source-commit=1a2b|--|docs"},
		{"two values", "word --compare a b more", "--compare=a|--compare=b|--|word|more"},
		{"two values one by one", "--compare=a word --compare=b", "--compare=a|--compare=b|--|word"},
		{"end of flags", "word -- --limit 3", "--|word|--limit|3"},
		{"second end is a word", "-- a -- b", "--|a|--|b"},
		{"single dash is a word", "- --limit 3", "--limit=3|--|-"},
		{"a number is a word", "-5 --limit 3", "--limit=3|--|-5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := shown(t, strings.Fields(tt.argv)); err != nil || got != tt.want {
				t.Errorf("%q: %s, %v, want %s", tt.argv, got, err, tt.want)
			}
		})
	}
}

func TestFlagsWithSpaces(t *testing.T) {
	got, err := shown(t, []string{"-draft is a word here", "-x y=z"})
	if want := "--|-draft is a word here|-x y=z"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestFlagErrors(t *testing.T) {
	tests := []struct{ name, argv, want string }{
		{"misspelt", "--lmit 3", "unknown flag --lmit; did you mean --limit?"},
		{"misspelt alias", "--kindd x", "unknown flag --kindd; did you mean --kinds?"},
		{"from another tool", "x --json", "unknown flag --json; did you mean --format json?"},
		{"short count", "x -n 3", "unknown flag -n; did you mean --limit?"},
		{"one letter is not like another", "x -y", `unknown flag -y; a word that begins with "-" goes behind "--"`},
		{"word with a dash", "tokens -zebra", `unknown flag -zebra; a word that begins with "-" goes behind "--"`},
		{"value is shown without", "--secret=hunter2", "unknown flag --secret; see kdd help probe"},
		{"no value", "word --limit", "--limit needs a value: --limit N; see kdd help probe"},
		{"one value of two", "word --compare a", "--compare needs two values: --compare A B; see kdd help probe"},
		{"value for a switch", "--explain=maybe", `--explain takes no value, got "maybe"; see kdd help probe`},
		{"not of the list", "--mode lexcal", `--mode takes hybrid or lexical, got "lexcal"; did you mean "lexical"?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := shown(t, strings.Fields(tt.argv))
			if err == nil || err.Error() != tt.want {
				t.Fatalf("%q: %q, %v, want error %s", tt.argv, got, err, tt.want)
			}
			if code := ExitCode(err); code != ExitUsage {
				t.Errorf("ExitCode = %d, want %d", code, ExitUsage)
			}
		})
	}
}

// TestFlagsBefore checks flags before the name of a command: they count for it, and what stands behind has precedence.
func TestFlagsBefore(t *testing.T) {
	tests := []struct{ argv, index, format, err string }{
		{"-i a.kddx --format=json probe x -i b.kddx", "a.kddx b.kddx", "json", ""},
		{"--format csv probe x --format md", "", "md", ""},
		{"--index", "", "", "--index needs a value: --index [NAME=]FILE; see kdd help"},
		{"--limit 3 probe", "", "", "unknown flag --limit; flags of one command go behind its name"},
	}
	for _, tt := range tests {
		t.Run(tt.argv, func(t *testing.T) {
			command := &Command{Name: "probe", MaxArgs: -1, Flags: commonFlags, Run: func(c *Call) error {
				if got := strings.Join(c.List("index"), " "); got != tt.index || c.Text("format") != tt.format {
					t.Errorf("index %q, format %q, want %q, %q", got, c.Text("format"), tt.index, tt.format)
				}
				return nil
			}}
			tool := Tool{Name: "kdd", Commands: []*Command{command}}
			err := tool.run(t.Context(), strings.Fields(tt.argv), strings.NewReader(""), io.Discard, io.Discard)
			if got := fmt.Sprint(err); err != nil && got != tt.err || err == nil && tt.err != "" {
				t.Errorf("%v, want %q", err, tt.err)
			}
		})
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

// FuzzFlags checks that any command line runs the command or is a usage error, and that no word is made up.
func FuzzFlags(f *testing.F) {
	for _, seed := range []string{"word\n--limit\n3", "-k=1\n--\n--kind", "-\n--explain\n=\n-=\n--=",
		"--source-commit\n\n- a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\x00") { // which no command line can hold
			return
		}
		argv := strings.Split(text, "\n")
		err := probe(t, testFlags, argv, func(c *Call) {
			for _, word := range c.Args {
				if !slices.Contains(argv, word) {
					t.Fatalf("%q gives the word %q", argv, word)
				}
			}
		})
		if err != nil && ExitCode(err) != ExitUsage {
			t.Fatalf("%q: %v is no usage error", argv, err)
		}
	})
}
