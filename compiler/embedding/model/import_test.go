package model

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/format/index"

	"github.com/google/go-cmp/cmp"
)

func TestImportFolder(t *testing.T) {
	o := goOptions(t)
	m, err := Import(t.Context(), smallModel().folder(t, "small"), o)
	if err != nil {
		t.Fatal(err)
	}
	want := Info{Version: infoVersion, Languages: []string{"en"}, Name: "small", Architecture: "bert", Dim: smallHidden, MaxTokens: 12, Pooling: "mean", Normalize: true,
		Licence: "apache-2.0", Source: "small", Vocab: len(smallPieces), Positions: smallPositions}
	got := m.Info
	got.SHA256, got.ONNXSHA256, got.PriorSHA256, got.PriorEngine, got.Files = "", "", "", "", nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("info differs (-want +got):\n%s", diff)
	}
	if err := m.Verify(t.Context()); err != nil {
		t.Errorf("Verify = %v, want nothing", err)
	}
	if v, err := m.Vocab(); err != nil || v.Size() != len(smallPieces) {
		t.Errorf("Vocab = %v, %v, want %d pieces", v, err, len(smallPieces))
	}
	opened, err := Open(m.Path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, opened, cmp.AllowUnexported(Model{})); diff != "" {
		t.Errorf("Open differs from Import (-import +open):\n%s", diff)
	}
	left, err := os.ReadDir(o.Dir)
	if err != nil || len(left) != 1 {
		t.Errorf("folder of models = %v, %v, want the model alone", left, err)
	}
}

// A folder, a zip and a wheel of one model give the same bytes, and so does a second import.
func TestImportIsReproducible(t *testing.T) {
	var want []File
	for _, src := range []string{
		smallModel().folder(t, "small"),
		smallModel().folder(t, "small"),
		smallModel().archive(t, "small.zip", "", nil),
		smallModel().archive(t, "small-1.0-py3-none-any.whl", "small/model/", nil),
	} {
		o := goOptions(t)
		m, err := Import(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		if m.Name != "small" {
			t.Errorf("Import(%s) has name %q, want small", filepath.Base(src), m.Name)
		}
		if want == nil {
			want = m.Files
		}
		if diff := cmp.Diff(want, m.Files); diff != "" {
			t.Errorf("Import(%s) differs (-first +this):\n%s", filepath.Base(src), diff)
		}
	}
}

func TestImportPriorIsCentred(t *testing.T) {
	m, err := Import(t.Context(), smallModel().folder(t, "small"), goOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Prior()
	if err != nil || p.Rows != len(smallPieces) || p.Dim != smallHidden {
		t.Fatalf("Prior = %v, %v, want %d rows of %d", p, err, len(smallPieces), smallHidden)
	}
	e, _, err := m.Engine(engine.Options{Kind: engine.Go})
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]float32, p.Rows*p.Dim)
	for i := range p.Rows {
		if err := e.Embed(rows[i*p.Dim:(i+1)*p.Dim], []int32{2, int32(i), 3}); err != nil {
			t.Fatal(err)
		}
	}
	quantised, scales := index.QuantiseRows(rows, p.Dim)
	rows = index.DequantiseRows(quantised, scales, p.Dim)
	mean := make([]float64, p.Dim)
	for i, v := range rows {
		mean[i%p.Dim] += float64(v) / float64(p.Rows)
	}
	row := make([]float32, p.Dim)
	for i := range p.Rows {
		p.Row(row, i)
		for k, got := range row {
			want := float64(rows[i*p.Dim+k]) - mean[k]
			if math.Abs(float64(got)-want) > float64(p.Scale[i])*.51 {
				t.Errorf("prior[%d][%d] = %g, want %g within half a step", i, k, got, want)
			}
		}
	}
}

func TestImportErrors(t *testing.T) {
	f := smallModel()
	nan := bytes.Clone(f["model.safetensors"])
	binary.LittleEndian.PutUint32(nan[len(nan)-4:], math.Float32bits(float32(math.NaN())))
	config := func(old, new string) files { return f.replaced(t, "config.json", old, new) }
	dense := func(config string) files {
		g := f.replaced(t, "modules.json", "models.Normalize", "models.Dense")
		if config == "" {
			return g
		}
		return g.with("2_Normalize/config.json", []byte(config))
	}
	for _, tt := range []struct {
		name  string
		files files
		want  string
	}{
		{"no config", f.with("config.json", nil), "no config.json"},
		{"config is a web page", f.with("config.json", []byte("<!DOCTYPE html>")), "config.json"},
		{"other architecture", config(`"bert"`, `"mpnet"`), `"mpnet", want one of bert, roberta`},
		{"other activation", config(`"gelu"`, `"silu"`), `"silu", want gelu`},
		{"relative positions", config(`"type_vocab_size"`, `"position_embedding_type": "relative_key", "type_vocab_size"`), `"relative_key", want "absolute"`},
		{"heads do not divide", config(`"num_attention_heads": 2`, `"num_attention_heads": 3`), "divisor"},
		{"negative size", config(`"hidden_size": 16`, `"hidden_size": -16`), "hidden_size: -16"},
		{"huge size", config(`"hidden_size": 16`, `"hidden_size": 1000000000`), "hidden_size: 1000000000"},
		{"no pooling", f.with("modules.json", nil).with("1_Pooling/config.json", nil), "no 1_Pooling/config.json"},
		{"weighted pooling", f.with("1_Pooling/config.json", []byte(`{"pooling_mode_weightedmean_tokens": true}`)), `pooling "weightedmean", want one of mean`},
		{"no kind of pooling", f.with("1_Pooling/config.json", []byte(`{}`)), `pooling "", want one of mean`},
		{"pooling without prompts", f.with("1_Pooling/config.json", []byte(`{"pooling_mode": "mean", "include_prompt": false}`)).
			with("config_sentence_transformers.json", []byte(`{"prompts": {"query": "ask: "}}`)), `leaves the prefixes "ask: " and "" out`},
		{"two poolings", f.with("1_Pooling/config.json", []byte(`{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}`)), `pooling "cls and mean", want one of`},
		{"a module of another kind", f.replaced(t, "modules.json", "models.Normalize", "models.LayerNorm"), `models.LayerNorm"; want Transformer`},
		{"a dense module without configuration", dense(""), "no 2_Normalize/config.json"},
		{"a dense module of another width", dense(`{"in_features": 12, "out_features": 8}`), "2_Normalize/config.json: it takes 12 numbers, and there are 16"},
		{"a dense module of no width", dense(`{"in_features": 16, "out_features": 0}`), "16 to 0 numbers, want 1 to 8192"},
		{"a dense module with another activation", dense(`{"in_features": 16, "out_features": 8, "activation_function": "torch.nn.modules.activation.GELU"}`), `GELU", want Identity or Tanh`},
		{"a dense module before the pooling", dense(`{"in_features": 16, "out_features": 8, "module_input_name": "token_embeddings"}`), `"token_embeddings", want sentence_embedding`},
		{"a dense module with pickled weights", dense(`{"in_features": 16, "out_features": 8}`), "no 2_Normalize/model.safetensors"},
		{"a dense module whose weights are missing", dense(`{"in_features": 16, "out_features": 8}`).with("2_Normalize/model.safetensors", safetensors(map[string][]int{"linear.weight": {8, 16}}, smallValues)), "linear.bias: missing"},
		{"a dense module of another shape", dense(`{"in_features": 16, "out_features": 9, "bias": false}`).with("2_Normalize/model.safetensors", safetensors(map[string][]int{"linear.weight": {8, 16}}, smallValues)), "shape [8 16], want [9 16]"},
		{"a dense module after another pooling", dense(`{"in_features": 16, "out_features": 8}`).with("1_Pooling/config.json", []byte(`{"pooling_mode": "mean_sqrt_len_tokens"}`)).
			with("2_Normalize/model.safetensors", safetensors(map[string][]int{"linear.weight": {8, 16}}, smallValues)), "after pooling mean_sqrt_len_tokens"},
		{"a dense module after normalisation", f.replaced(t, "modules.json", `"2_Normalize", "type": "sentence_transformers.models.Normalize"}`,
			`"2_Normalize", "type": "sentence_transformers.models.Normalize"}, {"idx": 3, "path": "3_Dense", "type": "x.Dense"}`), `a Dense module in "3_Dense", want it between`},
		{"no tokenizer", f.with("tokenizer.json", nil), "neither tokenizer.json nor vocab.txt"},
		{"tokenizer of another kind", f.replaced(t, "tokenizer.json", `"type":"WordPiece","unk_token"`, `"type":"BPE","unk_token"`), "BPE"},
		{"tokenizer is cut", f.with("tokenizer.json", f["tokenizer.json"][:100]), "tokenizer.json"},
		{"tokenizer larger than the model", config(`"vocab_size": 16`, `"vocab_size": 15`), "16 wordpieces, config.json a vocab_size of 15"},
		{"no weights", f.with("model.safetensors", nil), "neither model.safetensors nor an ONNX file"},
		{"pickled weights", f.with("model.safetensors", nil).with("pytorch_model.bin", []byte("x")), "only pytorch_model.bin"},
		{"split weights", f.with("model.safetensors", nil).with("model.safetensors.index.json", []byte("{}")), "split over several files"},
		{"weights are a web page", f.with("model.safetensors", []byte("<!DOCTYPE html><html>login</html>")), "a web page"},
		{"weights are cut", f.with("model.safetensors", f["model.safetensors"][:5000]), "cut?"},
		{"missing tensor", f.replaced(t, "model.safetensors", "encoder.layer.1.output.dense.bias", "encoder.layer.1.output.dense.bios"), "encoder.layer.1.output.dense.bias: missing"},
		{"wrong shape", f.replaced(t, "model.safetensors", `"shape":[16,32]`, `"shape":[32,16]`), "shape [32 16], want [16 32]"},
		{"fewer layers than it says", config(`"num_hidden_layers": 2`, `"num_hidden_layers": 3`), "encoder.layer.2."},
		{"not a number", f.with("model.safetensors", nan), "NaN, want finite numbers"},
		{"onnx file is a web page", f.with("model.safetensors", nil).with("onnx/model.onnx", []byte("<!DOCTYPE html>")), "corrupt ONNX model"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := goOptions(t)
			_, err := Import(t.Context(), tt.files.folder(t, "small"), o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Import = %v, want an error with %q", err, tt.want)
			}
			if strings.Contains(err.Error(), o.Dir) {
				t.Errorf("Import = %v, want no path of the temporary folder", err)
			}
			if left, _ := os.ReadDir(o.Dir); len(left) != 0 {
				t.Errorf("Import left %v behind, want nothing", left)
			}
		})
	}
}

func TestImportArchiveErrors(t *testing.T) {
	f := smallModel()
	member := func(name string, data []byte, mode fs.FileMode) func(*zip.Writer) {
		return func(z *zip.Writer) {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate}
			h.SetMode(mode)
			w, err := z.CreateHeader(h)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(data); err != nil {
				t.Fatal(err)
			}
		}
	}
	zeros := make([]byte, 8<<20)
	for _, tt := range []struct {
		name  string
		files files
		edit  func(*zip.Writer)
		want  string
	}{
		{"a link", f.with("tokenizer.json", nil), member("tokenizer.json", []byte("/etc/passwd"), fs.ModeSymlink|0o777), "member tokenizer.json: a link"},
		{"a huge config", f.with("config.json", nil), member("config.json", zeros[:maxConfigBytes+1], 0o644), "member config.json: 1048577 bytes, want at most 1048576"},
		{"weights that grow", f.with("model.safetensors", nil), member("model.safetensors", zeros, 0o644), "at most 100 times as many"},
		{"a path above", files{}, member("../config.json", f["config.json"], 0o644), `member "../config.json": not a path below`},
		{"an absolute path", files{}, member("/tmp/config.json", f["config.json"], 0o644), `member "/tmp/config.json": not a path below`},
		{"a member twice", f, member("config.json", f["config.json"], 0o644), "member config.json is in the archive twice"},
		{"two models", files{}, func(z *zip.Writer) {
			member("a/config.json", f["config.json"], 0o644)(z)
			member("b/config.json", f["config.json"], 0o644)(z)
		}, "several models in the archive: a and b"},
		{"no model", files{"readme.txt": []byte("hello")}, nil, "no config.json in the archive"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := goOptions(t)
			_, err := Import(t.Context(), tt.files.archive(t, "small.zip", "", tt.edit), o)
			if !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Import = %v, want %v with %q", err, ErrSource, tt.want)
			}
			if left, _ := os.ReadDir(o.Dir); len(left) != 0 {
				t.Errorf("Import left %v behind, want nothing", left)
			}
		})
	}
}

// A member that holds more than it declares is cut off by the zip reader or refused, never read to its end.
func TestImportArchiveThatLies(t *testing.T) {
	path := smallModel().archive(t, "small.zip", "", nil)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// the name in the central directory, 46 bytes after its start
	at := bytes.LastIndex(data, []byte("model.safetensors"))
	size := data[at-46+24:]
	binary.LittleEndian.PutUint32(size, binary.LittleEndian.Uint32(size)-8)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Import(t.Context(), path, goOptions(t)); err == nil {
		t.Error("Import = nil, want an error about the member's size")
	}
}

func TestImportOptionErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*ImportOptions)
		want string
	}{
		{"name with a slash", func(o *ImportOptions) { o.Name = "../x" }, `model name "../x"`},
		{"hidden name", func(o *ImportOptions) { o.Name = ".x" }, `model name ".x"`},
		{"other sha256", func(o *ImportOptions) { o.SHA256 = strings.Repeat("0", 64) }, "want 000000"},
		{"limit above positions", func(o *ImportOptions) { o.MaxTokens = smallPositions + 1 }, "limit of 17 wordpieces, want 3 to 16"},
		{"engine without its library", func(o *ImportOptions) {
			o.Engine = engine.Options{Kind: engine.ONNX, Library: filepath.Join(o.Dir, "none")}
		}, "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := goOptions(t)
			tt.edit(&o)
			_, err := Import(t.Context(), smallModel().folder(t, "small"), o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Import = %v, want an error with %q", err, tt.want)
			}
		})
	}
	if _, err := Import(t.Context(), filepath.Join(t.TempDir(), "none"), goOptions(t)); !errors.Is(err, ErrSource) {
		t.Errorf("Import(none) = %v, want %v", err, ErrSource)
	}
}

func TestImportReplaces(t *testing.T) {
	o := goOptions(t)
	src := smallModel().folder(t, "small")
	if _, err := Import(t.Context(), src, o); err != nil {
		t.Fatal(err)
	}
	if _, err := Import(t.Context(), src, o); err != nil {
		t.Errorf("second import of the same weights = %v, want nothing", err)
	}
	other := smallModel().replaced(t, "model.safetensors", `"format":"pt"`, `"format":"tf"`).folder(t, "small")
	if _, err := Import(t.Context(), other, o); err == nil || !strings.Contains(err.Error(), "there already with other weights") {
		t.Errorf("import of other weights = %v, want there already", err)
	}
	o.Replace = true
	m, err := Import(t.Context(), other, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestImportStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := goOptions(t)
	if _, err := Import(ctx, smallModel().folder(t, "small"), o); !errors.Is(err, context.Canceled) {
		t.Errorf("Import = %v, want %v", err, context.Canceled)
	}
	if left, _ := os.ReadDir(o.Dir); len(left) != 0 {
		t.Errorf("Import left %v behind, want nothing", left)
	}
}

// Files converted from TensorFlow, or cut out of a model with a head, name their tensors otherwise; they are one model.
func TestImportOtherNames(t *testing.T) {
	var want string
	f := smallModel()
	for _, tt := range []struct {
		name  string
		files files
	}{
		{"plain", f},
		{"gamma and beta", f.replaced(t, "model.safetensors", "LayerNorm.weight", "LayerNorm.gamma").replaced(t, "model.safetensors", "LayerNorm.bias\"", "LayerNorm.beta\"")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Import(t.Context(), fixHeader(tt.files).folder(t, "small"), goOptions(t))
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				want = m.PriorSHA256
			}
			if m.PriorSHA256 != want {
				t.Errorf("word vectors have sha256 %s, want %s", m.PriorSHA256, want)
			}
		})
	}
}

// fixHeader sets the header length of the weights to what the header has.
func fixHeader(f files) files {
	data := bytes.Clone(f["model.safetensors"])
	end := bytes.Index(data, []byte("}}")) + 2
	binary.LittleEndian.PutUint64(data, uint64(end-8))
	return f.with("model.safetensors", data)
}
