package text

import "strings"

// maxStopBytes is more than the longest stop word.
const maxStopBytes = 32

// IsStop reports whether a folded form is a stop word of the language: an article, pronoun, preposition,
// conjunction, auxiliary verb or common adverb. Beside the languages with a stemmer, Bulgarian, Catalan, Czech, Greek,
// Hebrew, Hindi, Indonesian, Persian, Polish, Ukrainian and Vietnamese have some. Words of scripts without spaces cannot be
// seen; Roles tells what is grammar there.
func IsStop(lang Lang, fold string) bool {
	list := stopWords(lang)
	if list == "" {
		list = otherStopWords(lang)
	}
	return inList(list, fold)
}

// otherStopWords returns the list of a language without a stemmer, or "".
func otherStopWords(lang Lang) string {
	switch lang {
	case "bg":
		return stopBulgarian
	case "ca", "cs", "id", "pl":
		return latinWords(lang)
	case "el":
		return stopGreek
	case "fa":
		return stopPersian
	case "he":
		return stopHebrew
	case "hi":
		return stopHindi
	case "uk":
		return stopUkrainian
	case "vi":
		return stopVietnamese
	}
	return ""
}

// inList reports whether a list, folded words each with a space before and after, has the word.
func inList(list, word string) bool {
	if list == "" || word == "" || len(word) > maxStopBytes {
		return false
	}
	var buf [maxStopBytes + 2]byte
	key := append(append(append(buf[:0], ' '), word...), ' ')
	return strings.Contains(list, string(key))
}

// stopWords returns the list of a language that has a stemmer, else "".
func stopWords(lang Lang) string {
	switch lang {
	case "ar":
		return stopArabic
	case "da":
		return stopDanish
	case "de":
		return stopGerman
	case "en":
		return stopEnglish
	case "es":
		return stopSpanish
	case "fi":
		return stopFinnish
	case "fr":
		return stopFrench
	case "ga":
		return stopIrish
	case "hu":
		return stopHungarian
	case "it":
		return stopItalian
	case "nl":
		return stopDutch
	case "no":
		return stopNorwegian
	case "pt":
		return stopPortuguese
	case "ro":
		return stopRomanian
	case "ru":
		return stopRussian
	case "sv":
		return stopSwedish
	case "ta":
		return stopTamil
	case "tr":
		return stopTurkish
	}
	return ""
}
