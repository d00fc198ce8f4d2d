package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kdd/runtime"
	"kdd/runtime/answer/ask"
	"kdd/runtime/answer/generate"
	"kdd/runtime/wire"
)

// The question of these tests, and what the handbook has on it.
const (
	modelQuestion = "how long is an access token valid"
	modelQuote    = "signed with Ed25519 and valid for 15 minutes"
	modelLine     = "An access token is valid for 15 minutes."
)

// modelled returns a Service of the handbook whose language model is a script: it is given what to answer with and the
// evidence for modelLine.
func modelled(t *testing.T, script func(w http.ResponseWriter, r *http.Request, cite string)) *runtime.Service {
	t.Helper()
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var prompt struct{ Messages []generate.Message }
		if err != nil || json.Unmarshal(body, &prompt) != nil || len(prompt.Messages) == 0 {
			t.Errorf("prompt %s, %v", body, err)
			return
		}
		text := prompt.Messages[len(prompt.Messages)-1].Content
		before, _, found := strings.Cut(strings.Join(strings.Fields(text), " "), modelQuote)
		if !found {
			t.Errorf("no passage has %q: %s", modelQuote, text)
		}
		var n int
		if _, err := fmt.Sscanf(before[strings.LastIndex(before, `<passage n="`):], `<passage n="%d"`, &n); err != nil {
			t.Error(err)
		}
		script(w, r, fmt.Sprintf(`<cite n="%d">%s</cite>`, n, modelQuote))
	}))
	t.Cleanup(endpoint.Close)
	model, err := generate.New(endpoint.URL, "scripted", "", 0, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	svc := runtime.New(runtime.Config{Index: []string{handbookFile(t)}, Version: "1.0.0", Model: model})
	t.Cleanup(func() { svc.Close() })
	return svc
}

// An answer that stands in for one of a model that failed is not kept: the next who asks gets the model's.
func TestAFallbackIsNotKept(t *testing.T) {
	for _, test := range []struct {
		name string
		ask  func(base string) (mode, cache string)
	}{
		{"tools/call", func(base string) (string, string) {
			_, h, reply := tell(t, base+callPath, callBody("kdd_ask", fmt.Sprintf(`{"query":%q}`, modelQuestion)))
			mode, _ := reply["mode"].(string)
			return mode, h.Get("X-Cache")
		}},
		{"GET", func(base string) (string, string) {
			_, h, body := get(t, base+"/api/v1/ask?query="+url.QueryEscape(modelQuestion))
			var reply wire.AnswerResponse
			if err := json.Unmarshal([]byte(body), &reply); err != nil {
				t.Fatal(err)
			}
			return reply.Mode, h.Get("X-Cache")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var asked atomic.Int32
			base, _ := started(t, Options{CacheBytes: 1 << 20, Service: modelled(t, func(w http.ResponseWriter, _ *http.Request, cite string) {
				if asked.Add(1) == 1 {
					http.Error(w, "", http.StatusBadRequest)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				w.Write(wire.Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": modelLine + " " + cite}}}}))
			})})
			for i, want := range []string{"extractive miss", "generated miss", "generated hit"} {
				if mode, cache := test.ask(base); mode+" "+cache != want {
					t.Errorf("answer %d is %s %s, want %s", i+1, mode, cache, want)
				}
			}
			if asked.Load() != 2 {
				t.Errorf("the model was asked %d times, want 2", asked.Load())
			}
		})
	}
}

// says writes one event of a model's stream.
func says(t *testing.T, w http.ResponseWriter, words string) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\n", wire.Encode(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"content": words}}}}))
	if err := http.NewResponseController(w).Flush(); err != nil {
		t.Error(err)
	}
}

// dataOf reads the data of an event.
func dataOf[T any](t *testing.T, e event) (data T) {
	t.Helper()
	if err := json.Unmarshal([]byte(e.data), &data); err != nil {
		t.Fatalf("%v: %v", e, err)
	}
	return data
}

// namedEvent reads the next event that is no comment.
func namedEvent(t *testing.T, lines *bufio.Reader) event {
	t.Helper()
	for {
		e, ok := nextEvent(t, lines)
		if !ok {
			t.Fatal("the stream ended early")
		}
		if e.name != "" {
			return e
		}
	}
}

// A model's words come as it writes them: the sources before it has written any, each piece before the next. What
// stands behind the last reset is the answer that a call without a stream gets.
func TestEventsOfAModel(t *testing.T) {
	for _, test := range []struct {
		name   string
		write  func(w http.ResponseWriter, next <-chan struct{}, cite string)
		drafts []string
		reset  resetEvent
		mode   string
		says   string
	}{
		{"it writes", func(w http.ResponseWriter, next <-chan struct{}, cite string) {
			for _, words := range []string{"An access token", " is valid for <b>15", "</b> minutes. " + cite[:8]} {
				<-next
				says(t, w, words)
			}
			<-next
			says(t, w, cite[8:]+"\n")
			io.WriteString(w, "data: [DONE]\n\n")
		}, []string{"An access token", " is valid for &lt;b>15", "&lt;/b> minutes."}, resetEvent{Reason: ask.DraftChecked}, "generated", "15&lt;/b> minutes. [1]"},
		{"it fails midway", func(w http.ResponseWriter, next <-chan struct{}, cite string) {
			<-next
			says(t, w, "An access token")
			<-next
			io.WriteString(w, "data: {\"error\":{\"message\":\"overloaded\"}}\n\n")
		}, []string{"An access token"},
			resetEvent{Reason: ask.DraftFailed, Message: "the language model did not answer (overloaded): this is what comes without it"}, "extractive", "15 minutes"},
		{"it invents its evidence", func(w http.ResponseWriter, next <-chan struct{}, _ string) {
			<-next
			says(t, w, `For ever. <cite n="1">an access token is valid for ever</cite>`)
			<-next
			io.WriteString(w, "data: [DONE]\n\n")
		}, []string{"For ever."}, resetEvent{Reason: ask.DraftChecked}, "generated", "is not supported by these documents"},
	} {
		t.Run(test.name, func(t *testing.T) {
			next := make(chan struct{}, 16)
			base, _ := started(t, Options{Service: modelled(t, func(w http.ResponseWriter, _ *http.Request, cite string) { test.write(w, next, cite) })})
			body := callBody("generate_rag_answer", fmt.Sprintf(`{"query":%q}`, modelQuestion))
			lines := bufio.NewReader(open(t, t.Context(), base+callPath, body).Body)
			if sources := dataOf[sourcesEvent](t, namedEvent(t, lines)); len(sources.Sources) < 2 || sources.Sources[0].URL == "" || sources.Confidence == 0 {
				t.Errorf("sources %+v, want those that the model is given", sources)
			}
			for _, words := range test.drafts {
				next <- struct{}{}
				if e := namedEvent(t, lines); e.name != "delta" || dataOf[delta](t, e) != (delta{words, true}) {
					t.Fatalf("event %v, want the draft %q", e, words)
				}
			}
			next <- struct{}{}
			if e := namedEvent(t, lines); e.name != "reset" || dataOf[resetEvent](t, e) != test.reset {
				t.Errorf("event %v, want reset %+v", e, test.reset)
			}
			names, text := "", ""
			var final map[string]any
			for final == nil {
				e := namedEvent(t, lines)
				names += " " + e.name
				switch e.name {
				case "delta":
					part := dataOf[delta](t, e)
					if text += part.Text; part.Draft {
						t.Errorf("draft %q behind the last reset", part.Text)
					}
				case "final":
					final = dataOf[map[string]any](t, e)
				}
			}
			if !strings.HasPrefix(names, " sources delta") || text != final["result"] || final["mode"] != test.mode || !strings.Contains(text, test.says) {
				t.Errorf("events%s, text %q, final %v", names, text, final)
			}
			for range 4 {
				next <- struct{}{}
			}
			if _, _, plain := tell(t, base+callPath, body); !reflect.DeepEqual(plain, final) {
				t.Errorf("final %v\nwithout a stream %v", final, plain)
			}
		})
	}
}

// A client that goes ends the request to the model; until then a comment says now and again that the work goes on.
func TestAClientThatGoesEndsTheModel(t *testing.T) {
	ended := make(chan struct{})
	base, _ := startedWith(t, Options{Service: modelled(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		says(t, w, "An access token")
		<-r.Context().Done()
		close(ended)
	})}, func(s *Server) { s.limits.heartbeat = time.Millisecond })
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	lines := bufio.NewReader(open(t, ctx, base+callPath, callBody("kdd_ask", fmt.Sprintf(`{"query":%q}`, modelQuestion))).Body)
	for namedEvent(t, lines).name != "delta" {
	}
	for range 3 {
		if e, ok := nextEvent(t, lines); !ok || e.name != "" {
			t.Fatalf("event %v, want a comment", e)
		}
	}
	leave()
	<-ended
}

// Words of a draft are no markup, wherever they are parted.
func TestDraftsAreInert(t *testing.T) {
	for _, test := range []struct{ want, words string }{
		{"&lt;img src=x> a &lt;", "<img src=x> a <"},
		{"[a] (javascript:x) [b] : y", "[a](javascript:x) [b]: y"},
	} {
		for at := 1; at < len(test.words); at++ {
			var d draftWriter
			if got := d.inert(test.words[:at]) + d.inert(test.words[at:]); got != test.want {
				t.Errorf("%q, parted at %d = %q, want %q", test.words, at, got, test.want)
			}
		}
	}
}
