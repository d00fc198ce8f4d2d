// Package ask answers questions from what a search finds: with sentences of the documents (package answer) or by a
// language model whose quotes are checked (package generate), or refuses.
package ask
