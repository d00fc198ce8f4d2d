package cli

import (
	"strings"
	"testing"

	"kdd/runtime/answer/ask"
)

func TestDraft(t *testing.T) {
	const up = "\x1b[A"
	for _, tt := range []struct {
		name  string
		steps []ask.Step
		want  string
	}{
		{"no words", []ask.Step{{Confidence: 1}, {Void: ask.DraftFailed}}, ""},
		{"a row", []ask.Step{{Words: "abc"}, {Words: " def"}, {Void: ask.DraftChecked}}, "abc def\r" + clearEnd},
		{"a full row", []ask.Step{{Words: "0123456789"}, {Void: ask.DraftChecked}}, "0123456789\r" + clearEnd},
		{"a wrapped row", []ask.Step{{Words: "0123456789a"}, {Void: ask.DraftChecked}}, "0123456789a\r" + up + clearEnd},
		{"wide characters", []ask.Step{{Words: "漢字漢字漢字"}, {Void: ask.DraftChecked}}, "漢字漢字漢字\r" + up + clearEnd},
		{"lines", []ask.Step{{Words: "a\n\n"}, {Words: "\tb"}, {Void: ask.DraftChecked}}, "a\n\n    b\r" + up + up +
			clearEnd},
		{"twice", []ask.Step{{Words: "a\nb"}, {Void: ask.DraftAgain}, {Words: "c"}, {Void: ask.DraftChecked}},
			"a\nb\r" + up + clearEnd + "c\r" + clearEnd},
		{"taller than the terminal", []ask.Step{{Words: "1\n2\n3\n4\n5"}, {Void: ask.DraftChecked}}, "1\n2\n3\n4\n5\n\n"},
	} {
		var out strings.Builder
		d := &draft{out: &out, columns: 10, rows: 4}
		for _, step := range tt.steps {
			d.tell(step)
		}
		if got := strings.NewReplacer(faint, "", normal, "").Replace(out.String()); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
