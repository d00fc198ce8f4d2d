package runtime

import (
	"context"

	"kdd/runtime/eval"
	"kdd/runtime/graph"
	"kdd/runtime/names"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// The operations. Each takes and returns plain structs; Operations has their parameters.

// Search finds the sections that answer a query, best first, arranged to be read (see arrange).
//
// Errors: invalid_input for an empty query or a malformed filter, no_vectors, stale_cursor, and those of opening an
// index. No hit is no error. Cost: the postings of the query's words, and one pass over the chunks; Facets and sorting
// by date look at every hit.
func (s *Service) Search(ctx context.Context, q wire.SearchRequest) (*wire.SearchResponse, error) {
	return search.Search(ctx, s.open, q)
}

// FindSpec finds a document by its name: exact node id, front-matter id, file stem, alias and title first, in this
// order, then headings, then what a search finds. Case and accents do not matter.
func (s *Service) FindSpec(ctx context.Context, q wire.FindSpecRequest) (*wire.SearchResponse, error) {
	return search.FindSpec(ctx, s.open, q)
}

// Similar finds the sections that are nearest in meaning to a document, section or chunk, nearest first. Those of its
// own document come after all others, and what is asked about is not among them.
//
// With vectors a section's score is the largest cosine of its chunks with the mean of what is asked about; sections
// below the weight Near are not similar. Nothing is stored for this: comparing every row is exact under each filter,
// which stored neighbours are not, takes a millisecond for 32,768 chunks, and is 2 % of what an answer takes
// (bench/runs/2026-11-21-xeon/neighbours). Without vectors the rarest frequent words are searched for.
//
// Several artifacts answer together where they have vectors of one model; others are left out with a warning.
//
// Errors: not_found with suggestions, invalid_input for a malformed filter. Cost: one pass over the vectors, and over
// the chunks.
func (s *Service) Similar(ctx context.Context, q wire.SimilarRequest) (*wire.SimilarResponse, error) {
	return search.Similar(ctx, s.open, q)
}

// Read returns the markdown of a document, section or chunk (PATH#ANCHOR~N) as it was compiled. Only what the artifact
// holds exists: no file is opened. FILE may hold the anchor, and NAME: before the path where several artifacts answer;
// what is no path may be an id, alias, title or other name.
// Parts begin and end between characters, at the ends of lines where that is near.
//
// Errors: not_found with suggestions, invalid_input for a name that several places have. Cost: unpacking the text that
// is returned, in 64 KiB steps.
func (s *Service) Read(ctx context.Context, q wire.ReadRequest) (*wire.ReadResponse, error) {
	return names.Read(ctx, s.open, q)
}

// List lists documents in order of their paths, of their dates (newest first, undated last) or of their titles. Of
// equal ones the first by path comes first.
//
// Errors: invalid_input for a malformed filter. Cost: the filter's, and the documents that are returned.
func (s *Service) List(ctx context.Context, q wire.ListRequest) (*wire.ListResponse, error) {
	return search.List(ctx, s.open, q)
}

// Related lists what an entity is linked with. The entity may be an id, name, path, alias, title or heading.
//
// Errors: not_found with suggestions; invalid_input for an edge type that the index does not have. Cost: the edges of
// the nodes within the depth.
func (s *Service) Related(ctx context.Context, q wire.RelatedRequest) (*wire.RelatedResponse, error) {
	return graph.Related(ctx, s.open, q)
}

// Impact says what depends on an entity, directly and through others, and which scenarios to run again.
//
// Errors: as Related. Cost: the edges of what depends on it.
func (s *Service) Impact(ctx context.Context, q wire.ImpactRequest) (*wire.ImpactResponse, error) {
	return graph.Impact(ctx, s.open, q)
}

// Context returns the text that matters for hints, which are files, names, ids or words: rules and invariants first,
// then behaviour, then the rest, each with the way from a hint, in at most max_tokens tokens; and what was left out.
// The same request to the same index gives the same bytes.
//
// Errors: invalid_input for no hint or too many. A hint that means nothing is no error. Cost: the edges around the
// hints, and the text of the candidates until the budget is used up.
func (s *Service) Context(ctx context.Context, q wire.ContextRequest) (*wire.ContextResponse, error) {
	return graph.Context(ctx, s.open, q)
}

// Graph returns what lies around a node, or the whole graph: documents and things, and the edges between them, those of
// their sections included. Several artifacts have one graph each: with no node the first is asked.
//
// Errors: as Related. Cost: the edges of the nodes visited.
func (s *Service) Graph(ctx context.Context, q wire.GraphRequest) (*wire.GraphResponse, error) {
	return graph.Graph(ctx, s.open, q)
}

// Coverage says what a node should be related with by its kind, and what of it is there. A section stands for its
// document.
//
// Errors: as Related. Cost: the edges of the node.
func (s *Service) Coverage(ctx context.Context, q wire.CoverageRequest) (*wire.CoverageResponse, error) {
	return graph.Coverage(ctx, s.open, q)
}

// Stats says what the artifacts hold, what made them, and whether their sources changed since, where they are found.
//
// Cost: the tables of edges and findings once, and a stat per source file where the sources are reachable.
func (s *Service) Stats(ctx context.Context, q wire.StatsRequest) (*wire.StatsResponse, error) {
	return opStats(ctx, s.open, q)
}

// Eval asks every question of a set and says how well the artifact answers: by document and by section, in groups,
// beside a keyword grep and plain BM25 over the same artifact, and against an older run or another artifact with the
// interval of the difference. The questions are the request's, else those that the artifact carries.
//
// Errors: invalid_input for a mode, group or gate that there is not, and for several artifacts where none is chosen;
// not_found where there are no questions. Cost: a search for each question, on all processors.
func (s *Service) Eval(ctx context.Context, q wire.EvalRequest) (*wire.EvalReport, error) {
	return eval.Evaluate(ctx, s.open, q)
}

// Complete lists values that begin with what was typed, whatever its case, then those that hold it.
//
// Errors: those of opening. Cost: a look at each document.
func (s *Service) Complete(ctx context.Context, q CompleteRequest) (*Completion, error) {
	return opComplete(ctx, s.open, q)
}

// Lint lists what the build found wrong with the sources, by path and line. A group of rules stands for its rules;
// violations and orphans come with their rate.
//
// Errors: not_found with suggestions for a node, invalid_input for a rule that does not exist. Cost: the findings.
func (s *Service) Lint(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	return graph.Lint(ctx, s.open, s.config.Version, "lint", q)
}

// Violations lists the references from a layer to a higher one, with their rate.
func (s *Service) Violations(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	q.Rules = []string{"violations"}
	return graph.Lint(ctx, s.open, s.config.Version, "violations", q)
}

// Orphans lists the references without a target, with their rate by reason.
func (s *Service) Orphans(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	q.Rules = []string{"orphans"}
	return graph.Lint(ctx, s.open, s.config.Version, "orphans", q)
}

// Ask answers a question with sentences of the documents, or refuses to. Each sentence has a marker and a citation,
// whose quote stands in the lines that the citation names. Whether the documents hold an answer is decided by likeness
// and by the question's words (answer.Weigh), never by a rank. A refusal is no error: it is an answer with Grounded
// false.
//
// With a language model the model writes the answer from the sections that were found, or says that they have none. It
// reads, so it is asked where the evidence alone would not do (answer.Judgement). Its lines are kept only if their
// quotes are in these sections. If the model fails, all is as without one, and a warning says so.
//
// Errors: invalid_input for an empty question or a malformed filter, and those of opening an index. Cost: that of a
// search, and reading a few sections; no artifact is held while a model writes.
func (s *Service) Ask(ctx context.Context, q wire.AskRequest) (*wire.AnswerResponse, error) {
	return s.asker.Ask(ctx, q)
}
