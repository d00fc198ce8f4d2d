package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kdd/runtime"
	"kdd/runtime/generate"
	"kdd/runtime/shape"
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
	model, err := generate.New(endpoint.URL, "scripted", "", 10*time.Second)
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
			var reply shape.AnswerResponse
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
				w.Write(shape.Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": modelLine + " " + cite}}}}))
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
