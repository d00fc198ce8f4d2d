package encoder

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// golden is a text with the ids that the reference library gives it (bench/interop/tokens/goldens.py).
type golden struct {
	Text  string  `json:"text"`
	Bert  []int32 `json:"bert"`
	Small []int32 `json:"small"`
}

func goldens(tb testing.TB) []golden {
	tb.Helper()
	data, err := os.ReadFile("testdata/wordpiece.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	var rows []golden
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		var g golden
		if err := json.Unmarshal(sc.Bytes(), &g); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, g)
	}
	if len(rows) < 300 {
		tb.Fatalf("%d texts in testdata/wordpiece.jsonl, want 300 or more", len(rows))
	}
	return rows
}

func smallVocab(tb testing.TB) *Vocab {
	tb.Helper()
	data, err := os.ReadFile("testdata/small-tokenizer.json")
	if err != nil {
		tb.Fatal(err)
	}
	v, err := ParseTokenizer(data)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func bertVocab(tb testing.TB) *Vocab {
	tb.Helper()
	v, err := ParseTokenizer(modelFile(tb, "tokenizer.json"))
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func TestEncodeReference(t *testing.T) {
	for _, tt := range []struct {
		name  string
		vocab func(testing.TB) *Vocab
		want  func(golden) []int32
	}{
		{"small", smallVocab, func(g golden) []int32 { return g.Small }},
		{"bert", bertVocab, func(g golden) []int32 { return g.Bert }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := tt.vocab(t)
			for _, g := range goldens(t) {
				want := tt.want(g)
				if got := v.Encode(nil, g.Text); !slices.Equal(got, want) {
					t.Errorf("Encode(%q) = %v, want %v", g.Text, got, want)
				}
				if got := v.Count(g.Text); got != len(want) {
					t.Errorf("Count(%q) = %d, want %d", g.Text, got, len(want))
				}
				// The path for vocabularies with normalised added tokens is another: it must agree where there are
				// none.
				e := embedder{v: v, limit: -1}
				if !strings.Contains(g.Text, "[") {
					if e.normalized(string(v.normalize(nil, g.Text))); !slices.Equal(e.ids, want) {
						t.Errorf("normalized(%q) = %v, want %v", g.Text, e.ids, want)
					}
				}
			}
		})
	}
}

func TestEncodeWithSpecials(t *testing.T) {
	v := tinyVocab(t)
	for _, tt := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"empty", "", 0, "[CLS] [SEP]"},
		{"empty, limit", "", 8, "[CLS] [SEP]"},
		{"no limit", "a b c", 0, "[CLS] a b c [SEP]"},
		{"under the limit", "a b c", 6, "[CLS] a b c [SEP]"},
		{"at the limit", "a b c", 5, "[CLS] a b c [SEP]"},
		{"over the limit", "a b c", 4, "[CLS] a b [SEP]"},
		{"inside a word", "ab abb", 4, "[CLS] ab ab [SEP]"},
		{"added token at the limit", "a [MASK] [MASK]", 4, "[CLS] a [MASK] [SEP]"},
		{"specials only", "a b c", 2, "[CLS] [SEP]"},
		{"less than the specials", "a b c", 1, "[CLS] [SEP]"},
		{"unknown", "a zz b", 0, "[CLS] a [UNK] b [SEP]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := pieces(v, v.EncodeWithSpecials([]int32{7}, tt.text, tt.limit)[1:])
			if got != tt.want {
				t.Errorf("EncodeWithSpecials(%q, %d) = %s, want %s", tt.text, tt.limit, got, tt.want)
			}
		})
	}
}

func TestEncodeAdded(t *testing.T) {
	v, err := newVocab(&vocabSource{
		flags: flagsAll, maxRunes: 100, unknown: 0, first: 1, last: 2, model: 8,
		pieces: []string{"[UNK]", "[CLS]", "[SEP]", "a", "b", "##a", "##b", "x", "Foo", "bar", "barn", "É"},
		added: []addedToken{
			{text: "Foo", id: 8, normalized: true}, {text: "bar", id: 9, word: true}, {text: "barn", id: 10}, {text: "É", id: 11, normalized: true},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"as it stands", "a bar b", "a bar b"},
		{"longest first", "abarnb", "a barn b"},
		{"single word inside a word", "abarb", "[UNK]"},
		{"single word between marks", "a-bar-b", "a [UNK] bar [UNK] b"},
		{"raw token in another case", "BAR", "[UNK]"},
		{"normalised token in any case", "a FOO foofoo", "a Foo Foo Foo"},
		{"normalised token without its accent", "éxE", "É x É"},
		{"an added token is no piece", "xbarx", "[UNK]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := pieces(v, v.Encode(nil, tt.text)); got != tt.want {
				t.Errorf("Encode(%q) = %s, want %s", tt.text, got, tt.want)
			}
			if got, want := v.Count(tt.text), len(v.Encode(nil, tt.text)); got != want {
				t.Errorf("Count(%q) = %d, want %d", tt.text, got, want)
			}
		})
	}
}

func TestEncodeCased(t *testing.T) {
	v, err := NewVocab([]string{"[UNK]", "[CLS]", "[SEP]", "A", "a", "É", "##é"}, true)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := pieces(v, v.Encode(nil, "A a É Aé E")), "A a É A ##é [UNK]"; got != want {
		t.Errorf("Encode = %s, want %s", got, want)
	}
}

// Count flushes its buffer between words; texts around its size must not lose or double any.
func TestCountLong(t *testing.T) {
	v := tinyVocab(t)
	for n := 250; n < 530; n++ {
		for _, text := range []string{strings.Repeat("a ", n), strings.Repeat("ab,", n), strings.Repeat("a[MASK]", n), strings.Repeat("bbbbbbbz ", n)} {
			if got, want := v.Count(text), len(v.Encode(nil, text)); got != want {
				t.Fatalf("Count(%d × %q) = %d, want %d", n, text[:3], got, want)
			}
		}
	}
}

func TestEncodeAllocs(t *testing.T) {
	v := tinyVocab(t)
	ids := make([]int32, 0, 100)
	if got := testing.AllocsPerRun(100, func() { ids = v.Encode(ids[:0], "ab b a café [MASK] 山") }); got != 0 {
		t.Errorf("Encode allocates %v times, want 0", got)
	}
	if got := testing.AllocsPerRun(100, func() { v.Count("ab b a café [MASK] 山") }); got != 0 {
		t.Errorf("Count allocates %v times, want 0", got)
	}
}

// tinyVocab has few pieces, with continuations that overlap.
func tinyVocab(tb testing.TB) *Vocab {
	tb.Helper()
	v, err := NewVocab(strings.Fields("[PAD] [UNK] [CLS] [SEP] [MASK] a b c ab ##b ##bb ##bbb , 山"), false)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func pieces(v *Vocab, ids []int32) string {
	var words []string
	for _, id := range ids {
		words = append(words, v.pieceText(id))
	}
	return strings.Join(words, " ")
}

func FuzzEncode(f *testing.F) {
	for _, g := range goldens(f)[:60] {
		f.Add(g.Text)
	}
	f.Add("\xff\xfe a\x80")
	v := smallVocab(f)
	f.Fuzz(func(t *testing.T, text string) {
		ids := v.Encode(nil, text)
		for _, id := range ids {
			if v.pieceText(id) == "" {
				t.Fatalf("Encode(%q) has id %d of %d", text, id, v.Size())
			}
		}
		if n := v.Count(text); n != len(ids) {
			t.Fatalf("Count(%q) = %d, want %d", text, n, len(ids))
		}
		if got := v.EncodeWithSpecials(nil, text, 5); len(got) != min(5, len(ids)+2) {
			t.Fatalf("EncodeWithSpecials(%q, 5) has %d ids, want %d", text, len(got), min(5, len(ids)+2))
		}
		if utf8.ValidString(text) && !strings.Contains(text, "[") {
			e := embedder{v: v, limit: -1}
			if e.normalized(string(v.normalize(nil, text))); !slices.Equal(e.ids, ids) {
				t.Fatalf("normalized(%q) = %v, want %v", text, e.ids, ids)
			}
		}
	})
}
