package text

import "sync"

// latinLangs are the languages in Latin script that Detect tells apart; their places are the bits of sets.
var latinLangs = [...]Lang{"en", "es", "de", "fr", "it", "pt", "nl", "sv", "da", "no", "fi", "hu", "ro", "tr", "ga", "pl", "cs", "vi", "id", "ca"}

const latinCount = len(latinLangs)

// latinWords are the function words of latinLangs: their own list, or else the stop words.
var latinWords = sync.OnceValue(func() (words [latinCount]string) {
	for i, lang := range latinLangs {
		if words[i] = list(lang, functionWords); words[i] == "" {
			words[i] = list(lang, stopWords)
		}
	}
	return words
})

// setOf returns the set of some of latinLangs.
func setOf(langs ...Lang) (set uint32) {
	for _, lang := range langs {
		for i, known := range latinLangs {
			if lang == known {
				set |= 1 << i
			}
		}
	}
	return set
}

// lettersOf returns the languages that a letter beyond ASCII is typical of.
func lettersOf(r rune) uint32 {
	if r >= 'A' && r != 'İ' && r < 0x250 || r >= 0x1EA0 && r <= 0x1EF9 {
		switch {
		case r >= 0x1EA0:
			return setOf("vi")
		case r >= 0xC0 && r <= 0xDE:
			r += 0x20
		case r >= 0x100 && r <= 0x137 || r >= 0x14A && r <= 0x177 || r >= 0x1A0 && r <= 0x1A5 || r >= 0x218 && r <= 0x21B:
			r |= 1
		case r >= 0x139 && r <= 0x148 || r >= 0x179 && r <= 0x17E || r == 0x1AF:
			r += r & 1
		}
	}
	switch r {
	case 'ñ':
		return setOf("es")
	case 'ß':
		return setOf("de")
	case 'ä':
		return setOf("de", "sv", "fi")
	case 'ö':
		return setOf("de", "sv", "fi", "hu", "tr")
	case 'ü':
		return setOf("de", "hu", "tr")
	case 'å':
		return setOf("sv", "da", "no")
	case 'æ', 'ø':
		return setOf("da", "no")
	case 'ã', 'õ':
		return setOf("pt")
	case 'ç':
		return setOf("fr", "pt", "tr", "ca")
	case 'ê':
		return setOf("fr", "pt")
	case 'è':
		return setOf("fr", "it", "ca")
	case 'ì', 'ù':
		return setOf("it")
	case 'ò':
		return setOf("it", "ca")
	case 'œ', 'û', 'ë', 'ï':
		return setOf("fr")
	case 'î':
		return setOf("fr", "ro")
	case 'á', 'í':
		return setOf("es", "pt", "hu", "cs", "ga")
	case 'ó':
		return setOf("es", "pt", "hu", "pl", "ga")
	case 'é':
		return setOf("fr", "es", "pt", "hu", "cs")
	case 'ú':
		return setOf("es", "pt", "hu", "ga")
	case 'ő', 'ű':
		return setOf("hu")
	case 'ş', 'ţ':
		return setOf("tr", "ro")
	case 'ğ', 'ı', 'İ':
		return setOf("tr")
	case 'ă':
		return setOf("ro", "vi")
	case 'ș', 'ț':
		return setOf("ro")
	case 'ą', 'ę', 'ł', 'ż', 'ź', 'ś', 'ń', 'ć':
		return setOf("pl")
	case 'ě', 'ř', 'ů', 'č', 'š', 'ž', 'ý', 'ň', 'ť', 'ď':
		return setOf("cs")
	case 'đ', 'ơ', 'ư':
		return setOf("vi")
	}
	return 0
}

// writing is a script, as far as it tells a language.
type writing uint8

const (
	writingOther writing = iota
	writingLatin
	writingCyrillic
	writingArabic
	writingHan
	writingKana
	writingHangul
	writingSingle // the first of singles
	scriptCount   = int(writingSingle) + len(singles)
)

// singles are scripts that stand for one language, the most spoken one.
var singles = [...]struct {
	first, last rune
	lang        Lang
}{
	{0x370, 0x3FF, "el"}, {0x530, 0x58F, "hy"}, {0x590, 0x5FF, "he"}, {0x900, 0x97F, "hi"}, {0x980, 0x9FF, "bn"},
	{0xA00, 0xA7F, "pa"}, {0xA80, 0xAFF, "gu"}, {0xB00, 0xB7F, "or"}, {0xB80, 0xBFF, "ta"}, {0xC00, 0xC7F, "te"},
	{0xC80, 0xCFF, "kn"}, {0xD00, 0xD7F, "ml"}, {0xD80, 0xDFF, "si"}, {0xE00, 0xE7F, "th"}, {0xE80, 0xEFF, "lo"},
	{0x1000, 0x109F, "my"}, {0x10A0, 0x10FF, "ka"}, {0x1200, 0x137F, "am"}, {0x1780, 0x17FF, "km"}, {0x1F00, 0x1FFF, "el"},
}

// writingOf returns the script of a letter.
func writingOf(r rune) writing {
	switch {
	case r < 0x250 || r >= 0x1E00 && r < 0x1F00:
		return writingLatin
	case r >= 0x400 && r < 0x530:
		return writingCyrillic
	case r >= 0x600 && r < 0x780 || r >= 0xFB50 && r < 0xFE00 || r >= 0xFE70 && r < 0xFEFF:
		return writingArabic
	case r >= 0x3400 && r < 0xA000 || r >= 0x20000 && r < 0x323B0 || r >= 0xF900 && r < 0xFB00:
		return writingHan
	case r >= 0x3041 && r < 0x3100 || r >= 0x31F0 && r < 0x3200 || r >= 0xFF66 && r < 0xFFA0:
		return writingKana
	case r >= 0xAC00 && r < 0xD7B0 || r >= 0x1100 && r < 0x1200 || r >= 0x3131 && r < 0x318F:
		return writingHangul
	}
	for i, single := range singles {
		if r >= single.first && r <= single.last {
			return writingSingle + writing(i)
		}
	}
	return writingOther
}

// tellingCount is one more than the largest place that telling returns.
const tellingCount = 0x130 + 0xA0

// telling returns the place in evidence.letters of a Cyrillic or Arabic letter in either case, else -1.
func telling(r rune) int {
	switch {
	case r >= 0x400 && r <= 0x40F:
		return int(r+0x50) - 0x400
	case r >= 0x410 && r <= 0x42F:
		return int(r+0x20) - 0x400
	case r >= 0x430 && r < 0x460:
		return int(r) - 0x400
	case r >= 0x460 && r < 0x530: // in pairs, the capital first
		return int(r|1) - 0x400
	case r >= 0x640 && r < 0x6E0:
		return 0x130 + int(r) - 0x640
	}
	return -1
}
