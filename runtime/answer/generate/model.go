package generate

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// The bounds of one request.
const (
	DefaultTimeout = 60 * time.Second
	DefaultContext = 8192 // tokens
	MinContext     = 4096 // tokens
	maxTries       = 3
	maxBackoff     = 5 * time.Second
	maxEventBytes  = 256 << 10
	maxReplyBytes  = 4 << 20
	maxText        = 64 << 10 // bytes of the text that the model writes
	maxRefusal     = 200      // bytes of an endpoint's error message that are shown
)

// Model is a language model behind an endpoint. It is safe for concurrent use.
type Model struct {
	Name string

	endpoint, key string
	context       int // tokens
	timeout       time.Duration
	client        *http.Client
	wait          func(context.Context, time.Duration) error // between tries
}

// Message is one of a conversation.
type Message struct {
	Role    string `json:"role"` // system, user, assistant
	Content string `json:"content"`
}

// New returns the model of an endpoint. The address is the base address that its makers name, with or without
// /chat/completions. The key is sent as a bearer token, and never unencrypted to another machine. context is how many
// tokens the model reads and writes at most: 0 is DefaultContext, and the least is MinContext. The error says what is
// wrong with the address.
func New(address, name, key string, context int, timeout time.Duration) (*Model, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("got %q, want an address such as http://127.0.0.1:11434/v1", address)
	case u.User != nil:
		return nil, errors.New("the address holds a password: give the key in the environment")
	case key != "" && u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("the key would go to %s in the clear: use https", u.Hostname())
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the key has characters that a header cannot carry")
	}
	if !strings.HasSuffix(u.Path, "/chat/completions") {
		if u.Path = strings.TrimRight(u.Path, "/"); u.Path == "" {
			u.Path = "/v1"
		}
		u.Path += "/chat/completions"
	}
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &Model{
		Name: name, endpoint: u.String(), key: key, context: max(MinContext, cmp.Or(context, DefaultContext)),
		timeout: timeout, wait: pause,
		client: &http.Client{Transport: transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// pause waits, unless the context ends first.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// refusedError is an error that the endpoint answered with.
type refusedError struct {
	status int
	text   string
	after  time.Duration
}

// Error returns the message of the endpoint. It never holds the key, nor the address, which may be private.
func (e *refusedError) Error() string {
	if e.text == "" {
		return fmt.Sprintf("the endpoint answered %d %s", e.status, http.StatusText(e.status))
	}
	return fmt.Sprintf("the endpoint answered %d: %s", e.status, e.text)
}

// again says whether another try may help, and when.
func again(err error) (after time.Duration, ok bool) {
	var refused *refusedError
	if errors.As(err, &refused) {
		return refused.after, refused.status == http.StatusTooManyRequests || refused.status >= 500
	}
	return 0, errors.Is(err, errBroken)
}

// errBroken is a connection that could not be made or that broke.
var errBroken = errors.New("the connection broke")

// Complete returns the model's reply to messages, in at most maxTokens tokens and half of its context. If an endpoint
// is busy or cannot be reached, Complete tries three times, unless the endpoint asks to wait longer than that may take.
// The time limit is the model's own, but at most three quarters of the time until ctx ends: the rest is for the caller
// to answer without the model.
//
// If the endpoint streams, draft (if not nil) gets each part of the reply as it comes.
func (m *Model) Complete(ctx context.Context, messages []Message, maxTokens int, draft *Stream) (string, error) {
	limit := m.timeout
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)*3/4)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	body, err := json.Marshal(map[string]any{"model": m.Name, "messages": messages, "max_tokens": m.reply(maxTokens),
		"temperature": 0, "stream": true})
	if err != nil {
		return "", err
	}
	backoff := 250 * time.Millisecond
	for try := 1; ; try++ {
		draft.reset()
		text, err := m.once(ctx, body, draft)
		if err == nil {
			return text, nil
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", errors.New("it took too long")
		}
		after, ok := again(err)
		if !ok || after > maxBackoff || try == maxTries || ctx.Err() != nil {
			return "", err
		}
		after = max(after, backoff)
		if end, _ := ctx.Deadline(); time.Until(end) < after || m.wait(ctx, after) != nil {
			return "", err
		}
		backoff *= 4
	}
}

// once makes one request.
func (m *Model) once(ctx context.Context, body []byte, draft *Stream) (string, error) {
	text, err := m.ask(ctx, body, draft)
	if err == nil {
		return text, nil
	}
	said := err.Error()
	if m.key != "" {
		said = strings.ReplaceAll(said, m.key, "***")
	}
	if said = cutText(said, maxRefusal); said != err.Error() { // cut last: half a key would stay
		err = &keylessError{err, said}
	}
	return text, err
}

// keylessError is an error whose text repeated the key, or was long.
type keylessError struct {
	cause error
	text  string
}

// Error returns the text without the key.
func (e *keylessError) Error() string { return e.text }

// Unwrap returns the error itself.
func (e *keylessError) Unwrap() error { return e.cause }

// ask sends one request.
func (m *Model) ask(ctx context.Context, body []byte, draft *Stream) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.endpoint, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream, application/json")
	if m.key != "" {
		request.Header.Set("Authorization", "Bearer "+m.key)
	}
	response, err := m.client.Do(request)
	if err != nil {
		return "", fmt.Errorf("%w: %s", errBroken, reason(err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", refusal(response)
	}
	limited := io.LimitReader(response.Body, maxReplyBytes)
	var text string
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "application/json" {
		text, err = whole(limited)
	} else {
		text, err = stream(limited, draft)
	}
	if err == nil && strings.TrimSpace(text) == "" {
		err = errors.New("it wrote nothing")
	}
	return text, err
}

// reason says why a connection failed, without the addresses of the endpoint and the name server that such errors name.
func reason(err error) string {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	var lookup *net.DNSError
	var network *net.OpError
	switch {
	case errors.As(err, &lookup):
		return lookup.Err
	case errors.As(err, &network):
		err = network.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err.Error()
}

// refusal reads the error that an endpoint answers with.
func refusal(response *http.Response) error {
	data, _ := io.ReadAll(io.LimitReader(response.Body, 4096)) // after an error, the part that was read is shown
	e := &refusedError{status: response.StatusCode}
	var said struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(data, &said) == nil && len(said.Error) > 0 {
		var inner struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(said.Error, &e.text) != nil && json.Unmarshal(said.Error, &inner) == nil {
			e.text = inner.Message
		}
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.after = time.Duration(min(seconds, 60)) * time.Second
	}
	return e
}

// cutText returns text, or its first bytes up to limit and "…", cut between characters.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// completion is the part of an answer or event that is read.
type completion struct {
	Choices []struct {
		Message struct{ Content string } `json:"message"`
		Delta   struct{ Content string } `json:"delta"`
		Finish  string                   `json:"finish_reason"`
	} `json:"choices"`
	Error *struct{ Message string } `json:"error"`
}

// whole reads an answer that is not a stream.
func whole(r io.Reader) (string, error) {
	var c completion
	if err := json.NewDecoder(r).Decode(&c); err != nil {
		return "", notCompletion(err)
	}
	if c.Error != nil {
		return "", errors.New(c.Error.Message)
	}
	if len(c.Choices) == 0 {
		return "", errors.New("it is no chat completion: no choices")
	}
	return cutText(c.Choices[0].Message.Content, maxText), nil
}

// stream reads server-sent events until [DONE], or until maxText. Some endpoints end with a finish_reason and without
// [DONE]. A stream that ends otherwise was cut off; that is an error, since half an answer is worth nothing.
func stream(r io.Reader, draft *Stream) (string, error) {
	var text strings.Builder
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxEventBytes)
	finished := false
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data:")
		if !ok {
			if strings.HasPrefix(lines.Text(), "<") {
				return "", errors.New("it is no chat completion but a page")
			}
			continue // names of events, comments, the lines between them
		}
		data = strings.TrimSpace(data)
		if data == "[DONE]" {
			draft.end()
			return text.String(), nil
		}
		var c completion
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			if !lines.Scan() { // nothing behind it: half an event
				break
			}
			return "", notCompletion(err)
		}
		if c.Error != nil {
			return "", errors.New(c.Error.Message)
		}
		if len(c.Choices) == 0 {
			continue
		}
		piece := c.Choices[0].Delta.Content
		full := len(piece) >= maxText-text.Len()
		if full {
			piece = strings.ToValidUTF8(piece[:maxText-text.Len()], "") // not half a character
		}
		text.WriteString(piece)
		draft.write(piece)
		if finished = finished || full || c.Choices[0].Finish != ""; full {
			break
		}
	}
	switch err := lines.Err(); {
	case finished && err == nil:
		draft.end()
		return text.String(), nil
	case err != nil:
		return "", fmt.Errorf("%w: %s", errBroken, reason(err))
	}
	return "", fmt.Errorf("%w: the stream ended early", errBroken)
}

// notCompletion is the error for invalid JSON, and for JSON that is no completion.
func notCompletion(err error) error {
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) { // its text names types of this program
		return fmt.Errorf("it is no chat completion: got %s in the place of %s", other.Value,
			cmp.Or(other.Field, "an object"))
	}
	return fmt.Errorf("it is no chat completion: %w", err)
}
