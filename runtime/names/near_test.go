package names

import "testing"

// TestOtherWord tells a misspelt name from one that has another word in it.
func TestOtherWord(t *testing.T) {
	for _, test := range []struct {
		asked, name string
		edits       int
		want        bool
	}{
		{"usestaet", "usestate", 2, false},
		{"configuraton", "configuration", 2, false},
		{"usestate 훅", "usestate", 2, true},
		{"usestate", "usestate 훅", 2, true},
		{"usestate の", "usestate", 2, true},
		{"安装fastapi", "fastapi", 2, true},
		{"安装 fastapi", "卸载 fastapi", 2, true},
		{"配制文件", "配置文件", 1, true},
		{"服务器配制文件说明", "服务器配置文件说明", 2, false},
		{"イベントハンドラ", "イベントハンドラー", 2, false},
		{"이벤트 헨들러 추가하기", "이벤트 핸들러 추가하기", 2, false},
		{"настройка сревера", "настройка сервера", 2, false},
		{"ошибка 42", "ошибка 421", 2, false},
		{"api ключи", "api ключ", 2, false},
		{"rest ап", "rest", 2, true},
		{"usestate2", "usestate", 2, false},
		{"", "", 2, false},
	} {
		if got := otherWord(test.asked, test.name, test.edits); got != test.want {
			t.Errorf("otherWord(%q, %q, %d) = %v, want %v", test.asked, test.name, test.edits, got, test.want)
		}
	}
}
