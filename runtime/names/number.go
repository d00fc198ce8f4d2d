package names

import (
	"path"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// The bounds of Numbered.
const (
	minDigits   = 3    // of the number as typed: a shorter one may be that of a chapter or version
	maxDigits   = 7    // of the number as typed
	maxNumbered = 3    // documents: if more begin with a number, it names none of them
	maxWord     = 12   // letters before the number
	maxLooked   = 1000 // names that begin with the number or word
)

// Numbered returns the documents whose file name begins with the number that entity is or ends in:
// 1287-in-place-update.md for KEP-1287, "kep 1287" or 1287; 0012-use-postgres.md for RFC-012. Leading zeros do not
// matter. Dates (2024-05-01-news.md) are no such numbers. With series, the word before the number has to be a name of
// these documents or of others in their folder: "port 2000" and "http 404" are about other things. Call it only for an
// entity that no node is called. Cost: a look at the names that begin with the number; with series also at those that
// begin with the word.
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
				list = append(list, NearMatch{Match: nearly(name), Name: written(x, ordinal, string(key))})
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

// inSeries says that a folded word is the name of documents like this one: its kind, the compiled folder, or a folder
// that the document is in, also in the plural (adrs/0012-use-postgres.md for ADR-0012).
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

// numberedFolders returns the folders of documents that have a folded word and a number as a name: as id, file name,
// alias or beginning of the title, such as KEP-753.
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

// joints are the characters that may be between a word and its number.
const joints = " -_.#"

// numberIn splits a text that is an optional word and a number. It returns "" if the text has another form, or if the
// number has too few or too many digits.
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
