package text

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Role is what a token of a query is likely to do in its sentence.
type Role uint8

// The roles. They are told for scripts without spaces alone, where a stop word cannot be seen as a word.
const (
	Subject  Role = iota // what the query is about
	Grammar              // a particle, an ending, a function word, or the seam between one and a noun
	Particle             // a whole run of two Hangul syllables whose second is a particle: its first is the noun
	Perhaps              // such a run whose second may as well be part of the noun
)

// Roles returns the role of each of the tokens of a query in a language.
//
// A Korean noun carries its particle (서버를, 서버에서) and so the pairs at its end differ from text to text, as do the
// endings of verbs; in Japanese the particles are hiragana between nouns (設定を変更する), in Chinese a few characters
// (我的, 什么). It looks for those from short lists, and takes for a noun what is left.
func Roles(lang Lang, tokens []Token) []Role {
	roles := make([]Role, len(tokens))
	for i := 0; i < len(tokens); {
		if !tokens[i].CJK {
			i++
			continue
		}
		end := i + 1
		for end < len(tokens) && tokens[end].CJK && tokens[end].Start < tokens[end-1].End {
			end++
		}
		attached := i > 0 && tokens[i-1].End == tokens[i].Start // to a word in another script
		korean(tokens[i:end], roles[i:end], attached)
		for k := i; k < end; k++ {
			if isGrammar(lang, tokens[k].Fold) {
				roles[k] = Grammar
			}
		}
		i = end
	}
	return roles
}

// hangul has what stands beside Korean nouns: particles and grammar words, as data/README.md explains them.
var hangul = sync.OnceValue(func() (h struct{ particles, sure, words []string }) {
	h.particles = strings.Fields(list("ko", particles))
	h.sure = strings.Fields(list("ko", sureParticles))
	h.words = strings.Fields(list("ko", grammarWords))
	return h
})

// korean tells the roles in a run of Hangul syllables. A noun keeps two syllables, or one before a particle that is
// sure; a run that is attached to a word in another script (API에서) may be a particle alone.
func korean(tokens []Token, roles []Role, attached bool) {
	var syllables []rune
	for i := range tokens {
		first, size := utf8.DecodeRuneInString(tokens[i].Fold)
		syllables = append(syllables, first)
		if i == len(tokens)-1 && !tokens[i].Lone {
			second, _ := utf8.DecodeRuneInString(tokens[i].Fold[size:])
			syllables = append(syllables, second)
		}
	}
	for _, r := range syllables {
		if r < 0xAC00 || r > 0xD7A3 {
			return
		}
	}
	known, word := hangul(), string(syllables)
	if slices.Contains(known.words, word) || attached && slices.Contains(known.particles, word) {
		for i := range roles {
			roles[i] = Grammar
		}
		return
	}
	const syllable = 3 // bytes
	root := len(syllables)
	for range 2 {
		for _, p := range known.particles {
			n := len(p) / syllable
			if root-n >= 2 && strings.HasSuffix(word[:root*syllable], p) {
				root -= n
				break
			}
		}
	}
	if len(syllables) >= 3 && root == len(syllables) {
		for _, p := range known.sure {
			if len(syllables) == 1+len(p)/syllable && strings.HasSuffix(word, p) {
				root = 1
			}
		}
	}
	for i := range tokens {
		if i+1 >= root && root < len(syllables) {
			roles[i] = Grammar
		}
	}
	switch {
	case root == 1 && len(syllables) > 1:
		roles[0] = Particle
	case len(syllables) == 2 && (syllables[1] == '을' || syllables[1] == '를'):
		roles[0] = Particle
	case len(syllables) == 2 && strings.ContainsRune("은는이가의에와과로도만", syllables[1]):
		roles[0] = Perhaps
	}
}

// isGrammar reports whether a pair of Japanese or Chinese characters is grammar: two hiragana, a hiragana particle
// beside another script, or a Chinese function word. A lone character never is: it may be all that was asked.
func isGrammar(lang Lang, fold string) bool {
	first, size := utf8.DecodeRuneInString(fold)
	second, _ := utf8.DecodeRuneInString(fold[size:])
	if size == len(fold) {
		return false
	}
	switch a, b := isHiragana(first), isHiragana(second); {
	case a && b:
		return true
	case a:
		return isKanaParticle(first)
	case b:
		return isKanaParticle(second)
	case lang != "zh":
		return false
	}
	return inList(list("zh", grammarWords), fold) || strings.ContainsRune(list("zh", firstCharacters), first) ||
		strings.ContainsRune(list("zh", secondCharacters), second)
}

func isHiragana(r rune) bool { return r >= 0x3041 && r <= 0x309F }

// isKanaParticle reports whether a hiragana between words of other scripts is likely to be a particle.
func isKanaParticle(r rune) bool { return strings.ContainsRune(list("ja", particles), r) }
