package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kdd/format"
	"kdd/format/text"
	"kdd/runtime/answer"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// findings are what was found for a question. They hold no part of an artifact's mapping.
type findings struct {
	language string // of the question
	mode     string
	passages []passage        // best first
	texts    []answer.Passage // of the same passages
	quotable int              // so many of them are those that sentences are taken from; the others are for a language model
	picked   []answer.Picked
	evidence answer.Evidence
	unknown  []string // names in the question that no document has
	warnings []string
}

// passage is a section, or the part of it around its best chunk, and where it stands.
type passage struct {
	section wire.AnswerSection
	text    string
	line    int  // on which text begins
	same    bool // it is in the question's language, as far as that is known
}

// findings searches for a question and picks what answers it.
func (s *Asker) findings(ctx context.Context, set *artifact.Set, question string, q *wire.AskRequest) (*findings, error) {
	most := AskPassages
	if s.Model != nil {
		most = modelPassages
	}
	request := &wire.SearchRequest{Query: question, Mode: search.ModeHybrid, Limit: most, Filter: q.Filter}
	r, _, err := search.Run(ctx, set, request, most, true)
	if err != nil {
		return nil, err
	}
	f := &findings{mode: r.Mode, warnings: r.Warnings, language: string(r.Queries[0].Language)}
	asked := ReadQuestion(set, r, question)
	asked.Last, _ = query.Clip(strings.TrimSpace(q.Query))
	if asked.Form = answer.FormOf(asked.Last); asked.Form == answer.Plain {
		asked.Form = answer.FormOf(strings.TrimPrefix(question, asked.Last)) // "what about X" asks what was asked of something else
	}
	f.name(asked)
	hits := r.Hits[:min(len(r.Hits), AskPassages)]
	finders := make([]func(string) []int, len(hits), len(hits)+1)
	near := make([]func(string) float64, len(hits), len(hits)+1)
	for i := range hits {
		h := &hits[i]
		a := set.Artifacts[h.Index]
		f.read(s, set, a, h)
		finders[i] = finderOf(a, h.Doc, r.Queries[h.Index], asked.Words)
		if near[i], err = nearnessOf(a, r.Scored[h.Index].Vector); err != nil {
			return nil, err
		}
	}
	opening, of := openingOf(set, asked, hits, finders)
	if of >= 0 {
		at := slices.IndexFunc(hits, func(h search.Result) bool { return sameSection(opening, h) })
		if at < 0 {
			at = len(hits)
			f.read(s, set, set.Artifacts[opening.Index], &opening)
			finders, near = append(finders, finders[of]), append(near, near[of])
		}
		f.texts[at].Opens = true
	}
	f.quotable = len(f.texts)
	for i := len(hits); i < min(len(r.Hits), most); i++ {
		if h := &r.Hits[i]; of < 0 || !sameSection(opening, *h) {
			f.read(s, set, set.Artifacts[h.Index], h)
		}
	}
	type part struct {
		passage int
		text    string
	}
	found := map[part][]int{} // what is picked and what is weighed ask for the same texts
	asked.WordsIn = func(passage int, text string) []int {
		has, ok := found[part{passage, text}]
		if !ok {
			has = finders[passage](text)
			found[part{passage, text}] = has
		}
		return slices.Clip(has)
	}
	if len(near) > 0 && !slices.ContainsFunc(near, func(n func(string) float64) bool { return n == nil }) {
		asked.Likeness = func(passage int, text string) float64 { return near[passage](text) }
	}
	words := min(answer.MaxWords, max(20, int(float64(q.MaxTokens)*wordsPerToken)))
	f.picked = answer.Pick(asked, f.best(), words, q.Explain)
	f.evidence, err = gatherEvidence(ctx, set, r, asked, f)
	return f, err
}

// best are the texts of the passages that sentences are taken from.
func (f *findings) best() []answer.Passage { return f.texts[:f.quotable] }

// ReadQuestion returns a question with its words, without its form.
func ReadQuestion(set *artifact.Set, r *search.Ranking, raw string) *answer.Question {
	q := &answer.Question{Text: raw, Skip: unclean}
	for _, w := range search.AskedWords(set, r, raw) {
		q.Words = append(q.Words, answer.Word(w))
	}
	return q
}

// unclean says that a text could not be quoted as it is.
func unclean(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return wire.CleanLines(text) != text
}

// openingOf returns the beginning of the first document whose title or id is what a question asks to define, and the
// hit that it was found by; -1 if there is none.
func openingOf(set *artifact.Set, asked *answer.Question, hits []search.Result, finders []func(string) []int) (h search.Result, of int) {
	if asked.Form != answer.Definition {
		return h, -1
	}
	for i, h := range hits {
		a := set.Artifacts[h.Index]
		for _, name := range [...]string{a.DocTitle(h.Doc), a.DocFrontID(h.Doc)} {
			if asked.Names(finders[i](name), name) {
				h.Chunk = openingChunk(a, h.Doc)
				h.Section = a.SectionOfChunk(h.Chunk)
				return h, i
			}
		}
	}
	return h, -1
}

// sameSection says that two hits are in one section.
func sameSection(h search.Result, o search.Result) bool {
	return h.Index == o.Index && h.Section == o.Section
}

// openingChunk returns the first chunk of a document that has more than headings. Cost: the text of those before it.
func openingChunk(a *artifact.Artifact, d format.DocID) format.ChunkID {
	c, to := a.DocChunks(d)
	for reader := a.Text.Reader(); c < to-1; c++ {
		if at := a.Chunk(c); !answer.Bare(string(a.AppendText(nil, reader, d, at.Start, at.End))) {
			break
		}
	}
	return c
}

// mostTitle is how many bytes of a title or heading an answer has at most.
const mostTitle = 160

// mostPassage is how many bytes a passage has at most.
const mostPassage = 8000

// read adds the passage of a hit: its chunk with those before and behind it in the section.
func (f *findings) read(s *Asker, set *artifact.Set, a *artifact.Artifact, h *search.Result) {
	sec := a.Section(h.Section)
	from, to := a.SectionChunks(h.Section)
	first, last := max(from, h.Chunk-min(h.Chunk, 1)), min(to, h.Chunk+3) // what explains a step often stands a chunk further on
	begin, end := a.Chunk(first).Start, a.Chunk(last-1).End
	if end > begin+mostPassage {
		first = h.Chunk
		begin = a.Chunk(h.Chunk).Start
		end = min(end, begin+mostPassage)
	}
	reader := a.Text.Reader()
	text := string(a.AppendText(nil, reader, h.Doc, begin, end))
	focus := a.Chunk(h.Chunk)
	p := passage{text: text, same: f.language == "" || a.DocLanguage(h.Doc) == f.language, line: int(a.Chunk(first).LineStart), section: wire.AnswerSection{
		Path: a.DocPath(h.Doc), Anchor: sec.Anchor, Title: wire.Shorten(a.DocTitle(h.Doc), mostTitle), Lines: [2]int{int(sec.LineStart), int(sec.LineEnd)},
		Score: wire.Round4(h.Calibrated), Index: set.IndexName(a),
	}}
	if sec.Level > 0 {
		p.section.Section = wire.Shorten(sec.Heading, mostTitle)
	}
	p.section.URL, _ = set.Where(a).URL(h.Doc, sec.Anchor)
	f.passages = append(f.passages, p)
	f.texts = append(f.texts, answer.Passage{
		Text: text, Heading: headingsOf(a, h.Doc, h.Section), Doc: h.Index<<32 | int(h.Doc), At: int(begin),
		Focus:  [2]int{int(min(focus.Start-begin, uint64(len(text)))), int(min(focus.End-begin, uint64(len(text))))},
		Begins: first == from,
		InCode: first != from && answer.EndsInCode(string(a.AppendText(nil, reader, h.Doc, max(a.Chunk(from).Start, begin-min(begin, mostPassage)), begin))),
	})
}

// headingsOf returns the title of a document and the headings above and of a section, outermost first.
func headingsOf(a *artifact.Artifact, d format.DocID, s format.SectionID) string {
	var list []string
	for range 8 {
		if a.SectionLevel(s) > 0 {
			list = append(list, a.SectionHeading(s))
		}
		parent, ok := a.SectionParent(s)
		if !ok {
			break
		}
		s = parent
	}
	if title := a.DocTitle(d); !slices.Contains(list, title) {
		list = append(list, title)
	}
	slices.Reverse(list)
	return strings.Join(list, " › ")
}

// finderOf returns a search for the words of a question in texts of a document, by the terms that scored it.
func finderOf(a *artifact.Artifact, d format.DocID, q *query.Query, words []answer.Word) func(string) []int {
	analyzer := text.New()
	lang := text.Lang(a.DocLanguage(d))
	place := map[string]int{}
	for i, w := range words {
		place[w.Text] = i
	}
	terms := map[string]int{}
	for _, w := range q.Words {
		i, ok := place[w.Text]
		if !ok {
			continue
		}
		terms[w.Text] = i
		for _, t := range slices.Concat(w.Terms, w.Near) {
			terms[a.TermDict().At(uint32(t))] = i
		}
	}
	return func(raw string) []int {
		var has []int
		for _, t := range analyzer.Tokens(nil, raw) {
			i, ok := terms[t.Fold]
			if !ok && lang != "" && !t.Whole && !t.CJK {
				i, ok = terms[text.StemTerm(lang, analyzer.Stem(lang, t.Lower))]
			}
			if ok && !slices.Contains(has, i) {
				has = append(has, i)
			}
		}
		return has
	}
}

// nearnessOf returns the cosine of texts with a question's vector; nil where there is none, or where the encoder is a
// transformer, which takes too long for every sentence.
func nearnessOf(a *artifact.Artifact, question []float32) (func(string) float64, error) {
	sem, err := a.Encoder()
	if err != nil || sem == nil || question == nil || sem.Tag != format.TagTable {
		return nil, err
	}
	vec := make([]float32, len(question))
	return func(text string) float64 {
		if known, err := sem.Encode(vec, text); err != nil || known <= 0 {
			return 0
		}
		dot := 0.0
		for i, x := range vec {
			dot += float64(x) * float64(question[i])
		}
		return dot
	}, nil
}

// retrieval is what the answer says of its making.
func (f *findings) retrieval() wire.AnswerRetrieval {
	e := f.evidence
	r := wire.AnswerRetrieval{
		Mode: f.mode, Sections: []wire.AnswerSection{}, Unknown: f.unknown,
		Evidence: wire.AnswerEvidence{Cosine: wire.Round4(e.Cosine), Coverage: wire.Round4(e.Coverage), Score: wire.Round4(e.Score), Rarity: wire.Round4(e.Rarity), Strange: e.Strange, Foreign: e.Foreign,
			Missing: wire.Round4(e.Missing), Pairs: wire.Round4(e.Pairs), Agreement: wire.Round4(e.Agreement), Aligned: wire.Round4(e.Aligned), Without: wire.Round4(e.Without),
			Together: wire.Round4(e.Together), Unknown: wire.Round4(e.Unknown), Figure: e.Figure},
	}
	for i := range f.best() {
		r.Sections = append(r.Sections, f.passages[i].section)
	}
	return r
}

// citations are the quotes with the places where they stand.
func (f *findings) citations(quotes []answer.Quote) []wire.Citation {
	list := make([]wire.Citation, len(quotes))
	for i, quote := range quotes {
		p := &f.passages[quote.Passage]
		first := p.line + strings.Count(p.text[:quote.Start], "\n")
		list[i] = wire.Citation{
			Marker: quote.Marker, Path: p.section.Path, Anchor: p.section.Anchor, URL: p.section.URL, Index: p.section.Index,
			Title: cmp.Or(p.section.Title, p.section.Path), Quote: p.text[quote.Start:quote.End],
			Lines: [2]int{first, first + strings.Count(p.text[quote.Start:quote.End], "\n")},
		}
	}
	return list
}

// MaxSessionID is how long the name of a session may be.
const MaxSessionID = 128

type askerKey struct{}

// WithAsker returns a context in which the names of conversations belong to who. So somebody else who guesses the name
// of a conversation, or has the same one because a page gives all its visitors one name, does not learn what was asked
// in it.
func WithAsker(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, askerKey{}, who)
}

// sessionOf returns the name under which a conversation is remembered.
func sessionOf(ctx context.Context, name string) answer.Name {
	who, _ := ctx.Value(askerKey{}).(string)
	return answer.Name{Asker: who, Session: name}
}
