package compiler

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/filetest"
	"kdd/compiler/markdown"
	"kdd/format"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

func TestLanguageOf(t *testing.T) {
	english := strings.Repeat("The order of the words tells which language this is, and that is all there is to it. ", 5)
	spanish := strings.Repeat("El orden de las palabras dice qué lengua es esta, y eso es todo lo que hay. ", 5)
	tests := []struct {
		name, text, otherwise, want string
	}{
		{"detected", "# T\n\n" + spanish, "", "es"},
		{"detected, whatever the option", "# T\n\n" + spanish, "de", "es"},
		{"front matter wins", "---\nlang: en\n---\n" + spanish, "", "en"},
		{"with a region", "---\nlanguage: pt-BR\n---\n" + spanish, "", "pt"},
		{"locale", "---\nlocale: es_MX\n---\n" + english, "", "es"},
		{"a list", "---\nlang: [de, en]\n---\n" + english, "", "de"},
		{"a name is no code", "---\nlang: Spanish\n---\n" + english, "", "en"},
		{"empty", "---\nlang:\n---\n" + english, "", "en"},
		{"code says nothing", "# 1\n\n```\n" + spanish + "\n```\n\n" + english, "", "en"},
		{"nothing to tell", "# 1\n\n12 34\n", "", ""},
		{"nothing to tell, with the option", "# 1\n\n12 34\n", "fr-CA", "fr"},
		{"no text", "", "fr", "fr"},
		{"the beginning counts", strings.Repeat(english, 200) + "\n\n" + strings.Repeat("数", detectBytes), "", "en"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, dir, map[string]string{"docs/a.md": tt.text})
			o := Options{Sources: []string{filepath.Join(dir, "docs")}, NoVectors: true, Language: tt.otherwise, Output: filepath.Join(dir, "out.kddx")}
			_, b := mustBuild(t, o)
			if got := openBytes(t, b).DocLanguage(0); got != tt.want {
				t.Errorf("language %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHeadingPath(t *testing.T) {
	long := strings.Repeat("é", maxHeadingBytes)
	doc := markdown.Parse("a.md", []byte("# Guide\n\n## Guide\n\n## Part\n\n### "+long+" x\n\n#### "+strings.Repeat("word ", 400)+"\n"))
	tests := []struct {
		section int
		want    []string
	}{
		{0, nil}, {1, nil}, {2, nil}, {3, []string{"Part"}},
		{4, []string{"Part", long[:maxHeadingBytes]}},
		{5, []string{"Part", long[:maxHeadingBytes], strings.TrimSuffix(strings.Repeat("word ", 400)[:maxHeadingBytes], "word")[:1019]}},
	}
	for _, tt := range tests {
		if got := headingPath(doc, tt.section); !slices.Equal(got, tt.want) {
			t.Errorf("headingPath(section %d) = %.80q (%d), want %.80q", tt.section, got, len(strings.Join(got, "")), tt.want)
		}
	}
}

// TestVectorsOfOddDocuments builds vectors of documents with nothing to embed, with nothing that the model can read,
// and of a single one.
func TestVectorsOfOddDocuments(t *testing.T) {
	model := smallModel(t, 1, "")
	tests := []struct {
		name  string
		files map[string]string
	}{
		{"one", map[string]string{"a.md": "# A\n\nText of a.\n"}},
		{"one that is empty", map[string]string{"a.md": ""}},
		{"empty ones", map[string]string{"a.md": "", "b.md": "---\ntitle: x\n---\n", "c.md": "#\n"}},
		{"wordpieces unknown", map[string]string{"東京.md": "# 東京\n\n東京 は 日本 の 首都 です。\n"}},
		{"equal ones", map[string]string{"a/x.md": "# A\n\nText.\n", "b/x.md": "# A\n\nText.\n", "c/x.md": "# A\n\nText.\n"}},
		{"a long word", map[string]string{"a.md": strings.Repeat("x", 100_000)}},
	}
	for _, tt := range tests {
		for _, encoder := range []string{EncoderDistilled, EncoderExact, EncoderNone} {
			t.Run(tt.name+" "+encoder, func(t *testing.T) {
				dir := t.TempDir()
				filetest.Write(t, filepath.Join(dir, "docs"), tt.files)
				o := withVectors(filepath.Join(dir, "docs"), model)
				o.Output, o.Encoder, o.Floats = filepath.Join(dir, "out.kddx"), encoder, true
				r, _ := mustBuild(t, o)
				if r.Counts.Vectors != r.Counts.Chunks || r.Counts.Chunks < len(tt.files) {
					t.Errorf("%d vectors of %d chunks of %d documents", r.Counts.Vectors, r.Counts.Chunks, len(tt.files))
				}
				verified(t, o.Output)
				s := runtime.New(runtime.Config{Index: []string{o.Output}})
				defer s.Close()
				if _, err := s.Search(t.Context(), wire.SearchRequest{Query: "text of a"}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestOptionsHash checks that all that shapes an artifact is in its hash, and nothing else.
func TestOptionsHash(t *testing.T) {
	base := Options{Sources: []string{"docs"}, Output: "a.kddx"}
	shaping := map[string]func(o *Options){
		"drafts": func(o *Options) { o.Drafts = true }, "links": func(o *Options) { o.FollowLinks = true },
		"include": func(o *Options) { o.Include = []string{"a"} }, "exclude": func(o *Options) { o.Exclude = []string{"a"} },
		"site": func(o *Options) { o.SiteURL = "a" }, "base": func(o *Options) { o.BaseURL = "a" }, "title": func(o *Options) { o.Title = "a" },
		"language": func(o *Options) { o.Language = "en" }, "version": func(o *Options) { o.Version = "a" }, "vectors": func(o *Options) { o.NoVectors = true },
		"dimensions": func(o *Options) { o.Dimensions = 8 },
		"floats":     func(o *Options) { o.Floats = true },
		"encoder":    func(o *Options) { o.Encoder = EncoderExact }, "rules": func(o *Options) { o.Config = &Config{Rules: []byte("kinds: []")} },
	}
	seen := map[string]string{base.hash(): "none"}
	for name, edit := range shaping {
		o := base
		edit(&o)
		if other, ok := seen[o.hash()]; ok {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[o.hash()] = name
	}
	for name, edit := range map[string]func(o *Options){
		"sources": func(o *Options) { o.Sources = []string{"x"} }, "output": func(o *Options) { o.Output = "x" }, "strict": func(o *Options) { o.Strict = true },
		"commit": func(o *Options) { o.Commit = "x" }, "cache": func(o *Options) { o.CacheDir = "x" }, "defaults": func(o *Options) { o.Encoder = EncoderDistilled },
	} {
		o := base
		edit(&o)
		if o.hash() != base.hash() {
			t.Errorf("%s changes the hash", name)
		}
	}
	plain, other := Options{NoVectors: true}, Options{NoVectors: true, Encoder: EncoderExact, Floats: true}
	if plain.hash() != other.hash() {
		t.Error("without vectors, what shapes them changes the hash")
	}
	a, b := Options{Config: &Config{Rules: []byte("\n\n  kinds: []\n")}}, Options{Config: &Config{Rules: []byte("\n  kinds: []\n")}}
	if a.hash() != b.hash() {
		t.Error("the lines before the rules change the hash")
	}
}

// openBytes opens an artifact that lies in memory.
func openBytes(t *testing.T, b []byte) *index.Index {
	t.Helper()
	f, err := format.OpenBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestEncoderAdvice checks that a build advises the transformer for questions only over text that the model knows.
func TestEncoderAdvice(t *testing.T) {
	model := smallModel(t, 1, "") // knows English
	for lang, want := range map[string]bool{"en": true, "es": false} {
		dir := t.TempDir()
		filetest.Write(t, filepath.Join(dir, "docs"), map[string]string{"a.md": "---\nlang: " + lang + "\n---\n# A\n\nText of a.\n", "b.md": "---\nlang: " + lang + "\n---\n# B\n\nText of b.\n"})
		o := withVectors(filepath.Join(dir, "docs"), model)
		o.Output = filepath.Join(dir, "out.kddx")
		var notices []string
		o.Notice = func(text string) { notices = append(notices, text) }
		mustBuild(t, o)
		if got := strings.Contains(strings.Join(notices, "\n"), "--encoder exact"); got != want {
			t.Errorf("%s: advice is given: %v, want %v; notices %q", lang, got, want, notices)
		}
		if got := strings.Contains(strings.Join(notices, "\n"), "2 of 2 documents are es"); got == want {
			t.Errorf("%s: the model's languages are named: %v, want %v; notices %q", lang, got, !want, notices)
		}
	}
}
