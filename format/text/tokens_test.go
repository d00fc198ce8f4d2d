package text

import (
	"strings"
	"testing"
)

// folds returns the folded forms of text's tokens, wholes in brackets, all words of one position joined by '='.
func folds(text string) string {
	var b strings.Builder
	last := -1
	for _, token := range New().Tokens(nil, text) {
		switch {
		case int(token.Pos) == last:
			b.WriteByte('=')
		case last >= 0:
			b.WriteByte(' ')
		}
		last = int(token.Pos)
		if token.Whole {
			b.WriteString("[" + token.Fold + "]")
		} else {
			b.WriteString(token.Fold)
		}
	}
	return b.String()
}

func TestTokens(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"one", "a", "a"},
		{"words", "The quick, brown fox.", "the quick brown fox"},
		{"camel", "useState", "[usestate]=use state"},
		{"Pascal", "PascalCase", "[pascalcase]=pascal case"},
		{"acronym", "HTTPServer", "[httpserver]=http server"},
		{"plural acronym", "URLs and APIs", "urls and apis"},
		{"small letter after capitals", "IPv4 MHz", "ipv4 mhz"},
		{"digits", "sha256 OAuth2Client X509", "sha256 [oauth2client]=o auth2 client x509"},
		{"snake", "foo_bar MAX_TOKENS", "[foo_bar]=foo bar [max_tokens]=max tokens"},
		{"kebab", "well-known file-based", "[well-known]=well known [file-based]=file based"},
		{"dotted", "React.memo", "[react.memo]=react memo"},
		{"nested", "React.useState", "[react.usestate]=react [usestate]=use state"},
		{"mixed joints", "foo_bar.baz", "[foo_bar.baz]=[foo_bar]=foo bar baz"},
		{"version", "v1.2.3 1.2.3", "[v1.2.3]=[1.2.3]=1 2 3 [1.2.3]=1 2 3"},
		{"version of one number", "v1", "v1"},
		{"id", "BR-DOCUMENT-001", "[br-document-001]=br document 001"},
		{"flag", "--no-cache", "[--no-cache]=[no-cache]=no cache"},
		{"flag of one word", "use `--watch`", "use [--watch]=watch"},
		{"dashes", "foo--bar --- -x -- y", "foo bar x y"},
		{"dunder", "__init__ _x __", "[__init__]=init x"},
		{"scope", "@scope/pkg", "[@scope/pkg]=scope pkg"},
		{"scope and kebab", "@a/b-c", "[@a/b-c]=a [b-c]=b c"},
		{"decorator and mail", "@Override me@host/x", "override me host x"},
		{"path", "a/b/c.md", "a b [c.md]=c md"},
		{"languages", "C++, C# and F#.", "[c++]=c [c#]=c and [f#]=f"},
		{"hash is no language", "c#anchor x#", "c anchor [x#]=x"},
		{"apostrophe", "don't dog's O’Brien's", "dont dog obrien"},
		{"elision", "l'heure d’été dell'arte aujourd'hui", "l heure d ete dell arte aujourdhui"},
		{"quotes", "'quoted' \"x\"", "quoted x"},
		{"full stop", "end. Next", "end next"},
		{"trailing joints", "a- b_ c.", "a b c"},
		{"base64", "aGVsbG8gd29ybGQ5eHl6", "agvsbg8gd29ybgq5ehl6"},
		{"Chinese", "中文搜索", "中文 文搜 搜索 索"},
		{"lone character", "猫", "猫"},
		{"mixed", "React를 사용", "react 를 사용 용"},
		{"Japanese", "検索APIを使う", "検索 索 api を使 使う う"},
		{"half width", "ｶﾞﾗｽ", "ガラ ラス ス"},
		{"Hangul in parts", "한글", "한글 글"},
		{"Thai", "ภาษาไทย", "ภาษา ษาไท ไทย ย"},
		{"full width", "ＦＯＯ１", "foo1"},
		{"mixed with Latin", "Tシャツ 3D프린터 C言語", "t シャ ャツ ツ 3d 프린 린터 터 c 言語 語"},
		{"voiced kana in two", "か\u3099め ﾊﾟ", "がめ め パ"},
		{"Hangul of three jamo and of two", "\u1112\u1161\u11ab\u1100\u1173\u11af \u1112\u1161", "한글 글 하"},
		{"compatibility", "ﬁ ① 10㎏ ㎡ Ⅳ", "fi 1 10kg m2 iv"},
		{"units with dots are none", "㏂ ㎧", ""},
		{"Lao", "ກຳລັງ", "ກ\u0ecd\u0eb2ລັ ລັງ ງ"},
		{"Khmer", "ភាសាខ្មែរ", "ភាសា សាខ្មែ ខ្មែរ រ"},
		{"Burmese", "မြန်မာ", "မြန် န်မာ မာ"},
		{"Javanese", "ꦗꦮ", "ꦗꦮ ꦮ"},
		{"Yi", "ꆈꌠ", "ꆈꌠ ꌠ"},
		{"Tibetan has words", "བོད་ཡིག", "བོད ཡིག"},
		{"lone cluster", "น้ำ", "น้\u0e4d\u0e32"},
		{"ligature", "ﬁne", "fine"},
		{"accents", "Straße Łódź naïve Ænima Øre", "strasse lodz naive aenima ore"},
		{"decomposed", "descripcio\u0301n", "descripcion"},
		{"Turkish", "İstanbul ışık", "istanbul isik"},
		{"Vietnamese", "tiếng Việt", "tieng viet"},
		{"Greek", "Ὀδυσσεύς", "οδυσσευσ"},
		{"Russian", "Ёлка мой", "елка мой"},
		{"Arabic", "مُحَمَّد إلـــى", "محمد الي"},
		{"Arabic digits", "٢٠٢٤", "2024"},
		{"Hebrew points", "שָׁלוֹם", "שלום"},
		{"Hindi", "हिन्दी", "हिन्दी"},
		{"nukta and chandrabindu", "फ़ाइल क़लम ऩ गाँव", "फाइल कलम न गांव"},
		{"soft hyphen", "docu\u00adment", "document"},
		{"emoji", "👍🏽 ok 🇩🇪 ❤️", "ok"},
		{"controls", "a\x00b\x1bc\u200bd", "a b c d"},
		{"invalid", "a\xffb\xc3", "a b"},
		{"fraction", "½ x²", "x2"},
		{"marks alone", "\u0301\u0301 ـــ", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := folds(test.in); got != test.want {
				t.Errorf("Tokens(%q) = %s, want %s", test.in, got, test.want)
			}
		})
	}
}
