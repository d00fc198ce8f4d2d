package encoder

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestParseTokenizerErrors(t *testing.T) {
	valid, err := os.ReadFile("testdata/small-tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	edit := func(f func(m map[string]any)) []byte {
		var m map[string]any
		if err := json.Unmarshal(valid, &m); err != nil {
			t.Fatal(err)
		}
		f(m)
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	set := func(value any, path ...string) []byte {
		return edit(func(m map[string]any) {
			for _, p := range path[:len(path)-1] {
				m = m[p].(map[string]any)
			}
			m[path[len(path)-1]] = value
		})
	}
	type object = map[string]any
	for _, tt := range []struct {
		name string
		data []byte
		is   error
		want string
	}{
		{"empty", nil, ErrCorrupt, "tokenizer.json: corrupt encoder data: content: unexpected end of JSON input"},
		{"web page", []byte("\n<!doctype html>"), ErrCorrupt, "a web page, want JSON"},
		{"bpe", set("BPE", "model", "type"), ErrModel, `model: "BPE", want WordPiece`},
		{"unigram", set(object{"type": "Unigram", "unk_id": 0, "vocab": []any{[]any{"a", -1.5}}}, "model"), ErrModel, `normalizer: "BertNormalizer" with a Unigram model`},
		{"prefix", set("@@", "model", "continuing_subword_prefix"), ErrModel, `continuing_subword_prefix "@@", want "##"`},
		{"normalizer", set(object{"type": "NFKC"}, "normalizer"), ErrModel, `normalizer: "NFKC", want BertNormalizer`},
		{"no normalizer", set(nil, "normalizer"), ErrModel, `normalizer: none, want BertNormalizer`},
		{"pre-tokenizer", set(object{"type": "Metaspace"}, "pre_tokenizer"), ErrModel, `pre_tokenizer: "Metaspace", want BertPreTokenizer`},
		{"post-processor", set(object{"type": "ByteLevel"}, "post_processor"), ErrModel, `post_processor: "ByteLevel", want TemplateProcessing`},
		{"no post-processor", set(nil, "post_processor"), ErrModel, `post_processor: none`},
		{"template", set([]any{}, "post_processor", "single"), ErrModel, `a template of 0 parts`},
		{"unknown token", set("<unk>", "model", "unk_token"), ErrCorrupt, `unk_token: "<unk>" is not in the vocabulary`},
		{"vocab is a list", set([]any{"a"}, "model", "vocab"), ErrCorrupt, `model: vocab: json`},
		{"hole", set(object{"a": 0, "b": 2}, "model", "vocab"), ErrCorrupt, `no piece of vocab has id 1, want 2 pieces with ids 0 to 1`},
		{"id twice", set(object{"a": 0, "b": 0}, "model", "vocab"), ErrCorrupt, `no piece of vocab has id 1`},
		{"negative id", set(object{"a": 0, "b": -1}, "model", "vocab"), ErrCorrupt, `no piece of vocab has id 1`},
		{"no pieces", set(object{}, "model", "vocab"), ErrModel, `vocab is empty`},
		{"long piece", set(object{strings.Repeat("é", 128): 0, "[PAD]": 1, "[UNK]": 2, "[CLS]": 3, "[SEP]": 4, "[MASK]": 5}, "model", "vocab"), ErrCorrupt, `has id`},
		{"word characters", set(0, "model", "max_input_chars_per_word"), ErrModel, `max_input_chars_per_word is 0, want 1 to 1000`},
		{"added id", set([]any{object{"id": 9999, "content": "new"}}, "added_tokens"), ErrCorrupt, `"new" has id 9999, want the next free one`},
		{"added without text", set([]any{object{"id": 0, "content": ""}}, "added_tokens"), ErrCorrupt, `token 0 has no content`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseTokenizer(tt.data)
			if err == nil || !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseTokenizer = %v, want %v with %q", err, tt.is, tt.want)
			}
		})
	}
}

func TestParseTokenizerVariants(t *testing.T) {
	const file = `{"added_tokens":[{"id":5,"content":"<new>"}],"normalizer":{"type":"BertNormalizer","lowercase":false,"strip_accents":null},
		"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]},
		"model":{"unk_token":"[UNK]","continuing_subword_prefix":"##","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"É":3,"##a":4}}}`
	v, err := ParseTokenizer([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := pieces(v, v.EncodeWithSpecials(nil, "Éa éa<new>", 0)), "[CLS] É ##a [UNK] <new> [SEP]"; got != want {
		t.Errorf("EncodeWithSpecials = %s, want %s", got, want)
	}
}

func TestParseVocabText(t *testing.T) {
	for _, tt := range []struct{ name, data, want, err string }{
		{"unix", "[UNK]\n[CLS]\n[SEP]\na\n##b\n", "a ##b", ""},
		{"dos", "[UNK]\r\n[CLS]\r\n[SEP]\r\na\r\n##b\r\n", "a ##b", ""},
		{"no last newline", "[UNK]\n[CLS]\n[SEP]\na\n##b", "a ##b", ""},
		{"empty", "", "", "no piece [UNK] among 1"},
		{"blank line", "[UNK]\n[CLS]\n[SEP]\n\na", "", "piece 3 is empty"},
		{"twice", "[UNK]\n[CLS]\n[SEP]\na\na", "", `pieces 3 and 4 are both "a"`},
		{"long", "[UNK]\n[CLS]\n[SEP]\n" + strings.Repeat("a", 256), "", "piece 3 has 256 bytes, want at most 255"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := ParseVocabText([]byte(tt.data), false)
			if tt.err != "" {
				if err == nil || !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("ParseVocabText = %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := pieces(v, v.Encode(nil, "AB")); got != tt.want {
				t.Errorf("Encode = %s, want %s", got, tt.want)
			}
		})
	}
}

// Every piece is found under its own id, in narrow and in wide tables, and after a round trip through bytes.
func TestVocabFind(t *testing.T) {
	for _, n := range []int{3, 15, 16, 17, 33, 65_530, 65_534, 65_535, 70_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			list := []string{"[UNK]", "[CLS]", "[SEP]"}
			for i := len(list); i < n; i++ {
				p := fmt.Sprintf("p%d", i/2)
				if i%2 == 1 {
					p = "##" + p
				}
				list = append(list, p)
			}
			v, err := NewVocab(list, false)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := v.AppendBinary(nil)
			if v, err = OpenVocab(b); err != nil {
				t.Fatal(err)
			}
			again, _ := v.AppendBinary(nil)
			if !slices.Equal(b, again) || v.Size() != n {
				t.Errorf("the bytes change in a round trip, or Size = %d, want %d", v.Size(), n)
			}
			for i, p := range list {
				if id, ok := v.Find(p); !ok || id != int32(i) {
					t.Fatalf("Find(%q) = %d, %v, want %d", p, id, ok, i)
				}
				if got := v.pieceText(int32(i)); got != p {
					t.Fatalf("Piece(%d) = %q, want %q", i, got, p)
				}
			}
			for _, p := range []string{"", "#", "##", "p", "absent", "##absent", strings.Repeat("x", 300)} {
				if id, ok := v.Find(p); ok {
					t.Errorf("Find(%q) = %d, want none", p, id)
				}
			}
			if v.pieceText(-1) != "" || v.pieceText(int32(n)) != "" {
				t.Error("Piece of an id outside the vocabulary is not empty")
			}
		})
	}
}

// patch returns a function that copies valid with another number at a place.
func patch(valid []byte) func(at int, u uint32) []byte {
	return func(at int, u uint32) []byte {
		b := slices.Clone(valid)
		binary.LittleEndian.PutUint32(b[at:], u)
		return b
	}
}

// flaw is data that is not what it should be, and what the error says.
type flaw struct {
	name string
	data []byte
	want string
}

// checkCorrupt checks that open refuses each flaw with ErrCorrupt.
func checkCorrupt(t *testing.T, open func([]byte) error, flaws []flaw) {
	t.Helper()
	for _, tt := range flaws {
		t.Run(tt.name, func(t *testing.T) {
			if err := open(tt.data); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("open = %v, want ErrCorrupt with %q", err, tt.want)
			}
		})
	}
}

func TestOpenVocabErrors(t *testing.T) {
	valid, _ := tinyVocab(t).AppendBinary(nil)
	put := patch(valid)
	checkCorrupt(t, func(b []byte) error { _, err := OpenVocab(b); return err }, []flaw{
		{"empty", nil, "0 bytes, want a header of 64"},
		{"header only", valid[:64], "64 bytes, its header says"},
		{"cut", valid[:len(valid)-1], "its header says"},
		{"longer", append(slices.Clone(valid), 0), "its header says"},
		{"kind", put(0, 3), "kind 3, want 1 (WordPiece) or 2 (Unigram)"},
		{"another kind", put(0, 2), "its header says"},
		{"no pieces", put(4, 0), "0 pieces"},
		{"too many pieces", put(4, 1<<31), "pieces, want 1 to"},
		{"full table", put(12, 14), "14 slots for 14 pieces"},
		{"huge table", put(12, 1<<31), "slots for 14 pieces"},
		{"probes", put(20, 1000), "1000 probes, want 1 to 128"},
		{"flags", put(24, 16), "flags 0x10"},
		{"word characters", put(28, 1<<31), "want 1 to 1000"},
		{"unknown id", put(32, 14), "special id 14 of 14 pieces"},
		{"negative id", put(40, 1<<32-1), "special id -1 of 14 pieces"},
		{"added", put(44, 1025), "1025 added tokens, want at most 1024"},
		{"longest", put(48, 256), "pieces of 256 bytes, want at most 255"},
		{"reserved", put(60, 1), "byte 60 of the header is 1, want 0"},
		{"added id", put(64, 100), "added token 100 has no text"},
	})
}

func FuzzOpenVocab(f *testing.F) {
	valid, _ := tinyVocab(f).AppendBinary(nil)
	f.Add(valid, "a ab abb [MASK] zz")
	for _, variant := range unigramVariants {
		b, _ := unigramVocab(f, variant).AppendBinary(nil)
		f.Add(b, "  the ﬁsh\r\n ａ\u0301 <mask> ☃")
	}
	f.Add(valid[:70], "")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		v, err := OpenVocab(data)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("OpenVocab = %v, want ErrCorrupt", err)
			}
			return
		}
		ids := v.EncodeWithSpecials(nil, text, 0)
		for _, id := range ids {
			if id < 0 || int(id) >= v.Size() {
				t.Fatalf("id %d of %d", id, v.Size())
			}
		}
		if v.Count(text) != len(ids)-2 {
			t.Fatalf("Count = %d of %d ids", v.Count(text), len(ids)-2)
		}
		v.Find(text)
		v.pieceText(int32(len(text)))
	})
}

func FuzzParseTokenizer(f *testing.F) {
	small, err := os.ReadFile("testdata/small-tokenizer.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	for _, variant := range unigramVariants {
		f.Add(unigramFile(f, variant))
	}
	f.Add([]byte(`{"model":{"type":"WordPiece","vocab":{"a":0}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := ParseTokenizer(data)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrModel) {
				t.Fatalf("ParseTokenizer = %v, want ErrCorrupt or ErrModel", err)
			}
			return
		}
		if err := v.Verify(); err != nil {
			t.Fatalf("Verify of what ParseTokenizer accepts = %v", err)
		}
		stored, err := v.AppendBinary(nil)
		if err != nil {
			t.Fatalf("AppendBinary of what ParseTokenizer accepts = %v", err)
		}
		again, err := OpenVocab(stored)
		if err != nil {
			t.Fatalf("OpenVocab of what AppendBinary wrote = %v", err)
		}
		for _, text := range []string{"hello", "  Größe ﬁsh\r\nＡ\u0301 ☃", "\xff\x00 a-b_c 検索", string(data[:min(len(data), 64)])} {
			ids := v.EncodeWithSpecials(nil, text, 0)
			if got := again.EncodeWithSpecials(nil, text, 0); !slices.Equal(got, ids) {
				t.Fatalf("pieces of %q: %v, stored and opened %v", text, ids, got)
			}
			for _, id := range ids {
				if id < 0 || int(id) >= v.Size() {
					t.Fatalf("piece %d of %d in %q", id, v.Size(), text)
				}
			}
			if n := v.Count(text); n != len(ids)-2 {
				t.Fatalf("Count(%q) = %d, want %d", text, n, len(ids)-2)
			}
		}
	})
}
