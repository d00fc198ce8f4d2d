package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"kdd/format"
)

// Meta is what an artifact says of itself, FORMAT.md §10.1: JSON, in the order of these fields.
type Meta struct {
	MadeBy      string         `json:"made_by"` // "kdd 0.1.0"
	Title       string         `json:"title,omitempty"`
	BaseURL     string         `json:"base_url,omitempty"`
	Roots       []Root         `json:"roots"`
	Sites       []Site         `json:"sites,omitempty"` // that generators make of the documents
	TreeHash    string         `json:"tree_hash"`       // SHA-256 over path, size and hash of each source
	OptionsHash string         `json:"options_hash"`    // over everything that shapes the output
	Options     Options        `json:"options"`         // of the build, those that stand nowhere else
	SourceBytes uint64         `json:"source_bytes"`
	Analyzer    int            `json:"analyzer"`
	Chunker     Chunker        `json:"chunker"`
	Languages   []LanguageDocs `json:"languages"` // most frequent first
	Lengths     Lengths        `json:"lengths"`
	LongestName int            `json:"longest_name"` // characters of the longest name but headings; 0 = not known
	Weights     Weights        `json:"weights"`
	Kinds       []string       `json:"kinds"`
	ChunkTypes  []string       `json:"chunk_types"`
	EdgeTypes   []EdgeType     `json:"edge_types"`
	FoundBy     []string       `json:"found_by"`
	Severities  []string       `json:"severities"`
	Rules       []Rule         `json:"rules,omitempty"`      // of findings: all that the build knows
	Coverage    []Coverage     `json:"coverage,omitempty"`   // what documents of a kind should have
	Invariants  []string       `json:"invariants,omitempty"` // folded headings of sections that state what always holds
	Asides      []Aside        `json:"asides,omitempty"`     // what stands behind the rest
	Orphans     []Orphans      `json:"orphans,omitempty"`    // edges without a target, by reason
	Encoder     string         `json:"encoder"`              // EncoderNone, EncoderDistilled or EncoderExact
	// EncoderKnown is the share of the words of general text that occur in the corpus, from which a distilled query
	// encoder learned what they mean; 0 = unknown. Of the others it knows no more than the model's own vectors.
	EncoderKnown float64 `json:"encoder_known,omitempty"`
	// EncoderFrom is the root hash, in hex, of the artifact that learned the distilled query encoder; "" = this one.
	EncoderFrom string `json:"encoder_from,omitempty"`
	Model       *Model `json:"model,omitempty"`
	Warnings    int    `json:"warnings"` // diagnostics of severity warning and above
}

// The query encoders that an artifact may carry.
const (
	EncoderNone      = "none"
	EncoderDistilled = "distilled"
	EncoderExact     = "exact"
)

// wellKnown is the EncoderKnown from which on a distilled query encoder does as well as the transformer. A corpus of
// six documents has .41, and every fifth wordpiece of its questions is new; one of 1,399 abstracts has .68, and every
// hundredth is new. Below the limit some .02 of nDCG@10 by vectors alone is lost (bench/runs/2026-11-21-distil).
const wellKnown = 0.5

// EncoderAdvice says where the artifact's query encoder falls short and what to do about it; "" if nothing is known.
// It gives no advice if the model does not know the language of the documents: the transformer does no better there.
func (m *Meta) EncoderAdvice() string {
	if m.Encoder != EncoderDistilled || m.EncoderKnown == 0 || m.EncoderKnown >= wellKnown || m.StrangeText() {
		return ""
	}
	return fmt.Sprintf("the documents taught the query encoder %.0f %% of the words of general text: questions in other words, "+
		"or in another language, are better embedded by an index built with --encoder exact (23 MB more)",
		100*m.EncoderKnown)
}

// multilingual is a model that knows most languages, as a hub names it.
const multilingual = "intfloat/multilingual-e5-small"

// ModelAdvice names the languages that a quarter of the documents or more are in, of those whose language was told, and
// that the model does not know, with what to do about it; "" if there are none.
func (m *Meta) ModelAdvice() string {
	var strange []string
	unknown, all := 0, 0
	for _, l := range m.Languages {
		if l.Language == "" {
			continue
		}
		if all += l.Documents; !m.Model.Knows(l.Language) {
			unknown += l.Documents
			strange = append(strange, l.Language)
		}
	}
	if unknown == 0 || unknown*4 < all {
		return ""
	}
	const shown = 5
	return fmt.Sprintf("the model %s knows %s, and %d of %d documents are %s: words find those, meanings hardly do. Get a model that "+
		"knows them, as with \"kdd model pull %s\", and build with --model %s", m.Model.Name,
		strings.Join(m.Model.Languages[:min(len(m.Model.Languages), shown)], ", "), unknown, all,
		strings.Join(strange[:min(len(strange), shown)], ", "), multilingual, path.Base(multilingual))
}

// StrangeText says whether the model does not know the language of most documents, of those whose language was told.
// Their vectors then say less than their words, whatever language the query is in.
func (m *Meta) StrangeText() bool {
	known, all := 0, 0
	for _, l := range m.Languages {
		if l.Language != "" {
			all += l.Documents
			if m.Model.Knows(l.Language) {
				known += l.Documents
			}
		}
	}
	return known*2 < all
}

// Options are options of the build that shape the artifact, and that nothing else in it says.
type Options struct {
	Drafts      bool     `json:"drafts,omitempty"`       // drafts are compiled too
	FollowLinks bool     `json:"follow_links,omitempty"` // links that leave a folder are followed
	Include     []string `json:"include,omitempty"`      // globs of what is read; none = all
	Exclude     []string `json:"exclude,omitempty"`      // globs of what is not
	SiteURL     string   `json:"site_url,omitempty"`     // links that begin with it are links from a folder's top
	Dialects    []string `json:"dialects,omitempty"`     // generators: "NAME" of all documents, "FOLDER=NAME" of a folder's
	Language    string   `json:"language,omitempty"`     // of documents that neither say nor show theirs
	Graph       string   `json:"graph,omitempty"`        // the part of that name in kdd.yaml
}

// Root is one source folder.
type Root struct {
	Base string `json:"base"` // the folder's own name
}

// Site is a folder whose documents a generator publishes, by whose rules their links and anchors were read.
type Site struct {
	Dialect string `json:"dialect"`          // the generator: "hugo"
	Folder  string `json:"folder,omitempty"` // its path; "" = the top of the sources
	Config  string `json:"config,omitempty"` // path of its configuration; "" = it has none, and was named
	SHA256  string `json:"sha256,omitempty"` // in hex, over what was read of its configuration
}

// Chunker says how text was cut.
type Chunker struct {
	Version int    `json:"version"`
	Unit    string `json:"unit"` // words, wordpieces
	Limit   int    `json:"limit"`
}

// LanguageDocs counts documents by language.
type LanguageDocs struct {
	Language  string `json:"language"` // ISO 639-1; "" = unknown
	Documents int    `json:"documents"`
}

// MainLanguage returns the language of nine documents in ten or more, of a list with the most frequent first; "" if there
// is none. Documents whose language is not known are stemmed as if they were in it.
func MainLanguage(list []LanguageDocs) string {
	all := 0
	for _, l := range list {
		all += l.Documents
	}
	if len(list) > 0 && list[0].Documents*10 >= all*9 {
		return list[0].Language
	}
	return ""
}

// Lengths are the sums of field lengths in tokens, over the rows of each field and over chunks.
type Lengths struct {
	Title  uint64 `json:"title"`  // over documents
	Path   uint64 `json:"path"`   // over sections
	Body   uint64 `json:"body"`   // over chunks
	Link   uint64 `json:"link"`   // over link texts
	Chunks uint64 `json:"chunks"` // over chunks: body + title and path by their weights
}

// Model names the document encoder.
type Model struct {
	Name      string   `json:"name"`
	SHA256    string   `json:"sha256"`
	Graph     string   `json:"graph_sha256,omitempty"` // of the ONNX file; "" for the Go engine
	Dim       int      `json:"dim"`
	Whole     int      `json:"whole_dim,omitempty"` // of the model's own vectors, where these are their first numbers
	MaxTokens int      `json:"max_tokens"`
	Pooling   string   `json:"pooling"`
	Normalize bool     `json:"normalize"`
	Prefix    string   `json:"prefix,omitempty"`       // of documents
	Query     string   `json:"query_prefix,omitempty"` // of queries
	Precision string   `json:"precision"`
	Engine    string   `json:"engine"`              // what made the vectors, as far as they depend on it
	Languages []string `json:"languages,omitempty"` // that it understands; none: not known, so any
	Licence   string   `json:"licence,omitempty"`
	// of queries, where it is another model than that of documents
	QueryModel *QueryModel `json:"query_model,omitempty"`
	Probe      string      `json:"probe,omitempty"` // vectors by which a server's model is known, int8 rows as base64
}

// QueryModel names the model that queries are embedded with, where it is not that of the documents.
type QueryModel struct {
	SHA256       string `json:"sha256"`
	Architecture string `json:"architecture"`         // "static": a table of word vectors
	MaxTokens    int    `json:"max_tokens,omitempty"` // of a query; 0 of a table, which takes any number
	Licence      string `json:"licence,omitempty"`
	Documents    string `json:"documents_tokenizer"` // SHA-256 of the vocabulary of the documents' model
}

// QueryTokens is how many wordpieces of a query are read at most.
func (m *Model) QueryTokens() int {
	if m.QueryModel != nil && m.QueryModel.MaxTokens > 0 {
		return m.QueryModel.MaxTokens
	}
	return m.MaxTokens
}

// Cut returns how many dimensions are kept of the model's vectors, 0 if all are. That of nil is 0.
func (m *Model) Cut() int {
	if m == nil || m.Whole == 0 {
		return 0
	}
	return m.Dim
}

// Knows says whether the model understands texts in a language. A model that names no languages counts as one that
// understands all of them, and so does nil.
func (m *Model) Knows(language string) bool {
	return m == nil || language == "" || len(m.Languages) == 0 || slices.Contains(m.Languages, language)
}

// maxMeta bounds the meta block, so that reading it stays cheap.
const maxMeta = 1 << 20

func parseMeta(b *format.Block) (*Meta, error) {
	if b.Len() > maxMeta {
		return nil, format.Corrupt(tagMeta, "%d bytes, at most %d", b.Len(), maxMeta)
	}
	m := &Meta{Weights: noWeights()}
	if err := json.Unmarshal(b.All(), m); err != nil {
		return nil, format.Corrupt(tagMeta, "%v", err)
	}
	return m, nil
}

// json returns the block's bytes. Lists that are not optional are written even if they are empty, and never as null.
func (m *Meta) json() ([]byte, error) {
	c := *m
	c.Roots, c.Languages, c.EdgeTypes, c.Weights.Calibration = present(c.Roots), present(c.Languages),
		present(c.EdgeTypes), present(c.Weights.Calibration)
	for _, list := range []*[]string{&c.Kinds, &c.ChunkTypes, &c.FoundBy, &c.Severities} {
		*list = present(*list)
	}
	return json.Marshal(&c)
}

func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// meta compares what the meta block counts with the tables, and its form with the writer's.
func (v *verifier) meta() {
	x, m := v.x, v.x.Meta
	if b, err := m.json(); err != nil || !bytes.Equal(b, v.File.Block(tagMeta).All()) {
		v.Add(tagMeta, "it is not JSON in the writer's form")
	}
	if m.SourceBytes != x.Text.total {
		v.Add(tagMeta, "%d bytes of sources, the text has %d", m.SourceBytes, x.Text.total)
	}
	languages, kinds := map[string]int{}, map[string]bool{}
	var sum Lengths
	for d := range DocID(x.docN) {
		languages[x.DocLanguage(d)]++
		kinds[x.DocKind(d)] = true
		title := uint64(x.DocTitleTokens(d))
		sum.Title += title
		from, to := x.DocSections(d)
		for s := from; s < to; s++ {
			path := uint64(x.SectionPathTokens(s))
			sum.Path += path
			a, b := x.SectionChunks(s)
			for c := a; c < b; c++ {
				body := uint64(x.ChunkTokens(c))
				sum.Body += body
				sum.Chunks += body + uint64(m.Weights.Title)*title + uint64(m.Weights.Path)*path
			}
		}
	}
	for i := range uint32(x.LinkTexts()) {
		sum.Link += uint64(x.LinkStats(i).Tokens)
	}
	if sum != m.Lengths {
		v.Add(tagMeta, "lengths %+v, the tables give %+v", m.Lengths, sum)
	}
	told := map[string]int{}
	for _, l := range m.Languages {
		told[l.Language] = l.Documents
	}
	if !maps.Equal(told, languages) {
		v.Add(tagMeta, "documents by language %v, the tables give %v", told, languages)
	}
	if list := slices.Sorted(maps.Keys(kinds)); !slices.Equal(list, m.Kinds) {
		v.Add(tagMeta, "kinds %q, the documents have %q", m.Kinds, list)
	}
	warnings := 0
	for i := range uint32(x.Findings()) {
		if s := x.Finding(i).Severity; slices.Contains(m.Severities[:s+1], "warning") {
			warnings++
		}
	}
	if warnings != m.Warnings {
		v.Add(tagMeta, "%d warnings, there are %d", m.Warnings, warnings)
	}
}

// Rule is a rule that findings come from.
type Rule struct {
	Code     string `json:"code"` // "KDD201"
	Name     string `json:"name"` // "broken-link"
	Severity string `json:"severity"`
	About    string `json:"about"`
}

// ContainsEdge is the type of the edges from a document to its sections and from a section to those below it.
const ContainsEdge = "CONTAINS"

// SupersedesEdge is the type of the edges from a document to the one whose place it takes.
const SupersedesEdge = "SUPERSEDES"

// EdgeType is a row of the edge type table.
type EdgeType struct {
	Name    string  `json:"name"`
	Depends string  `json:"depends"` // which end is touched when the other one changes: DependsFrom or DependsTo
	Weight  float64 `json:"weight"`  // orders what is related
	Impact  string  `json:"impact"`  // ImpactFollow, ImpactDirect or ImpactNo
}

// The values of EdgeType.Depends: the end that is touched when the other one changes.
const (
	DependsFrom = "from" // the origin depends on the target
	DependsTo   = "to"
)

// The values of EdgeType.Impact: what a change makes of an edge.
const (
	ImpactFollow = "follow" // goes on from there
	ImpactDirect = "direct" // counts at distance 1 only
	ImpactNo     = "no"
)

// The values of Coverage.Side: which end of the edge the document is.
const (
	SideOut = "out" // the origin
	SideIn  = "in"  // the target
	SideAny = "any"
)

// Coverage is something that documents of a kind should have: an edge of one of the types.
type Coverage struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"` // "scenarios"
	Edges  []string `json:"edges"`
	Side   string   `json:"side"`             // SideOut, SideIn or SideAny
	Others []string `json:"others,omitempty"` // kinds of the other end; empty = any
}

// Aside is a kind whose documents, or of whose documents some sections, stand behind others where scores are near.
type Aside struct {
	Kind     string   `json:"kind"`
	Headings []string `json:"headings,omitempty"` // of these sections, folded and ascending; empty = whole documents
	Asked    []string `json:"asked,omitempty"`    // words and phrases, folded, by which a query asks for the kind
}

// Orphans counts the edges without a target that have one reason.
type Orphans struct {
	Reason string `json:"reason"`
	Edges  int    `json:"edges"`
}
