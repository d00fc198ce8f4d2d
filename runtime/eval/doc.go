// Package eval measures rankings: it reads questions with their answers, scores what a system ranked for them, and
// draws the interval of a difference.
//
//	set, err := eval.Read(eval.Files{Questions: questions, Judgements: judgements})
//	result := eval.Score(set.Questions, run)
//	fmt.Println(result.Document.Mean().NDCG)
//	d := eval.Compare(&result.Document, &older.Document, eval.NDCG)
//
// Questions and judgements come as tab-separated values, as the folders that kdd is developed with have them, as BEIR's
// JSON lines and TSV, and as TREC's files; what a file is is seen from its content. A run is what a system answered; it
// is read in TREC's form or as query id, rank, path and anchor. Two baselines need nothing but an artifact: a keyword
// grep over its text, and plain BM25 over its postings.
//
// Excluded paths are those that a question's words were taken from: they count neither as found nor as relevant. The
// package does not search; runtime.Service.Eval does, with it.
package eval
