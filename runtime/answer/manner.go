package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/runtime/lazyregexp"
)

// announces says that a text leads to what stands below it.
func announces(s string) bool {
	s = strings.TrimRight(s, "*_ ")
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
}

// asks says that a text is a heading of what is explained elsewhere: "How to ...", "What X is".
func asks(s string) bool {
	lower := bare(s)
	if !inList(askingWords, firstWord(lower)) && !hasPrefix(lower, askingStarts[:]) && !hasSuffix(lower, askingEnds[:]) {
		return false
	}
	return !strings.ContainsAny(s, ",.:;—。、，：；।،؛") || questions(s)
}

// questions says that a text ends with a question mark.
func questions(s string) bool {
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟")
}

// leans says that a sentence begins with a word that stands for what was said before it.
func leans(s string) bool {
	lower := bare(s)
	switch word := firstWord(lower); word {
	case "to", "in", "para", "en":
		return hasPrefix(lower, []string{"to do this", "to do that", "to do it", "in this ", "in that case", "in these cases", "in contrast", "para ello", "para esto", "en este ", "en ese "})
	default:
		return inList(leaningWords, word) || hasPrefix(lower, leaningStarts[:])
	}
}

// subject returns of what a sentence says early what it is: "A ref" of "A ref is an object"; "" for conditions and where no word
// between spaces says so.
func subject(s string) string {
	words := strings.Fields(s)
	for i, w := range words[:min(9, len(words))] {
		if i > 0 && inList(definingWords, strings.ToLower(w)) && !inList(conditionWords, strings.ToLower(words[0])) {
			return strings.Join(words[:i], " ")
		}
	}
	return ""
}

// defines says that a sentence says early what something is.
func defines(s string) bool {
	lower := strings.ToLower(s)
	if subject(lower) != "" {
		return true
	}
	early := lower[:min(earlyBytes, len(lower))]
	for _, middle := range definingMiddles {
		if strings.Contains(early, middle) {
			return true
		}
	}
	lower = bare(lower)
	for _, d := range definingEnds {
		if strings.HasSuffix(lower, d.end) && strings.Contains(lower, d.topic) {
			return true
		}
	}
	return strings.ContainsAny(lower, turkishLetters) && hasSuffix(lower, turkishEnds[:])
}

// points says that a sentence only says where something is to be read.
func points(s string) bool {
	lower := bare(s)
	word := firstWord(lower)
	switch word {
	case "read", "learn", "lee", "lea", "aprende":
		return strings.Contains(lower, " to learn") || strings.Contains(lower, " here") || strings.Contains(lower, " about ") || strings.Contains(lower, " more") ||
			strings.Contains(lower, " how ") || strings.Contains(lower, " para ") || strings.Contains(lower, " cómo ")
	}
	if inList(pointingWords, word) || hasPrefix(lower, pointingStarts[:]) || hasSuffix(lower, pointingEnds[:]) {
		return true
	}
	return hasPrefix(lower, []string{"you can find more", "you can read more", "you can learn more", "for more ", "for more, ", "for details", "for a full ", "for a list of ", "to learn more", "get started ", "this guide ", "this page ", "in this guide", "in this section", "in this chapter", "on this page", "en esta guía", "en esta sección", "esta guía ", "esta página ", "más información", "para más ", "pour en savoir plus", "pour plus d", "per ulteriori ", "para mais ", "weitere informationen", "mehr dazu", "mehr informationen", "daha fazla bilgi", "để biết thêm"}) ||
		strings.Contains(lower, ", see the ") || strings.Contains(lower, ", see [")
}

// supposes says that a sentence only begins an example.
func supposes(s string) bool {
	lower := bare(s)
	return hasPrefix(lower, []string{"say that ", "say you ", "let's say ", "here is ", "here's ", "here are ", "nehmen wir an", "stellen sie sich", "stell dir"}) ||
		inList(supposingWords, firstWord(lower)) || hasPrefix(lower, supposingStarts[:]) || hasSuffix(lower, supposingEnds[:])
}

// reasons says that a sentence gives the reason of what was said before it.
func reasons(s string) bool {
	return hasPrefix(strings.ToLower(s), []string{"this is because ", "that is because ", "that's because ", "esto se debe "})
}

// lacks says that a sentence only tells that something takes or returns nothing.
func lacks(s string) bool { return nothing.MatchString(s) }

var nothing = lazyregexp.New(`(?i)\b(?:does not|doesn't) (?:take|accept|return|have|require) any|\b(?:takes|accepts|returns|has|have) no\b|\breturns .?(?:undefined|nothing|null|void)\b|\bno (?:acepta|recibe|devuelve|tiene) (?:ning|nada)`)

// command says that a text is most likely one line to type: it begins with a small letter, and does not end like a sentence.
func command(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(s, "$ "))
	return unicode.IsLower(r) && !ends(s) && !announces(s) && !strings.ContainsAny(s, "\n`") && strings.Contains(s, " ")
}

// ends says that a sentence ends like one: commands and labels do not.
func ends(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, closers+"` "))
	return strings.ContainsRune(stops, r)
}
