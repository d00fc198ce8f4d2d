package render

import (
	"testing"

	"kdd/runtime/wire"
)

func TestWrappedSnippets(t *testing.T) {
	hit := wire.Hit{Snippet: "Water goes round and round in the pipes of the house:\n- the pump that moves all of it, day and night\n- 水が流れる水が流れる水が流れる水が流れる\n  https://example.org/a/word/longer/than/a/line", Marked: [][2]int{{0, 5}, {11, 26}, {60, 64}}}
	for _, test := range []struct {
		name  string
		style Style
		want  string
	}{
		{"a terminal", Style{Width: 30}, `
   Water goes round and round
   in the pipes of the house:
   - the pump that moves all
     of it, day and night
   - 水が流れる水が流れる水が
     流れる水が流れる
     https://example.org/a/
     word/longer/than/a/line
`},
		{"a file", Style{}, `
   Water goes round and round in the pipes of the house:
   - the pump that moves all of it, day and night
   - 水が流れる水が流れる水が流れる水が流れる
     https://example.org/a/word/longer/than/a/line
`},
		{"colours", Style{Width: 30, Color: true}, "\n   \x1b[1;33mWater\x1b[0m goes \x1b[1;33mround and round\x1b[0m\n   in the pipes of the house:\n   - the \x1b[1;33mpump\x1b[0m that moves all\n" + `     of it, day and night
   - 水が流れる水が流れる水が
     流れる水が流れる
     https://example.org/a/
     word/longer/than/a/line
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := printer{Style: test.style}
			p.snippet(&hit)
			if got := "\n" + p.b.String(); got != test.want {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestWrapped(t *testing.T) {
	const text = "The pump moves water all day. [1]\n\n```sh\npump --start --at-once --for-all-day\n```\n1. The valve opens, then closes."
	const want = "The pump moves water\nall day. [1]\n\n```sh\npump --start --at-once --for-all-day\n```\n1. The valve opens,\n   then closes."
	p := printer{Style: Style{Width: 20}}
	if got := p.wrapped(text); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
