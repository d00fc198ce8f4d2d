package remote

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime/wire"
)

// maxBodyBytes bounds the body of a response, which is JSON or a stream of events.
const maxBodyBytes = 64 << 20

// httpTransport returns the transport of a server over HTTP, and the round tripper of its requests.
func httpTransport(r *resolved) (mcp.Transport, *roundTripper, error) {
	endpoint, err := url.Parse(r.URL)
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https" {
		return nil, nil, fmt.Errorf("%q is no http or https URL", r.redact(plainURL(r.URL)))
	}
	base := http.DefaultTransport.(*http.Transport).Clone()
	guard := &roundTripper{base: base, scheme: endpoint.Scheme, host: endpoint.Host, headers: http.Header{}, streamable: r.Transport != SSE}
	for name, value := range r.Headers {
		guard.headers.Set(name, value)
	}
	switch a := r.Auth; {
	case a == nil:
	case a.Type == "bearer":
		guard.headers.Set("Authorization", "Bearer "+a.Token)
	case a.Type == "basic":
		guard.headers.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(a.Username+":"+a.Password)))
	case a.Type == "api_key":
		name := a.Header
		if name == "" {
			name = "X-API-Key"
		}
		guard.headers.Set(name, a.Key)
	}
	client := &http.Client{Transport: guard}
	if r.Transport == SSE {
		return &mcp.SSEClientTransport{Endpoint: r.URL, HTTPClient: client, MaxEventSize: maxMessageBytes}, guard, nil
	}
	// The standalone stream has notifications and requests of the server, which this client does not use.
	return &mcp.StreamableClientTransport{Endpoint: r.URL, HTTPClient: client, MaxEventSize: maxMessageBytes, DisableStandaloneSSE: true, MaxRetries: -1}, guard, nil
}

// roundTripper adds credentials to requests, to one origin only, and bounds responses.
type roundTripper struct {
	base         http.RoundTripper
	scheme, host string
	headers      http.Header
	streamable   bool
	trouble      atomic.Pointer[error] // with a response's body: the SDK may only report a closed connection
}

// errOrigin means that a server named another host, in a redirect or as the endpoint of an SSE session.
var errOrigin = errors.New("it points to another host, which gets neither requests nor credentials")

// RoundTrip sends a request with the configured headers. Errors: errOrigin for another origin, *statusError for 401 and
// 403, *contentError for an answer to a streamable POST that is not MCP.
func (t *roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Scheme != t.scheme || request.URL.Host != t.host {
		return nil, fmt.Errorf("%w: %s://%s", errOrigin, request.URL.Scheme, request.URL.Host)
	}
	request = request.Clone(request.Context())
	for name, values := range t.headers {
		request.Header[name] = values
	}
	response, err := t.base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		// The SDK reports the status as text only, and not always.
		response.Body.Close()
		return nil, &statusError{response.StatusCode}
	}
	if t.streamable && request.Method == http.MethodPost && response.StatusCode == http.StatusOK {
		// The SDK sees it too late, and may then only report a closed connection.
		if got, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); got != "application/json" && got != "text/event-stream" {
			response.Body.Close()
			return nil, &contentError{got}
		}
	}
	response.Body = &boundedBody{ReadCloser: response.Body, left: maxBodyBytes, trouble: &t.trouble}
	return response, nil
}

// CloseIdleConnections is called by http.Client.
func (t *roundTripper) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// statusError is a refusal by status code.
type statusError struct{ code int }

// Error names the status by number and in words.
func (e *statusError) Error() string {
	return fmt.Sprintf("HTTP %d %s", e.code, http.StatusText(e.code))
}

// contentError is an answer of a media type that MCP does not use, such as a web page.
type contentError struct{ got string }

// Error names the type.
func (e *contentError) Error() string {
	return fmt.Sprintf("it answered with unsupported content type %q, want application/json or text/event-stream: is this the address of an MCP server?", wire.Shorten(e.got, 60))
}

// boundedBody fails at a limit instead of ending there, so that a cut answer is never taken for a whole one.
type boundedBody struct {
	io.ReadCloser
	left    int
	trouble *atomic.Pointer[error] // takes the error too
}

// Read fails once the limit is reached, even if the body ends there.
func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		err := fmt.Errorf("more than %d bytes in one response", maxBodyBytes)
		b.trouble.Store(&err)
		return 0, err
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
