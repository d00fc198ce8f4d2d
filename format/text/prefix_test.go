package text

import "testing"

func TestPrefix(t *testing.T) {
	for _, tt := range []struct {
		name, in               string
		most                   int
		runes, words, ellipsis string
	}{
		{"empty", "", 3, "", "", ""},
		{"one less", "abc", 4, "abc", "abc", "abc"},
		{"as long", "abc", 3, "abc", "abc", "abc"},
		{"one more", "abcd", 3, "abc", "abc", "abc…"},
		{"nothing", "abc", 0, "", "", "…"},
		{"within a character", "ab漢", 4, "ab", "ab", "ab…"},
		{"behind a character", "ab漢d", 5, "ab漢", "ab漢", "ab漢…"},
		{"a character is too long", "漢", 2, "", "", "…"},
		{"a late space", "one two three", 10, "one two th", "one two", "one two th…"},
		{"an early space", "a bcdefghijk", 10, "a bcdefghi", "a bcdefghi", "a bcdefghi…"},
		{"a space in the middle", "abcde fghijk", 10, "abcde fghi", "abcde fghi", "abcde fghi…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, cut := range []struct {
				name, got, want string
			}{
				{"Runes", CutRunes(tt.in, tt.most), tt.runes},
				{"Words", CutWords(tt.in, tt.most), tt.words},
				{"Ellipsis", Ellipsis(tt.in, tt.most), tt.ellipsis},
			} {
				if cut.got != cut.want {
					t.Errorf("%s(%q, %d) = %q, want %q", cut.name, tt.in, tt.most, cut.got, cut.want)
				}
			}
		})
	}
}
