package answer

import "testing"

func TestFormOfInManyLanguages(t *testing.T) {
	tests := map[Form][]string{
		Definition: {
			"Qu’est-ce qu'un verrou ?", "C'est quoi un verrou ?", "Che cos'è un indice?", "O que é um índice?", "Was bedeutet Kante?", "Wat is een index?",
			"Vad är ett index?", "Co to jest indeks?", "Ce este un index?", "Что такое указатель?", "Що таке покажчик?", "Какво е индекс?", "Τι είναι το ευρετήριο;",
			"ما هو الفهرس؟", "מה זה אינדקס?", "Dizin nedir?", "सूची क्या है?", "Chỉ mục là gì?", "Apa itu indeks?", "ดัชนีคืออะไร", "색인이란 무엇인가요?", "색인이란?",
			"색인이 뭐예요?", "索引とは何ですか？", "索引とは", "索引って何？", "什么是索引？", "索引是什么？", "什麼是索引？", "نمایه چیست؟",
		},
		HowTo: {
			"Comment vider le cache ?", "Come si svuota la cache?", "Como apagar o cache?", "Wie leere ich den Speicher?", "Hoe kan ik de cache legen?", "Hur tömmer man cachen?",
			"Jak wyczyścić pamięć?", "Как очистить кэш?", "Як очистити кеш?", "Πώς αδειάζω τη μνήμη;", "كيف أفرغ الذاكرة؟", "איך מנקים מטמון?", "Önbellek nasıl temizlenir?",
			"कैश कैसे खाली करें?", "Làm thế nào để xóa bộ nhớ đệm?", "ล้างแคชอย่างไร", "캐시를 어떻게 비우나요?", "キャッシュを消すには何をどうすればいいですか", "キャッシュを消す方法", "如何清空缓存？",
			"怎麼清空快取", "چگونه حافظه را خالی کنم؟",
		},
		Listing: {"Quelles options existe-t-il ?", "Quali opzioni ci sono?", "Quais opções existem?", "Какие есть режимы?", "Hangi seçenekler var?", "有哪些选项？", "どのようなモードがありますか"},
		Example: {"exemplo de configuração", "пример настройки", "設定の例", "配置示例", "설정 예제", "مثال على الإعداد", "örnek yapılandırma"},
		Plain: {
			"Почему кэш пуст?", "例外はいつ起きますか", "为什么是空的？", "Кэш, например, пуст?", "Der Speicher ist leer", "캐시는 언제 비나요?", "クラッシュする", "क्या कैश खाली है?", "Önbellek neden boş?",
		},
	}
	for want, questions := range tests {
		for _, q := range questions {
			if got := FormOf(q); got != want {
				t.Errorf("FormOf(%q) = %d, want %d", q, got, want)
			}
		}
	}
}
