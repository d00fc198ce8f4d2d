package markdown

import "strings"

// gherkinLanguages are the keywords that stand before a colon, by language. "# language:" need not be right, so all are
// known at once: a word that two languages give two meanings would have to be left out, as Romanian is, whose word for
// examples is the French one for a scenario.
var gherkinLanguages = []struct{ feature, rule, background, scenario, examples string }{
	{"Feature|Business Need|Ability", "Rule", "Background", "Scenario|Example|Scenario Outline|Scenario Template", "Examples|Scenarios"},
	{"الميزة|خاصية", "", "الخلفية", "مثال|سيناريو|سيناريو مخطط", "امثلة"},
	{"Функционалност", "Правило", "Предистория", "Пример|Сценарий|Рамка на сценарий", "Примери"},
	{"Característica|Funcionalitat", "Regla", "Rerefons|Antecedents", "Exemple|Escenari|Esquema de l'escenari", "Exemples"},
	{"Požadavek", "Pravidlo", "Pozadí|Kontext", "Příklad|Scénář|Náčrt Scénáře|Osnova scénáře", "Příklady"},
	{"Egenskab", "Regel", "Baggrund", "Eksempel|Scenarie|Abstrakt Scenario", "Eksempler"},
	{"Funktionalität|Funktion", "Regel", "Grundlage|Hintergrund|Voraussetzungen|Vorbedingungen", "Beispiel|Szenario|Szenariogrundriss|Szenarien", "Beispiele"},
	{"Δυνατότητα|Λειτουργία", "", "Υπόβαθρο", "Παράδειγμα|Σενάριο|Περιγραφή Σεναρίου|Περίγραμμα Σεναρίου", "Παραδείγματα|Σενάρια"},
	{"Característica|Necesidad del negocio|Requisito", "Regla|Regla de negocio", "Antecedentes", "Ejemplo|Escenario|Esquema del escenario", "Ejemplos"},
	{"Ominaisuus", "", "Tausta", "Tapaus|Tapausaihio", "Tapaukset"},
	{"Fonctionnalité", "Règle", "Contexte", "Exemple|Scénario|Plan du scénario", "Exemples"},
	{"תכונה", "כלל", "רקע", "דוגמא|תרחיש|תבנית תרחיש", "דוגמאות"},
	{"रूप लेख", "नियम", "पृष्ठभूमि", "परिदृश्य|परिदृश्य रूपरेखा", "उदाहरण"},
	{"Jellemző", "Szabály", "Háttér", "Példa|Forgatókönyv|Forgatókönyv vázlat", "Példák"},
	{"Fitur", "Aturan", "Latar Belakang", "Skenario|Skenario konsep|Garis-Besar Skenario", "Contoh"},
	{"Funzionalità|Esigenza di Business|Abilità", "Regola", "Contesto", "Esempio|Scenario|Schema dello scenario", "Esempi"},
	{"フィーチャ|機能", "ルール", "背景", "シナリオ|シナリオアウトライン|シナリオテンプレート|シナリオテンプレ|テンプレ", "例|サンプル"},
	{"기능", "규칙", "배경", "시나리오|시나리오 개요", "예"},
	{"Functionaliteit", "Regel", "Achtergrond", "Voorbeeld|Scenario|Abstract Scenario", "Voorbeelden"},
	{"Egenskap", "Regel", "Bakgrunn", "Eksempel|Scenario|Scenariomal|Abstrakt Scenario", "Eksempler"},
	{"Właściwość|Funkcja|Aspekt|Potrzeba biznesowa", "Zasada|Reguła", "Założenia", "Przykład|Scenariusz|Szablon scenariusza", "Przykłady"},
	{"Funcionalidade|Característica|Caracteristica", "Regra", "Contexto|Cenário de Fundo|Cenario de Fundo|Fundo",
		"Exemplo|Cenário|Cenario|Esquema do Cenário|Esquema do Cenario|Delineação do Cenário|Delineacao do Cenario", "Exemplos|Cenários|Cenarios"},
	{"Функция|Функциональность|Функционал|Свойство|Фича", "Правило", "Предыстория|Контекст", "Пример|Сценарий|Структура сценария|Шаблон сценария", "Примеры"},
	{"Požiadavka|Funkcia|Vlastnosť", "", "Pozadie", "Príklad|Scenár|Náčrt Scenára|Náčrt Scenáru|Osnova Scenára", "Príklady"},
	{"Egenskap", "Regel", "Bakgrund", "Scenario|Abstrakt Scenario|Scenariomall", "Exempel"},
	{"Özellik", "Kural", "Geçmiş", "Örnek|Senaryo|Senaryo taslağı", "Örnekler"},
	{"Функціонал", "Правило", "Передумова", "Приклад|Сценарій|Структура сценарію", "Приклади"},
	{"Tính năng", "Quy tắc", "Bối cảnh", "Tình huống|Kịch bản|Khung tình huống|Khung kịch bản", "Dữ liệu"},
	{"功能", "规则|規則", "背景", "场景|剧本|场景大纲|剧本大纲|場景|劇本|場景大綱|劇本大綱", "例子"},
}

// gherkinWords maps each keyword, in small letters, to what it begins.
var gherkinWords = func() map[string]gherkinWord {
	words := map[string]gherkinWord{}
	for _, l := range gherkinLanguages {
		for kind, list := range map[gherkinWord]string{
			featureWord: l.feature, ruleWord: l.rule, backgroundWord: l.background, scenarioWord: l.scenario, examplesWord: l.examples,
		} {
			for word := range strings.SplitSeq(list, "|") {
				if word != "" {
					words[strings.ToLower(word)] = kind
				}
			}
		}
	}
	return words
}()

// maxKeyword is the length of the longest keyword, in bytes, with some to spare.
const maxKeyword = 64
