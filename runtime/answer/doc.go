// Package answer makes an answer out of the text that a search found: of its units (sentences, list items, code blocks and
// table rows, as the build has cut them) it picks those that answer a question, writes them down with a marker each, and
// says how good the evidence is, so that a question that the documents do not answer is refused.
//
// It is pure: it knows neither artifacts nor the network. What it quotes are byte ranges of the text it was given.
//
//	judged := answer.Weigh(answer.Gather(question, passages)) // whether there is an answer at all
//	picked := answer.Pick(question, passages, 0)                   // sentences, items, code, rows, each a range of text
//	text, quotes := answer.Write(picked, passages, "en")               // "It returns a pair. [1]", and what [1] quotes
//
// It writes no sentence of its own into an answer (below a table it says how many rows are left out), and does not resolve what "it" and "this" mean.
package answer
