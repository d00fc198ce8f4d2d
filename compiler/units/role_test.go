package units

import (
	"slices"
	"testing"
)

func TestWhatSentencesDo(t *testing.T) {
	tests := []struct {
		name    string
		does    func(string) bool
		yes, no []string
	}{
		{"announces", announces, []string{"Run it:", "次のようにします：", "**如下：**"}, []string{"Run it.", "次のようにします。"}},
		{"asks", asks,
			[]string{"How to begin", "¿Qué es esto?", "Was ein Knoten ist", "Comment démarrer", "Что такое узел", "Чому це так", "كيفية البدء", "Một nút là gì", "索引を作る方法", "如何开始", "为什么需要索引", "색인을 만드는 방법", "Düğüm nedir"},
			[]string{"How it works: well.", "Как правило, узел один.", "如何开始请看下文。", "索引を作る方法は二つあります。", "Ein Knoten ist klein", "Como administrador quiero borrar", "색인을 만든다."}},
		{"leans", leans,
			[]string{"This helps.", "**Dies** hilft.", "Cela aide.", "Isso ajuda.", "Questo aiuta.", "Это помогает.", "Але це не все.", "هذا يكفي.", "इसलिए यह चलता है।", "Bu yeterli.", "これで十分です。", "因此需要索引。", "그러나 하나뿐입니다.", "Tuy nhiên, nó nhỏ."},
			[]string{"`it` is a function.", "Die Datei ist klein.", "Sie können sie löschen.", "Il est possible de lire.", "Этап первый.", "索引很小。", "索引は小さい。", "이름은 하나입니다.", "Jest runs the tests."}},
		{"points", points,
			[]string{"See the guide.", "Voir le guide.", "Siehe dort.", "Veja o guia.", "См. руководство.", "Дивіться посібник.", "راجع الدليل.", "Kılavuza bakın.", "詳細は手引きを参照してください。", "请参阅指南。", "更多内容在指南里。", "안내서를 참고하세요.", "Xem hướng dẫn.", "Pour en savoir plus, lisez le guide."},
			[]string{"The guide is long.", "Руководство длинное.", "手引きは長い。", "指南很长。", "안내서는 깁니다."}},
		{"ends", ends, []string{"So.", "結ぶ。", "「結ぶ。」", "समाप्त।", "انتهى؟", "**Ende.**"}, []string{"make", "結ぶ"}},
	}
	for _, tt := range tests {
		for _, s := range tt.yes {
			if !tt.does(s) {
				t.Errorf("%s(%q) = false", tt.name, s)
			}
		}
		for _, s := range tt.no {
			if tt.does(s) {
				t.Errorf("%s(%q) = true", tt.name, s)
			}
		}
	}
}

func TestSubject(t *testing.T) {
	for text, want := range map[string]int{
		"A ref is an object.":       2,
		"Un chunk es una parte.":    2,
		"If a ref is old, drop it.": 0,
		"Take a ref.":               0,
		"Is it so?":                 0,
		"One two three four five six seven eight is early.":     8,
		"One two three four five six seven eight nine is late.": 0,
	} {
		if got := subject(text); got != want {
			t.Errorf("subject(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestSentencesOfOtherScripts(t *testing.T) {
	for text, want := range map[string][]string{
		"यह पहला है। यह दूसरा है।":     {"यह पहला है।", "यह दूसरा है।"},
		"هل يعمل؟ نعم. انتهى":          {"هل يعمل؟", "نعم.", "انتهى"},
		"کام ختم ہوا۔ پھر آیا۔":        {"کام ختم ہوا۔", "پھر آیا۔"},
		"**大事です。**次の文。":                {"**大事です。**", "次の文。"},
		"一つ。**大事です。** 次の文。":            {"一つ。", "**大事です。**", "次の文。"},
		"他说“好。”然后走了。":                  {"他说“好。”", "然后走了。"},
		"これは（例。）です。次。":                 {"これは（例。）です。", "次。"},
		"「はい。」と言う。次。":                  {"「はい。」と言う。", "次。"},
		"Это т.е. Второе. Конец.":      {"Это т.е. Второе.", "Конец."},
		"Das sind ca. Zehn. Ende.":     {"Das sind ca. Zehn.", "Ende."},
		"실행합니다. 끝납니다.":                 {"실행합니다.", "끝납니다."},
		"（閉じない括弧。" + "次。":              {"（閉じない括弧。次。"},
		"ファイル名は a.md です。`b。c` も読みます。終": {"ファイル名は a.md です。", "`b。c` も読みます。", "終"},
	} {
		var got []string
		for _, u := range split(text) {
			got = append(got, text[u.start:u.end])
		}
		if !slices.Equal(got, want) {
			t.Errorf("split(%q) = %q, want %q", text, got, want)
		}
	}
}
