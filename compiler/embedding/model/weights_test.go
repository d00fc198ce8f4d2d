package model

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/modeldir/checkout"
	"kdd/format/index"
)

func init() { checkout.Use() }

// needLibrary skips a test where ONNX Runtime is absent.
func needLibrary(tb testing.TB) {
	tb.Helper()
	if _, err := engine.FindLibrary(""); err != nil || !engine.Supported {
		tb.Skipf("ONNX Runtime is absent: %v", err)
	}
}

// needWeights returns all-MiniLM-L6-v2, or skips the test where it is absent.
func needWeights(tb testing.TB) *Model {
	tb.Helper()
	m, err := Find(DefaultName)
	if errors.Is(err, ErrNoModel) {
		tb.Skipf("weights are absent: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// sampleTexts are ids of texts of many lengths.
func sampleTexts(tb testing.TB, m *Model) [][]int32 {
	tb.Helper()
	vocab, err := m.Vocab()
	if err != nil {
		tb.Fatal(err)
	}
	sentences := []string{
		"How do I skip re-rendering a child when its props are the same?",
		"memo lets you skip re-rendering a component when its props are unchanged.",
		"Añadir documentación en español, mit Umlauten: ÄÖÜ, 日本語 and 🙂.",
		"func (e *engine) Embed(dst []float32, ids []int32) error",
		"",
	}
	long := strings.Repeat(strings.Join(sentences, " "), 10)
	for _, n := range []int{50, 300, 700, 2000} {
		sentences = append(sentences, strings.ToValidUTF8(long[:n], ""))
	}
	var texts [][]int32
	for _, s := range sentences {
		texts = append(texts, vocab.EncodeWithSpecials(nil, s, m.MaxTokens))
	}
	return texts
}

func TestEnginesAgree(t *testing.T) {
	needLibrary(t)
	m := needWeights(t)
	texts := sampleTexts(t, m)
	vectors := func(kind engine.Kind, agreed bool) []float32 {
		e, notice, err := m.Engine(engine.Options{Kind: kind})
		if err != nil || notice != "" {
			t.Fatalf("Engine(%s) = %q, %v, want an engine", kind, notice, err)
		}
		if agreed {
			e = m.Agreed(e)
		}
		defer e.Close()
		one, err := embedding.EmbedAll(t.Context(), e, texts, 0, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		two, err := embedding.EmbedAll(t.Context(), e, texts, 0, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(one, two) {
			t.Errorf("vectors of %s differ between one goroutine and two", kind)
		}
		return one
	}
	raw, reference := vectors(engine.ONNX, false), vectors(engine.Go, false)
	lowest := 1.
	for i := range texts {
		lowest = min(lowest, cosine(raw[i*m.Dim:(i+1)*m.Dim], reference[i*m.Dim:(i+1)*m.Dim]))
	}
	if lowest < .999999 {
		t.Errorf("vectors have cosine %.8f with the Go transformer's, want .999999 or more", lowest)
	}
	rows, scales := index.QuantiseRows(vectors(engine.ONNX, true), m.Dim)
	wantRows, wantScales := index.QuantiseRows(vectors(engine.Go, true), m.Dim)
	if !bytes.Equal(rows, wantRows) || !slices.Equal(scales, wantScales) {
		t.Error("rounded rows of ONNX Runtime and Go differ")
	}
}

// A paraphrase must lie nearer than another subject: the weights are the right ones, in the right places.
func TestVectorsMeanSomething(t *testing.T) {
	m := needWeights(t)
	texts := sampleTexts(t, m)
	e, _, err := m.Engine(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	v, err := embedding.EmbedAll(t.Context(), e, texts[:4], 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	row := func(i int) []float32 { return v[i*m.Dim : (i+1)*m.Dim] }
	if same, other := cosine(row(0), row(1)), cosine(row(0), row(3)); same < .5 || other > .2 {
		t.Errorf("cosine of a question with its answer %.3f, with code %.3f, want at least .5 and at most .2", same, other)
	}
}

// The stored model verifies, and its word vectors are what an engine gives now.
func TestWeightsVerify(t *testing.T) {
	m := needWeights(t)
	if err := m.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m.Dim != 384 || m.MaxTokens != 256 || m.Pooling != "mean" || m.Licence != "apache-2.0" {
		t.Errorf("info = %+v, want 384 dimensions, 256 wordpieces, mean, apache-2.0", m.Info)
	}
}

// foreignModel returns the small model with a graph of another maker in the place of weights: token vectors, to be
// pooled and normalised outside. Its word embeddings are (7·id + 3·column) mod 11 - 5, its first type's 1.
func foreignModel(t *testing.T) files {
	t.Helper()
	graph, err := os.ReadFile(filepath.Join("testdata", "token-vectors.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	return smallModel().with("model.safetensors", nil).with("onnx/model.onnx", graph)
}

func TestImportForeignGraph(t *testing.T) {
	needLibrary(t)
	for _, pooling := range []string{"mean", "cls"} {
		t.Run(pooling, func(t *testing.T) {
			f := foreignModel(t)
			if pooling == "cls" {
				f = f.with("1_Pooling/config.json", []byte(`{"pooling_mode": "cls"}`))
			}
			m, err := Import(t.Context(), f.folder(t, "small"), ImportOptions{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Verify(t.Context()); err != nil {
				t.Error(err)
			}
			if m.HasWeights() || m.SHA256 != m.ONNXSHA256 || m.ONNX == nil || m.ONNX.Output != "last_hidden_state" {
				t.Errorf("info = %+v, want the graph alone", m.Info)
			}
			e, _, err := m.Engine(engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			ids := []int32{2, 8, 9, 3}
			want, got := make([]float32, m.Dim), make([]float32, m.Dim)
			for k, id := range ids {
				for j := range want {
					if pooling == "mean" || k == 0 {
						want[j] += float32((int(id)*7+j*3)%11-5) + 1
					}
				}
			}
			if err := e.Embed(got, ids); err != nil {
				t.Fatal(err)
			}
			var length float64
			for _, v := range got {
				length += float64(v) * float64(v)
			}
			if c := cosine(got, want); c < .99999 || math.Abs(length-1) > 1e-5 {
				t.Errorf("Embed = %v, want %v at length 1 (cosine %f, length² %f)", got, want, c, length)
			}
			if _, _, err := m.Engine(engine.Options{Kind: engine.Go}); !errors.Is(err, engine.ErrModel) {
				t.Errorf("Engine in Go = %v, want %v", err, engine.ErrModel)
			}
		})
	}
}

func TestImportForeignGraphErrors(t *testing.T) {
	f := foreignModel(t)
	graph := func(old, new string) files { return f.replaced(t, "onnx/model.onnx", old, new) }
	for _, tt := range []struct {
		name  string
		files files
		want  string
	}{
		{"other input", graph("token_type_ids", "other_type_ids"), `input "other_type_ids", want input_ids`},
		{"other output", graph("last_hidden_state", "next_hidden_state"), "no output sentence_embedding or last_hidden_state"},
		{"cut", f.with("onnx/model.onnx", f["onnx/model.onnx"][:500]), "corrupt ONNX model"},
		{"no runtime", f, "needs model.safetensors"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Import(t.Context(), tt.files.folder(t, "small"), goOptions(t))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Import = %v, want an error with %q", err, tt.want)
			}
		})
	}
}
