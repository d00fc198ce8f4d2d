package glossary

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kdd/format/text"
)

// TestLists: there is a list of each language, with its licence. A line has a word of small letters, or several with a
// space between, and English words of small letters; each word has one line, and they are sorted.
func TestLists(t *testing.T) {
	folder, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var have []text.Lang
	for _, file := range folder {
		have = append(have, text.Lang(strings.TrimSuffix(file.Name(), ".tsv")))
	}
	if !slices.Equal(have, Languages()) {
		t.Errorf("there are lists of %v, Languages() = %v", have, Languages())
	}
	foreign := regexp.MustCompile(`^[\p{L}\p{M}'ー]+( [\p{L}\p{M}'ー]+)*$`)
	english := regexp.MustCompile(`^[a-z]+(,[a-z]+)*$`)
	for _, lang := range Languages() {
		data, err := files.ReadFile(string(lang) + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		if comment, _, _ := strings.Cut(string(data), "\n"); !strings.HasPrefix(comment, "# ") || !strings.Contains(comment, "Apache-2.0") {
			t.Errorf("%s.tsv does not begin with its licence: %q", lang, comment)
		}
		last := ""
		for _, e := range read(lang) {
			if e.word <= last || !foreign.MatchString(e.word) || strings.ContainsFunc(e.word, unicode.IsUpper) || !english.MatchString(e.english) {
				t.Errorf("%s.tsv: %q after %q: %q", lang, e.word, last, e.english)
			}
			last = e.word
		}
	}
}

func TestWords(t *testing.T) {
	tests := []struct {
		from, to   text.Lang
		word, want string // the first word that it is read as
	}{
		{"es", "en", "archivo", "file"}, {"es", "en", "archivos", "file"}, {"es", "en", "borrar", "delete"}, {"es", "en", "borremos", "delete"},
		{"es", "en", "desplegarlo", "deploy"}, {"es", "en", "CACHÉ", "cache"}, {"es", "en", "cache", "cache"}, {"es", "en", "funcion", "function"},
		{"es", "en", "hecho", "fact"}, {"es", "en", "puerto", "port"}, {"es", "en", "puertas", "gate"}, {"es", "en", "useState", ""}, {"es", "en", "folder", ""},
		{"en", "es", "file", "archivo"}, {"en", "es", "Files", "archivo"}, {"en", "es", "deletes", "borrar"}, {"en", "es", "archivo", ""},
		{"de", "en", "löschen", "delete"}, {"de", "en", "Dateien", "file"}, {"de", "en", "loschen", "delete"},
		{"fr", "en", "supprimer", "delete"}, {"fr", "en", "fichiers", "file"}, {"en", "fr", "file", "fichier"},
		{"zh", "en", "文件", "file"}, {"en", "zh", "delete", "删除"},
		{"de", "es", "Dateien", "archivo"}, {"fr", "es", "supprimer", "borrar"}, {"es", "zh", "archivos", "文件"}, {"pt", "fr", "arquivo", "fichier"},
		{"de", "es", "agent", "agente"}, {"de", "es", "useState", "usestate"}, {"zh", "es", "useState", "usestate"},
	}
	a := text.New()
	for _, test := range tests {
		g := Open(test.from, test.to)
		if g == nil {
			t.Fatalf("Open(%s, %s) = nil", test.from, test.to)
		}
		word := text.Token{Fold: text.Fold(test.word), Lower: strings.ToLower(test.word)}
		words := g.Words(a, word)
		if got := append(words, "")[0]; got != test.want {
			t.Errorf("%s to %s: %q is read as %q, want %q first", test.from, test.to, test.word, words, test.want)
		}
	}
	for _, pair := range [][2]text.Lang{{"es", "es"}, {"en", "en"}, {"", "en"}, {"en", ""}, {"sw", "en"}} {
		if Between(pair[0], pair[1]) || Open(pair[0], pair[1]) != nil {
			t.Errorf("there is a glossary from %q to %q, want none", pair[0], pair[1])
		}
	}
}

// TestThrough: between two languages that are not English words go through it, all words are reached, and no word has
// more than mostThrough.
func TestThrough(t *testing.T) {
	a := text.New()
	for _, from := range Languages() {
		for _, to := range Languages() {
			g := Open(from, to)
			if (g != nil) != (from != to) || Between(from, to) != (from != to) {
				t.Fatalf("Open(%s, %s) = %v, Between %v", from, to, g, Between(from, to))
			}
			if g == nil {
				continue
			}
			if !g.Through() || Open(from, English).Through() || Open(English, to).Through() {
				t.Errorf("%s to %s goes through English: %v", from, to, g.Through())
			}
			for form := range g.forms {
				words := g.Words(a, text.Token{Fold: form, Lower: form})
				if len(words) == 0 || len(words) > mostThrough {
					t.Fatalf("%s to %s: %q has %d words", from, to, form, len(words))
				}
			}
		}
	}
}

// TestThroughOrder: several ways to a word speak for it, and an English word comes behind its translations.
func TestThroughOrder(t *testing.T) {
	a := text.New()
	to := &Glossary{from: English, forms: map[string][]string{"a": {"x", "y"}, "b": {"y"}, "c": {"z"}}, stems: noStems}
	g := &Glossary{from: "es", on: to, forms: map[string][]string{"ab": {"a", "b"}, "c": {"c"}, "lost": {"d"}}, stems: noStems}
	for word, want := range map[string]string{"ab": "x y a b", "c": "z c", "lost": "d", "a": "x y a", "unknown": "unknown"} {
		if got := strings.Join(g.Words(a, text.Token{Fold: word, Lower: word}), " "); got != want {
			t.Errorf("Words(%s) = %s, want %s", word, got, want)
		}
	}
}

// TestAllOpen: each list can be read both ways, and has some thousands of words.
func TestAllOpen(t *testing.T) {
	for _, lang := range Languages() {
		for _, pair := range [][2]text.Lang{{lang, English}, {English, lang}} {
			if g := Open(pair[0], pair[1]); len(g.forms) < 2000 {
				t.Errorf("%s to %s has %d words", pair[0], pair[1], len(g.forms))
			}
		}
	}
}

func TestLongest(t *testing.T) {
	g := Open("zh", English)
	for _, test := range []struct {
		text, word, means string
	}{
		{"删除文件", "删除", "delete"}, {"文件", "文件", "file"}, {"文件 x", "文件", "file"}, {"的文件", "", ""}, {"", "", ""}, {"x文件", "", ""},
		{"\xe6\x96", "", ""}, {"数据库迁", "数据库", "database"},
	} {
		words, n := g.Longest(text.New(), test.text)
		if test.text[:n] != test.word || append(words, "")[0] != test.means {
			t.Errorf("%q begins with %q, %q, want %q, %q", test.text, test.text[:n], words, test.word, test.means)
		}
	}
}

func TestPhrase(t *testing.T) {
	a := text.New()
	for _, test := range []struct {
		from       text.Lang
		text, want string
		n          int
	}{
		{"es", "base de datos", "database", 3}, {"es", "Bases de datos relacionales", "database", 3}, {"es", "base de", "", 0}, {"es", "base", "", 0},
		{"es", "la base de datos", "", 0}, {"es", "base-de datos", "", 0}, {"fr", "mettre à jour l'état", "update", 3}, {"fr", "mots de passe", "password", 3},
		{"fr", "nom d'utilisateur", "username", 3}, {"pt", "bancos de dados", "database", 3}, {"en", "base de datos", "", 0},
	} {
		to := English
		if test.from == English {
			to = "es"
		}
		words, n := Open(test.from, to).Phrase(a, a.Tokens(nil, test.text))
		if n != test.n || append(words, "")[0] != test.want {
			t.Errorf("%q begins with %d words that mean %q, want %d, %q", test.text, n, words, test.n, test.want)
		}
	}
}

func TestCount(t *testing.T) {
	for _, test := range []struct {
		lang  text.Lang
		words string
		want  int
	}{
		{"es", "borrar", 1}, {"es", "borra", 0}, {"es", "", 0}, {"es", "delete", 0}, {"es", "abajo borrar archivo gizmo", 3},
		{"en", "delete", 1}, {"en", "delet", 0}, {"en", "borrar file", 1}, {"sw", "borrar", 0}, {"", "borrar", 0},
	} {
		if got := Count(test.lang, strings.Fields(test.words)); got != test.want {
			t.Errorf("Count(%s, %q) = %d, want %d", test.lang, test.words, got, test.want)
		}
	}
}

// TestListed: each word of each list is found in it, and nothing else that stands there.
func TestListed(t *testing.T) {
	for _, lang := range Languages() {
		list := lists[lang]()
		for _, e := range read(lang) {
			if !listed(list, e.word) {
				t.Errorf("%s: %q is not found", lang, e.word)
			}
			if listed(list, e.word+"\t"+e.english) || listed(list, e.word+"\x01") {
				t.Errorf("%s: more than %q is found", lang, e.word)
			}
		}
	}
	for _, list := range []string{"", "\n", "b\tx", "b\tx\nd\ty\n", "# c\nb\tx\nd\ty"} {
		for _, word := range []string{"a", "b", "c", "d", "e", "x"} {
			if got, want := listed(list, word), strings.Contains("\n"+list, "\n"+word+"\t"); got != want {
				t.Errorf("listed(%q, %q) = %t", list, word, got)
			}
		}
	}
}

// FuzzParse: whatever a file has, no line makes the reader panic, and each that is read has a word.
func FuzzParse(f *testing.F) {
	f.Add("# es, Apache-2.0\narchivo\tfile\nborrar\tdelete,remove\n")
	f.Add("a\tb\n\tb")
	f.Fuzz(func(t *testing.T, tsv string) {
		for _, e := range parse(tsv) {
			if e.word == "" {
				t.Fatalf("%q has a line without a word", tsv)
			}
		}
	})
}

func noStems(string, string) []string { return nil }

// TestStemsKeepTheFirstLetter: what stemIndex relies on.
func TestStemsKeepTheFirstLetter(t *testing.T) {
	a := text.New()
	for _, lang := range Languages() {
		for _, e := range read(lang) {
			words := map[text.Lang][]string{lang: {e.word}, English: strings.Split(e.english, ",")}
			for from, list := range words {
				for _, word := range list {
					if stem, form := stemOf(a, from, word), text.Fold(word); !e.isPhrase() && []rune(stem)[0] != []rune(form)[0] {
						t.Errorf("%s: the stem of %q is %q", from, word, stem)
					}
				}
			}
		}
	}
}
