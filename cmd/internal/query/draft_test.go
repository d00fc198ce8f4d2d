package query

import (
	"strings"
	"testing"

	"kdd/runtime"
)

func TestDraft(t *testing.T) {
	const up = "\x1b[A"
	for _, tt := range []struct {
		name  string
		steps []runtime.Draft
		want  string
	}{
		{"no words", []runtime.Draft{{Confidence: 1}, {Void: runtime.DraftFailed}}, ""},
		{"a row", []runtime.Draft{{Words: "abc"}, {Words: " def"}, {Void: runtime.DraftChecked}}, "abc def\r" + clearEnd},
		{"a full row", []runtime.Draft{{Words: "0123456789"}, {Void: runtime.DraftChecked}}, "0123456789\r" + clearEnd},
		{"a wrapped row", []runtime.Draft{{Words: "0123456789a"}, {Void: runtime.DraftChecked}}, "0123456789a\r" + up + clearEnd},
		{"wide characters", []runtime.Draft{{Words: "漢字漢字漢字"}, {Void: runtime.DraftChecked}}, "漢字漢字漢字\r" + up + clearEnd},
		{"lines", []runtime.Draft{{Words: "a\n\n"}, {Words: "\tb"}, {Void: runtime.DraftChecked}}, "a\n\n    b\r" + up + up + clearEnd},
		{"twice", []runtime.Draft{{Words: "a\nb"}, {Void: runtime.DraftAgain}, {Words: "c"}, {Void: runtime.DraftChecked}}, "a\nb\r" + up + clearEnd + "c\r" + clearEnd},
		{"taller than the terminal", []runtime.Draft{{Words: "1\n2\n3\n4\n5"}, {Void: runtime.DraftChecked}}, "1\n2\n3\n4\n5\n\n"},
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
