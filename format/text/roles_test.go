package text

import (
	"strings"
	"testing"
)

// TestRoles shows each pair of a text: "-" after grammar, "+" after a noun of one syllable with its particle, "?" where
// that is not sure; a lone last character is left out, as in queries.
func TestRoles(t *testing.T) {
	tests := []struct {
		name string
		lang Lang
		in   string
		want string
	}{
		{"no pairs", "en", "the state", "the state"},
		{"Korean noun", "ko", "서버", "서버"},
		{"object particle", "ko", "서버를", "서버 버를-"},
		{"particle of two", "ko", "서버에서", "서버 버에- 에서-"},
		{"two particles", "ko", "서버에서는", "서버 버에- 에서- 서는-"},
		{"verb of a noun", "ko", "설정하는", "설정 정하- 하는-"},
		{"polite verb", "ko", "설정합니다", "설정 정합- 합니- 니다-"},
		{"noun of one syllable", "ko", "값을 키를", "값을+ 키를+"},
		{"noun of one syllable, particle of two", "ko", "값에서", "값에+ 에서-"},
		{"noun that ends like a particle", "ko", "경로 추가 결과", "경로? 추가? 결과?"},
		{"and its own particle", "ko", "경로를", "경로 로를-"},
		{"question word", "ko", "어떻게 설정", "어떻- 떻게- 설정"},
		{"Latin with a particle", "ko", "React를 씁니다", "react 를- 씁니 니다"},
		{"Latin with a particle of two", "ko", "API에서", "api 에서-"},
		{"Latin and a noun", "ko", "3D프린터를", "3d 프린 린터 터를-"},
		{"Japanese particles", "ja", "設定を変更する", "設定 定を- を変- 変更 更す す" + "る-"},
		{"okurigana stays", "ja", "使い方", "使い い方"},
		{"katakana and particle", "ja", "サーバーの値", "サー ーバ バー ーの- の値-"},
		{"hiragana alone", "ja", "まとめ", "まと- とめ-"},
		{"Chinese", "zh", "我的配置", "我的- 的配- 配置"},
		{"Chinese question", "zh", "如何配置", "如何- 何配 配置"},
		{"the same in Japanese", "ja", "目的", "目的"},
		{"lone", "zh", "的", "的"},
		{"Thai", "th", "ค้นหา", "ค้น นหา"},
	}
	marks := map[Role]string{Subject: "", Grammar: "-", Particle: "+", Perhaps: "?"}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tokens := New().Tokens(nil, test.in)
			var got []string
			for i, role := range Roles(test.lang, tokens) {
				if !tokens[i].IndexOnly() {
					got = append(got, tokens[i].Fold+marks[role])
				}
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("Roles(%q, %q): %s, want %s", test.lang, test.in, s, test.want)
			}
		})
	}
}

func FuzzRoles(f *testing.F) {
	for _, text := range oddTexts {
		f.Add(text)
	}
	for _, text := range []string{"을", "를을", "에서에서에서", "합니다", "ㄱㄴ을", "값에서는을", "のをに", "的了吗"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens := New().Tokens(nil, text)
		for _, lang := range []Lang{"", "ko", "ja", "zh"} {
			roles := Roles(lang, tokens)
			if len(roles) != len(tokens) {
				t.Fatalf("Roles(%q, %q): %d for %d tokens", lang, text, len(roles), len(tokens))
			}
			for i, role := range roles {
				if role != Subject && !tokens[i].CJK || role > Perhaps {
					t.Errorf("Roles(%q, %q): %d for %q", lang, text, role, tokens[i].Fold)
				}
			}
		}
	})
}
