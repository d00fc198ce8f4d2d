package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCleanJSON(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"nothing to do", `{"a":"b é 漢字 \"q\" \\u202e","n":1.5,"l":["x\ny"]}`, `{"a":"b é 漢字 \"q\" \\u202e","n":1.5,"l":["x\ny"]}`},
		{"an escape", `{"path":"a\u202eb.md","x":"y"}`, `{"path":"ab.md","x":"y"}`},
		{"raw", "{\"path\":\"a\u202eb\u200b.md\"}", `{"path":"ab.md"}`},
		{"ANSI", `["\u001b[31mred\u009b\u0000"]`, "[\"\ufffd[31mred\ufffd\ufffd\"]"},
		{"a key", `{"\u200bk":["\r"]}`, `{"k":[" "]}`},
		{"a tab and a line stay", `"a\tb\nc"`, `"a\tb\nc"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(CleanJSON([]byte(test.in))); got != test.want {
				t.Errorf("CleanJSON(%s) = %s, want %s", test.in, got, test.want)
			}
		})
	}
}

func FuzzCleanJSON(f *testing.F) {
	for _, seed := range []string{`{"a":"\u202e"}`, "[\"\u200b\",1,null]", `"\\\""`, `{"می\u200cشود":"👩\u200d💻"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			CleanJSON(data)
			return
		}
		got := CleanJSON(data)
		if !json.Valid(got) {
			t.Fatalf("CleanJSON(%s) = %s, which is no JSON", data, got)
		}
		var v any
		if err := json.Unmarshal(got, &v); err != nil {
			return // duplicate or odd numbers
		}
		var walk func(v any)
		walk = func(v any) {
			switch v := v.(type) {
			case string:
				if CleanLines(v) != v {
					t.Fatalf("CleanJSON(%s) = %s: %q is not clean", data, got, v)
				}
			case []any:
				for _, e := range v {
					walk(e)
				}
			case map[string]any:
				for k, e := range v {
					walk(k)
					walk(e)
				}
			}
		}
		walk(v)
		if again := CleanJSON(got); string(again) != string(got) {
			t.Fatalf("CleanJSON(%s) = %s, and again %s", data, got, again)
		}
	})
}

func BenchmarkCleanJSON(b *testing.B) {
	data := []byte(`{"results":[` + strings.Repeat(`{"path":"security/auth.md","snippet":"how it works"},`, 80) + `{"a":"é"}]}`)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		CleanJSON(data)
	}
}
