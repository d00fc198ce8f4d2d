package text

import "strings"

// ending is how a language spells the end of a word: folded, and with the accents that its stemmer looks for.
type ending struct{ folded, spelled string }

// The endings that are put back before stemming, the longer before the shorter. Only those are listed that nearly
// always carry the accent, or whose words gain more than they lose by it.
var (
	endingsSpanish = []ending{
		{"iamos", "íamos"}, {"iais", "íais"}, {"ion", "ión"}, {"ias", "ías"}, {"ian", "ían"}, {"ia", "ía"},
	}
	endingsFrench = []ending{
		{"ieres", "ières"}, {"iere", "ière"}, {"ites", "ités"}, {"ite", "ité"}, {"ees", "ées"}, {"yes", "yés"},
		{"ee", "ée"}, {"ye", "yé"},
	}
	endingsItalian    = []ending{{"ita", "ità"}}
	endingsPortuguese = []ending{
		{"ancias", "âncias"}, {"encias", "ências"}, {"ancia", "ância"}, {"encia", "ência"}, {"aveis", "áveis"},
		{"avel", "ável"},
		{"ivel", "ível"}, {"coes", "ções"}, {"oes", "ões"}, {"cao", "ção"}, {"ao", "ão"},
	}
	endingsRomanian = []ending{
		{"itatii", "ităţii"}, {"itati", "ităţi"}, {"easca", "ească"}, {"eaza", "ează"}, {"asca", "ască"},
		{"aza", "ază"},
		{"este", "eşte"}, {"esti", "eşti"}, {"tiei", "ţiei"}, {"tie", "ţie"}, {"tii", "ţii"}, {"ura", "ură"},
		{"ara", "ară"},
		{"and", "ând"}, {"ind", "înd"}, {"ti", "ţi"},
	}
	endingsHungarian = []ending{
		{"bol", "ból"}, {"rol", "ról"}, {"tol", "tól"}, {"nal", "nál"}, {"nel", "nél"}, {"kent", "ként"},
		{"ert", "ért"},
		{"jak", "ják"}, {"jat", "ját"}, {"o", "ó"},
	}
	endingsIrish = []ending{{"ail", "áil"}, {"ain", "áin"}, {"iri", "irí"}}
)

// spell returns the form of a word that its language's stemmer is given.
//
// A query is often typed without accents, and must meet the text that has them. Stemming both as they are fails there:
// Snowball cuts "aplicación" to "aplic" and leaves "aplicacion" alone. So every word is folded first, in text and query
// alike, and then gets those accents back that can be told from the folded form. What is typed with and without accents
// has the same stem, always; what is lost is a little of the stemmer's precision.
func spell(lang Lang, word forms) string {
	switch lang {
	case "ar":
		return asNoun(accented(word.lower))
	case "ta": // its stemmer knows what writers leave out
		return word.lower
	case "da", "no":
		return undouble(word.fold, "aa", "oe")
	case "de":
		return undouble(word.fold, "ae", "oe", "ue")
	case "es":
		return respell(word.fold, endingsSpanish)
	case "fr":
		return respell(word.fold, endingsFrench)
	case "ga":
		return respell(word.fold, endingsIrish)
	case "hu":
		return respell(word.fold, endingsHungarian)
	case "it":
		return respell(word.fold, endingsItalian)
	case "pt":
		return respell(word.fold, endingsPortuguese)
	case "ro":
		return respell(word.fold, endingsRomanian)
	case "ru": // the stemmer takes the end of запись and подпись for one of a verb
		if root, ok := strings.CutSuffix(word.fold, "пись"); ok {
			return root + "писи"
		}
		return word.fold
	case "tr":
		root, _, _ := strings.Cut(word.lower, "'") // what follows an apostrophe is endings: İstanbul'da
		return harmonise(foldLower(root))
	}
	return word.fold
}

// respell puts back the accents of the first of the endings that word has with at least two bytes before it.
func respell(word string, endings []ending) string {
	for _, e := range endings {
		if len(word) >= len(e.folded)+2 && strings.HasSuffix(word, e.folded) {
			return word[:len(word)-len(e.folded)] + e.spelled
		}
	}
	return word
}

// harmonise spells a folded Turkish word by vowel harmony: i after a, ı, o or u is ı, u after e, i, ö or ü is ü, and g
// between vowels is ğ. The first vowel is left as it stands.
func harmonise(word string) string {
	out := make([]byte, 0, len(word)+8)
	const none, front, back = 0, 1, 2
	harmony := none
	for i := 0; i < len(word); i++ {
		switch b := word[i]; b {
		case 'a', 'o':
			harmony = back
			out = append(out, b)
		case 'e':
			harmony = front
			out = append(out, b)
		case 'i':
			if harmony == back {
				out = append(out, "ı"...)
			} else {
				harmony = front
				out = append(out, b)
			}
		case 'u':
			if harmony == front {
				out = append(out, "ü"...)
			} else {
				harmony = back
				out = append(out, b)
			}
		case 'g':
			if i > 0 && i+1 < len(word) && isVowel(word[i-1]) && isVowel(word[i+1]) {
				out = append(out, "ğ"...)
			} else {
				out = append(out, b)
			}
		default:
			out = append(out, b)
		}
	}
	return string(out)
}

// isVowel reports whether b is a vowel of a folded word.
func isVowel(b byte) bool {
	return b == 'a' || b == 'e' || b == 'i' || b == 'o' || b == 'u'
}

// undouble writes one vowel for the two that stand for a letter with an umlaut or a ring where the keyboard has none:
// Groesse for Größe, soege for søge. Text is treated alike, so what it does to Duell and Poesie is no harm. After q or
// another vowel (Frequenz, neue, Dauer) the second e belongs to no umlaut.
func undouble(word string, doubles ...string) string {
	from := -1
	for i := 0; i+1 < len(word) && from < 0; i++ {
		if isDouble(word, i, doubles) {
			from = i
		}
	}
	if from < 0 {
		return word
	}
	out := append(make([]byte, 0, len(word)), word[:from]...)
	for i := from; i < len(word); i++ {
		out = append(out, word[i])
		if isDouble(word, i, doubles) {
			i++
		}
	}
	return string(out)
}

// isDouble reports whether one of the doubles stands at word[i:] for one vowel.
func isDouble(word string, i int, doubles []string) bool {
	if i > 0 && (word[i-1] == 'q' || isVowel(word[i-1])) {
		return false
	}
	for _, double := range doubles {
		if strings.HasPrefix(word[i:], double) {
			return true
		}
	}
	return false
}

// arabicArticles are the article and what is written together with it, the longer before the shorter.
var arabicArticles = [...]string{"وال", "فال", "بال", "كال", "ال", "لل"}

// asNoun returns what the Arabic stemmer is given: the word without its article, and with a plain one where its ending
// is one of nouns. The stemmer takes the article off too, but cuts other endings from what has one than from what has
// none, and so gives التثبيت and تثبيت, الحاويات and حاويات two stems each.
func asNoun(word string) string {
	word = indefinite(word)
	for _, ending := range [...]string{"ات", "ة"} {
		if strings.HasSuffix(word, ending) {
			return "ال" + word
		}
	}
	return word
}

// indefinite takes the article off an Arabic word of three more letters.
func indefinite(word string) string {
	const letters = 3 * 2 // bytes
	for range 2 {         // الالتزام and التزام, whose own first letters look like the article
		for _, article := range arabicArticles {
			if rest, ok := strings.CutPrefix(word, article); ok && len(rest) >= letters {
				word = rest
				break
			}
		}
	}
	return word
}
