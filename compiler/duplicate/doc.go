// Package duplicate finds the chunks that say nearly the same, so that a search shows one of them and names the others.
//
// Two texts are near duplicates if the sets of their shingles, runs of three words, have a Jaccard similarity of at
// least 0.8 (Broder 1997, On the resemblance and containment of documents). The texts are what is embedded, with title
// and headings: a sentence below two headings is two things, a page that stands in two folders is one.
//
// Phases: shingle all texts (parallel), keep the smallest hashes of each as a sketch, and put each text, in order, into
// the group of the first text it is close to. Sketches only say what to compare: every pair that is grouped was
// compared in full. A group is a leader and what is near it, never a chain of small steps.
//
// It does not look at meaning: a translation, or the same said in other words, is no duplicate.
package duplicate
