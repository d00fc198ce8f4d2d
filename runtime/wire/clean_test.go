package wire

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want, lines string }{
		{"empty", "", "", ""},
		{"plain", "Größe 漢字 🙂", "Größe 漢字 🙂", "Größe 漢字 🙂"},
		{"line breaks", "a\r\nb\nc\rd\te\u2028f\u0085g", "a b c d e f g", "a\nb\nc d\te f g"},
		{"ANSI", "\x1b[31mred\x1b]0;t\x07", "\ufffd[31mred\ufffd]0;t\ufffd", "\ufffd[31mred\ufffd]0;t\ufffd"},
		{"C1 escape", "a\u009b31mb\x00\x7f", "a\ufffd31mb\ufffd\ufffd", "a\ufffd31mb\ufffd\ufffd"},
		{"not UTF-8", "a\xff\xc3", "a\ufffd\ufffd", "a\ufffd\ufffd"},
		{"a real U+FFFD", "a\ufffdb", "a\ufffdb", "a\ufffdb"},
		{"bidi", "a\u202eb\u2066c\u200fd\u061ce", "abcde", "abcde"},
		{"zero width", "pass\u200bword\ufeff\u00ad\u2060\u3164", "password", "password"},
		{"tags", "a\U000e0041\U000e0042b", "ab", "ab"},
		{"joiner in Persian", "می\u200cشود", "می\u200cشود", "می\u200cشود"},
		{"joiner in Hindi", "क्\u200dष", "क्\u200dष", "क्\u200dष"},
		{"joiner in emoji", "👩\u200d💻 ❤\ufe0f\u200d🔥", "👩\u200d💻 ❤\ufe0f\u200d🔥", "👩\u200d💻 ❤\ufe0f\u200d🔥"},
		{"joiner elsewhere", "a\u200db\u200cc\u200d", "abc", "abc"},
		{"joiner at an end", "می\u200c", "می", "می"},
		{"joiner before what is dropped", "می\u200c\u061c می\u200c\u202eشود", "می می\u200cشود", "می می\u200cشود"},
		{"hidden behind selectors", "a\ufe00\ufe01\ufe02b\U000e0100", "a\ufe00b", "a\ufe00b"},
		{"ideographic variant", "葛\U000e0100", "葛\U000e0100", "葛\U000e0100"},
		{"Arabic number sign", "\u0600١", "\u0600١", "\u0600١"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Clean(test.in); got != test.want {
				t.Errorf("Clean(%q) = %q, want %q", test.in, got, test.want)
			}
			if got := CleanLines(test.in); got != test.lines {
				t.Errorf("CleanLines(%q) = %q, want %q", test.in, got, test.lines)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"a\x1b[0m", "\u202e\u200b", "می\u200cشود", "👩\u200d💻", "\xff\xfe\r\n", "葛\U000e0100\U000e0101", "\ufe0f\u200d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) {
			t.Fatalf("Clean(%q) = %q: a control or no UTF-8", s, got)
		}
		if again := Clean(got); again != got {
			t.Fatalf("Clean(%q) = %q, and again %q", s, got, again)
		}
		if lines := CleanLines(s); Clean(lines) != got {
			t.Fatalf("Clean(CleanLines(%q)) = %q, want %q", s, Clean(lines), got)
		}
	})
}

func TestShorten(t *testing.T) {
	tests := []struct {
		name, in string
		most     int
		want     string
	}{
		{"fits", "abc", 3, "abc"}, {"one over", "abcd", 3, ""}, {"room for one", "abcdef", 4, "a…"},
		{"between characters", "é漢字x", 7, "é…"}, {"none", "abc", 0, ""}, {"empty", "", 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Shorten(test.in, test.most); got != test.want {
				t.Errorf("Shorten(%q, %d) = %q, want %q", test.in, test.most, got, test.want)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	names := []string{"query", "mode", "limit", "max_bytes", "kinds", "path_glob", "k"}
	tests := []struct{ name, in, want string }{
		{"typo", "qeury", "query"}, {"case and dash", "Max-Bytes", "max_bytes"}, {"prefix", "path", "path_glob"},
		{"longer", "limits", "limit"}, {"short names allow one", "mods", "mode"}, {"two in a short one", "moxs", ""},
		{"far", "zebra", ""}, {"all of one letter is another", "q", ""}, {"a letter more", "ks", "k"}, {"empty", "", ""}, {"only dashes", "--", ""}, {"huge", strings.Repeat("query", 100), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Nearest(test.in, names); got != test.want {
				t.Errorf("Nearest(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"HTML stays", "<a>&", `"<a>&"`},
		{"sorted keys", map[string]int{"b": 1, "a": 2}, `{"a":2,"b":1}`},
		{"not UTF-8", "a\xffb", `"a` + "\\ufffd" + `b"`},
		{"invisible", "a\u202eb\u200b\x7f\u009b\U000e0041", `"a\u202eb\u200b\u007f\u009b\udb40\udc41"`},
		{"joiner stays", "👩\u200d💻", `"👩` + "\u200d" + `💻"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(Encode(test.in)); got != test.want {
				t.Errorf("Encode(%q) = %s, want %s", test.in, got, test.want)
			}
		})
	}
}
