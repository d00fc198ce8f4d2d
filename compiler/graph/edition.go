package graph

import (
	"strings"

	"golang.org/x/text/language"
)

// sameElsewhere reports whether two paths are the same page in two versions or languages of a site. What follows a
// version's folder, such as version-2.1, is the other's end; a language's folder, such as pt-br, is left out of the
// other, or is another language's there.
func sameElsewhere(a, b string) bool {
	return followsEdition(a, b) || followsEdition(b, a)
}

func followsEdition(a, b string) bool {
	segments := strings.Split(a, "/")
	for i, s := range segments[:len(segments)-1] {
		version, lang := isVersion(s), isLanguage(s)
		if !version && !lang {
			continue
		}
		rest := strings.Join(segments[i+1:], "/")
		if version && (b == rest || strings.HasSuffix(b, "/"+rest)) {
			return true
		}
		if lang {
			other, found := strings.CutPrefix(b, strings.Join(append(segments[:i:i], ""), "/"))
			if first, after, _ := strings.Cut(other, "/"); found && (other == rest || after == rest && isLanguage(first)) {
				return true
			}
		}
	}
	return false
}

// isVersion reports whether a folder's name is a version's: version-1, v2, 3.1, 4.x.
func isVersion(name string) bool {
	name = strings.ToLower(name)
	rest, found := strings.CutPrefix(name, "version-")
	if !found {
		rest, found = strings.CutPrefix(name, "v")
	}
	if rest == "" || !isDigit(rest[0]) || !found && strings.IndexByte(rest, '.') < 0 {
		return false
	}
	return strings.Trim(rest, "0123456789.x") == ""
}

// isLanguage reports whether a folder's name is a language's tag: es, pt-br, zh-Hans. It begins with a code of ISO
// 639-1: ui and db are none.
func isLanguage(name string) bool {
	code, region, found := strings.Cut(name, "-")
	if len(code) != 2 || found && (len(region) != 2 && len(region) != 4 || !isLetter(region[0]) || !isLetter(region[1])) {
		return false
	}
	_, err := language.ParseBase(code)
	return err == nil
}
