package answer

// Refusal holds the texts, in one language, that stand in place of an answer.
type Refusal struct {
	NoHits      string // nothing was found
	LowEvidence string // what was found does not answer the question
	// what was found may not answer the question
	MiddlingEvidence string
	Unsupported      string // what a language model wrote is not in the documents
	Unknown          string // with %s for the names that no document has
	Closest          string // leads to the closest sections

	moreRows    string // with %d for the rows of a table that are left out of an answer
	left, right string // quotation marks
}

// RefusalIn returns the texts in a language, or in English if that language has none.
func RefusalIn(language string) *Refusal {
	if r, ok := lexicon().refusals[language]; ok {
		return r
	}
	return lexicon().refusals["en"]
}

// Quote puts a word into the quotation marks of the language.
func (r *Refusal) Quote(word string) string { return r.left + word + r.right }

// refusals returns the refusals by language: each has all texts, and those without quotation marks of their own have
// the English ones.
func (l lists) refusals() map[string]*Refusal {
	refusals := map[string]*Refusal{}
	for language := range l.Lists["refusal no hits text"] {
		text := func(name string) string { return l.Lists["refusal "+name+" text"][language][0] }
		marks := l.Lists["quotation pairs"][language]
		if marks == nil {
			marks = l.Lists["quotation pairs"]["en"]
		}
		refusals[language] = &Refusal{text("no hits"), text("low evidence"), text("middling evidence"),
			text("unsupported"), text("unknown names"), text("closest"), l.Lists["more rows text"][language][0], marks[0], marks[1]}
	}
	return refusals
}
