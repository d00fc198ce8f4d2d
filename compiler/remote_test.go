package compiler

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/remote"
	"kdd/compiler/embedding/remote/remotetest"
	"kdd/compiler/filetest"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// served returns a server of the model in a folder, by the Go transformer.
func served(t *testing.T, dir string) *remotetest.Server {
	t.Helper()
	m, err := model.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	vocab, err := m.Vocab()
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := m.Engine(engine.Options{Kind: engine.Go})
	if err != nil {
		t.Fatal(err)
	}
	s := remotetest.New("served", func(text string) []float32 {
		row := make([]float32, e.Dim())
		if err := e.Embed(row, vocab.EncodeWithSpecials(nil, text, m.MaxTokens)); err != nil {
			t.Error(err)
		}
		for k := range row {
			row[k] *= 3 // not of unit length
		}
		return row
	})
	t.Cleanup(func() { s.Close(); e.Close() })
	return s
}

// fromServer returns options that build with a server's vectors.
func fromServer(dir, tokenizer string, s *remotetest.Server) Options {
	return Options{Sources: []string{dir}, Model: tokenizer, CacheDir: "-", Version: "test",
		Remote: remote.Options{URL: s.URL, Model: s.Model, FirstWait: time.Microsecond}}
}

// TestRemoteVectors compares the vectors of a server with those of the same model here.
func TestRemoteVectors(t *testing.T) {
	parent := t.TempDir()
	docs := filepath.Join(parent, "docs")
	newCorpus(41, 12).write(t, docs)
	small := smallModel(t, 1, "")
	here := withVectors(docs, small)
	here.Floats, here.Encoder, here.Output = true, EncoderNone, filepath.Join(parent, "here.kddx")
	mustBuild(t, here)
	there := fromServer(docs, small, served(t, small))
	there.Floats, there.Encoder, there.Output = true, EncoderNone, filepath.Join(parent, "there.kddx")
	mustBuild(t, there)
	verified(t, there.Output)
	floats := func(path string) []float32 {
		x, err := index.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer x.File.Close()
		v, err := x.Vectors()
		if err != nil {
			t.Fatal(err)
		}
		_, _, full := v.Stored(true)
		return full
	}
	want, got := floats(here.Output), floats(there.Output)
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	for i := range got {
		if math.Abs(float64(got[i]-want[i])) > 1e-6 {
			t.Fatalf("number %d is %g, want %g", i, got[i], want[i])
		}
	}
}

// TestRemote builds with a server of a model that is not here, with vectors of another length than the tokenizer's
// model: alone, again over its artifact, with a cache, and of parts; and it is asked without the server.
func TestRemote(t *testing.T) {
	parent := t.TempDir()
	docs := filepath.Join(parent, "docs")
	newCorpus(43, 30).write(t, docs)
	filetest.Write(t, docs, map[string]string{"harbour.md": "# Harbour\n\nThe keeper of the lighthouse counts ships at night.\n"})
	s := remotetest.New("words-40", remotetest.Words(40))
	defer s.Close()
	o := fromServer(docs, smallModel(t, 1, ""), s)
	o.RemotePrefix, o.Output = "passage: ", filepath.Join(parent, "out.kddx")
	first, want := mustBuild(t, o)
	verified(t, o.Output)
	if first.Embedded == 0 || first.Reused != 0 {
		t.Errorf("%d embedded, %d reused", first.Embedded, first.Reused)
	}
	if _, texts := s.Seen(); !strings.HasPrefix(texts[len(texts)/2], "passage: ") {
		t.Errorf("the server was sent %q, want the prefix before it", texts[len(texts)/2])
	}
	x, err := index.Open(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	m := x.Meta.Model
	x.File.Close()
	if m.Name != "words-40" || m.Dim != 40 || m.Engine != "server" || m.Probe == "" || m.Prefix != "passage: " || m.SHA256 != "" {
		t.Errorf("the artifact's model is %+v", m)
	}
	r, again := mustBuild(t, o)
	sameBytes(t, "over its artifact", again, want)
	if r.Reused != first.Counts.Chunks {
		t.Errorf("%d of %d vectors reused", r.Reused, first.Counts.Chunks)
	}

	// Parts, made with a cache, and a build that has no server.
	b := o
	b.CacheDir = filepath.Join(parent, "cache")
	for _, shard := range []int{0, 1, 1} {
		b.Output = parent
		if shard == 1 {
			b.Parts = []string{filepath.Join(parent, "part-0.kddv")}
		}
		if _, err := Embed(t.Context(), b, Part{Shard: shard, Shards: 2}); err != nil {
			t.Fatal(err)
		}
	}
	b.Parts, b.PartsOnly, b.Remote, b.CacheDir = []string{filepath.Join(parent, "part-*.kddv")}, true, remote.Options{}, "-"
	b.Output = filepath.Join(parent, "parts.kddx")
	_, of := mustBuild(t, b)
	sameBytes(t, "of parts, without the server", of, want)

	s.Close()
	service := runtime.New(runtime.Config{Index: []string{o.Output}})
	defer service.Close()
	found, err := service.Search(t.Context(), wire.SearchRequest{Query: "lighthouse ships", Mode: "vector"})
	if err != nil || len(found.Results) == 0 {
		t.Errorf("Search = %v, %v, want results", hits(found), err)
	}

	// Another model under the same name.
	other := remotetest.New("words-40", func(text string) []float32 { return remotetest.Words(40)("x" + text) })
	defer other.Close()
	o.Remote.URL = other.URL
	if r, _ := mustBuild(t, o); r.Reused != 0 {
		t.Errorf("%d vectors of another model reused", r.Reused)
	}
	o.Parts = b.Parts
	if _, err := Build(t.Context(), o); err == nil || !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), `part-0.kddv has vectors of probe "a cosine of `) {
		t.Errorf("Build = %v, want an error about the probe", err)
	}
}

// TestRemoteNoise has a server whose last bits differ from request to request: what is kept is taken as it is, and a run
// that was stopped goes on.
func TestRemoteNoise(t *testing.T) {
	parent := t.TempDir()
	docs := filepath.Join(parent, "docs")
	newCorpus(45, 150).write(t, docs)
	s := remotetest.New("words-40", remotetest.Words(40))
	defer s.Close()
	s.Edit = func(n int, rows [][]float32) [][]float32 {
		for _, row := range rows {
			row[n%40] *= 1 + float32(n%9)*1e-5
			row[(n+7)%40] += 1e-3
		}
		return rows
	}
	o := fromServer(docs, smallModel(t, 1, ""), s)
	o.CacheDir, o.Output = filepath.Join(parent, "cache"), filepath.Join(parent, "out.kddx")
	_, want := mustBuild(t, o)
	before, _ := s.Seen()
	r, got := mustBuild(t, o)
	sameBytes(t, "with a cache", got, want)
	if after, _ := s.Seen(); after != before+1 || r.Embedded != 0 { // the probe alone
		t.Errorf("%d requests more, %d texts embedded", after-before, r.Embedded)
	}

	o.CacheDir, o.Output = "-", filepath.Join(parent, "p.kddv")
	ctx, cancel := context.WithCancel(t.Context())
	left := 1200
	stopped := o
	stopped.Progress = stepWatch(func() {
		if left--; left == 0 {
			cancel()
		}
	})
	if _, err := Embed(ctx, stopped, Part{Shards: 1, Resume: true}); !errors.Is(err, context.Canceled) {
		t.Fatalf("Embed = %v, want %v", err, context.Canceled)
	}
	part, err := Embed(t.Context(), o, Part{Shards: 1, Resume: true})
	if err != nil || part.Resumed < 1000 {
		t.Fatalf("Embed = %+v, %v, want a thousand vectors kept", part, err)
	}
	once, err := os.ReadFile(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	if part, err = Embed(t.Context(), o, Part{Shards: 1}); err != nil || part.Embedded != 0 {
		t.Fatalf("Embed = %+v, %v, want nothing embedded", part, err)
	}
	twice, err := os.ReadFile(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, "a part over itself", twice, once)
}

// TestRealRemote has a server of the default model embed, and asks the artifact a paraphrase.
func TestRealRemote(t *testing.T) {
	m, err := model.Find("")
	if errors.Is(err, model.ErrNoModel) {
		t.Skip("the weights are not there: make cache")
	} else if err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	docs := filepath.Join(parent, "docs")
	c := newCorpus(23, 3)
	c.docs["a/memo.md"] = []string{"# memo", "Wrap a component to skip rendering it again while its props are unchanged."}
	c.write(t, docs)
	s := served(t, m.Path)
	s.TEI = true
	o := fromServer(docs, "", s)
	o.Output = filepath.Join(parent, "out.kddx")
	mustBuild(t, o)
	service := runtime.New(runtime.Config{Index: []string{o.Output}})
	defer service.Close()
	found, err := service.Search(t.Context(), wire.SearchRequest{Query: "avoid rendering a component a second time", Mode: "vector"})
	if err != nil || len(found.Results) == 0 || found.Results[0].Path != "a/memo.md" {
		t.Errorf("Search = %v, %v, want a/memo.md first", hits(found), err)
	}
}

func TestRemoteRefused(t *testing.T) {
	parent := t.TempDir()
	docs := filepath.Join(parent, "docs")
	filetest.Write(t, docs, map[string]string{"a.md": "# A\n\nText.\n"})
	s := remotetest.New("words-40", remotetest.Words(40))
	defer s.Close()
	o := fromServer(docs, smallModel(t, 1, ""), s)
	o.Output = filepath.Join(parent, "out.kddx")
	for _, tt := range []struct {
		name string
		edit func(o *Options)
		want string
	}{
		{"exact", func(o *Options) { o.Encoder = EncoderExact }, "encoder exact: a server's model cannot be put into the file; use --encoder distilled"},
		{"engine", func(o *Options) { o.Engine = "go" }, "--embed-url has a server embed; leave them out"},
		{"device", func(o *Options) { o.Device = "cuda" }, "are of models here"},
		{"only parts", func(o *Options) { o.PartsOnly = true }, "--vectors-only embeds nothing, --embed-url has a server embed; leave one out"},
		{"no server", func(o *Options) { s.Close() }, "connection refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := o
			tt.edit(&b)
			if _, err := Build(t.Context(), b); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Build = %v, want %q", err, tt.want)
			}
			if got := leftovers(t, parent, "docs"); got != nil {
				t.Errorf("left behind: %q", got)
			}
		})
	}
}
