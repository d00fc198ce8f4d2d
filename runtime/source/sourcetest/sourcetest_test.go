package sourcetest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

// get asks for a range and returns status, validator and body.
func get(t *testing.T, url, ranges string) (int, string, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if ranges != "" {
		request.Header.Set("Range", "bytes="+ranges)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("ETag"), string(body)
}

// TestServer checks what is served and what is noted of it.
func TestServer(t *testing.T) {
	files := fstest.MapFS{"a/docs.kddx": {Data: []byte("0123456789")}}
	s := New(files, Fault(func(request int, w http.ResponseWriter, r *http.Request) bool {
		if request == 4 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return request == 4
	}))
	defer s.Close()
	var etag string
	for _, tt := range []struct {
		path, ranges string
		status       int
		body         string
		at           int64
	}{
		{"/a/docs.kddx", "", 200, "0123456789", -1},
		{"/a/docs.kddx", "2-4", 206, "234", 2},
		{"/a/docs.kddx", "8-99", 206, "89", 8},
		{"/a/docs.kddx", "1-1", 503, "", -1},
		{"/a/docs.kddx", "20-", 416, "invalid range: failed to overlap\n", -1},
		{"/a", "", 404, "404 page not found\n", -1},
		{"/../a/docs.kddx", "0-0", 404, "404 page not found\n", -1},
	} {
		status, tag, body := get(t, s.URL+tt.path, tt.ranges)
		if status != tt.status || body != tt.body {
			t.Errorf("%s %s = %d %q, want %d %q", tt.path, tt.ranges, status, body, tt.status, tt.body)
		}
		seen := s.Seen()
		if len(seen) != 1 || seen[0].At != tt.at || seen[0].N != int64(len(tt.body)) || seen[0].Range != tt.ranges || seen[0].Status != status {
			t.Errorf("%s %s is noted as %+v", tt.path, tt.ranges, seen)
		}
		if status == http.StatusPartialContent {
			etag = tag
		}
	}
	s.Replace(files)
	if _, tag, _ := get(t, s.URL+"/a/docs.kddx", "0-1"); tag == etag || !strings.HasPrefix(tag, `"`) {
		t.Errorf("the ETag of another version is %s, before it was %s", tag, etag)
	}
}

// TestRounds checks the number of rounds of requests that wait for each other and of some that do not, though the last of
// these comes after an answer to the first was due.
func TestRounds(t *testing.T) {
	s := New(fstest.MapFS{"f": {Data: make([]byte, 1000)}}, Together(100*time.Millisecond))
	defer s.Close()
	get(t, s.URL+"/f", "0-99")
	var group sync.WaitGroup
	for i := range 4 {
		time.Sleep(40 * time.Millisecond)
		group.Go(func() { get(t, s.URL+"/f", fmt.Sprintf("%d-%d", 100*i, 100*i+99)) })
	}
	group.Wait()
	get(t, s.URL+"/f", "0-99")
	seen := s.Seen()
	if len(seen) != 6 || seen.Rounds() != 3 || seen.Bytes() != 600 {
		t.Errorf("want 6 requests, 3 rounds, 600 bytes:\n%s", seen)
	}
	if text := seen.String(); !strings.HasSuffix(text, "6 requests, 3 rounds, 600 bytes\n") {
		t.Errorf("String = %s", text)
	}
}
