package names

import (
	"path"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// The bounds of Numbered: a number of fewer digits as it is typed may be a chapter's or a version's, and one that more
// documents begin with names none.
const (
	minDigits   = 3
	maxDigits   = 7
	maxNumbered = 3
	maxWord     = 12   // letters before the number
	maxLooked   = 1000 // names that begin with it
)

// Numbered returns the documents whose file begins with the number that entity is or ends in: 1287-in-place-update.md
// for KEP-1287, "kep 1287" or 1287, 0012-use-postgres.md for RFC-012. Zeros at its beginning do not matter. Dates
// (2024-05-01-news.md) are no such numbers. With series the word before the number has to be what these documents, or
// others in their folder, are called: "port 2000" and "http 404" are about other things. It is for what nothing is
// called. Cost: a look at the names that begin with the number, with series at those that begin with the word.
func Numbered(x *index.Index, entity string, series bool) []NearMatch {
	word, number := numberIn(text.Fold(strings.TrimSpace(entity)))
	if number == "" {
		return nil
	}
	var list []NearMatch
	looked := 0
	bare := strings.TrimLeft(number, "0")
	for width := len(bare); bare != "" && width <= max(len(number), 4); width++ {
		head := strings.Repeat("0", width-len(bare)) + bare
		for ordinal, key := range x.NameDict().Prefix(head) {
			rest := string(key[len(head):])
			if looked++; looked > maxLooked {
				return nil
			}
			if len(rest) < 2 || !isJoint(rune(rest[0])) || rest[1] >= '0' && rest[1] <= '9' {
				continue
			}
			for _, name := range x.Named(ordinal) {
				known := slices.ContainsFunc(list, func(m NearMatch) bool { return m.Node == name.Node })
				if known || name.Class != index.StemName || !x.NodeIsDoc(name.Node) {
					continue
				}
				if len(list) == maxNumbered {
					return nil
				}
				list = append(list, NearMatch{Match: Match{name.Node, NearName + name.Class}, Name: written(x, ordinal, string(key))})
			}
		}
	}
	if series && word != "" && len(list) > 0 {
		folders := numberedFolders(x, word)
		list = slices.DeleteFunc(list, func(m NearMatch) bool {
			d := x.NodeDoc(m.Node)
			return !folders[path.Dir(x.DocPath(d))] && !inSeries(x, word, d)
		})
	}
	return list
}

// inSeries says that a folded word is what documents like this one are called: its kind, the folder that was compiled
// or one that the document is in, in the plural too (adrs/0012-use-postgres.md for ADR-0012).
func inSeries(x *index.Index, word string, d index.DocID) bool {
	names := strings.Split(path.Dir(x.DocPath(d)), "/")
	if root := x.DocRoot(d); root < len(x.Meta.Roots) {
		names = append(names, x.Meta.Roots[root].Base)
	}
	return slices.ContainsFunc(append(names, x.DocKind(d)), func(name string) bool {
		name = text.Fold(name)
		return name == word || name == word+"s"
	})
}

// numberedFolders returns the folders of documents that are called by a folded word and a number: an id, a file, an
// alias or what the title begins with is KEP-753.
func numberedFolders(x *index.Index, word string) map[string]bool {
	folders := map[string]bool{}
	looked := 0
	for ordinal, key := range x.NameDict().Prefix(word) {
		if looked++; looked > maxLooked {
			break
		}
		rest := strings.TrimLeft(string(key[len(word):]), joints)
		if rest == "" || strings.Trim(rest, "0123456789") != "" {
			continue
		}
		for _, name := range x.Named(ordinal) {
			if name.Class < index.TitleName && x.NodeIsDoc(name.Node) {
				folders[path.Dir(x.DocPath(x.NodeDoc(name.Node)))] = true
			}
		}
	}
	return folders
}

// joints may stand between a word and its number.
const joints = " -_.#"

// numberIn returns the digits of a text that are all of it but for a word before them, and the word; "" if there are
// too few or too many.
func numberIn(text string) (word, number string) {
	at := strings.IndexFunc(text, func(r rune) bool { return r >= '0' && r <= '9' })
	if at < 0 {
		return "", ""
	}
	word, digits := strings.TrimRight(text[:at], joints), text[at:]
	letters := strings.TrimFunc(word, func(r rune) bool { return r >= 'a' && r <= 'z' })
	if letters != "" || len(word) > maxWord || len(digits) < minDigits || len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" {
		return "", ""
	}
	return word, digits
}
