package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func TestParseConfig(t *testing.T) {
	tests := []struct {
		name, text string
		want       map[string][]string
		graph      string
	}{
		{"empty", "", map[string][]string{}, ""},
		{"only a comment", "# nothing\n", map[string][]string{}, ""},
		{"null", "title:\n", map[string][]string{}, ""},
		{"text", "title: Handbook\nlanguage: es\n", map[string][]string{"title": {"Handbook"}, "language": {"es"}}, ""},
		{"number as text", "title: 2024\n", map[string][]string{"title": {"2024"}}, ""},
		{"list", "include: [a/**, b.md]\n", map[string][]string{"include": {"a/**", "b.md"}}, ""},
		{"list of one", "exclude: old/**\n", map[string][]string{"exclude": {"old/**"}}, ""},
		{"empty list", "exclude: []\n", map[string][]string{"exclude": {}}, ""},
		{"switches", "drafts: true\nstrict: false\n", map[string][]string{"drafts": {"true"}, "strict": {"false"}}, ""},
		{"show", "show:\n  format: json\n  limit: 7\n", map[string][]string{"show.format": {"json"},
			"show.limit": {"7"}}, ""},
		{"CRLF and BOM", "\ufefftitle: A\r\nshow: {color: never}\r\n",
			map[string][]string{"title": {"A"}, "show.color": {"never"}}, ""},
		{"graph", "title: A\ngraph:\n  kinds: []\nstrict: true\n", map[string][]string{"title": {"A"}, "strict": {"true"}},
			"\n      \n  kinds: []\n"},
		{"graph last, flow", "graph: {kinds: []}", map[string][]string{}, "       {kinds: []}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseConfig("kdd.yaml", []byte(tt.text))
			if err != nil {
				t.Fatalf("parseConfig(%q): %v", tt.text, err)
			}
			if diff := cmp.Diff(tt.want, got.values); diff != "" {
				t.Errorf("parseConfig(%q) values (-want +got):\n%s", tt.text, diff)
			}
			if string(got.Graph) != tt.graph {
				t.Errorf("parseConfig(%q) graph = %q, want %q", tt.text, got.Graph, tt.graph)
			}
		})
	}
}

func TestParseConfigErrors(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"unknown key", "title: A\ntitel: B\n", `kdd.yaml:2: unknown key "titel"; did you mean "title"?`},
		{"unknown key of show", "show:\n  fromat: json\n",
			`kdd.yaml:2: unknown key "show.fromat"; did you mean "show.format"?`},
		{"far from all", "zzzzzzzz: 1\n", `kdd.yaml:1: unknown key "zzzzzzzz"; the keys are title,`},
		{"twice", "title: A\ntitle: B\n", "kdd.yaml:"},
		{"output", "output: /etc/passwd\n", "kdd.yaml:1: output cannot be set here; "},
		{"endpoint below show", "show: {endpoint: x}\n", "kdd.yaml:1: show.endpoint cannot be set here; "},
		{"follow links", "follow_links: true\n", "kdd.yaml:1: follow_links cannot be set here; "},
		{"with a dash", "follow-links: true\n", "kdd.yaml:1: follow-links cannot be set here; "},
		{"not a switch", "drafts: perhaps\n", `kdd.yaml:1: drafts takes true or false, got "perhaps"`},
		{"not of the list", "show:\n  mode: fuzzy\n", `kdd.yaml:2: show.mode takes hybrid, lexical or vector, got "fuzzy"`},
		{"limit too large", "show: {limit: 1000}\n", `kdd.yaml:1: show.limit takes 1 to 100, got "1000"`},
		{"map for text", "title: {a: b}\n", "kdd.yaml:1: title: got keys and values, want a value"},
		{"list for text", "title: [a, b]\n", "kdd.yaml:1: title: got a list, want a value"},
		{"list in a list", "include: [[a]]\n", "kdd.yaml:1: include: got a list, want a value"},
		{"alias", "title: &a x\nlanguage: *a\n", "kdd.yaml:2: language: got an alias, want a value"},
		{"a list at the top", "- a\n", "kdd.yaml:1: got a list, want keys and values"},
		{"text at the top", "hello\n", "kdd.yaml:1: got a text, want keys and values"},
		{"two documents", "title: A\n---\ntitle: B\n", "kdd.yaml:2: a second document begins here, want one"},
		{"no YAML", "title: A\n  b: [\n", "kdd.yaml:2: "},
		{"no YAML in the first line", "\ttitle: A\n", "kdd.yaml:1: found character that cannot start any token; indent " +
			"with spaces, and quote values that "},
		{"a quotation mark without its other", "title: \"A\n",
			"kdd.yaml:2: found unexpected end of stream; indent with spaces, and quote values that "},
		{"show is no map", "show: json\n", "kdd.yaml:1: show: got a text, want keys and values"},
		{"a long key", strings.Repeat("k", 41) + ": 1\n", `kdd.yaml:1: unknown key "` + strings.Repeat("k", 37) + `…"`},
		{"an anchor that is not there", "title: *hunter2\n", "kdd.yaml:1: unknown anchor…; indent"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseConfig("kdd.yaml", []byte(tt.text))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Fatalf("parseConfig(%q) = %v, want an error that begins with %q", tt.text, err, tt.want)
			}
			if code := ExitCode(err); code != ExitUsage {
				t.Errorf("ExitCode = %d, want %d", code, ExitUsage)
			}
		})
	}
}

func TestReadConfig(t *testing.T) {
	dir := t.TempDir()
	for _, where := range []string{dir, filepath.Join(dir, "absent")} {
		if c, err := readConfig(where); err != nil || c.Path != "" {
			t.Errorf("readConfig of a folder without one = %+v, %v, want none", c, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "kdd.yml"), []byte("title: A"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readConfig(dir); err == nil || !strings.Contains(err.Error(), "rename it to kdd.yaml") {
		t.Errorf("readConfig with kdd.yml = %v, want advice to rename it", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kdd.yaml"), make([]byte, maxConfigBytes+1), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readConfig(dir); err == nil || !strings.Contains(err.Error(), "at most 1048576 are read") {
		t.Errorf("readConfig of a huge file = %v, want an error that names the limit", err)
	}
}

// TestConfigLink reads a kdd.yaml that is a link: inside of its folder, and out of it.
func TestConfigLink(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "docs")
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(top, "secret"), filepath.Join(dir, "sub", "real.yaml")} {
		if err := os.WriteFile(path, []byte("title: hidden\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, configName)
	for target, refused := range map[string]bool{"../secret": true, filepath.Join(top, "secret"): true, "sub/real.yaml": false} {
		os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		c, err := readConfig(dir)
		if refused != (err != nil) || refused && (!strings.Contains(err.Error(), "a link out of its folder") || strings.Contains(err.Error(), "hidden")) {
			t.Errorf("a link to %s: %+v, %v", target, c, err)
		}
	}
}

// FuzzParseConfig checks that every error names the file and is a usage error, and that graph is YAML with lines of
// its own.
func FuzzParseConfig(f *testing.F) {
	for _, seed := range []string{"title: A\n", "show: {format: json}\n", "graph:\n  kinds:\n  - a\ntitle: B\n",
		"a: &x [*x]\n", "? [a]\n: b\n", "\"gr\\\naph\": 1\n", "graph: |\n  text\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseConfig("kdd.yaml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "kdd.yaml:") || ExitCode(err) != ExitUsage {
				t.Fatalf("parseConfig(%q): %v", data, err)
			}
			return
		}
		if c.Graph != nil && len(c.Graph) > len(data)+1 {
			t.Fatalf("parseConfig(%q): graph is longer than the file: %q", data, c.Graph)
		}
		var node yaml.Node
		_ = yaml.Unmarshal(c.Graph, &node)
	})
}

// The kdd.yaml of docs/CONFIGURATION.md has every key, and is one.
func TestReadmeConfig(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/CONFIGURATION.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(raw), "\n```yaml\n")
	block, _, _ = strings.Cut(block, "```\n")
	c, err := parseConfig("kdd.yaml", []byte(block))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings() {
		if _, ok := c.values[s.key]; !ok && (s.key != "graph" || c.Graph == nil) {
			t.Errorf("the kdd.yaml of docs/CONFIGURATION.md lacks %s", s.key)
		}
	}
}

// The table of docs/CONFIGURATION.md has every variable of the environment, and no other.
func TestReadmeVariables(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/CONFIGURATION.md")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, row := range regexp.MustCompile("(?m)^\\| ((?:(?:, )?`[A-Z_]+`)+) \\|").FindAllStringSubmatch(string(raw), -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			have = append(have, strings.Trim(name, "`"))
		}
	}
	want := append(variables(), compiling...)
	slices.Sort(have)
	slices.Sort(want)
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("variables (-code +docs/CONFIGURATION.md):\n%s", diff)
	}
}
