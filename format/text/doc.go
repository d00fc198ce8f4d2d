// Package text turns text into terms. The compiler fills the lexicon with it and the runtime reads queries with it, so
// it alone decides what the lexicon means: Version changes whenever any of its output does. ANALYZER.md beside it says
// the same step by step, for another implementation; FORMAT.md has test vectors.
//
// It works in three phases. Tokens cuts text into words: identifiers whole and in parts, scripts without spaces in
// overlapping pairs. Each token carries two forms of the same word: Fold, without case, accents and width, which is
// the term that exact look-up uses; and Lower, which keeps the accents. Stem then maps Lower to the folded stem of a
// language, and StemTerm makes the stem a term of its own that no folded form can equal. A word with accents is a third
// term as it is written, ExactTerm, by which a query that is typed with accents prefers the text that has them.
//
//	analyzer := text.New()
//	for _, token := range analyzer.Tokens(nil, "Los métodos de useState") {
//		add(token.Fold, token.Pos)                       // los, metodos, de, usestate, use, state
//		if !token.Whole {
//			add(text.StemTerm("es", analyzer.Stem("es", token.Lower)), token.Pos)
//		}
//	}
//
// How text is cut:
//
//   - A word is a run of letters, digits and marks. Controls, symbols, emoji and invalid UTF-8 separate words.
//   - An identifier is words joined by one '.', '-' or by '_': foo_bar.baz, well-known, BR-DOCUMENT-001. It is cut
//     at '.', then at '-', then at '_', then where a capital starts a new word (useState, HTTPServer). Each level
//     that really cuts gives a token for the whole, so React.useState gives react.usestate, react, usestate, use and
//     state. A whole has the position of its first part, and the word after it follows its last part.
//   - "@scope/name" is one identifier. Other paths and "a::b" give their parts alone.
//   - "--no-cache" gives the whole "--no-cache" and all that "no-cache" gives; "__init__" the whole "__init__" and
//     "init"; "v1.2.3" the wholes "v1.2.3" and "1.2.3"; "C++" and "C#" the wholes "c++", "c#" and the part "c".
//   - An apostrophe inside a word is dropped from Fold (don't: dont), with a final 's; after an elided French,
//     Italian or Catalan article it separates (l'heure: l, heure).
//   - Han, kana, Hangul and Yi give overlapping pairs of characters; Thai, Lao, Khmer, Burmese, Javanese, Balinese and
//     the Tai scripts pairs of clusters, a consonant with its vowels and signs; a lone one stands alone. The last of a
//     longer run is also a term, marked IndexOnly, so that a prefix scan for one character finds every text that has
//     it. Roles tells which pairs of a query are grammar.
//   - A word of more than maxWordBytes is cut into pieces, and no whole is longer than that.
//
// What is folded, beside case, width and compatibility forms (ﬁ, ①, ㎏, Ⅳ): accents of Latin and Greek, ß to ss, æ to
// ae, final sigma, ё to е, dotless i to i, Arabic alef forms, tatweel and harakat, Hebrew points, nukta and
// chandrabindu. ä folds to a, and not to ae, since more people leave the dots out than write ae; the German stem takes
// Groesse for Größe none the less, as the Danish and Norwegian ones take soege and faa for søge and få.
//
// Where a sentence ends is here too, though no term depends on it: SentenceRules, for chunks, answers and samples.
//
// It does not segment Chinese or Japanese into words, tell simplified from traditional Chinese, decompound German, take
// the articles and prepositions off Hebrew words, or look up synonyms.
package text
