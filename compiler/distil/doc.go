// Package distil learns the query encoder that a build puts into its artifact: a row for each wordpiece and for
// frequent pairs of them, so that the normalised sum of a text's rows lies where the document encoder puts the text.
//
//	sentences := distil.Sentences(bodies, distil.Defaults().SentenceCount)
//	block, report, err := distil.Train(ctx, &distil.Input{…}, nil)
//	table, err := encoder.OpenTable(block)
//
// The lesson is a ridge regression. Its texts are the chunks, whose vectors the build has anyway, and some thousand
// sentences out of them, which are short as queries are and which the document encoder embeds for it. Train goes
// through four phases: columns (which wordpieces and pairs there are, and what each weighs), the sparse matrix of the
// texts, the solution by Chebyshev's iteration, and the table's bytes.
//
// Equal input gives equal bytes at any GOMAXPROCS and on any processor: the columns of the solution do not depend on
// each other, and goroutines share them out; no sum is ever split, and a conversion keeps each product that is added
// from being fused with the sum, which processors do differently.
//
// The package evaluates no transformer and knows no files. It is given the vectors and a function for those of
// sentences.
package distil
