package runtime

import (
	"context"

	"kdd/runtime/eval"
	"kdd/runtime/graph"
	"kdd/runtime/names"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// Here are the methods of Service for the operations. Each calls the package that does the work; Operations has their
// parameters.

// Search finds the sections that answer a query, best first. Near duplicates, and the third and later section of one
// document, step back (see search.Search).
//
// Errors: invalid_input for an empty query or a malformed filter, no_vectors, stale_cursor, and the errors of opening
// an index. If nothing is found, that is no error. Cost: the postings of the query's words, and one pass over the
// chunks. Facets look at every document with a word of the query; sorting by date at the dates of those that may be
// good enough, and at the newest of them. What a query may cost is bounded: a warning names what was left out of it.
func (s *Service) Search(ctx context.Context, q wire.SearchRequest) (*wire.SearchResponse, error) {
	if q.Mode == search.ModeLexical {
		return search.Search(ctx, s.openPlain, q)
	}
	return search.Search(ctx, s.open, q)
}

// FindSpec finds a document by its name. Exact matches come first: node id, front-matter id, file name without
// extension, alias, title, heading, in this order. Then come the hits of a search. Case and accents do not matter.
func (s *Service) FindSpec(ctx context.Context, q wire.FindSpecRequest) (*wire.SearchResponse, error) {
	return search.FindSpec(ctx, s.open, q)
}

// Similar finds the sections that are nearest in meaning to a document, section or chunk, nearest first. Sections of
// the same document come after all others. The document, section or chunk itself is not listed.
//
// With vectors, a section's score is the largest cosine between its chunks and the mean of the given text's chunks;
// sections below the weight Near are not similar. Neighbours are not stored in the file: comparing every row is exact
// under each filter, which stored neighbours are not, takes a millisecond for 32,768 chunks, and is 2 % of the time of
// an answer (bench/runs/2026-11-21-xeon/neighbours). Without vectors, it searches for the most typical words of the
// text.
//
// Several artifacts answer together if they have vectors of one model; others are left out with a warning.
//
// Errors: not_found with suggestions, invalid_input for a malformed filter. Cost: one pass over the vectors, and over
// the chunks.
func (s *Service) Similar(ctx context.Context, q wire.SimilarRequest) (*wire.SimilarResponse, error) {
	return search.Similar(ctx, s.open, q)
}

// Read returns the markdown of a document, section or chunk (PATH#ANCHOR~N) as it was compiled. The text comes from the
// artifact; no other file is opened. File may hold the anchor, and NAME: before the path if several artifacts answer.
// If it is not a path, it may be an id, alias, title or other name. A part of a long text begins and ends between
// characters, and at the end of a line if one is near.
//
// Errors: not_found with suggestions, invalid_input for a name that several places have. Cost: unpacking the text that
// is returned, in 64 KiB steps.
func (s *Service) Read(ctx context.Context, q wire.ReadRequest) (*wire.ReadResponse, error) {
	return names.Read(ctx, s.openPlain, q)
}

// List lists documents by path, by date (newest first, undated last) or by title. Documents with equal dates or titles
// are sorted by path.
//
// Errors: invalid_input for a malformed filter. Cost: that of the filter, and the documents that are returned.
func (s *Service) List(ctx context.Context, q wire.ListRequest) (*wire.ListResponse, error) {
	return search.List(ctx, s.openPlain, q)
}

// Related lists the nodes that an entity is linked with. The entity may be an id, name, path, alias, title or heading.
//
// Errors: not_found with suggestions; invalid_input for an edge type that the index does not have. Cost: the edges of
// the nodes within the depth.
func (s *Service) Related(ctx context.Context, q wire.RelatedRequest) (*wire.RelatedResponse, error) {
	return graph.Related(ctx, s.openWidePlain, q)
}

// Impact lists what depends on an entity, directly and through others, and which scenarios to run again.
//
// Errors: as Related. Cost: the edges of the nodes that depend on it.
func (s *Service) Impact(ctx context.Context, q wire.ImpactRequest) (*wire.ImpactResponse, error) {
	return graph.Impact(ctx, s.openWidePlain, q)
}

// Context returns the text that matters for hints, which are files, names, ids or words: rules and invariants first,
// then behaviour, then the rest, each with the path of edges from a hint. The text has at most max_tokens tokens; the
// answer names what was left out. The same request to the same index gives the same bytes.
//
// Errors: invalid_input for no hint or too many. An unknown hint is no error. Cost: the edges around the hints, and the
// text of the candidates until the budget is used up.
func (s *Service) Context(ctx context.Context, q wire.ContextRequest) (*wire.ContextResponse, error) {
	return graph.Context(ctx, s.openWide, q)
}

// Graph returns the nodes around a node, or the whole graph: documents and extra nodes, and the edges between them,
// including those of their sections. Each artifact has a graph of its own: without a node, the answer is the graph of
// the first artifact.
//
// Errors: as Related. Cost: the edges of the nodes visited.
func (s *Service) Graph(ctx context.Context, q wire.GraphRequest) (*wire.GraphResponse, error) {
	return graph.Graph(ctx, s.openWidePlain, q)
}

// Coverage lists the relations that a node of its kind should have, and which of them exist. A section stands for its
// document.
//
// Errors: as Related. Cost: the edges of the node.
func (s *Service) Coverage(ctx context.Context, q wire.CoverageRequest) (*wire.CoverageResponse, error) {
	return graph.Coverage(ctx, s.openWidePlain, q)
}

// Stats says what the artifacts hold, what made them, and, if the sources are found, whether they changed since.
//
// Cost: the tables of edges and findings once, and a stat per source file that is found.
func (s *Service) Stats(ctx context.Context, q wire.StatsRequest) (*wire.StatsResponse, error) {
	return stats(ctx, s.openWidePlain, q)
}

// Eval asks every question of a set and measures how well the artifact answers: by document and by section, in groups,
// beside a keyword grep and plain BM25 over the same artifact, and against an older run or another artifact with the
// confidence interval of the difference. The questions come from the request, else from the artifact.
//
// Errors: invalid_input for an unknown mode, group or gate, and for several artifacts of which none is chosen;
// not_found if there are no questions. Cost: a search for each question, on all processors.
func (s *Service) Eval(ctx context.Context, q wire.EvalRequest) (*wire.EvalReport, error) {
	return eval.Evaluate(ctx, s.openWide, q)
}

// Complete lists values that begin with the typed text, then values that contain it, ignoring case.
//
// Errors: those of opening an index. Cost: a look at each document.
func (s *Service) Complete(ctx context.Context, q CompleteRequest) (*Completion, error) {
	return complete(ctx, s.openPlain, q)
}

// Lint lists what the build found wrong with the sources, by path and line. A group of rules may be named for all of
// its rules; the groups violations and orphans come with their rate.
//
// Errors: not_found with suggestions for a node, invalid_input for an unknown rule. Cost: the findings.
func (s *Service) Lint(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	return graph.Lint(ctx, s.openWidePlain, s.config.Version, "lint", q)
}

// Violations lists the references from a layer to a higher one, with their rate.
func (s *Service) Violations(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	q.Rules = []string{"violations"}
	return graph.Lint(ctx, s.openWidePlain, s.config.Version, "violations", q)
}

// Orphans lists the references that have no target, with their rate by reason.
func (s *Service) Orphans(ctx context.Context, q wire.LintRequest) (*wire.LintReport, error) {
	q.Rules = []string{"orphans"}
	return graph.Lint(ctx, s.openWidePlain, s.config.Version, "orphans", q)
}

// Ask answers a question with sentences of the documents, names the sections that may answer it, or refuses to. Each
// sentence has a marker and a citation; the citation's quote is in the lines that it names. Similarity and the
// question's words decide whether the documents have an answer (answer.Weigh), never a rank. Outcome tells the three
// apart; none is an error.
//
// With a language model, the model writes the answer from the sections that were found, or says that they have none.
// The model is also asked when the evidence alone is too weak for an answer (answer.Judgement), since it reads the
// text. Its lines are kept only if their quotes are in these sections. If the model fails, the answer is made without
// it, and a warning says so.
//
// Errors: invalid_input for an empty question or a malformed filter, and the errors of opening an index. Cost: that of
// a search, and reading a few sections; no artifact is kept open while a model writes.
func (s *Service) Ask(ctx context.Context, q wire.AskRequest) (*wire.AnswerResponse, error) {
	return s.asker.Ask(ctx, q)
}
