package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"kdd/compiler/diag"
	"kdd/format/text"
)

// How often and how long a request is tried.
const (
	maxTries  = 6
	firstWait = 500 * time.Millisecond
	// maxWait is the longest that a server may ask to wait (Retry-After).
	maxWait = 5 * time.Minute
)

// statusError is an answer that is none of vectors.
type statusError struct {
	address string
	status  int
	said    string
}

// Error gives address, status and what the server said.
func (e *statusError) Error() string {
	s := fmt.Sprintf("%s: %d %s", e.address, e.status, http.StatusText(e.status))
	if e.said != "" {
		s += ": " + e.said
	}
	switch e.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		s += "; set the key that the server wants in KDD_EMBED_KEY"
	case http.StatusNotFound:
		s += "; check the address and the model's name"
	}
	return s
}

// embed asks for the vectors of texts, of unit length. A batch that is too large for the server is halved.
func (c *Client) embed(ctx context.Context, texts []string) ([][]float32, error) {
	var body any
	if c.o.API == TEI {
		body = map[string]any{"inputs": texts, "truncate": true}
	} else {
		body = map[string]any{"model": c.o.Model, "input": texts}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	answer, err := c.try(ctx, http.MethodPost, c.address, data)
	var status *statusError
	if errors.As(err, &status) && status.status == http.StatusRequestEntityTooLarge && len(texts) > 1 {
		half := len(texts) / 2
		first, err := c.embed(ctx, texts[:half])
		if err != nil {
			return nil, err
		}
		second, err := c.embed(ctx, texts[half:])
		return append(first, second...), err
	}
	if err != nil {
		return nil, err
	}
	rows, err := c.rows(answer)
	if err == nil {
		err = normalise(rows, len(texts))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.address, err)
	}
	return rows, nil
}

// rows reads an answer's vectors, in the order of the texts.
func (c *Client) rows(answer []byte) ([][]float32, error) {
	if c.o.API == TEI {
		var rows [][]float32
		if err := json.Unmarshal(answer, &rows); err != nil {
			return nil, diag.Cure("want a list of vectors", "no answer of TEI: %v", short(err.Error()))
		}
		return rows, nil
	}
	var list struct {
		Data []struct {
			Index     int
			Embedding []float32
		}
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		return nil, diag.Cure("want data with index and embedding", "no answer of OpenAI's API: %v", short(err.Error()))
	}
	rows := make([][]float32, len(list.Data))
	for _, d := range list.Data {
		if d.Index < 0 || d.Index >= len(rows) || rows[d.Index] != nil {
			return nil, diag.Cure("want each index once, from 0", "index %d among %d vectors", d.Index, len(rows))
		}
		rows[d.Index] = d.Embedding
	}
	return rows, nil
}

// normalise checks rows and scales them to unit length.
func normalise(rows [][]float32, want int) error {
	if len(rows) != want {
		return diag.Cure("want one for each text", "%d vectors of %d texts", len(rows), want)
	}
	for i, row := range rows {
		if len(row) == 0 || len(row) > maxDim {
			return diag.Cure(fmt.Sprintf("want 1 to %d", maxDim), "vector %d has %d numbers", i, len(row))
		}
		if len(row) != len(rows[0]) {
			return diag.Cure("want one length", "vector %d has %d numbers, the first %d", i, len(row), len(rows[0]))
		}
		var square float64
		for _, v := range row {
			square += float64(v) * float64(v)
		}
		if square == 0 || math.IsNaN(square) || math.IsInf(square, 0) {
			return diag.Cure("want a direction", "vector %d has the length %g", i, math.Sqrt(square))
		}
		scale := 1 / math.Sqrt(square)
		for k, v := range row {
			row[k] = float32(float64(v) * scale)
		}
	}
	return nil
}

// get reads a JSON answer once, without another try.
func (c *Client) get(ctx context.Context, address string, into any) error {
	data, err := c.once(ctx, http.MethodGet, address, nil)
	if err != nil {
		return plain(address, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: no JSON: %s", address, short(err.Error()))
	}
	return nil
}

// try sends a request until it is answered, refused for good, or has failed maxTries times. The waits double, with some
// chance in them; a server that says how long to wait (Retry-After) is believed.
func (c *Client) try(ctx context.Context, method, address string, body []byte) ([]byte, error) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.Multiplier, waits.MaxInterval = cmp.Or(c.o.FirstWait, firstWait), 2, time.Minute
	var last error
	data, err := backoff.Retry(ctx, func() ([]byte, error) {
		data, err := c.once(ctx, method, address, body)
		if err != nil {
			last = plain(address, err)
		}
		return data, err
	}, backoff.WithBackOff(waits), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(0))
	if err == nil {
		return data, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, last
}

// plain is an error without what backoff wraps it in, and without the request that Go's client names again.
func plain(address string, err error) error {
	var permanent *backoff.PermanentError
	if errors.As(err, &permanent) {
		err = permanent.Unwrap()
	}
	var after *waitError
	if errors.As(err, &after) {
		err = after.error
	}
	if errors.As(err, new(*statusError)) {
		return err
	}
	return fmt.Errorf("%s: %w", address, err)
}

// waitError is an answer that says how long to wait.
type waitError struct {
	error
	after *backoff.RetryAfterError
}

// Unwrap is what backoff looks for.
func (e *waitError) Unwrap() error { return e.after }

// once sends a request. An error that another try does not mend is marked for backoff.
func (c *Client) once(ctx context.Context, method, address string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, backoff.Permanent(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "kdd")
	if c.o.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		var refused *net.OpError
		if unwrapped := errors.Unwrap(err); unwrapped != nil { // a *url.Error, which names the address
			err = unwrapped
		}
		if strings.HasPrefix(err.Error(), "redirected to ") || c.dim == 0 && errors.As(err, &refused) {
			return nil, backoff.Permanent(err) // nobody is there, or another server is meant
		}
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxAnswerBytes {
		return nil, backoff.Permanent(fmt.Errorf("an answer of more than %d MB", maxAnswerBytes>>20))
	}
	if response.StatusCode == http.StatusOK {
		return data, nil
	}
	failed := &statusError{address: address, status: response.StatusCode, said: said(data, c.o.Key)}
	switch response.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return nil, backoff.Permanent(failed)
	}
	wait, ok := retryAfter(response.Header.Get("Retry-After"), time.Now())
	switch {
	case ok && wait > maxWait:
		failed.said = strings.TrimPrefix(failed.said+", ", ", ") + fmt.Sprintf("it asks to wait %s", wait.Round(time.Second))
		return nil, backoff.Permanent(failed)
	case ok:
		return nil, &waitError{failed, &backoff.RetryAfterError{Duration: wait}}
	}
	return nil, failed
}

// retryAfter reads the header, a number of seconds or a date (RFC 9110, section 10.2.3).
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds <= math.MaxInt32 {
		return time.Duration(seconds) * time.Second, true
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(date.Sub(now), 0), true
	}
	return 0, false
}

// said returns what a server says of an error: OpenAI's error.message, TEI's error, else the first line. A key that it
// repeats is left out.
func said(data []byte, key string) string {
	var object struct {
		Error   json.RawMessage
		Message string
		Detail  string
	}
	message := ""
	if json.Unmarshal(data, &object) == nil {
		var inner struct{ Message string }
		if json.Unmarshal(object.Error, &inner) == nil {
			message = inner.Message
		} else {
			json.Unmarshal(object.Error, &message) // else it stays empty
		}
		message = cmp.Or(message, object.Message, object.Detail)
	}
	if message == "" {
		message = string(data)
	}
	return short(keyless(message, key))
}

// keyless returns text without the key that a server repeats in it, plain or as addresses have it.
func keyless(text, key string) string {
	if key == "" {
		return text
	}
	return strings.NewReplacer(key, "***", url.QueryEscape(key), "***", url.PathEscape(key), "***").Replace(text)
}

// keylessError is an error whose text repeated the key.
type keylessError struct {
	error
	text string
}

// Error returns the text without the key.
func (e *keylessError) Error() string { return e.text }

// Unwrap returns the error itself.
func (e *keylessError) Unwrap() error { return e.error }

// keyless returns err, which may hold what the server says, with a text that does not hold the key.
func (c *Client) keyless(err error) error {
	if err == nil {
		return nil
	}
	if text := keyless(err.Error(), c.o.Key); text != err.Error() {
		return &keylessError{err, text}
	}
	return err
}

// maxSaid bounds what is repeated of a server's words.
const maxSaid = 200

// short makes a line of what a server says.
func short(s string) string {
	return text.Ellipsis(strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), 4*maxSaid)], "")), " "), maxSaid)
}
