package text

import (
	"slices"
	"strings"
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

// hangulParticles are what may follow a noun, the longer before the shorter, and the endings of the verbs that are made of
// nouns with 하다 and 되다. Those in hangulSure are hardly ever the end of a noun themselves.
var (
	hangulParticles = strings.Fields("에서부터 으로부터 이라는 이라고 하려면 하십시오 합니다 됩니다 입니다 하는지 되는지 인가요 하나요 되나요 했습니다 " +
		"에서 에게 으로 까지 부터 처럼 보다 마다 이나 에는 에도 와의 과의 로는 로의 하는 하기 하면 하고 하여 해서 했다 한다 되는 되면 된다 되어 인지 할때 라는 라고 " +
		"을 를 은 는 이 가 의 에 와 과 로 도 만 할 한 된 될 인")
	hangulSure  = strings.Fields("에서 에게 으로 까지 부터 처럼 마다 에는 에도")
	hangulWords = strings.Fields("어떻게 어떤 어디 어디서 어디에 어디에서 언제 왜 무엇 무엇을 무엇이 무엇인가요 무슨 누가 얼마나 있는 있나요 있습니까 있다 " +
		"없는 없다 하는 하나요 하나 합니까 되는 되나요 대한 대해 위한 위해 때 및 또는 그리고 모든 이 그 저 것 수 할 한 해야")
)

// korean tells the roles in a run of Hangul syllables. A noun keeps two syllables, or one before a particle that is sure; a
// run that is attached to a word in another script (API에서) may be a particle alone.
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
	word := string(syllables)
	if slices.Contains(hangulWords, word) || attached && slices.Contains(hangulParticles, word) {
		for i := range roles {
			roles[i] = Grammar
		}
		return
	}
	const syllable = 3 // bytes
	root := len(syllables)
	for range 2 {
		for _, p := range hangulParticles {
			n := len(p) / syllable
			if root-n >= 2 && strings.HasSuffix(word[:root*syllable], p) {
				root -= n
				break
			}
		}
	}
	if len(syllables) >= 3 && root == len(syllables) {
		for _, p := range hangulSure {
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

// isGrammar reports whether a pair of Japanese or Chinese characters is grammar: two hiragana, a hiragana particle beside
// another script, or a Chinese function word. A lone character never is: it may be all that was asked.
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
	switch fold {
	case "什么", "怎么", "怎样", "如何", "哪里", "哪个", "哪些", "可以", "我们", "是否", "为了", "什麼", "怎麼", "怎樣", "哪裡", "我們", "為了":
		return true
	}
	return strings.ContainsRune("的吗呢吧么嗎麼", first) || strings.ContainsRune("的了吗呢吧么嗎麼", second)
}

func isHiragana(r rune) bool { return r >= 0x3041 && r <= 0x309F }

// isKanaParticle reports whether a hiragana between words of other scripts is likely to be a particle.
func isKanaParticle(r rune) bool { return strings.ContainsRune("をのにはがとでもへやな", r) }
