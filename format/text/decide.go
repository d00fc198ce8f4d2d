package text

import "slices"

// A character of these scripts says as much as two or three letters.
const (
	hanWeight    = 3
	hangulWeight = 2
	kanaWeight   = 2
)

// clearScore is the score at which a query without two function words still names its language: one that no other
// language has, and a letter or two.
const clearScore = 1.5

// decide names the language of a document. A text in another script than Latin is mostly mixed with code and names in
// Latin, so a third of the letters is enough; a tenth, where the Latin part does not read like a language.
func (e *evidence) decide() Lang {
	lang, weight, total := e.mainScript()
	latin, fluent := e.decideLatin()
	switch {
	case total == 0:
		return ""
	case weight*3 >= total:
		return lang
	case fluent:
		return latin
	case weight*10 >= total:
		return lang
	}
	return latin
}

// mainScript returns the language of the script other than Latin that weighs most, its weight and that of all letters.
func (e *evidence) mainScript() (lang Lang, weight, total int) {
	eastern := e.scripts[writingHan]*hanWeight + e.scripts[writingKana]*kanaWeight
	candidates := [...]struct {
		lang   Lang
		weight int
	}{
		{e.cyrillic(), e.scripts[writingCyrillic]},
		{e.arabic(), e.scripts[writingArabic]},
		{"ko", e.scripts[writingHangul] * hangulWeight},
		{e.eastern(), eastern},
	}
	for _, c := range candidates {
		total += c.weight
		if c.weight > weight {
			lang, weight = c.lang, c.weight
		}
	}
	for i, single := range singles {
		n := e.scripts[int(writingSingle)+i]
		total += n
		if n > weight {
			lang, weight = single.lang, n
		}
	}
	return lang, weight, total + e.scripts[writingLatin]
}

// eastern tells Japanese from Chinese: Japanese text is at least a tenth kana.
func (e *evidence) eastern() Lang {
	if e.scripts[writingKana]*10 >= e.scripts[writingHan]+e.scripts[writingKana] {
		return "ja"
	}
	return "zh"
}

// cyrillic tells the languages in Cyrillic apart by letters that only some of them have, and Bulgarian by its words
// too.
func (e *evidence) cyrillic() Lang {
	n := func(letters string) (sum int) {
		for _, r := range letters {
			sum += int(e.letters[telling(r)])
		}
		return sum
	}
	switch russian, ukrainian := n("ыэёъ"), n("іїєґ"); {
	case n("ў") > 0 && n("і") > 0:
		return "be"
	case n("әғқңұһ") > 0:
		return "kk"
	case n("ђћ") > 0 || n("јљњџ") > 0 && n("ѓќѕ") == 0:
		return "sr"
	case n("ѓќѕј") > 0:
		return "mk"
	case ukrainian > russian:
		return "uk"
	case n("ыэё") == 0 && (n("ъ") > 0 || e.slavic[1] > e.slavic[0]):
		return "bg"
	}
	return "ru"
}

// arabic tells the languages in Arabic script apart in the same way.
func (e *evidence) arabic() Lang {
	n := func(letters string) (sum int) {
		for _, r := range letters {
			sum += int(e.letters[telling(r)])
		}
		return sum
	}
	switch {
	case n("ٹڈڑےں") > 0:
		return "ur"
	case n("پچژگ") > 0 || n("یک") > n("يك"):
		return "fa"
	}
	return "ar"
}

// ranked returns the best of latinLangs and the scores of the best and the second.
func (e *evidence) ranked() (best int, first, second float64) {
	for lang, score := range e.score {
		if score > first {
			best, first, second = lang, score, first
		} else if score > second {
			second = score
		}
	}
	return best, first, second
}

// decideLatin names the language of a document's text in Latin script, "" if unsure; fluent if its share of function
// words is that of sentences and not of a list of names.
func (e *evidence) decideLatin() (lang Lang, fluent bool) {
	best, first, second := e.ranked()
	hits, words := e.hits[best], float64(e.words)
	switch {
	case hits >= 2 && float64(hits) >= minShare*words && first >= minMargin*second:
		return latinLangs[best], true
	case hits >= lowHits && float64(hits) >= lowShare*words && first >= bigMargin*second:
		return latinLangs[best], false
	}
	return "", false
}

// decideQuery names the language of a query. For a known language any evidence will do that speaks for it above the
// others. open says that there is next to none for any language.
func (e *evidence) decideQuery(known []Lang) (lang Lang, open bool) {
	if lang, weight, total := e.mainScript(); weight*3 >= total && weight > 0 {
		return preferKin(lang, known), false
	}
	if e.inverted {
		return "es", false
	}
	for lang := range e.score {
		if at := slices.Index(known, latinLangs[lang]); at >= 0 {
			e.score[lang] *= 1.5
			if e.score[lang] > 0 {
				e.score[lang] += 0.05 / float64(at+1)
			}
		} else if len(known) > 0 {
			e.score[lang] *= 0.75
		}
	}
	best, first, second := e.ranked()
	if first <= second {
		return "", e.open(best)
	}
	if !slices.Contains(known, latinLangs[best]) {
		several := e.hits[best] >= 2 && float64(e.hits[best]) >= minShare*float64(e.words) && first >= minMargin*second
		clear := first >= clearScore && first >= bigMargin*second
		if !several && !clear {
			return "", e.open(best)
		}
	}
	return latinLangs[best], false
}

// open reports whether a query may be in any language, because it has Latin words, no letter that is typical of a
// language, and at most one function word of the best one. (One is not enough: English "state" is a function word of
// Italian.)
func (e *evidence) open(best int) bool { return e.words > 0 && !e.lettered && e.hits[best] <= 1 }

// preferKin returns the known language that shares lang's script where a few words cannot tell the two apart.
func preferKin(lang Lang, known []Lang) Lang {
	if slices.Contains(known, lang) {
		return lang
	}
	kin := map[Lang][]Lang{
		"zh": {"ja"}, "ru": {"uk", "bg", "sr", "mk", "be", "kk"}, "bg": {"ru", "mk"}, "uk": {"be"}, "sr": {"mk"},
		"ar": {"fa", "ur"},
		"fa": {"ur"},
	}[lang]
	for _, other := range known {
		if slices.Contains(kin, other) {
			return other
		}
	}
	return lang
}
