package answer

import (
	"strings"

	"kdd/runtime/lazyregexp"
)

// Form is what kind of answer a question asks for.
type Form uint8

// The forms of answers.
const (
	Plain      Form = iota
	Definition      // what something is
	HowTo           // steps, or what to write
	Listing         // which there are
	Example         // code
)

// form is how questions for one kind of answer are put.
type form struct {
	form Form
	is   *lazyregexp.Regexp
}

var forms = []form{
	{Example, lazyregexp.New(`(?i)\b(?:examples?|syntax|snippet|sample|ejemplos?|sintaxis|beispiele?|exemples?)\b`)},
	{HowTo, lazyregexp.New(`(?i)^\W*(?:how (?:do|can|could|should|would|to|does one)\b|steps?\b|what (?:are )?the (?:\w+ )?steps\b|c[oó]mo (?:se |puedo |hago |debo |configur|instal|us|cre)|qu[eé] pasos|(?:cu[aá]les son los )?pasos\b|wie (?:kann|mache|erstelle|füge)|comment\b)`)},
	{Listing, lazyregexp.New(`(?i)^\W*what are (?:the|all|some|your|these|those|valid|possible|available|allowed|supported|accepted|required|different|other|common)\b`)},
	{Definition, lazyregexp.New(`(?i)^\W*(?:what(?:'s| is| does)\b|what are (?:[\w-]+ )?[\w-]+\W*$|define\b|qu[eé] (?:es|son|hace|dice|significa|representa)\b|was (?:ist|sind)\b|qu'est-ce)`)},
	{Listing, lazyregexp.New(`(?i)^\W*(?:which\b|what (?:are|(?:[\w-]+ ){0,3}[\w-]+s (?:are|does|do|can|is|have))\b|(?:list|name) (?:all|the|of)\b|cu[aá]les\b|qu[eé] \p{L}+s\b|quién(?:es)?\b|welche\b|quels?\b|(?:lista|enumera)\b)`)},
}

// otherForms are those of more languages; \b knows ASCII letters alone. A question begins with one of the first group, or has one of
// the second, which languages have that ask at the end or write no spaces.
var otherForms = []form{
	{Example, otherForm(``,
		`exemplos?|esempi(?:o|a)?|voorbeeld(?:en)?|exempel|eksempel|przykład(?:y|u)?|příklad(?:y|u)?|exempl[eu]|örne(?:k|ği|kleri)|ví dụ|contoh|`+
			`пример(?:а|ы|ов)?|приклад(?:и|у|ів)?|παράδειγμα|παραδείγματα|مثال|أمثلة|نمونه|דוגמה|דוגמאות|उदाहरण`,
		`예제|예시|コード例|の例|例を|サンプル|示例|例子|范例|範例|ตัวอย่าง`)},
	{Definition, otherForm(
		`qu['’]est[- ]ce|c['’]est quoi|que (?:signifie|fait|représente)|(?:che )?cos(?:a (?:è|e'|sono|significa|fa)|['’]?[èe])|o que (?:é|são|sao|e|significa|faz)|que é|`+
			`was (?:bedeutet|macht|heißt)|wat (?:is|zijn|betekent)|vad är|hvad er|hva er|c[oz]ym? (?:jest|są)|co (?:to (?:jest|są)|znaczy|je|jsou)|ce (?:este|e|sunt|înseamnă)|`+
			`что (?:такое|значит|означает|делает)|що (?:таке|означає|робить)|какво (?:е|са|представлява|означава)|τι (?:είναι|σημαίνει|κάνει)|`+
			`ما (?:هو|هي|هم|معنى|المقصود)|ماذا (?:يعني|تعني)|מה (?:זה|זו|זאת|הוא|היא|הם)|מהו|מהי|apa (?:itu|yang dimaksud)`,
		`là gì|la gi|nedir|nelerdir|ne demek(?:tir)?|ne işe yarar|\S+ क्या (?:है|हैं|होता|होती|होते)|چیست|یعنی چه|啥意思`,
		`是什[么麼][?？。]*$|とは何|とはなん|とは(?:[?？。]|$)|って(?:何|なに|なん)|(?:^|[^为為])什[么麼]是|何[谓謂]|什[么麼]意思|(?:이?란|이|가|은|는)? ?(?:무엇(?:인가|이|입|일|인지)|뭐(?:예|야|에|지|죠)|뭔가요)|\p{Hangul}란(?:[?？]|$)|คืออะไร|หมายถึงอะไร`)},
	{HowTo, otherForm(
		`come (?:si|posso|faccio|devo|\p{L}+[aei]r[aei]?)|como (?:eu |se )?(?:posso|faço|devo|\p{L}+[aei]r)|hoe (?:kan|moet|\p{L}+) (?:ik|je|men)|`+
			`wie (?:\p{L}+) (?:ich|man|wir)|hur (?:\p{L}+) (?:jag|man)|hvordan|jak (?:\p{L}+ć|\p{L}+t|mogę|mohu)|cum (?:pot|se|să|fac)|làm (?:thế nào|sao)|lam the nao|cách|bagaimana (?:cara|saya)|cara|`+
			`как (?:\p{L}+ть(?:ся)?|\p{L}+ти|мне|можно|лучше|да|мога)|як (?:\p{L}+т[иь](?:ся)?|мені|можна)|π[ωώ]ς|كيف|كيفية|چگونه|چطور|איך|כיצד`,
		`nasıl|कैसे`,
		`どうすれば|どうやって|やり方|方法|にはどう|するには|するには|如何|怎[么麼样樣]|步[骤驟]|어떻게|방법|하려면|อย่างไร|ยังไง|วิธี`)},
	{Listing, otherForm(
		`quelles|quali|quais|vilka|hvilke|jakie|które|jaké|které|ce fel de|какие|какви|перечисли(?:те)?|які|перелічи|ποι(?:α|ες|οι)|اذكر|ما أنواع|liệt kê|apa saja`,
		`hangi|hangileri|những \S+ nào|कौन(?:-कौन)? (?:से|सी)`,
		`有哪些|哪些|哪几[个種种]|列出|列表|どんな|どのような|一覧|種類|어떤 \S+(?:이|가) 있|종류|목록|มีอะไรบ้าง`)},
}

// otherForm makes the expression of a form of what questions begin with, what stands between words, and what stands anywhere.
func otherForm(first, words, anywhere string) *lazyregexp.Regexp {
	var parts []string
	if first != "" {
		parts = append(parts, `^[^\p{L}]*(?:`+first+`)(?:[^\p{L}]|$)`)
	}
	parts = append(parts, `(?:^|[^\p{L}\p{M}])(?:`+words+`)(?:[^\p{L}\p{M}]|$)`, anywhere)
	return lazyregexp.New(`(?i)` + strings.Join(parts, `|`))
}

// FormOf reads from a question what form its answer should have.
func FormOf(question string) Form {
	question = strings.TrimSpace(question)
	for _, list := range [...][]form{forms, otherForms} {
		for _, f := range list {
			if f.is.MatchString(question) {
				return f.form
			}
		}
	}
	return Plain
}

// parts are words of questions for what something takes and returns.
var parts = lazyregexp.New(`(?i)\b(?:param|prop|arg|return|accept|take|receive|input|output|option|recib|devuel|acept|entrada|salida)`)

// asksForParts says that a question is for what something takes or returns.
func (q *Question) asksForParts() bool { return parts.MatchString(q.Text) }
