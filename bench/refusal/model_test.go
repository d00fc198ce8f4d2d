package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kdd/runtime/answer/generate"
)

// TestRecorded asks for a reply that no file has, then one that a model behind gives, then again without that model.
func TestRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	asks := 0
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asks++
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": "yes <b>"}}}})
	}))
	defer behind.Close()
	ask := func(live bool) (reply string, failed, unfinished error) {
		t.Helper()
		var model *generate.Model
		if live {
			var err error
			if model, err = generate.New(behind.URL, "m", "", 0, time.Second); err != nil {
				t.Fatal(err)
			}
		}
		r, err := record(path, model)
		if err != nil {
			t.Fatal(err)
		}
		own, err := r.model()
		if err != nil {
			t.Fatal(err)
		}
		reply, failed = own.Complete(context.Background(), []generate.Message{{Role: "user", Content: "q <a>"}}, 10, nil)
		return reply, failed, r.finish(path)
	}
	if _, failed, unfinished := ask(false); failed == nil || unfinished == nil || !strings.Contains(unfinished.Error(), "1 prompts have no reply in") {
		t.Errorf("nothing recorded: %v, %v", failed, unfinished)
	}
	if missing, err := os.ReadFile(path + ".missing"); err != nil || !strings.Contains(string(missing), `"prompt":[{"role":"user","content":"q \u003ca\u003e"}]`) {
		t.Errorf("missing prompts %q, %v", missing, err)
	}
	for _, live := range []bool{true, true, false} {
		if reply, failed, unfinished := ask(live); reply != "yes <b>" || failed != nil || unfinished != nil {
			t.Errorf("live %v: reply %q, %v, %v", live, reply, failed, unfinished)
		}
	}
	if asks != 1 {
		t.Errorf("the model was asked %d times, want 1", asks)
	}
	if err := os.WriteFile(path, []byte(`{"key":"a"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := record(path, nil); err == nil || !strings.Contains(err.Error(), ":1: want") {
		t.Errorf("a line without a reply: %v", err)
	}
}

// A language model without a file for its replies would be asked for nothing.
func TestWriterNeedsAFile(t *testing.T) {
	for _, s := range []settings{{llm: "http://127.0.0.1:1"}, {name: "m"}, {replies: filepath.Join(t.TempDir(), "r"), llm: "nowhere"}} {
		if _, _, err := writer(&s); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
	if model, endpoint, err := writer(&settings{}); model != nil || endpoint != nil || err != nil {
		t.Errorf("nothing: %v, %v, %v", model, endpoint, err)
	}
}
