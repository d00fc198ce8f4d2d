package encoder

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// unigramFile returns the small Unigram tokenizer.json, changed as a variant says ("" for not at all).
func unigramFile(tb testing.TB, variant string) []byte {
	tb.Helper()
	data, err := os.ReadFile("testdata/unigram.json")
	if err != nil {
		tb.Fatal(err)
	}
	if variant == "" {
		return data
	}
	spec, changes := map[string]any{}, map[string]map[string]any{}
	more, err := os.ReadFile("testdata/unigram-variants.json")
	if err != nil {
		tb.Fatal(err)
	}
	if err := errors.Join(json.Unmarshal(data, &spec), json.Unmarshal(more, &changes)); err != nil {
		tb.Fatal(err)
	}
	change := changes[variant]
	if change == nil {
		tb.Fatalf("no variant %q", variant)
	}
	model := spec["model"].(map[string]any)
	if n, ok := change["normalizer"].(map[string]any); ok {
		parts := n["normalizers"].([]any)
		for i := range parts {
			if parts[i] == "compiled" {
				parts[i] = spec["normalizer"]
			}
		}
	}
	for key, value := range change {
		switch key {
		case "byte_fallback":
			model[key] = value
		case "wider":
			for _, p := range model["vocab"].([]any) {
				p.([]any)[1] = p.([]any)[1].(float64) + value.(float64)
			}
		default:
			spec[key] = value
		}
	}
	if data, err = json.Marshal(spec); err != nil {
		tb.Fatal(err)
	}
	return data
}

func unigramVocab(tb testing.TB, variant string) *Vocab {
	tb.Helper()
	v, err := ParseTokenizer(unigramFile(tb, variant))
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

type unigramGolden struct {
	Text string             `json:"text"`
	IDs  map[string][]int32 `json:"ids"`
}

func unigramGoldens(tb testing.TB) []unigramGolden {
	tb.Helper()
	data, err := os.ReadFile("testdata/unigram.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	var rows []unigramGolden
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		var g unigramGolden
		if err := json.Unmarshal(sc.Bytes(), &g); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, g)
	}
	if len(rows) < 400 {
		tb.Fatalf("%d texts in testdata/unigram.jsonl, want 400 or more", len(rows))
	}
	return rows
}

var unigramVariants = []string{"", "metaspace", "bytes", "whole", "prepend"}

// The ids of all variants are the reference library's (bench/interop/tokens/unigram.py).
func TestUnigramReference(t *testing.T) {
	for _, variant := range unigramVariants {
		t.Run("variant "+variant, func(t *testing.T) {
			v := unigramVocab(t, variant)
			if err := v.Verify(); err != nil {
				t.Fatalf("Verify = %v, want none", err)
			}
			b, _ := v.AppendBinary(nil)
			again, err := OpenVocab(b)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range unigramGoldens(t) {
				want, own := g.IDs[variant]
				if !own {
					want = g.IDs[""]
				}
				got := again.Encode(nil, g.Text)
				if !slices.Equal(got, want) {
					t.Errorf("Encode(%q) = %v, want %v", g.Text, got, want)
				}
				if n := v.Count(g.Text); n != len(want) {
					t.Errorf("Count(%q) = %d, want %d", g.Text, n, len(want))
				}
			}
		})
	}
}

func TestUnigramWithSpecials(t *testing.T) {
	v := unigramVocab(t, "")
	all := v.EncodeWithSpecials([]int32{9}, "the harbour and the river", 0)[1:]
	if first, last := v.Specials(); all[0] != first || all[len(all)-1] != last || v.pieceText(first) != "<s>" || v.pieceText(last) != "</s>" {
		t.Fatalf("EncodeWithSpecials = %v, want <s> and </s> around", all)
	}
	for limit := 1; limit < len(all)+3; limit++ {
		got := v.EncodeWithSpecials(nil, "the harbour and the river", limit)
		n := min(max(limit, 2), len(all))
		if want := append(slices.Clone(all[:n-1]), all[len(all)-1]); !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v", limit, got, want)
		}
	}
	if got, want := v.Encode(nil, "a\xff\xfeb"), v.Encode(nil, "a\ufffd\ufffdb"); !slices.Equal(got, want) {
		t.Errorf("wrong bytes give %v, want %v as for U+FFFD", got, want)
	}
}

// The way that is found has the largest sum of scores: compared with all ways.
func TestUnigramBest(t *testing.T) {
	v := unigramVocab(t, "bytes")
	var best func(w string) float64
	known := map[string]float64{}
	best = func(w string) float64 {
		if w == "" {
			return 0
		}
		if s, ok := known[w]; ok {
			return s
		}
		top := math.Inf(-1)
		_, size := utf8.DecodeRuneInString(w)
		for end := size; end <= len(w); end++ {
			if id, ok := v.Find(w[:end]); ok {
				s, _ := v.Score(id)
				top = max(top, s+best(w[end:]))
			} else if end == size {
				top = max(top, v.unigram.unknown+best(w[end:]))
			}
		}
		known[w] = top
		return top
	}
	for _, g := range unigramGoldens(t) {
		for word := range strings.FieldsSeq(g.Text) {
			if len(word) > 60 || strings.Contains(word, "☃") || v.Count("▁"+word) == 0 || strings.Contains(word, "<") {
				continue
			}
			e := &unigramEncoder{v: v, limit: -1}
			e.viterbi([]byte(word))
			var sum float64
			for _, s := range e.spans {
				score, _ := v.Score(s.id)
				if s.id == v.unknown {
					score = v.unigram.unknown * float64(utf8.RuneCountInString(word[s.from:s.to]))
				}
				sum += score
			}
			if want := best(word); math.Abs(sum-want) > 1e-9*math.Abs(want) {
				t.Errorf("pieces of %q have the sum %g, want %g", word, sum, want)
			}
		}
	}
}

func TestUnigramScores(t *testing.T) {
	narrow, wide := unigramVocab(t, ""), unigramVocab(t, "bytes")
	if narrow.unigram.scoreBytes() != 4 || wide.unigram.scoreBytes() != 8 {
		t.Errorf("scores of %d and %d bytes, want 4 and 8", narrow.unigram.scoreBytes(), wide.unigram.scoreBytes())
	}
	for _, id := range []int32{-1, int32(narrow.Size())} {
		if s, ok := narrow.Score(id); ok {
			t.Errorf("Score(%d) = %g, want none", id, s)
		}
	}
	if s, ok := tinyVocab(t).Score(1); ok {
		t.Errorf("Score of a WordPiece vocabulary = %g, want none", s)
	}
	// "##" is not special here.
	if id, ok := narrow.Find("##"); ok && narrow.pieceText(id) != "##" {
		t.Errorf("Find(##) = %d, %q", id, narrow.pieceText(id))
	}
}

func TestParseUnigramErrors(t *testing.T) {
	type object = map[string]any
	type list = []any
	var spec object
	if err := json.Unmarshal(unigramFile(t, ""), &spec); err != nil {
		t.Fatal(err)
	}
	set := func(key string, value any) []byte {
		c := maps.Clone(spec)
		if inner, ok := strings.CutPrefix(key, "model."); ok {
			m := maps.Clone(spec["model"].(object))
			m[inner] = value
			key, value = "model", m
		}
		c[key] = value
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	replace := func(regex string) object {
		return object{"type": "Replace", "pattern": object{"Regex": regex}, "content": " "}
	}
	for _, tt := range []struct {
		name string
		data []byte
		is   error
		want string
	}{
		{"no unknown id", set("model.unk_id", nil), ErrModel, "no unk_id"},
		{"unknown id", set("model.unk_id", 1e6), ErrCorrupt, "unk_id 1000000 of 1256 pieces"},
		{"a map of pieces", set("model.vocab", object{"a": 1}), ErrCorrupt, "vocab: json"},
		{"no pieces", set("model.vocab", list{}), ErrModel, "vocab is empty"},
		{"no score", set("model.vocab", list{list{"a"}}), ErrCorrupt, `piece 0 of vocab is ["a"], want a text and a score`},
		{"no text", set("model.vocab", list{list{"a", 1}, list{1, 1}}), ErrCorrupt, "piece 1 of vocab is [1,1]"},
		{"null score", set("model.vocab", list{list{"a", nil}}), ErrCorrupt, "piece 0"},
		{"huge score", set("model.vocab", list{list{"a", 1e308}}), ErrCorrupt, "score 1e+308"},
		{"a piece twice", set("model.vocab", list{list{"<s>", 0}, list{"<pad>", 0}, list{"</s>", 0}, list{"<unk>", 0}, list{"a", 0}, list{"a", 0}}), ErrCorrupt, "added_tokens"},
		{"normalizer", set("normalizer", object{"type": "Lowercase"}), ErrModel, `"Lowercase" with a Unigram model, want Precompiled`},
		{"sequences", set("normalizer", object{"type": "Sequence", "normalizers": list{object{"type": "Sequence", "normalizers": list{object{"type": "Sequence", "normalizers": list{object{"type": "Sequence"}}}}}}}), ErrModel, "Sequence in a Sequence"},
		{"map is not base64", set("normalizer", object{"type": "Precompiled", "precompiled_charsmap": "*"}), ErrCorrupt, "precompiled_charsmap: illegal base64"},
		{"map is cut", set("normalizer", object{"type": "Precompiled", "precompiled_charsmap": "/wAAAAAA"}), ErrCorrupt, "a trie of 255 bytes in 6"},
		{"map leads nowhere", set("normalizer", object{"type": "Precompiled", "precompiled_charsmap": "BAAAAAAAAIA="}), ErrCorrupt, "unit 0 leads to byte 0 of the texts, which have 0"},
		{"regex", set("normalizer", replace("a|b")), ErrModel, `pattern "a|b", want a text`},
		{"regex class", set("normalizer", replace(".+")), ErrModel, `pattern ".+"`},
		{"regex range", set("normalizer", replace(" {2,3}")), ErrModel, `pattern " {2,3}"`},
		{"regex of none", set("normalizer", replace("")), ErrModel, `pattern ""`},
		{"empty text", set("normalizer", object{"type": "Replace", "pattern": object{"String": ""}}), ErrModel, `pattern ""`},
		{"long text", set("normalizer", object{"type": "Prepend", "prepend": strings.Repeat("a", 65)}), ErrModel, "65 bytes, want at most 64"},
		{"pre-tokenizer", set("pre_tokenizer", object{"type": "BertPreTokenizer"}), ErrModel, `"BertPreTokenizer" with a Unigram model`},
		{"order", set("pre_tokenizer", object{"type": "Sequence", "pretokenizers": list{object{"type": "Metaspace", "replacement": "▁"}, object{"type": "WhitespaceSplit"}}}), ErrModel, "want it first"},
		{"two markers", set("pre_tokenizer", object{"type": "Sequence", "pretokenizers": list{object{"type": "Metaspace", "replacement": "▁"}, object{"type": "Metaspace", "replacement": "▁"}}}), ErrModel, "two of type Metaspace"},
		{"marker", set("pre_tokenizer", object{"type": "Metaspace", "replacement": "ab"}), ErrModel, `replacement "ab", want one character`},
		{"scheme", set("pre_tokenizer", object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "second"}), ErrModel, `prepend_scheme "second"`},
		{"post-processor", set("post_processor", nil), ErrModel, "post_processor: none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseTokenizer(tt.data)
			if err == nil || !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseTokenizer = %v, want %v with %q", err, tt.is, tt.want)
			}
		})
	}
}

// Files of older versions of the library say less.
func TestParseUnigramVariants(t *testing.T) {
	const file = `{"added_tokens":[],"normalizer":{"type":"Precompiled","precompiled_charsmap":""},"pre_tokenizer":{"type":"Metaspace","replacement":"▁","add_prefix_space":true,"str_rep":"▁"},
		"post_processor":{"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0]},
		"model":{"unk_id":1,"vocab":[["<s>",0],["<unk>",0],["</s>",0],["▁a",-1],["b",-2],["▁",-3]]}}`
	v, err := ParseTokenizer([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := pieces(v, v.EncodeWithSpecials(nil, "ab  bzz", 0)), "<s> ▁a b ▁ ▁ b <unk> </s>"; got != want {
		t.Errorf("EncodeWithSpecials = %s, want %s", got, want)
	}
	bare := strings.Replace(file, `"add_prefix_space":true`, `"add_prefix_space":false`, 1)
	if v, err = ParseTokenizer([]byte(bare)); err != nil {
		t.Fatal(err)
	}
	if got, want := pieces(v, v.Encode(nil, "b a")), "b ▁a"; got != want {
		t.Errorf("without a prefix: %s, want %s", got, want)
	}
}

func TestOpenUnigramErrors(t *testing.T) {
	valid, _ := unigramVocab(t, "metaspace").AppendBinary(nil)
	put := patch(valid)
	steps := len(valid) - int(binary.LittleEndian.Uint32(valid[52:]))
	at := func(i int, to byte) []byte {
		b := slices.Clone(valid)
		b[i] = to
		return b
	}
	checkCorrupt(t, func(b []byte) error { _, err := OpenVocab(b); return err }, []flaw{
		{"cut", valid[:len(valid)-1], "its header says"},
		{"wide", put(24, binary.LittleEndian.Uint32(valid[24:])|unigramWide), "its header says"},
		{"flags", put(24, 1<<7), "flags 0x80"},
		{"marker without its flag", put(24, 0), "without flag 0x8"},
		{"always and first", put(24, unigramMarker|unigramAlways|unigramFirst), "before each word and before the first only"},
		{"marker", put(28, 0xd800), "marker 0xd800"},
		{"unknown score", put(60, 0x7ff80000), "the unknown score is NaN"},
		{"step", at(steps, 99), "step 0 is of kind 99"},
		{"map", at(steps+4, 99), "step 0 ends after the bytes"},
		{"trie", at(steps+5, 3), "a trie of"},
		{"strip", at(len(valid)-15, 7), "strips sides 7"},
		{"last text", at(len(valid)-5, 9), "ends after the bytes"},
		{"last text is no UTF-8", at(len(valid)-1, 0xff), "want UTF-8"},
		{"run", at(len(valid)-9, 0), "replaces 0 or more"},
	})
}

func TestUnigramVerify(t *testing.T) {
	v := unigramVocab(t, "")
	valid, _ := v.AppendBinary(nil)
	scores := len(valid) - int(binary.LittleEndian.Uint32(valid[52:])) - 4*int(v.n)
	steps := scores + 4*int(v.n)
	for _, tt := range []struct {
		name string
		at   int
		to   uint32
		want string
	}{
		{"score", scores + 40, 0x7fc00000, "the score of piece 10 is NaN"},
		{"score below the lowest", scores + 40, math.Float32bits(-1000), "the unknown score is -35, want -1010"},
		{"score of an added token", scores + 4*int(v.n) - 4, 0x3f800000, "added token 1256 has the score 1"},
		{"leaf", steps + 5 + 4 + 16, 0xffffffff, "unit 4 leads to byte 2147483647"},
		{"texts", len(valid) - 4, 0x61616161, "does not end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := slices.Clone(valid)
			binary.LittleEndian.PutUint32(b[tt.at:], tt.to)
			w, err := OpenVocab(b)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Verify(); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Verify = %v, want ErrCorrupt with %q", err, tt.want)
			}
		})
	}
}

// What hostile bytes make of a short text is bounded.
func TestUnigramGrowth(t *testing.T) {
	u := &unigram{}
	for range maxSteps {
		u.steps = append(u.steps, step{op: stepReplace, old: "a", new: strings.Repeat("a", maxStepText)})
	}
	if text, _ := u.normalize("aé"); len(text) > maxNormalized+100 {
		t.Errorf("normalize gives %d bytes, want at most about %d", len(text), maxNormalized)
	}
}

func BenchmarkUnigram(b *testing.B) {
	v := unigramVocab(b, "")
	text := strings.Repeat("the lighthouse keeper counts ships in the harbour, ", 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var ids []int32
	for b.Loop() {
		ids = v.Encode(ids[:0], text)
	}
	if len(ids) < 100 {
		b.Fatalf("%d ids, want 100 or more", len(ids))
	}
}
