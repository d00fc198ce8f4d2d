package embedding

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// sumEngine gives each text a vector that can be told: its length, and its ids' sum.
type sumEngine struct {
	mu      sync.Mutex
	lengths []int
	fail    int32 // an id that cannot be embedded
	stop    func()
}

func (e *sumEngine) Name() string    { return "sum" }
func (e *sumEngine) Version() string { return "1" }
func (e *sumEngine) CPU() string     { return "any" }
func (e *sumEngine) Dim() int        { return 2 }
func (e *sumEngine) Close() error    { return nil }

var errSum = errors.New("cannot add that")

func (e *sumEngine) Embed(dst []float32, ids []int32) error {
	e.mu.Lock()
	e.lengths = append(e.lengths, len(ids))
	e.mu.Unlock()
	if e.stop != nil {
		e.stop()
	}
	dst[0] = float32(len(ids))
	for _, id := range ids {
		if e.fail != 0 && id == e.fail {
			return errSum
		}
		dst[1] += float32(id)
	}
	return nil
}

func sampleTexts() [][]int32 {
	var texts [][]int32
	for i := range 50 {
		text := make([]int32, 1+i*7%13)
		for j := range text {
			text[j] = int32(i + j)
		}
		texts = append(texts, text)
	}
	return texts
}

func TestEmbedAllPlacesByIndex(t *testing.T) {
	texts := sampleTexts()
	want, _ := EmbedAll(t.Context(), &sumEngine{}, texts, 0, 1, nil)
	for i, text := range texts {
		if want[2*i] != float32(len(text)) {
			t.Errorf("row %d = %v, want the vector of a text of %d ids", i, want[2*i:2*i+2], len(text))
		}
	}
	for _, workers := range []int{0, 2, 8, 1000} {
		got, err := EmbedAll(t.Context(), &sumEngine{}, texts, 0, workers, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("EmbedAll with %d workers = %v, %v, want %v", workers, got, err, want)
		}
	}
}

// togetherEngine is a sumEngine that takes several texts at once.
type togetherEngine struct {
	sumEngine
	most int // wordpieces of a batch
}

func (e *togetherEngine) EmbedBatch(dst []float32, ids []int32, texts int) error {
	e.mu.Lock()
	e.most = max(e.most, len(ids))
	e.mu.Unlock()
	for i := range texts {
		if err := e.Embed(dst[2*i:2*i+2], ids[i*len(ids)/texts:(i+1)*len(ids)/texts]); err != nil {
			return err
		}
	}
	return nil
}

// Texts of one length are evaluated together as far as they are small, and their vectors are where they would be.
func TestEmbedAllTogether(t *testing.T) {
	texts := sampleTexts()
	want, _ := EmbedAll(t.Context(), &sumEngine{}, texts, 0, 1, nil)
	for _, test := range []struct{ together, most int }{{0, 0}, {1, 0}, {2, 2}, {7, 6}, {12, 12}, {20, 20}, {1000, 48}} {
		e := &togetherEngine{}
		got, err := EmbedAll(t.Context(), e, texts, test.together, 2, nil)
		if err != nil || !slices.Equal(got, want) || len(e.lengths) != len(texts) || e.most != test.most {
			t.Errorf("EmbedAll with %d together: %d texts of %d, %d wordpieces at once, want %d; right vectors %v, %v",
				test.together, len(e.lengths), len(texts), e.most, test.most, slices.Equal(got, want), err)
		}
	}
	e := &togetherEngine{sumEngine: sumEngine{fail: texts[12][0]}}
	if _, err := EmbedAll(t.Context(), e, texts, 100, 2, nil); !errors.Is(err, errSum) || !strings.Contains(err.Error(), "embedding text ") {
		t.Errorf("EmbedAll of a text that cannot be embedded = %v, want %v", err, errSum)
	}
}

func TestEmbedAllLongestFirst(t *testing.T) {
	e := &sumEngine{}
	if _, err := EmbedAll(t.Context(), e, sampleTexts(), 0, 1, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(e.lengths, func(a, b int) int { return b - a }) {
		t.Errorf("lengths = %v, want the longest first", e.lengths)
	}
}

func TestEmbedAllEmpty(t *testing.T) {
	got, err := EmbedAll(t.Context(), &sumEngine{}, nil, 0, 4, nil)
	if err != nil || len(got) != 0 {
		t.Errorf("EmbedAll(nothing) = %v, %v, want nothing", got, err)
	}
}

func TestEmbedAllStopsAtError(t *testing.T) {
	texts := sampleTexts()
	texts[17] = []int32{999}
	_, err := EmbedAll(t.Context(), &sumEngine{fail: 999}, texts, 0, 3, nil)
	if !errors.Is(err, errSum) || !strings.HasPrefix(err.Error(), "embedding text 17: ") {
		t.Errorf("EmbedAll = %v, want embedding text 17: %v", err, errSum)
	}
}

func TestEmbedAllStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := &sumEngine{stop: cancel}
	_, err := EmbedAll(ctx, e, sampleTexts(), 0, 1, nil)
	if !errors.Is(err, context.Canceled) || len(e.lengths) != 1 {
		t.Errorf("EmbedAll = %v after %d texts, want %v after 1", err, len(e.lengths), context.Canceled)
	}
}

func TestEmbedAllProgress(t *testing.T) {
	texts := sampleTexts()
	total := int64(0)
	for _, text := range texts {
		total += int64(len(text))
	}
	calls, lastTexts, lastTokens := 0, 0, int64(0)
	_, err := EmbedAll(t.Context(), &sumEngine{}, texts, 0, 4, func(texts, _ int, tokens, all int64) {
		calls++
		if texts <= lastTexts || tokens <= lastTokens || all != total {
			t.Errorf("progress went from %d, %d to %d, %d of %d tokens, want up, of %d", lastTexts, lastTokens, texts, tokens, all, total)
		}
		lastTexts, lastTokens = texts, tokens
	})
	if err != nil || lastTexts != len(texts) || lastTokens != total {
		t.Errorf("progress ended at %d texts, %d tokens (%v), want %d and %d", lastTexts, lastTokens, err, len(texts), total)
	}
}

// Each field of the recipe must change its key, and is a difference that is named.
func TestRecipeKeyDependsOnEverything(t *testing.T) {
	seen := map[Key]string{new(Recipe).Key(): "empty"}
	fields := reflect.TypeFor[Recipe]()
	for i := range fields.NumField() {
		var r Recipe
		switch f := reflect.ValueOf(&r).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Int:
			f.SetInt(1)
		}
		k := r.Key()
		if other, taken := seen[k]; taken && fields.Field(i).Name != "Probe" { // which differs from time to time
			t.Errorf("recipe with %s has the key of %s", fields.Field(i).Name, other)
		}
		seen[k] = fields.Field(i).Name
		if d := r.Difference(&Recipe{}); d == nil || d.Field == "" || d.Mine == d.Other {
			t.Errorf("recipe with %s differs by %+v", fields.Field(i).Name, d)
		}
		if d := r.Difference(&r); d != nil {
			t.Errorf("a recipe differs from itself by %+v", d)
		}
	}
	a, b := (&Recipe{Pooling: "ab"}).Key(), (&Recipe{Pooling: "a", Prefix: "b"}).Key()
	if a == b {
		t.Errorf("Key = %v for pooling ab and for pooling a with prefix b, want two keys", a)
	}
}

// A key names files that stay between builds; this one must stay while keyVersion does.
func TestRecipeKeyIsStable(t *testing.T) {
	r := &Recipe{ModelSHA256: "53aa", Precision: "float32", Engine: "onnxruntime 1.31.1 amd64-avx2", Pooling: "mean", Limit: 256, Chunker: 1}
	const want = "5617b4b5a22009d32ad491b0114e353a184f6977213dd1be0182d5b4245e7f3f"
	if got := fmt.Sprintf("%x", r.Key()); got != want {
		t.Errorf("Key = %s, want %s", got, want)
	}
}
