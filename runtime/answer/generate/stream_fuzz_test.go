package generate

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// FuzzStream reads anything as a stream of events and as a whole answer: neither the text nor an error is longer than
// its bound or no UTF-8, the size of what arrives at a time changes nothing, and a draft without evidence is the text.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		": hello\n\n" + event("one ") + event("two") + "data: [DONE]\n\n", event("half"), "data: {\n", "data:[DONE]",
		event("a <cite p=\"1\">é</cite>. ") + event("b <ci") + event("te") + "data: [DONE]\r\n", event(" **") + "data: [DONE]\n", event(" **") + event(NoAnswer) + "data: [DONE]\n",
		`data: {"error":{"message":"` + strings.Repeat("é", 300) + `"}}` + "\n", `{"choices":[{"message":{"content":"\ud800 all"}}]}`,
		"event: x\ndata: {\"choices\":[]}\ndata: {\"choices\":[{\"delta\":null}]}\ndata: [DONE]\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var told strings.Builder
		draft := &Stream{Words: func(text string) {
			if text == "" {
				t.Fatal("the draft is told nothing")
			}
			told.WriteString(text)
		}, Void: told.Reset}
		text, err := stream(bytes.NewReader(data), draft)
		slow, err2 := stream(iotest.OneByteReader(bytes.NewReader(data)), nil)
		if text != slow || (err == nil) != (err2 == nil) {
			t.Fatalf("stream = %q, %v, byte by byte %q, %v", text, err, slow, err2)
		}
		if !utf8.ValidString(text) || len(text) > maxText+maxEventBytes {
			t.Fatalf("stream: %d bytes, or no UTF-8: %q", len(text), text)
		}
		if err == nil && !strings.Contains(text, citeOpens) && !strings.Contains(text, NoAnswer) && strings.TrimSpace(told.String()) != strings.TrimSpace(text) {
			t.Fatalf("the draft of %q is %q", text, told.String())
		}
		all, err3 := whole(bytes.NewReader(data))
		if !utf8.ValidString(all) || len(all) > maxText+len("…") {
			t.Fatalf("whole: %d bytes, or no UTF-8: %q", len(all), all)
		}
		for _, err := range []error{err, err3} {
			if err != nil && len(err.Error()) > len(data)+2*maxRefusal {
				t.Fatalf("an error of %d bytes: %.300s", len(err.Error()), err)
			}
		}
	})
}

// TestDraftHoldsLittle writes blanks and quotes, one at a time, of which a draft waits for what comes behind: what it
// holds back has a bound, since each piece looks at it again.
func TestDraftHoldsLittle(t *testing.T) {
	for _, c := range []struct{ name, begin, piece string }{
		{"blanks first", "", " "}, {"marks first", "", "*"}, {"blanks behind", "a", " "}, {"no answer", NoAnswer, "x"}, {"evidence", "a " + citeOpens, "x"},
	} {
		var told strings.Builder
		d := &Stream{Words: func(text string) { told.WriteString(text) }, Void: told.Reset}
		d.write(c.begin)
		most := 0
		for range 4 * maxHeld {
			d.write(c.piece)
			most = max(most, len(d.pending))
		}
		if most > 2*maxHeld {
			t.Errorf("%s: the draft holds %d bytes back, want at most %d", c.name, most, 2*maxHeld)
		}
	}
}
