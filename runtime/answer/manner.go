package answer

import (
	"strings"
	"unicode/utf8"

	"kdd/runtime/lazyregexp"
)

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
	case "this", "these", "it", "they", "that", "those", "however", "but", "so", "then", "also", "and", "instead", "otherwise", "similarly", "likewise", "esto", "este", "esta", "estos", "estas", "además", "sin", "pero", "así":
		return true
	case "to", "in", "para", "en":
		lower := strings.ToLower(s)
		for _, phrase := range [...]string{"to do this", "to do that", "to do it", "in this ", "in that case", "in these cases", "in contrast", "para ello", "para esto", "en este ", "en ese "} {
			if strings.HasPrefix(lower, phrase) {
				return true
			}
		}
	}
	return false
}

// defines says that a sentence says early what something is.
func defines(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words[:min(9, len(words))] {
		switch w {
		case "is", "are", "means", "lets", "enables", "returns", "represents", "refers", "describes", "contains", "es", "son", "significa", "representa", "contiene", "define", "ist", "sind":
			return i > 0
		}
	}
	return false
}

// points says that a sentence only says where something is to be read.
func points(s string) bool {
	lower := strings.ToLower(strings.TrimLeft(s, "*_([\"¿¡"))
	word, _, _ := strings.Cut(lower, " ")
	switch strings.Trim(word, ",*_") {
	case "see", "check", "refer", "visit", "véase", "véanse", "ver", "consulta", "consulte", "siehe", "voir":
		return true
	case "read", "learn", "lee", "lea", "aprende":
		return strings.Contains(lower, " to learn") || strings.Contains(lower, " here") || strings.Contains(lower, " about ") || strings.Contains(lower, " more") ||
			strings.Contains(lower, " how ") || strings.Contains(lower, " para ") || strings.Contains(lower, " cómo ")
	}
	for _, phrase := range [...]string{"you can find more", "you can read more", "you can learn more", "for more ", "for details", "for a full ", "for a list of ", "to learn more", "get started ", "más información", "para más "} {
		if strings.HasPrefix(lower, phrase) {
			return true
		}
	}
	return strings.Contains(lower, ", see the ") || strings.Contains(lower, ", see [")
}

// supposes says that a sentence only begins an example.
func supposes(s string) bool {
	lower := strings.ToLower(s)
	for _, phrase := range [...]string{"consider ", "suppose ", "imagine ", "say that ", "say you ", "let's say ", "here is ", "here's ", "here are ", "supón ", "supongamos ", "imagina ", "considera "} {
		if strings.HasPrefix(lower, phrase) {
			return true
		}
	}
	return false
}

// reasons says that a sentence gives the reason of what was said before it.
func reasons(s string) bool {
	lower := strings.ToLower(s)
	return strings.HasPrefix(lower, "this is because ") || strings.HasPrefix(lower, "that is because ") || strings.HasPrefix(lower, "that's because ") || strings.HasPrefix(lower, "esto se debe ")
}

// lacks says that a sentence only tells that something takes or returns nothing.
func lacks(s string) bool { return nothing.MatchString(s) }

var nothing = lazyregexp.New(`(?i)\b(?:does not|doesn't) (?:take|accept|return|have|require) any|\b(?:takes|accepts|returns|has|have) no\b|\breturns .?(?:undefined|nothing|null|void)\b|\bno (?:acepta|recibe|devuelve|tiene) (?:ning|nada)`)

// ends says that a sentence ends like one: commands and labels do not.
func ends(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "*_\"')”’»` "))
	return strings.ContainsRune(".!?…。！？", r)
}
