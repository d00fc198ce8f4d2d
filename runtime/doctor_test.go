package runtime

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/filetest"
	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// doctorSays returns the checks as lines: mark, artifact, name, detail, hint.
func doctorSays(t *testing.T, s *Service) (*wire.DoctorResponse, string) {
	t.Helper()
	resp, err := s.Doctor(t.Context(), wire.DoctorRequest{Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	failed := 0
	for _, c := range resp.Checks {
		mark := "ok"
		if !c.OK {
			mark = "FAIL"
			failed++
		}
		b.WriteString(strings.Join([]string{mark, c.Index, c.Name, c.Detail, c.Hint}, "|") + "\n")
	}
	if resp.OK != (failed == 0) || resp.Failed != failed || resp.Count != len(resp.Checks) {
		t.Errorf("ok %t, failed %d, count %d of\n%s", resp.OK, resp.Failed, resp.Count, b.String())
	}
	return resp, b.String()
}

func TestDoctor(t *testing.T) {
	docs := tree{"a.md": "# A\n\nparcel\n", "b.md": "# B\n\nlate\n"}
	edit := func(t *testing.T, path string, change func(data []byte) []byte) {
		t.Helper()
		if err := os.WriteFile(path, change(must(os.ReadFile(path))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name    string
		prepare func(t *testing.T) []string
		ok      bool
		want    []string
	}{
		{"in order", func(t *testing.T) []string { return []string{docs.compile(t)} }, true,
			[]string{"ok||open|format 0, ", "ok||verify|every byte", "ok||encoder|none: search goes by words|", "ok||sources|2 as compiled, 0 changed, 0 vanished, 0 new|", "ok||memory|", " artifacts"}},
		{"a changed source of the same size", func(t *testing.T) []string {
			path := docs.compile(t)
			edit(t, filepath.Join(filepath.Dir(path), "docs", "b.md"), func([]byte) []byte { return []byte("# B\n\nsoon\n") })
			return []string{path}
		}, false, []string{`FAIL||sources|1 as compiled, 1 changed, 0 vanished, 0 new; the first is b.md|build it again with "kdd build"`}},
		{"a vanished and a new source", func(t *testing.T) []string {
			path := docs.compile(t)
			if err := os.Rename(filepath.Join(filepath.Dir(path), "docs", "a.md"), filepath.Join(filepath.Dir(path), "docs", "c.md")); err != nil {
				t.Fatal(err)
			}
			return []string{path}
		}, false, []string{"FAIL||sources|1 as compiled, 0 changed, 1 vanished, 1 new; the first is a.md|"}},
		{"a new source alone", func(t *testing.T) []string {
			path := docs.compile(t)
			filetest.Write(t, filepath.Join(filepath.Dir(path), "docs"), tree{"c.md": "# C\n"})
			return []string{path}
		}, true, []string{`ok||sources|2 as compiled, 0 changed, 0 vanished, 1 new|"kdd build" takes those that nothing ignores`}},
		{"no sources", func(t *testing.T) []string {
			path := docs.compile(t)
			os.RemoveAll(filepath.Join(filepath.Dir(path), "docs"))
			return []string{path}
		}, true, []string{"ok||sources|not found from here, so not compared|name their folder"}},
		{"no such file", func(t *testing.T) []string { return []string{filepath.Join(t.TempDir(), "gone.kddx")} }, false, []string{"FAIL||index|no file /", `|build it with "kdd build", or name another with -i`}},
		{"no artifact", func(t *testing.T) []string {
			path := filepath.Join(t.TempDir(), "a.kddx")
			return []string{must(path, os.WriteFile(path, []byte("hello"), 0o644))}
		}, false, []string{"FAIL||open|"}},
		{"a flipped byte", func(t *testing.T) []string {
			path := docs.compile(t)
			f := must(format.Open(path))
			entries := slices.Clone(f.Entries())
			f.Close()
			for _, e := range entries { // one that opening does not read
				flip := func(data []byte) []byte {
					data[e.Offset] ^= 1
					return data
				}
				edit(t, path, flip)
				if x, err := index.Open(path); err == nil {
					x.File.Close()
					break
				}
				edit(t, path, flip)
			}
			return []string{path}
		}, false, []string{"FAIL||verify|", rebuild}},
		{"a self-test that fails", func(t *testing.T) []string {
			return []string{encoderArtifact(t, `{"text":"parcel late","vector":[1,0]}`)}
		}, false,
			[]string{"FAIL||encoder|", "ETST", rebuild}},
		{"an encoder that works, in a file that is not as the writer makes it", func(t *testing.T) []string {
			return []string{withVectors(t, docs.compile(t), "distilled")}
		}, false, []string{"FAIL||verify|", "ok||encoder|distilled, of "}},
		{"two, one broken", func(t *testing.T) []string {
			return []string{"one=" + docs.compile(t), "two=" + filepath.Join(t.TempDir(), "gone.kddx")}
		}, false, []string{"FAIL||index|no file /", "ok|one|open|", "ok|one|sources|2 as compiled"}},
		{"one name for two", func(t *testing.T) []string { return []string{"x=" + docs.compile(t), "x=" + docs.compile(t)} }, false, []string{"FAIL||index|index: the name \"x\" stands for"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.prepare(t)...)
			resp, got := doctorSays(t, s)
			for _, w := range tt.want {
				if !strings.Contains(got, w) {
					t.Errorf("doctor says\n%swant %q", got, w)
				}
			}
			if resp.OK != tt.ok {
				t.Errorf("doctor says\n%sok %t, want %t", got, resp.OK, tt.ok)
			}
		})
	}
}

// The bytes of an artifact are verified once, and again once the file is another one or was written.
func TestDoctorVerifiesAgainWhatChanged(t *testing.T) {
	path := tree{"a.md": "# A\n\nparcel\n"}.compile(t)
	s := serve(t, path)
	says := func(want string) {
		t.Helper()
		if _, got := doctorSays(t, s); !strings.Contains(got, want) {
			t.Errorf("doctor says\n%swant %q", got, want)
		}
	}
	says("ok||verify|every byte is as it was written|")
	says("ok||verify|every byte was as it was written when this process checked them; ")
	next := tree{"a.md": "# A\n\nletter\n", "b.md": "# B\n"}.compile(t)
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	says("ok||verify|every byte is as it was written|")
	data := must(os.ReadFile(path))
	if err := os.WriteFile(path, append(data, 0), 0o644); err != nil {
		t.Fatal(err)
	}
	says("FAIL||")
}

func TestDoctorPages(t *testing.T) {
	s := New(Config{Index: []string{tree{"a.md": "# A\n"}.compile(t)}, Checks: func(context.Context) []wire.Check {
		return []wire.Check{{Name: "config", Detail: strings.Repeat("long ", 400) + "\x1b[31m", Hint: "mend it"}, {Name: "host", OK: true, Detail: "good"}}
	}})
	defer s.Close()
	_, all := doctorSays(t, s)
	made, got, cursor := strings.Count(all, "\n"), 0, ""
	for range 20 {
		resp, err := s.Doctor(t.Context(), wire.DoctorRequest{Page: wire.Page{MaxBytes: 700, Cursor: cursor}})
		if err != nil {
			t.Fatal(err)
		}
		if n := max(len(wire.Encode(resp)), len(render.Text(resp, render.Style{Agent: true}))); n > 700 || resp.OK || resp.Failed != 1 {
			t.Errorf("%d bytes, ok %t, %d failed, want at most 700, and one failed whatever the page: %s", n, resp.OK, resp.Failed, wire.Encode(resp))
		}
		got += resp.Count
		if cursor = resp.Cursor; cursor == "" {
			break
		}
	}
	if got != made {
		t.Errorf("pages hold %d checks, want %d", got, made)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Doctor(cancelled, wire.DoctorRequest{})
	want(t, err, wire.CodeTimeout)
}

func TestSchema(t *testing.T) {
	s := serve(t, withVectors(t, tree{"a.md": "# A\n\nparcel\n"}.compile(t), "distilled"))
	list, err := s.Schema(t.Context(), wire.SchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if list.Truncated || len(list.Tools) < len(Tools()) || len(list.Artifacts) != 1 || list.IndexID == "" || list.FormatVersion != format.Version {
		t.Errorf("Schema() = %s", wire.Encode(list))
	}
	if a := list.Artifacts[0]; strings.Join(a.Modes, " ") != "lexical vector hybrid" || a.Encoder != "distilled" || a.Documents != 1 {
		t.Errorf("capabilities %+v", a)
	}
	all, err := s.Schema(t.Context(), wire.SchemaRequest{Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range all.Tools {
		if len(tool.Output) == 0 || tool.Command != "" && (tool.Input == nil || len(tool.Examples) == 0 || len(tool.Answers) != len(tool.Output)) {
			t.Errorf("without a limit: %s has input %v, %d outputs, %d examples", tool.Name, tool.Input != nil, len(tool.Output), len(tool.Examples))
		}
		for _, name := range []string{tool.Name, tool.Command} {
			for _, most := range []int{512, 2000, 0, 65536} {
				if name == "" {
					continue
				}
				one, err := s.Schema(t.Context(), wire.SchemaRequest{Tool: name, Page: wire.Page{MaxBytes: most}})
				if err != nil {
					t.Fatal(err)
				}
				limit := most
				if most == 0 {
					limit = 4096
				}
				if n := max(len(wire.Encode(one)), len(render.Text(one, render.Style{Agent: true}))); n > limit {
					t.Errorf("Schema(%s, %d) has %d bytes", name, most, n)
				}
				if whole := !one.Truncated && len(one.Warnings) == 0; len(one.Tools) == 1 && whole != (len(one.Tools[0].Output) == len(tool.Output)) && most != 2000 && most != 0 || most == 65536 && !whole {
					t.Errorf("Schema(%s, %d) = %s", name, most, wire.Encode(one))
				}
			}
		}
	}
	got := 0
	for cursor := ""; ; {
		page, err := s.Schema(t.Context(), wire.SchemaRequest{Page: wire.Page{MaxBytes: 1000, Cursor: cursor}})
		if err != nil {
			t.Fatal(err)
		}
		got += page.Count
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	if got != len(all.Tools) {
		t.Errorf("pages hold %d tools, want %d", got, len(all.Tools))
	}
	_, err = s.Schema(t.Context(), wire.SchemaRequest{Tool: "kdd_serch"})
	if e := want(t, err, wire.CodeNotFound); e.Hint != `did you mean "kdd_search"?` {
		t.Errorf("hint %q", e.Hint)
	}
	none, err := New(Config{Dir: t.TempDir(), Index: []string{"gone.kddx"}}).Schema(t.Context(), wire.SchemaRequest{})
	if err != nil || len(none.Artifacts) != 0 || len(none.Warnings) != 1 || len(none.Tools) == 0 {
		t.Errorf("without an artifact: %s, %v", wire.Encode(none), err)
	}
}
