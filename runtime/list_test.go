package runtime

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/format/index"
	"kdd/runtime/wire"
)

var listed = tree{
	"b.md":        "---\nkind: guide\ndomain: Security\nstatus: accepted\ntags: [x, Y]\ndate: 2024-05-01\nowner: ana\nreviewers: [bob, José]\nlanguage: en\n---\n# B\n\n## One\n\n## Two\n",
	"a/z.md":      "---\nkind: Requirement\ndomain: billing\nstatus: draft-x\ntags: [y]\ndate: 2023-08-09\nowner: José\nlanguage: es\n---\n# Z\n",
	"a.md":        "---\ndate: soon\n---\n# A\n",
	"a/y.feature": "Feature: Y\n\n  Scenario: first\n    Given x\n\n  Scenario: second\n    Given y\n",
}

func TestList(t *testing.T) {
	s := serve(t, listed.compile(t))
	tests := []struct {
		name string
		q    wire.ListRequest
		want string
	}{
		{"all, by path", wire.ListRequest{}, "a.md a/y.feature a/z.md b.md"},
		{"kind", wire.ListRequest{Kind: "requirement"}, "a/z.md"},
		{"kinds", wire.ListRequest{Kind: "requirement,GUIDE"}, "a/z.md b.md"},
		{"domain", wire.ListRequest{Domain: "security"}, "b.md"},
		{"status", wire.ListRequest{Status: "ACCEPTED"}, "b.md"},
		{"INDEXED means any", wire.ListRequest{Status: "INDEXED"}, "a.md a/y.feature a/z.md b.md"},
		{"tag", wire.ListRequest{Tag: "y"}, "a/z.md b.md"},
		{"language", wire.ListRequest{Language: "ES"}, "a/z.md"},
		{"languages", wire.ListRequest{Language: "es-MX,en", Tag: "y"}, "a/z.md b.md"},
		{"glob of a folder", wire.ListRequest{PathGlob: "a/**"}, "a/y.feature a/z.md"},
		{"glob of a level", wire.ListRequest{PathGlob: "*.md"}, "a.md b.md"},
		{"since a day", wire.ListRequest{Since: "2024-05-01"}, "b.md"},
		{"since the day after", wire.ListRequest{Since: "2024-05-02"}, ""},
		{"since a month", wire.ListRequest{Since: "2023-07"}, "a/z.md b.md"},
		{"where", wire.ListRequest{Where: map[string][]string{"owner": {"jose"}}}, "a/z.md"},
		{"where, a list", wire.ListRequest{Where: map[string][]string{"Reviewers": {"JOSE"}}}, "b.md"},
		{"where, alternatives", wire.ListRequest{Where: map[string][]string{"owner": {"jose", "ana"}}}, "a/z.md b.md"},
		{"together", wire.ListRequest{Tag: "y", Domain: "billing"}, "a/z.md"},
		{"nothing", wire.ListRequest{Tag: "x", Domain: "billing"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp, err := s.List(t.Context(), tt.q)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range resp.Documents {
				got = append(got, d.Path)
			}
			if text := strings.Join(got, " "); text != tt.want || resp.Total != len(got) || resp.Count != len(got) || resp.Truncated || resp.Documents == nil {
				t.Errorf("List = %s (%d of %d), want %s", text, resp.Count, resp.Total, tt.want)
			}
		})
	}
	all := must(s.List(t.Context(), wire.ListRequest{}))
	for _, d := range all.Documents {
		if want := map[string]int{"a.md": 1, "a/y.feature": 3, "a/z.md": 1, "b.md": 3}[d.Path]; d.Entities != want {
			t.Errorf("%s has %d entities, want %d", d.Path, d.Entities, want)
		}
	}
	if b := all.Documents[3]; b.Title != "B" || b.Kind != "guide" || b.Domain != "Security" || b.Status != "accepted" || !slices.Equal(b.Tags, []string{"Y", "x"}) || b.Date != "2024-05-01" || b.Language != "en" || b.Chunks == 0 {
		t.Errorf("%+v", b)
	}
}

func TestListPages(t *testing.T) {
	f := tree{}
	for i := range 57 {
		f[fmt.Sprintf("d%02d.md", i)] = fmt.Sprintf("---\ntags: [%s]\n---\n# D\n", []string{"x", "y"}[i%2])
	}
	s := serve(t, f.compile(t))
	for _, limit := range []int{1, 5, 20, 57, 200} {
		q := wire.ListRequest{Limit: limit, Tag: "x"}
		var got []string
		for {
			resp := must(s.List(t.Context(), q))
			if resp.Total != 29 || resp.Truncated != (resp.Cursor != "") {
				t.Fatalf("%+v", resp)
			}
			for _, d := range resp.Documents {
				got = append(got, d.Path)
			}
			if q.Cursor = resp.Cursor; q.Cursor == "" {
				break
			}
		}
		want := slices.DeleteFunc(slices.Sorted(maps.Keys(f)), func(p string) bool { return (p[2]-'0')%2 != 0 })
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v", limit, got, want)
		}
	}
}

// TestStatsAdvice checks that the transformer is advised for questions only over text that the model knows.
func TestStatsAdvice(t *testing.T) {
	path := withVectors(t, random(8, 30).compile(t), "distilled") // its model knows English
	for lang, want := range map[string]bool{"en": true, "es": false} {
		other := remade(t, path, func(meta map[string]any) {
			meta["encoder_known"] = 0.34
			meta["languages"] = []index.LanguageDocs{{Language: lang, Documents: 30}}
		})
		got := must(serve(t, other).Stats(t.Context(), wire.StatsRequest{})).Artifacts[0]
		if strings.Contains(got.EncoderAdvice, "--encoder exact") != want {
			t.Errorf("%s: advice %q, want the transformer in it: %v", lang, got.EncoderAdvice, want)
		}
		if strings.Contains(got.EncoderAdvice, "30 of 30 documents are "+lang) == want {
			t.Errorf("%s: advice %q, want the model's languages in it: %v", lang, got.EncoderAdvice, !want)
		}
	}
}

// TestStatsCounts compares counts with a walk over the artifact.
func TestStatsCounts(t *testing.T) {
	f := random(8, 30)
	f["broken.md"] = "# Broken\n\n[x](nosuch.md) and [[nowhere]]\n"
	path := withVectors(t, f.compile(t), "distilled")
	got := must(serve(t, path).Stats(t.Context(), wire.StatsRequest{Page: wire.Page{MaxBytes: -1}})).Artifacts[0]
	x := must(index.Open(path))
	defer x.File.Close()
	want := wire.Counts{Documents: 31, Sections: x.Sections(), Chunks: x.Chunks(), Terms: x.Terms(), Nodes: x.Nodes(), Edges: x.Edges(), Findings: x.Findings(), Vectors: x.Chunks()}
	if got.Counts != want {
		t.Errorf("counts %+v, want %+v", got.Counts, want)
	}
	sum := func(m map[string]int) (n int) {
		for _, v := range m {
			n += v
		}
		return n
	}
	if sum(got.Kinds) != 31 || sum(got.Languages) != 31 || sum(got.Edges) != x.Edges() || sum(got.Findings) != x.Findings() || x.Findings() == 0 || x.Edges() == 0 {
		t.Errorf("kinds %v, languages %v, edges %v, findings %v", got.Kinds, got.Languages, got.Edges, got.Findings)
	}
	var bytes int64
	for _, b := range got.Blocks {
		bytes += b.Bytes
	}
	info := must(os.Stat(path))
	if got.FileBytes != info.Size() || bytes > info.Size() || bytes < info.Size()/4 || got.Encoder != "distilled" || got.Model.Name != "random" || got.Name != "docs" {
		t.Errorf("file of %d bytes, blocks of %d, %+v", got.FileBytes, bytes, got)
	}
	var source int64
	for _, text := range f {
		source += int64(len(text))
	}
	if got.SourceBytes != source {
		t.Errorf("source bytes %d, want %d", got.SourceBytes, source)
	}
}

func TestStatsFreshness(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, tree{"one/a.md": "# A\n", "one/b.md": "# B\n", "one/c.md": "# C\n", "two/a.md": "# A2\n", "two/d.md": "# D2\n", "alone/e.md": "# E\n", "alone/beside.md": "# not compiled\n"})
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	path := at("out.kddx")
	build(t, compiler.Options{Sources: []string{at("one"), at("two"), at("alone/e.md")}, Output: path})
	fresh := func(s *Service) string {
		t.Helper()
		st := must(s.Stats(t.Context(), wire.StatsRequest{Page: wire.Page{MaxBytes: -1}})).Artifacts[0].Source
		return fmt.Sprintf("checked %v, changed %d, appeared %d, vanished %d", st.Checked, st.Changed, st.Appeared, st.Vanished)
	}
	s := serve(t, path)
	steps := []struct {
		name string
		do   func() error
		want string
	}{
		{"as compiled", func() error { return nil }, "checked true, changed 0, appeared 0, vanished 0"},
		{"changed", func() error { return os.WriteFile(at("two/d.md"), []byte("# longer\n"), 0o644) }, "checked true, changed 1, appeared 0, vanished 0"},
		{"vanished", func() error { return os.Remove(at("one/a.md")) }, "checked true, changed 1, appeared 0, vanished 1"},
		{"appeared", func() error { return os.WriteFile(at("one/new.MD"), nil, 0o644) }, "checked true, changed 1, appeared 1, vanished 1"},
		{"never compiled", func() error {
			filetest.Write(t, dir, tree{"one/.hidden.md": "", "one/node_modules/x.md": "", "one/.git/x.md": "", "one/x.txt": ""})
			return nil
		}, "checked true, changed 1, appeared 1, vanished 1"},
		{"a root that is gone", func() error { return os.RemoveAll(at("two")) }, "checked true, changed 0, appeared 1, vanished 1"},
		{"all gone", func() error { os.RemoveAll(at("one")); return os.RemoveAll(at("alone")) }, "checked false, changed 0, appeared 0, vanished 0"},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := fresh(s); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
}
