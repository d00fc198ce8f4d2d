// Package units cuts the text of documents into what can stand in an answer: sentences, items, steps, blocks of code and
// rows of tables, each with what its words tell by themselves: that it announces what follows, defines something, or goes
// on with what was said before.
//
//	split    the lines of a section become parts: paragraphs and items by their sentences, tables by their rows
//	marks    the plain text of each part is compared with words and phrases of all languages (data)
//	chunks   each unit goes to the chunk in which it begins
//
// So an answer reads units and cuts none (runtime/answer). The package reads lines of markdown and of Gherkin; what is a
// section, and which text is of one at all, package markdown says.
package units
