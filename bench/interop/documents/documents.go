// Package documents stands in for a Vespa container: it takes the documents that "vespa feed" sends, over HTTP/2, and
// writes each to a file as it came, for export/load.py.
//
//	go run ./bench/interop documents FILE
//
// It prints its address, listens on the loopback alone, and ends with its standard input.
package documents

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"kdd/bench/internal/harness"
)

// mostBytes is how large a document may be.
const mostBytes = 16 << 20

// Run serves until its standard input ends.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("documents", args, stderr, func(flags *flag.FlagSet) harness.Work {
		return func(ctx context.Context) error {
			if flags.NArg() != 1 {
				return harness.Wrong("got %d files, want one", flags.NArg())
			}
			return serve(ctx, stdout, flags.Arg(0))
		}
	})
}

func serve(ctx context.Context, stdout io.Writer, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: &taker{out: f}, Protocols: new(http.Protocols)}
	server.Protocols.SetUnencryptedHTTP2(true)
	fmt.Fprintf(stdout, "http://%s\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	io.Copy(io.Discard, os.Stdin)
	err = server.Shutdown(ctx)
	<-ended // http.ErrServerClosed
	return err
}

// taker writes a line for each document: where it was sent, and its body.
type taker struct {
	mu  sync.Mutex
	out io.Writer
}

// ServeHTTP takes one document.
func (t *taker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := read(r)
	if err != nil || r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/document/v1/") {
		http.Error(w, `{"message":"not a document"}`, http.StatusBadRequest)
		return
	}
	line, err := json.Marshal(struct {
		Path string          `json:"path"`
		Body json.RawMessage `json:"body"`
	}{r.URL.Path, body})
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		_, err = t.out.Write(append(line, '\n'))
	}
	if err != nil {
		http.Error(w, `{"message":"not taken"}`, http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"pathId": r.URL.Path})
}

// read returns the body of a request.
func read(r *http.Request) ([]byte, error) {
	var from io.Reader = http.MaxBytesReader(nil, r.Body, mostBytes)
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(from)
		if err != nil {
			return nil, err
		}
		from = io.LimitReader(z, mostBytes)
	}
	body, err := io.ReadAll(from)
	if err == nil && !json.Valid(body) {
		err = errors.New("no JSON")
	}
	return body, err
}
