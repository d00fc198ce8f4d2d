package answer

import "strings"

// The words and phrases that tell what a sentence does, in the languages that the sentence may be in: which one is not known here,
// so a word stands in a list only if it does nothing else in another. Words have a space before and after each; they are in lower
// case, with accents.
const (
	// leaningWords stand for what was said before them, or go on with it.
	leaningWords = " this these it they that those however but so then also and instead otherwise similarly likewise " +
		"esto este esta estos estas además sin pero así " +
		"ce cet cette ces cela ceci c'est elle elles ils celui-ci celle-ci mais donc ainsi cependant toutefois aussi ensuite puis sinon " +
		"dies diese dieser dieses diesen er aber dann auch daher dadurch deshalb deswegen stattdessen jedoch außerdem andernfalls sonst " +
		"isso isto esse essa esses essas estes ele ela eles elas mas então assim também porém portanto " +
		"questo questa questi queste ciò quindi così inoltre tuttavia però altrimenti " +
		"dit deze maar dus ook echter bovendien daarom detta denna dessa därför dette disse derfor " +
		"ale jednak więc dlatego również acest această aceste acestea însă deci " +
		"bu bunlar bunun bunu buna ama ancak ayrıca böylece fakat itu tetapi namun " +
		"nó này đó nhưng tuy vì " +
		"это этот эта эти этого он она оно они но однако поэтому также тогда затем такой такая такие иначе " +
		"це цей ця ці цього він вона воно вони але однак тому також тоді потім інакше " +
		"това този тази тези той тя обаче затова също тогава " +
		"αυτό αυτή αυτός αυτά αυτές όμως αλλά επομένως επίσης " +
		"هذا هذه هؤلاء ذلك تلك هو هي لكن ولكن لذلك كما وهذا وهذه وبالتالي این اما ولی بنابراین همچنین " +
		"זה זו זאת הוא היא אבל לכן " +
		"यह ये वह वे इस इसके इससे लेकिन इसलिए और " +
		"이 이는 이것은 이것이 이를 이러한 이런 이렇게 그 그러나 하지만 따라서 또한 그래서 그리고 그러면 그런 그렇지 이때 "

	// askingWords begin a heading, or an item of a list, of what is explained elsewhere.
	askingWords = " how what why when where which cómo qué cuándo cuál dónde " +
		"wie was warum wann wo welche welcher welches wieso wozu comment pourquoi quand où quel quelle quels quelles qu'est-ce " +
		"quando onde qual quais come cosa perché dove quale quali hoe wat waarom wanneer welke " +
		"hur vad varför hvordan hva hvad hvorfor jak dlaczego kiedy gdzie proč kdy cum cách bagaimana mengapa " +
		"как что почему зачем когда где какой какая какие чем як що чому навіщо коли де який яка які какво защо кога къде " +
		"πώς τι γιατί πότε πού كيف كيفية ما ماذا لماذا متى أين هل چگونه چرا چه איך מה למה מתי כיצד क्यों क्या "

	// pointingWords begin a sentence that only says where something is to be read.
	pointingWords = " see check refer visit véase véanse ver consulta consulte siehe voir consultez voyez lisez " +
		"veja confira leia vedi leggi zie bekijk lees zobacz sprawdź viz vezi consultați lihat baca xem " +
		"см смотрите читайте подробнее узнайте ознакомьтесь див дивіться докладніше детальніше вижте прочетете δείτε διαβάστε " +
		"راجع انظر اقرأ اطلع ראו קראו "

	// supposingWords begin a sentence that only begins an example.
	supposingWords = " consider suppose imagine supón supongamos imagina considera considérons supposons imaginons imaginez prenons voici " +
		"angenommen considere suponha supponiamo immagina consideriamo ecco " +
		"рассмотрим представьте предположим допустим вот розглянемо уявіть припустимо ось لنفترض تخيل मान "

	// conditionWords begin a sentence that says when something is, not what.
	conditionWords = " if when whenever once while unless until si cuando mientras quand lorsque wenn als falls se quando "

	// definingWords stand early in a sentence that says what something is.
	definingWords = " is are means lets enables returns represents refers describes contains es son significa representa contiene define " +
		"ist sind bedeutet bezeichnet est sont signifie désigne représente é são è sono rappresenta zijn betekent är betyder " +
		"są oznacza înseamnă reprezintă là adalah merupakan " +
		"это является называется означает представляет це є означає називається представлява означава είναι σημαίνει " +
		"هو هي يعني تعني הוא היא "
)

// The same for languages that write no spaces between words, or say it at the end.
var (
	leaningStarts = [...]string{
		"これ", "それ", "この", "その", "しかし", "ただし", "また", "そして", "したがって", "さらに", "ここで",
		"这", "這", "它", "但", "然而", "因此", "所以", "此外", "不过", "不過", "而且", "同时", "同時", "另外", "于是", "於是", "其中",
		"นี่", "แต่", "ดังนั้น", "นอกจากนี้",
	}
	askingStarts = [...]string{
		"如何", "怎么", "怎麼", "怎样", "怎樣", "什么是", "什麼是", "为什么", "為什麼", "何时", "何時", "哪些", "วิธี", "ทำไม", "tại sao ", "làm thế nào ", "o que ", "por que ", "como criar ", "como usar ", "como configurar ", "como funciona",
	}
	askingEnds = [...]string{
		"方法", "理由", "とは", "やり方", "방법", "이유", "무엇인지", "차이점", "하는지", "là gì", "nedir", "कैसे करें", "तरीका", "คืออะไร",
	}
	pointingStarts = [...]string{
		"参见", "參見", "参阅", "參閱", "请参", "請參", "请查看", "請查看", "请阅读", "請閱讀", "请看", "請看", "详见", "詳見", "更多", "hãy xem ", "hãy đọc ", "ดู", "อ่าน",
	}
	pointingEnds = [...]string{
		"参照してください", "ご覧ください", "お読みください", "ご参照ください", "を参照", "参考にしてください", "を読んでください",
		"참고하세요", "참조하세요", "읽어보세요", "읽어 보세요", "살펴보세요", "참고해 주세요", "참조하십시오",
		" bakın", " bakınız", " inceleyin", " okuyun", " göz atın", " başvurun", " देखें", " पढ़ें", " देखिए", " ببینید",
	}
	supposingStarts = [...]string{"假设", "假設", "假如", "例如", "比如", "想象", "想像", "下面是", "以下是", "以下は", "次は", "例えば", "たとえば", "예를 들어", "다음은", "สมมติ"}
	supposingEnds   = [...]string{"考えてみましょう", "見てみましょう", "가정해 봅시다", "가정해 보겠습니다", "살펴봅시다", "düşünün"}
	definingMiddles = [...]string{"とは", "是一", "是指", "指的是", "是用", "称为", "稱為", "คือ", "หมายถึง"}
	definingEnds    = [...]struct{ topic, end string }{ // the topic stands before the end
		{"は", "です"}, {"は", "である"}, {"は", "指します"}, {"は", "意味します"}, {"は", "呼びます"}, {"は", "呼ばれます"},
		{"는 ", "입니다"}, {"은 ", "입니다"}, {"란 ", "입니다"}, {"는 ", "의미합니다"}, {"은 ", "의미합니다"}, {"란 ", "말합니다"}, {"란 ", "뜻합니다"},
		{" एक ", "है"}, {" एक ", "हैं"}, {" ", " است"},
	}
)

// turkishEnds are the copula of Turkish, by vowel harmony. Spanish verbs end so too, hence turkishLetters, of which most sentences have one.
var turkishEnds = [...]string{"dır", "dir", "dur", "dür", "tır", "tir", "tur", "tür"}

const turkishLetters = "ığş"

// earlyBytes is how much of a sentence says early what something is, in scripts without spaces.
const earlyBytes = 120

// stops end a sentence in some script.
const stops = ".!?…。．！？｡؟۔।॥։።"

// closers are what closes with the sentence that stands before it.
const closers = "\"')*_”’»」』）】》〉"

// inList says that a list of words, each between spaces, has a word.
func inList(list, word string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(list, " "+word+" ")
}

// bare returns a sentence in lower case without the marks of punctuation and emphasis around it.
func bare(s string) string {
	return strings.ToLower(strings.Trim(s, "([{}],;: "+stops+closers+"“‘«„「『（【《〈¿¡，、：；،؛　"))
}

// firstWord returns the first word of what bare returned.
func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return strings.ReplaceAll(strings.TrimRight(word, ".,:;*_،"), "’", "'")
}

func hasPrefix(s string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func hasSuffix(s string, list []string) bool {
	for _, p := range list {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return false
}
