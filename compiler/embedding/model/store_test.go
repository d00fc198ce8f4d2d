package model

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/embedding/modeldir"
)

// stored imports the small model under a name into the folder of models, which is the environment's.
func stored(t *testing.T, names ...string) (dir string, last *Model) {
	t.Helper()
	o := goOptions(t)
	t.Setenv(modeldir.Variable, o.Dir)
	src := smallModel().folder(t, "small")
	for _, o.Name = range names {
		var err error
		if last, err = Import(t.Context(), src, o); err != nil {
			t.Fatal(err)
		}
	}
	return o.Dir, last
}

func TestFind(t *testing.T) {
	dir, _ := stored(t, "small", DefaultName)
	work := t.TempDir()
	for _, tt := range []struct {
		name string
		want string // "" for ErrNoModel
		text string
	}{
		{"small", "small", ""},
		{"owner/small", "small", ""},
		{filepath.Join(dir, "small"), "small", ""},
		{"", DefaultName, ""},
		{"none", "", `"kdd model pull OWNER/none"`},
		{"owner/none", "", `"kdd model pull owner/none"`},
		{work, "", "import it first"},
		{"../small", "", "no model"},
		{"..", "", "import it first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Find(tt.name)
			if tt.want == "" {
				if !errors.Is(err, ErrNoModel) || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("Find(%q) = %v, want %v with %q", tt.name, err, ErrNoModel, tt.text)
				}
				return
			}
			if err != nil || m.Name != tt.want {
				t.Errorf("Find(%q) = %v, %v, want %s", tt.name, m, err, tt.want)
			}
		})
	}
}

func TestFindDefault(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stored []string
		want   string
		text   string
	}{
		{"none", nil, "", `"kdd model pull sentence-transformers/all-MiniLM-L6-v2"`},
		{"one", []string{"small"}, "small", ""},
		{"two", []string{"small", "other"}, "", "several models and none of them is the default; name one: other, small"},
		{"the default among two", []string{"small", DefaultName}, DefaultName, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stored(t, tt.stored...)
			m, err := Find("")
			if tt.want != "" {
				if err != nil || m.Name != tt.want {
					t.Errorf("Find = %v, %v, want %s", m, err, tt.want)
				}
				return
			}
			if !errors.Is(err, ErrNoModel) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("Find = %v, want %v with %q", err, ErrNoModel, tt.text)
			}
		})
	}
}

// An import goes to the user's data folder and is found there, and no folder of models of the working folder is looked at.
func TestFindFromAnywhere(t *testing.T) {
	o := goOptions(t)
	data, checkout := t.TempDir(), t.TempDir()
	t.Setenv(modeldir.Variable, "")
	for _, name := range []string{"XDG_DATA_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, data)
	}
	src := smallModel().folder(t, "small")
	o.Dir, o.Name = "", "one"
	one, err := Import(t.Context(), src, o)
	if err != nil || !strings.HasPrefix(one.Path, data) {
		t.Fatalf("Import = %+v, %v, want a folder below %s", one, err, data)
	}
	o.Dir, o.Name = filepath.Join(checkout, ".cache", "models"), "two"
	if _, err := Import(t.Context(), src, o); err != nil {
		t.Fatal(err)
	}
	t.Chdir(checkout)
	if m, err := Find("one"); err != nil || m.Path != one.Path {
		t.Errorf("Find = %+v, %v, want the one in %s", m, err, one.Path)
	}
	if m, err := Find("two"); !errors.Is(err, ErrNoModel) {
		t.Errorf("Find = %+v, %v, want %v", m, err, ErrNoModel)
	}
	if all, _, err := List(); err != nil || len(all) != 1 {
		t.Errorf("List = %v, %v, want one model", all, err)
	}
}

func TestListLeavesBrokenOut(t *testing.T) {
	dir, _ := stored(t, "b", "a", "c")
	if err := os.Remove(filepath.Join(dir, "c", ONNXFile)); err != nil {
		t.Fatal(err)
	}
	all, broken, err := List()
	if err != nil || len(all) != 2 || all[0].Name != "a" || all[1].Name != "b" || len(broken) != 1 || !errors.Is(broken[0], ErrBroken) {
		t.Errorf("List = %v, %v, %v, want a and b, and c broken", all, broken, err)
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	edit := func(name string, change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, change(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	info := func(key string, value any) func(*testing.T, string) {
		return edit(InfoFile, func(b []byte) []byte {
			var m map[string]any
			if err := json.Unmarshal(b, &m); err != nil {
				panic(err)
			}
			m[key] = value
			b, err := json.Marshal(m)
			if err != nil {
				panic(err)
			}
			return b
		})
	}
	for _, tt := range []struct {
		name   string
		damage func(*testing.T, string)
		want   string
	}{
		{"weights", edit(WeightsFile, flip), "model.safetensors has sha256"},
		{"graph", edit(ONNXFile, flip), "model.onnx has sha256"},
		{"tokenizer", edit(TokenizerFile, flip), "tokenizer.json has sha256"},
		{"word vectors", edit(PriorFile, flip), "prior.i8 has sha256"},
		{"cut", edit(ONNXFile, func(b []byte) []byte { return b[:10] }), "model.onnx has 10 bytes"},
		{"missing", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, WeightsFile)) }, "model.safetensors is missing"},
		{"not JSON", edit(InfoFile, func([]byte) []byte { return []byte("<html>") }), "kdd-model.json: invalid character"},
		{"later version", info("version", infoVersion+1), "model folder of version 6, this kdd reads 5; import the model again"},
		{"earlier version", info("version", infoVersion-1), "model folder of version 4, this kdd reads 5; import the model again"},
		{"other weights", info("sha256", strings.Repeat("0", 64)), "two checksums for the weights"},
		{"a name that climbs", info("name", "../x"), "unexpected name ../x"},
		{"a file that climbs", info("files", []map[string]any{{"name": "../x"}}), `unexpected file name "../x"`},
		{"no files", info("files", []any{}), "does not name config.json"},
		{"no dimension", info("dim", 0), "unexpected dim 0"},
		{"limit above positions", info("max_tokens", 99), "unexpected max_tokens 99"},
		{"other pooling", info("pooling", "sum"), "unexpected pooling sum"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, m := stored(t, "small")
			tt.damage(t, m.Path)
			opened, err := Open(m.Path)
			if err == nil {
				err = opened.Verify(t.Context())
			}
			if !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Open and Verify = %v, want %v with %q", err, ErrBroken, tt.want)
			}
		})
	}
}

func TestSourceName(t *testing.T) {
	commit := testCommit
	for _, tt := range []struct{ src, name, revision string }{
		{"/x/all-MiniLM-L6-v2", "all-MiniLM-L6-v2", ""},
		{"/x/all-MiniLM-L6-v2.zip", "all-MiniLM-L6-v2", ""},
		{"/x/gt_small-0.1.0-py3-none-any.whl", "gt_small", ""},
		{"/x/models--owner--a-name/snapshots/" + commit, "a-name", commit},
		{"/x/models--alone/snapshots/" + commit, "alone", commit},
	} {
		if name, revision := sourceName(filepath.FromSlash(tt.src)); name != tt.name || revision != tt.revision {
			t.Errorf("sourceName(%s) = %q, %q, want %q, %q", tt.src, name, revision, tt.name, tt.revision)
		}
	}
}

func FuzzParsePrior(f *testing.F) {
	p := quantizePrior([]float32{1, -.5, 0, .25}, 2)
	var b strings.Builder
	if err := p.write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(b.String()))
	f.Add([]byte(priorMagic + "\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePrior(data)
		if err != nil {
			if !errors.Is(err, ErrBroken) {
				t.Errorf("parsePrior = %v, want %v", err, ErrBroken)
			}
			return
		}
		var b strings.Builder
		if err := p.write(&b); err != nil || b.String() != string(data) {
			t.Errorf("parsePrior and write = %q, %v, want %q", b.String(), err, data)
		}
	})
}
