package text

import (
	"slices"
	"strings"
	"testing"
)

func TestLanguages(t *testing.T) {
	langs := languages()
	if !slices.IsSorted(langs) || len(langs) != 18 {
		t.Errorf("Languages() = %q, want 18, sorted", langs)
	}
	for _, lang := range langs {
		if stemmer(lang) == nil {
			t.Errorf("stemmer(%q) = nil", lang)
		}
		if n := len(strings.Fields(list(lang, stopWords))); n < 60 || n > 190 {
			t.Errorf("stop words of %q: %d, want 60 to 190", lang, n)
		}
	}
}

func TestParseLang(t *testing.T) {
	tests := []struct {
		name, in string
		want     Lang
	}{
		{"empty", "", ""},
		{"code", "es", "es"},
		{"case and space", " ES ", "es"},
		{"region", "pt-BR", "pt"},
		{"script", "zh_Hant", "zh"},
		{"Bokmål", "nb", "no"},
		{"Nynorsk", "nn-NO", "no"},
		{"name", "Spanish", ""},
		{"not letters", "e1", ""},
		{"not ASCII", "é", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := ParseLang(test.in); got != test.want {
				t.Errorf("ParseLang(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

// TestStemJoins has, for each language, words that must share a stem, and last one that must not.
func TestStemJoins(t *testing.T) {
	tests := []struct {
		lang  Lang
		words string
		other string
	}{
		{"ar", "كتاب الكتاب", "مدرسة"},
		{"ar", "تثبيت التثبيت والتثبيت بالتثبيت للتثبيت", "ترتيب"},
		{"ar", "التزام الالتزام والالتزام", "لازم"},
		{"ar", "كِتَابٌ كتاب كتـــاب", "كلب"},
		{"da", "dokument dokumenter dokumentet", "sprog"},
		{"da", "søge soege søger soeger", "sag"},
		{"de", "häuser häusern hausern haeuser", "straße"},
		{"de", "größe groesse grösse grosse", "gras"},
		{"de", "übung uebung übungen uebungen", "umgebung"},
		{"de", "prüfsumme pruefsumme prüfsummen", "prozess"},
		{"de", "neue neuer neuen", "nuss"},
		{"de", "frequenz frequenzen", "frucht"},
		{"en", "document documents documented documenting document's", "docket"},
		{"es", "descripción descripcion descripciones", "escritura"},
		{"es", "aplicación aplicacion aplicaciones aplicar", "apretar"},
		{"es", "categoría categoria categorías categorias", "catedral"},
		{"fi", "talossa talosta talon", "auto"},
		{"fr", "déployé déployée deploye deployee déployer deployer", "dépêche"},
		{"fr", "sécurités sécurité securite securites", "secours"},
		{"ga", "úsáideoirí usaideoiri", "teach"},
		{"hu", "házból hazbol házak hazak", "kert"},
		{"it", "possibilità possibilita", "posto"},
		{"it", "documento documenti", "docente"},
		{"nl", "gebruiker gebruikers", "bestand"},
		{"no", "dokument dokumenter dokumentet", "språk"},
		{"pt", "configuração configuracao configurações configuracoes", "confuso"},
		{"pt", "disponível disponivel", "disputa"},
		{"ro", "funcții funcţii functii", "frumos"},
		{"ro", "lucrează lucreaza", "lung"},
		{"ru", "документ документы документов документами", "долг"},
		{"ru", "отчёт отчет отчёта", "отец"},
		{"ru", "запись записи записью записей", "запах"},
		{"sv", "filer filen filerna", "språk"},
		{"ta", "புத்தகம் புத்தகங்கள்", "வீடு"},
		{"tr", "kitaplar kitapları kitaplari kitap", "ev"},
		{"tr", "istanbul istanbul'da", "ankara"},
		{"", "Straße strasse", "gasse"},
		{"ko", "검색", "색인"},
		{"xx", "resume résumé", "resumes"},
	}
	analyzer := New()
	for _, test := range tests {
		t.Run(string(test.lang)+" "+test.words, func(t *testing.T) {
			var first string
			for i, word := range strings.Fields(test.words) {
				got := analyzer.Stem(test.lang, lowerText(word, false))
				if i == 0 {
					first = got
				} else if got != first {
					t.Errorf("Stem(%q, %q) = %q, want %q", test.lang, word, got, first)
				}
			}
			if got := analyzer.Stem(test.lang, test.other); got == first {
				t.Errorf("Stem(%q, %q) = %q as well", test.lang, test.other, got)
			}
		})
	}
}

func TestStemOfOddWords(t *testing.T) {
	long := strings.Repeat("running", 1000)
	tests := []struct {
		name, in, want string
	}{
		{"empty", "", ""},
		{"apostrophe alone", "'", ""},
		{"digits", "v2s", "v2s"},
		{"identifier", "foo_bars", "foo_bars"},
		{"folded all the same", "straße-1", "strasse-1"},
		{"long", long, long[:maxTermBytes]},
		{"at the limit", strings.Repeat("ab", maxStemBytes/2-3) + "runing", strings.Repeat("ab", maxStemBytes/2-3) + "rune"},
		{"invalid", "a\xffs", "as"},
		{"possessive", "dog's", "dog"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, lang := range languages() {
				got := New().Stem(lang, test.in)
				if strings.Contains(got, "'") || strings.Contains(got, "\xff") || len(got) > maxTermBytes+16 {
					t.Errorf("Stem(%q, %q) = %q", lang, test.in, got)
				}
			}
			if got := New().Stem("en", test.in); test.name != "at the limit" && got != test.want {
				t.Errorf("Stem(en, %q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

// TestStemWithoutAccents: what is typed without accents has the stem of what is typed with them.
func TestStemWithoutAccents(t *testing.T) {
	words := map[Lang]string{
		"es": "descripción categoría políticas volverá habló está años métodos vivían según código página",
		"fr": "évènement créée créés être arrière été modèles contrôlé où mémoire",
		"de": "größe übung äußere schön",
		"pt": "informação informações não é será útil variável três usuário",
		"it": "verrà qualità perché città più",
		"ro": "înainte fișier știință mulțime căutare",
		"hu": "fájlból felhasználók kérdésért szövegről útról",
		"tr": "dosyaları değişkenin kullanıcı güncelleme çalışan",
		"sv": "användare språk följande",
		"da": "læser søgning også på",
		"no": "bøker språkene også",
		"fi": "käyttäjän hyväksyä täältä",
		"nl": "één geïnstalleerd coördinaten",
		"ga": "léamh úsáideoirí comhéadain",
		"ru": "ёлка учётом своём",
	}
	analyzer := New()
	for lang, list := range words {
		for word := range strings.FieldsSeq(list) {
			plain := Fold(word)
			if got, want := analyzer.Stem(lang, plain), analyzer.Stem(lang, word); got != want {
				t.Errorf("Stem(%q, %q) = %q, want %q as for %q", lang, plain, got, want, word)
			}
		}
	}
}

func TestStemForgets(t *testing.T) {
	analyzer := New()
	var word [8]byte
	for i := range maxStems + 1000 {
		for n := range word {
			word[n] = 'a' + byte(i>>(2*n)&3)*3
		}
		analyzer.Stem(languages()[i%18], string(word[:]))
		analyzer.forms(strings.ToUpper(string(word[:])))
	}
	kept := 0
	for _, stems := range analyzer.stems {
		kept += len(stems)
	}
	if kept > maxStems || kept != analyzer.stemN || len(analyzer.words) > maxWords {
		t.Errorf("kept %d stems (counted %d) and %d words, want at most %d and %d", kept, analyzer.stemN, len(analyzer.words), maxStems, maxWords)
	}
	if got := analyzer.Stem("en", "documents"); got != "document" {
		t.Errorf("Stem(en, documents) = %q, want document", got)
	}
}

func TestStemTerm(t *testing.T) {
	if key := StemTerm("es", "descripcion"); key != "\x01es\x01descripcion" {
		t.Errorf("StemTerm(es, descripcion) = %q", key)
	}
	if !(StemTerm("en", "z") < StemTerm("es", "a") && StemTerm("zz", "z") < "--a" && StemTerm("es", "a") < StemTerm("es", "b")) {
		t.Error("keys of stems do not sort by language before all folded forms")
	}
}

func TestIsStop(t *testing.T) {
	tests := []struct {
		lang Lang
		word string
		want bool
	}{
		{"en", "the", true}, {"en", "dont", true}, {"en", "document", false}, {"en", "", false}, {"en", "the of", false},
		{"es", "para", true}, {"es", "tambien", true}, {"es", "también", false}, {"es", "the", false},
		{"fr", "l", true}, {"fr", "ete", true}, {"de", "uber", true}, {"de", "fur", true}, {"it", "perche", true}, {"pt", "nao", true},
		{"nl", "het", true}, {"sv", "och", true}, {"da", "og", true}, {"no", "ikke", true}, {"fi", "mutta", true}, {"hu", "hogy", true},
		{"ro", "este", true}, {"ru", "который", true}, {"ru", "еще", true}, {"tr", "icin", true}, {"ar", "من", true}, {"ga", "agus", true},
		{"ta", "மற்றும்", true}, {"ko", "the", false}, {"", "the", false},
		{"pl", "ktory", true}, {"cs", "ktery", true}, {"ca", "amb", true}, {"id", "yang", true}, {"el", "και", true}, {"he", "של", true},
		{"hi", "में", true}, {"uk", "який", true}, {"fa", "است", true}, {"bg", "която", true}, {"vi", "khong", true}, {"vi", "ban", false},
		{"es", "estado", false},
	}
	for _, test := range tests {
		if got := IsStop(test.lang, test.word); got != test.want {
			t.Errorf("IsStop(%q, %q) = %v, want %v", test.lang, test.word, got, test.want)
		}
	}
}

// TestLists: each file has a line about its licence and sections that are known; stop words and function words are
// folded, sorted and without doubles.
func TestLists(t *testing.T) {
	names := []string{stopWords, functionWords, grammarWords, particles, sureParticles, firstCharacters, secondCharacters, abbreviationWords, furtherAbbreviations}
	for lang, read := range lists {
		if file, _ := files.ReadFile("data/" + string(lang) + ".txt"); !strings.Contains(strings.SplitN(string(file), "\n", 2)[0], "Apache-2.0") {
			t.Errorf("%s.txt does not begin with its licence", lang)
		}
		for section, list := range read() {
			words := strings.Fields(list)
			switch {
			case !slices.Contains(names, section) || len(words) == 0:
				t.Errorf("%s.txt: section %q is unknown or empty", lang, section)
			case section != stopWords && section != functionWords:
				continue
			case !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words):
				t.Errorf("%s.txt: words of %q are not sorted, or double", lang, section)
			}
			for _, word := range words {
				if section == abbreviationWords || section == furtherAbbreviations {
					continue // as they are written
				}
				if made := makeForms(word); made.fold != word || len(word) > maxListed {
					t.Errorf("%s.txt: %q folds to %q, or is too long", lang, word, made.fold)
				}
			}
		}
	}
	for i, words := range latinWords() {
		if words == "" {
			t.Errorf("%s has no function words", latinLangs[i])
		}
	}
}
