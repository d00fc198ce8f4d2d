package install

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// TestTOMLValues pins what go-toml's decoder and tomlValues make of each text: the same, but that the decoder looks into
// numbers and dates.
func TestTOMLValues(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", ""},
		{"values", "s = \"a\\nb\"\nl = 'x'\ni = 0x1F\nf = 1e3\nb = true\nd = 2026-01-02T03:04:05Z\n", ""},
		{"a BOM", "\ufeffa = 1\n", ""},
		{"lists", "a = [1, [\"x\"], { b.c = 1, b.d = [] }, # two\n]\n", ""},
		{"a dotted key goes on", "a.b = 1\na.c = 2\n\"a\".'d' = 3\n", ""},
		{"a table below a dotted key", "a.b.c = 1\n[a.b.d]\ne = 1\n", ""},
		{"a table after one below it", "[a.b]\nc = 1\n[a]\nd = 1\n", ""},
		{"tables in a list", "[[a]]\nb = 1\n[a.c]\nd = 1\n[[a]]\nb = 2\n[a.c]\nd = 2\n[[a.e]]\n[[a.e]]\n", ""},
		{"a key twice", "a = 1\na = 2\n", "2:1"},
		{"a key twice, quoted", "a = 1\n  \"a\" = 2\n", "2:3"},
		{"a table twice", "[a]\n[a]\n", "2:2"},
		{"a table that is a value", "a = 1\n[a]\n", "2:2"},
		{"a table below a value", "a = 1\n[a.b]\n", "2:2"},
		{"a table that a dotted key made", "a.b = 1\n[a]\n", "2:2"},
		{"a dotted key into a table", "[a.b]\nc = 1\n[a]\nb.d = 1\n", "4:1"},
		{"a dotted key into a value", "a = 1\na.b = 1\n", "2:1"},
		{"an inline table goes on", "a = { b = 1 }\na.c = 1\n", "2:1"},
		{"a table below an inline one", "a = { b = 1 }\n[a.c]\n", "2:2"},
		{"a key twice, inline", "a = [{ b = 1, b = 2 }]\n", "1:15"},
		{"a list of values goes on", "a = [{}]\n[[a]]\n", "2:3"},
		{"a list that is a table", "[a]\n[[a]]\n", "2:3"},
		{"a table that is a list", "[[a]]\n[a]\n", "2:2"},
		{"no value", "a = \n", "1:"},
		{"no end", "a = \"b", "1:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tomlValues([]byte(tt.text))
			if got := fmt.Sprint(err); (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(got, tt.want) {
				t.Errorf("tomlValues(%q): %v, want %q", tt.text, err, tt.want)
			}
			sameTOML(t, []byte(tt.text))
		})
	}
}

// TestTOMLLikeDecoder compares on texts of random lines.
func TestTOMLLikeDecoder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	key := func() string {
		parts := make([]string, 1+r.IntN(3))
		for i := range parts {
			parts[i] = []string{"a", "b", "\"c\"", "a"}[r.IntN(4)]
		}
		return strings.Join(parts, ".")
	}
	good := 0
	for range 20000 {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			switch r.IntN(5) {
			case 0:
				fmt.Fprintf(&b, "[%s]\n", key())
			case 1:
				fmt.Fprintf(&b, "[[%s]]\n", key())
			case 2:
				fmt.Fprintf(&b, "%s = { %s = 1, %s = [{ %s = 'x' }] }\n", key(), key(), key(), key())
			default:
				fmt.Fprintf(&b, "%s = %d\n", key(), r.IntN(9))
			}
		}
		if sameTOML(t, []byte(b.String())) {
			good++
		}
		if t.Failed() {
			return
		}
	}
	if good < 3000 {
		t.Errorf("only %d texts were TOML", good)
	}
}

// sameTOML compares tomlValues with go-toml's decoder and says whether the text is TOML.
func sameTOML(t *testing.T, data []byte) bool {
	t.Helper()
	want := map[string]any{}
	refused := toml.Unmarshal(data, &want)
	got, err := tomlValues(data)
	switch {
	case err != nil && refused == nil:
		t.Errorf("tomlValues(%q): %v, the decoder takes it", data, err)
	case err == nil && refused != nil && strings.Contains(refused.Error(), "already"):
		t.Errorf("tomlValues(%q) = %v, the decoder says %v", data, got, refused)
	case err == nil && refused == nil && !alikeTOML(got, want):
		t.Errorf("tomlValues(%q) = %v, the decoder has %v", data, got, want)
	}
	return err == nil && refused == nil
}

// alikeTOML compares values; literals are not taken apart.
func alikeTOML(got, want any) bool {
	switch got := got.(type) {
	case map[string]any:
		want, ok := want.(map[string]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for k, v := range got {
			if w, there := want[k]; !there || !alikeTOML(v, w) {
				return false
			}
		}
		return true
	case []any:
		list := reflect.ValueOf(want)
		if list.Kind() != reflect.Slice || list.Len() != len(got) {
			return false
		}
		for i, v := range got {
			if !alikeTOML(v, list.Index(i).Interface()) {
				return false
			}
		}
		return true
	case string:
		return got == want
	}
	_, isString := want.(string)
	return !isString && reflect.ValueOf(want).Kind() != reflect.Map && (reflect.ValueOf(want).Kind() != reflect.Slice)
}
