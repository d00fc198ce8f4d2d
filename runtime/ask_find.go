package runtime

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format"
	"kdd/format/text"
	"kdd/runtime/answer"
	"kdd/runtime/query"
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
func (s *Service) findings(ctx context.Context, set *set, question string, q *wire.AskRequest) (*findings, error) {
	most := askPassages
	if s.config.Model != nil {
		most = modelPassages
	}
	search := &wire.SearchRequest{Query: question, Mode: modeHybrid, Limit: most, Filter: q.Filter}
	r, _, err := set.find(ctx, search, most, true)
	if err != nil {
		return nil, err
	}
	f := &findings{mode: r.mode, warnings: r.warnings, language: string(r.queries[0].Language)}
	asked := set.question(r, question)
	asked.Last, _ = query.Clip(strings.TrimSpace(q.Query))
	if asked.Form = answer.FormOf(asked.Last); asked.Form == answer.Plain {
		asked.Form = answer.FormOf(strings.TrimPrefix(question, asked.Last)) // "what about X" asks what was asked of something else
	}
	f.name(asked)
	hits := r.hits[:min(len(r.hits), askPassages)]
	finders := make([]func(string) []int, len(hits), len(hits)+1)
	near := make([]func(string) float64, len(hits), len(hits)+1)
	for i := range hits {
		h := &hits[i]
		a := set.artifacts[h.index]
		f.read(s, set, a, h)
		finders[i] = a.finder(h.Doc, r.queries[h.index], asked.Words)
		if near[i], err = a.nearness(r.scored[h.index].vector); err != nil {
			return nil, err
		}
	}
	opening, of := set.opening(asked, hits, finders)
	if of >= 0 {
		at := slices.IndexFunc(hits, opening.sameSection)
		if at < 0 {
			at = len(hits)
			f.read(s, set, set.artifacts[opening.index], &opening)
			finders, near = append(finders, finders[of]), append(near, near[of])
		}
		f.texts[at].Opens = true
	}
	f.quotable = len(f.texts)
	for i := len(hits); i < min(len(r.hits), most); i++ {
		if h := &r.hits[i]; of < 0 || !opening.sameSection(*h) {
			f.read(s, set, set.artifacts[h.index], h)
		}
	}
	type part struct {
		passage int
		text    string
	}
	found := map[part][]int{} // what is picked and what is weighed ask for the same texts
	asked.Find = func(passage int, text string) []int {
		has, ok := found[part{passage, text}]
		if !ok {
			has = finders[passage](text)
			found[part{passage, text}] = has
		}
		return slices.Clip(has)
	}
	if len(near) > 0 && !slices.ContainsFunc(near, func(n func(string) float64) bool { return n == nil }) {
		asked.Near = func(passage int, text string) float64 { return near[passage](text) }
	}
	words := min(answer.MaxWords, max(20, int(float64(q.MaxTokens)*wordsPerToken)))
	f.picked = answer.Pick(asked, f.best(), words)
	f.evidence, err = set.evidence(ctx, r, asked, f)
	return f, err
}

// best are the texts of the passages that sentences are taken from.
func (f *findings) best() []answer.Passage { return f.texts[:f.quotable] }

// question returns the words of a question, without its form, which costs a new process 2 ms and a search needs not. An identifier
// that no document has is a word that is missing, though search goes on with its parts; one that they have stands for its parts.
func (set *set) question(r *ranking, raw string) *answer.Question {
	q := &answer.Question{Text: raw}
	chunks := 0.0
	for _, a := range set.artifacts {
		chunks += float64(a.Chunks())
	}
	rare := query.IDF(chunks, 1)
	at := map[string]int{}
	for _, own := range r.queries {
		for _, w := range own.Words {
			if w.Stop || w.Part && slices.ContainsFunc(own.Words, func(o query.Word) bool {
				return o.Whole && len(o.Terms) > 0 && o.Pos <= w.Pos && strings.Contains(o.Text, w.Text)
			}) {
				continue
			}
			known := 0.0
			switch {
			case len(w.Terms) > 0:
				known = 1
			case len(w.Near) > 0:
				known = 0.6
			}
			i, ok := at[w.Text]
			if !ok {
				i = len(q.Words)
				at[w.Text] = i
				q.Words = append(q.Words, answer.Word{Text: w.Text, Weight: min(w.IDF, rare), Name: w.Whole})
			}
			q.Words[i].Known = max(q.Words[i].Known, known)
		}
	}
	for _, t := range text.New().Tokens(nil, raw) {
		if _, ok := at[t.Fold]; ok || !t.Whole || t.IndexOnly() || compound(raw, span{t.Start, t.End}) || slices.ContainsFunc(set.artifacts, func(a *artifact) bool { _, has := a.Term(t.Fold); return has }) {
			continue
		}
		at[t.Fold] = len(q.Words)
		q.Words = append(q.Words, answer.Word{Text: t.Fold, Weight: rare, Name: true})
	}
	q.Skip = unclean
	return q
}

// typing is how the words of a question are typed. It is read once, when the first word is asked for.
type typing struct {
	question, language string

	at            map[string]span // by word in its folded form: where it stands first
	others, small bool            // see amongOthers; a word begins with a small letter
}

func (t *typing) read() {
	if t.at != nil {
		return
	}
	t.at = map[string]span{}
	a := text.Borrow()
	defer a.Return()
	for _, token := range a.Tokens(nil, t.question) {
		if _, ok := t.at[token.Fold]; !ok {
			t.at[token.Fold] = span{token.Start, token.End}
		}
	}
	t.others = amongOthers(t.question)
	t.small = slices.ContainsFunc(strings.Fields(t.question), func(f string) bool { return strings.IndexFunc(f, unicode.IsLower) == 0 })
}

// isName says that a word of a question is most likely a name. In German, where every noun has a capital, none is.
func (t *typing) isName(word string) bool { return t.language != "de" && t.named(word) }

// named says that a word of a question has a capital, is not its first word, and that not all words have one. Among letters of a
// script without capitals any word of letters that have some is a name: 怎么部署到 kubernetes.
func (t *typing) named(word string) bool {
	t.read()
	at, ok := t.at[word]
	r, _ := utf8.DecodeRuneInString(t.question[at.start:])
	switch {
	case !ok:
		return false
	case t.others:
		return utf8.RuneCountInString(word) >= 3 && (unicode.IsUpper(r) || unicode.IsLower(r))
	}
	return t.small && unicode.IsUpper(r) && strings.ContainsFunc(t.question[:at.start], unicode.IsLetter)
}

// span is a range of bytes.
type span struct{ start, end int }

// typed returns a folded word as a question has it.
func (t *typing) typed(word string) string {
	t.read()
	if at, ok := t.at[word]; ok {
		return t.question[at.start:at.end]
	}
	return word
}

// amongOthers says that a question is written in a script without capitals, but for the names in it: fewer words begin with a small
// letter than it has letters that are neither.
func amongOthers(question string) bool {
	others, small := 0, 0
	inWord := false
	for _, r := range question {
		switch {
		case unicode.Is(unicode.Lo, r):
			others, inWord = others+1, false
		case !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '-':
			inWord = false
		case !inWord:
			inWord = true
			if unicode.IsLower(r) {
				small++
			}
		}
	}
	return others > 2*small
}

// compound says that a text is words with hyphens between them, such as "lazy-load": one says as much in several words. So is a verb
// with its pronoun that begins a question: Puis-je.
func compound(question string, at span) bool {
	text := question[at.start:at.end]
	if first, n := utf8.DecodeRuneInString(text); unicode.IsUpper(first) && !strings.ContainsFunc(question[:at.start], unicode.IsLetter) {
		if last := text[strings.LastIndexByte(text, '-')+1:]; slices.Contains(pronouns[:], last) {
			text = text[n:]
		}
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && r != '\'' && r != '’' && !unicode.IsLower(r) && !unicode.IsMark(r)
	})
}

// pronouns stand behind a verb and a hyphen in French and Portuguese, and so do particles of Russian.
var pronouns = [...]string{"je", "tu", "il", "elle", "on", "nous", "vous", "ils", "elles", "ce", "se", "me", "lo", "la", "los", "las", "то", "нибудь", "либо"}

// unclean says that a text could not be quoted as it is.
func unclean(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return wire.CleanLines(text) != text
}

// opening returns the beginning of the first document whose title or id is what a question asks to define, and the hit that it was found
// by; -1 if there is none.
func (set *set) opening(asked *answer.Question, hits []ranked, finders []func(string) []int) (h ranked, of int) {
	if asked.Form != answer.Definition {
		return h, -1
	}
	for i, h := range hits {
		a := set.artifacts[h.index]
		for _, name := range [...]string{a.DocTitle(h.Doc), a.DocFrontID(h.Doc)} {
			if asked.Names(finders[i](name), name) {
				h.Chunk = a.opening(h.Doc)
				h.Section = a.SectionOfChunk(h.Chunk)
				return h, i
			}
		}
	}
	return h, -1
}

// sameSection says that two hits are in one section.
func (h ranked) sameSection(o ranked) bool { return h.index == o.index && h.Section == o.Section }

// opening returns the first chunk of a document that has more than headings. Cost: the text of those before it.
func (a *artifact) opening(d format.DocID) format.ChunkID {
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
func (f *findings) read(s *Service, set *set, a *artifact, h *ranked) {
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
		Score: wire.Round4(h.score), Index: set.indexName(a),
	}}
	if sec.Level > 0 {
		p.section.Section = wire.Shorten(sec.Heading, mostTitle)
	}
	p.section.URL, _ = set.where(a).url(h.Doc, sec.Anchor)
	f.passages = append(f.passages, p)
	f.texts = append(f.texts, answer.Passage{
		Text: text, Heading: a.headings(h.Doc, h.Section), Doc: h.index<<32 | int(h.Doc), At: int(begin),
		Focus:  [2]int{int(min(focus.Start-begin, uint64(len(text)))), int(min(focus.End-begin, uint64(len(text))))},
		Begins: first == from,
		InCode: first != from && answer.EndsInCode(string(a.AppendText(nil, reader, h.Doc, max(a.Chunk(from).Start, begin-min(begin, mostPassage)), begin))),
	})
}

// headings returns the title of a document and the headings above and of a section, outermost first.
func (a *artifact) headings(d format.DocID, s format.SectionID) string {
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

// finder returns a search for the words of a question in texts of a document, by the terms that scored it.
func (a *artifact) finder(d format.DocID, q *query.Query, words []answer.Word) func(string) []int {
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

// nearness returns the cosine of texts with a question's vector; nil where there is none, or where the encoder is a
// transformer, which takes too long for every sentence.
func (a *artifact) nearness(question []float32) (func(string) float64, error) {
	sem, err := a.sem()
	if err != nil || sem == nil || question == nil || sem.tag != format.TagTable {
		return nil, err
	}
	vec := make([]float32, len(question))
	return func(text string) float64 {
		if known, err := sem.encode(vec, text); err != nil || known <= 0 {
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

// maxSessionID is how long the name of a session may be.
const maxSessionID = 128

type askerKey struct{}

// WithAsker returns a context in which the names of conversations belong to who. So somebody else who guesses the name of a
// conversation, or has the same one because a page gives all its visitors one name, does not learn what was asked in it.
func WithAsker(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, askerKey{}, who)
}

// sessionOf returns the name under which a conversation is remembered.
func sessionOf(ctx context.Context, name string) answer.Name {
	who, _ := ctx.Value(askerKey{}).(string)
	return answer.Name{Asker: who, Session: name}
}
