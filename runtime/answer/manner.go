package answer

import "strings"

// announces says that a text leads to what stands below it.
func announces(s string) bool { return strings.HasSuffix(strings.TrimRight(s, "*_ "), ":") }

// asks says that a text is a heading of what is explained elsewhere: "How to ...", "What X is".
func asks(s string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(s, "*_¿\"")), " ")
	switch word {
	case "how", "what", "why", "when", "where", "which", "cómo", "qué", "cuándo", "cuál", "dónde":
		return !strings.ContainsAny(s, ",.:;—") || strings.HasSuffix(s, "?")
	}
	return false
}

// leans says that a sentence begins with a word that stands for what was said before it.
func leans(s string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(s, "*_")), " ")
	switch strings.TrimRight(word, ",") {
	case "this", "these", "it", "they", "that", "those", "however", "but", "so", "then", "also", "and", "instead", "otherwise", "esto", "este", "esta", "estos", "estas", "además", "sin", "pero", "así":
		return true
	}
	return false
}

// defines says that a sentence says early what something is.
func defines(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words[:min(9, len(words))] {
		switch w {
		case "is", "are", "means", "lets", "returns", "represents", "refers", "describes", "contains", "es", "son", "significa", "representa", "contiene", "define", "ist", "sind":
			return i > 0
		}
	}
	return false
}
