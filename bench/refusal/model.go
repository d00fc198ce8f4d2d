package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"time"

	"kdd/runtime/answer/generate"
)

// reply is what a language model wrote, by the SHA-256 of what it was asked (the messages as JSON); a line of a file of replies.
// Prompt is there only of what has no reply yet.
type reply struct {
	Key    string          `json:"key"`
	Reply  string          `json:"reply,omitempty"`
	Prompt json.RawMessage `json:"prompt,omitempty"`
}

// recorded is an endpoint that speaks a language model's replies from a file. What is not in it is asked of the model behind, if there
// is one, and else kept with its prompt.
type recorded struct {
	*httptest.Server
	behind *generate.Model

	mu      sync.Mutex
	known   map[string]string
	fresh   []reply // of the model behind
	missing []reply
}

// record reads a file of replies, which need not exist, and serves them.
func record(path string, behind *generate.Model) (*recorded, error) {
	r := &recorded{behind: behind, known: map[string]string{}}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var one reply
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil || one.Key == "" || one.Reply == "" {
			return nil, fmt.Errorf(`%s:%d: want {"key":"…","reply":"…"}`, path, n)
		}
		r.known[one.Key] = one.Reply
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	return r, nil
}

// serve answers a chat completion.
func (r *recorded) serve(w http.ResponseWriter, request *http.Request) {
	var asked struct {
		Messages  json.RawMessage `json:"messages"`
		MaxTokens int             `json:"max_tokens"`
	}
	if err := json.NewDecoder(request.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sum := sha256.Sum256(asked.Messages)
	key := hex.EncodeToString(sum[:8])
	r.mu.Lock()
	text, ok := r.known[key]
	r.mu.Unlock()
	if !ok && r.behind != nil {
		var messages []generate.Message
		err := json.Unmarshal(asked.Messages, &messages)
		if err == nil {
			text, err = r.behind.Complete(request.Context(), messages, asked.MaxTokens, nil)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		ok = true
		r.mu.Lock()
		r.known[key], r.fresh = text, append(r.fresh, reply{Key: key, Reply: text})
		r.mu.Unlock()
	}
	if !ok {
		r.mu.Lock()
		r.missing = append(r.missing, reply{Key: key, Prompt: asked.Messages})
		r.mu.Unlock()
		http.Error(w, "no reply is recorded", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": text}}}})
}

// model is what a Service is given.
func (r *recorded) model() (*generate.Model, error) {
	return generate.New(r.URL, "recorded", "", 0, time.Minute)
}

// finish ends the endpoint, adds new replies to the file, and writes prompts without a reply beside it, which is an error.
func (r *recorded) finish(path string) error {
	r.Close()
	if err := write(path, os.O_APPEND, r.fresh); err != nil {
		return err
	}
	if len(r.missing) == 0 {
		return nil
	}
	beside := path + ".missing"
	if err := write(beside, os.O_TRUNC, r.missing); err != nil {
		return err
	}
	return fmt.Errorf("%d prompts have no reply in %s: they are in %s", len(r.missing), path, beside)
}

// write puts replies into a file as JSON lines.
func write(path string, how int, list []reply) error {
	if len(list) == 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|how, 0o644)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(f)
	lines.SetEscapeHTML(false)
	for i := range list {
		err = errors.Join(err, lines.Encode(&list[i]))
	}
	return errors.Join(err, f.Close())
}
