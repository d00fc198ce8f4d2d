package ask

import (
	"kdd/runtime/wire"
)

// refusal is what refusals say in a language; unknown takes the names that no document has.
type refusal struct{ NoHits, LowEvidence, Unsupported, Unknown, Nearest string }

// of returns the sentence for a reason.
func (r *refusal) Of(reason string) string {
	switch reason {
	case wire.RefusedNoHits:
		return r.NoHits
	case wire.RefusedUnsupported:
		return r.Unsupported
	}
	return r.LowEvidence
}

// quoteIn puts a word into the quotation marks of a language.
func quoteIn(language, word string) string {
	left, right := "“", "”"
	switch language {
	case "de":
		left, right = "„", "“"
	case "fr":
		left, right = "«\u00a0", "\u00a0»"
	case "ja":
		left, right = "「", "」"
	case "ru", "uk":
		left, right = "«", "»"
	}
	return left + word + right
}

// refusals are by the question's language; in others the refusal is English.
var Refusals = map[string]*refusal{
	"en": {
		"These documents say nothing about this.",
		"These documents do not seem to answer this.",
		"The answer that was written is not supported by these documents, so it is left out.",
		"They do not mention %s.",
		"The nearest sections:",
	},
	"ar": {
		"لا تذكر هذه المستندات شيئًا عن هذا.",
		"لا يبدو أن هذه المستندات تجيب عن هذا.",
		"الإجابة المكتوبة لا تستند إلى هذه المستندات، ولذلك حُذفت.",
		"لا يرد فيها ذكر %s.",
		"أقرب الأقسام:",
	},
	"de": {
		"Diese Dokumente sagen nichts darüber.",
		"Diese Dokumente scheinen das nicht zu beantworten.",
		"Die geschriebene Antwort ist durch diese Dokumente nicht belegt und wird daher weggelassen.",
		"Sie erwähnen %s nicht.",
		"Die nächsten Abschnitte:",
	},
	"es": {
		"Estos documentos no dicen nada sobre esto.",
		"Estos documentos no parecen responder a esto.",
		"La respuesta redactada no se apoya en estos documentos, por lo que se omite.",
		"No mencionan %s.",
		"Las secciones más cercanas:",
	},
	"fr": {
		"Ces documents n'en disent rien.",
		"Ces documents ne semblent pas répondre à cette question.",
		"La réponse rédigée ne s'appuie pas sur ces documents, elle est donc omise.",
		"Ils ne mentionnent pas %s.",
		"Les sections les plus proches :",
	},
	"hi": {
		"इन दस्तावेज़ों में इस बारे में कुछ नहीं है।",
		"लगता है कि इन दस्तावेज़ों में इसका उत्तर नहीं है।",
		"लिखा गया उत्तर इन दस्तावेज़ों पर आधारित नहीं है, इसलिए छोड़ दिया गया है।",
		"इनमें %s का उल्लेख नहीं है।",
		"निकटतम अनुभाग:",
	},
	"it": {
		"Questi documenti non dicono nulla al riguardo.",
		"Questi documenti non sembrano rispondere a questa domanda.",
		"La risposta scritta non è sostenuta da questi documenti, quindi è omessa.",
		"Non menzionano %s.",
		"Le sezioni più vicine:",
	},
	"ja": {
		"これらの文書には、これについて何も書かれていません。",
		"これらの文書には、この質問への答えがないようです。",
		"書かれた回答はこれらの文書に裏付けられていないため、省きました。",
		"%s は出てきません。",
		"最も近い節：",
	},
	"ko": {
		"이 문서들에는 이에 대한 내용이 없습니다.",
		"이 문서들에는 이 질문의 답이 없는 것 같습니다.",
		"작성된 답은 이 문서들로 뒷받침되지 않아 생략합니다.",
		"%s 언급은 없습니다.",
		"가장 가까운 절:",
	},
	"pt": {
		"Estes documentos não dizem nada sobre isto.",
		"Estes documentos não parecem responder a isto.",
		"A resposta escrita não se apoia nestes documentos e por isso foi omitida.",
		"Não mencionam %s.",
		"As seções mais próximas:",
	},
	"ru": {
		"В этих документах об этом ничего нет.",
		"Похоже, в этих документах нет ответа на этот вопрос.",
		"Написанный ответ не подтверждается этими документами и поэтому опущен.",
		"В них не упоминается %s.",
		"Ближайшие разделы:",
	},
	"tr": {
		"Bu belgelerde bununla ilgili bir şey yok.",
		"Bu belgeler bu soruyu yanıtlamıyor gibi görünüyor.",
		"Yazılan yanıt bu belgelere dayanmadığı için çıkarıldı.",
		"Belgelerde %s geçmiyor.",
		"En yakın bölümler:",
	},
	"uk": {
		"У цих документах про це нічого немає.",
		"Схоже, у цих документах немає відповіді на це запитання.",
		"Написану відповідь ці документи не підтверджують, тому її опущено.",
		"У них немає згадки про %s.",
		"Найближчі розділи:",
	},
	"vi": {
		"Các tài liệu này không nói gì về điều này.",
		"Có vẻ các tài liệu này không trả lời câu hỏi này.",
		"Câu trả lời đã viết không dựa trên các tài liệu này nên bị bỏ đi.",
		"Chúng không nhắc đến %s.",
		"Các mục gần nhất:",
	},
	"zh": {
		"这些文档没有提到这个问题。",
		"这些文档似乎没有回答这个问题。",
		"所写的回答没有得到这些文档的支持，因此略去。",
		"其中没有提到 %s。",
		"最接近的章节：",
	},
}
