package query

import (
	"slices"

	"kdd/format/text"
	"kdd/runtime/wire"
)

// Asked returns the languages of the documents that a filter admits; none if it admits all.
func Asked(f *wire.Filter) []text.Lang {
	if f == nil {
		return nil
	}
	var list []text.Lang
	for _, l := range f.Languages {
		list = append(list, text.ParseLang(l))
	}
	return list
}

// detect names the language of a query. Its words and letters decide; of languages that they cannot tell apart the one
// that is asked for comes first, then those of the indexes. If they say nothing, it is the language that is asked for,
// else the one whose lexicon has the words, else the one whose glossary has those that no document has. Of a long text
// the beginning is looked at.
func (p *parse) detect(raw string) text.Lang {
	raw = text.CutRunes(raw, mostDetected)
	known := p.known
	if p.asked != "" {
		others := slices.DeleteFunc(slices.Clone(p.known), func(l text.Lang) bool { return l == p.asked })
		known = append([]text.Lang{p.asked}, others...)
	}
	language, open := text.DetectQuery(raw, known)
	if language == "" && open {
		if language = p.asked; language == "" {
			language = p.fromLexicon(raw)
		}
	}
	if language == "" {
		return p.fromGlossary(raw)
	}
	return p.kin(raw, language)
}

// mostDetected is how much of a query tells its language, in bytes: some 150 words.
const mostDetected = 1024

// fromLexicon returns the language whose stems the words of a query are: each word votes with its document frequency in
// each language, by the documents that there are in it. At least half of the words must be known to the language, and
// of languages that are level the most frequent one is taken.
func (p *parse) fromLexicon(raw string) text.Lang {
	known := p.known
	if len(known) == 0 {
		return ""
	}
	votes, knows := make([]float64, len(known)), make([]int, len(known))
	words := 0
	for _, t := range p.a.Tokens(nil, raw) {
		if t.Whole || t.CJK {
			continue
		}
		if words++; words > maxVoters {
			break
		}
		shares, total := make([]float64, len(known)), 0.0
		for k, lang := range known {
			key := text.StemTerm(lang, p.a.Stem(lang, t.Lower))
			for _, x := range p.xs {
				if id, ok := x.Term(key); ok && p.docs[lang] > 0 {
					shares[k] += float64(x.Postings(id).Chunks) / float64(p.docs[lang])
				}
			}
			if shares[k] > 0 {
				knows[k]++
			}
			total += shares[k]
		}
		for k := range shares {
			if total > 0 {
				votes[k] += shares[k] / total
			}
		}
	}
	best := 0
	for k := range votes {
		if votes[k] > votes[best] {
			best = k
		}
	}
	if knows[best] == 0 || 2*knows[best] < min(words, maxVoters) {
		return ""
	}
	return known[best]
}

// maxVoters bounds the words that are asked for their language.
const maxVoters = 16
