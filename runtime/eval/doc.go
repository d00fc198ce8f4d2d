// Package eval measures rankings: it reads questions with their answers, scores the rankings of a system, and computes
// the confidence interval of a difference.
//
//	set, err := eval.Read(eval.Files{Questions: questions, Judgements: judgements})
//	result := eval.Score(set.Questions, run)
//	fmt.Println(result.Document.Mean().NDCG)
//	d := eval.Compare(&result.Document, &older.Document, eval.NDCG)
//
// Questions and judgements are read in three forms, which are told apart by their content: tab-separated values of
// kdd's own, BEIR's JSON lines and TSV, and TREC's files. A run has the answers of a system; it is read in TREC's form
// or as query id, rank, path and anchor. Two baselines need only an artifact: a keyword grep over its text, and plain
// BM25 over its postings.
//
// Excluded paths are those that the words of a question were taken from: they count neither as found nor as relevant.
package eval
