package wire

import (
	"errors"
	"strings"
	"testing"
)

func TestCursor(t *testing.T) {
	request := SearchRequest{Query: "q", Limit: 5, Page: Page{MaxBytes: 600}}
	for _, offset := range []int{0, 1, 127, 128, 1 << 20, MaxCursorOffset} {
		token := EncodeCursor("index", "search", request, offset)
		same := request
		same.MaxBytes, same.Cursor = 4096, token
		if got, err := DecodeCursor(token, "index", "search", same); got != offset || err != nil {
			t.Errorf("DecodeCursor(EncodeCursor(%d)) = %d, %v", offset, got, err)
		}
		if len(token) > 24 {
			t.Errorf("EncodeCursor(%d) = %q, want at most 24 bytes", offset, token)
		}
	}
	token := EncodeCursor("index", "search", request, 5)
	tests := []struct {
		name, token, index, operation string
		request                       SearchRequest
		want                          string
	}{
		{"another index", token, "index2", "search", request, "made with another index"},
		{"another operation", token, "index", "list", request, "made for another request"},
		{"another query", token, "index", "search", SearchRequest{Query: "p", Limit: 5}, "made for another request"},
		{"another limit", token, "index", "search", SearchRequest{Query: "q", Limit: 6}, "made for another request"},
		{"empty", "", "index", "search", request, "damaged"},
		{"not base64", "?", "index", "search", request, "damaged"},
		{"cut", token[:len(token)-1], "index", "search", request, "damaged"},
		{"longer", token + "AA", "index", "search", request, "damaged"},
		{"one letter changed", strings.Replace(token, token[8:9], "-", 1), "index", "search", request, "damaged"},
		{"huge", strings.Repeat("A", 1<<20), "index", "search", request, "damaged"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := DecodeCursor(test.token, test.index, test.operation, test.request)
			var e *Error
			if !errors.As(err, &e) || e.Code != CodeStaleCursor || !strings.Contains(e.Message, test.want) || e.Hint == "" {
				t.Errorf("DecodeCursor = %d, %v, want stale_cursor %q", got, err, test.want)
			}
		})
	}
}

func FuzzDecodeCursor(f *testing.F) {
	request := map[string]string{"query": "q"}
	for _, offset := range []int{0, 5, 300, MaxCursorOffset} {
		f.Add(EncodeCursor("i", "search", request, offset))
	}
	f.Add("AQ")
	f.Fuzz(func(t *testing.T, token string) {
		offset, err := DecodeCursor(token, "i", "search", request)
		if err != nil {
			if AsError(err).Code != CodeStaleCursor {
				t.Fatalf("DecodeCursor(%q) = %v, want stale_cursor", token, err)
			}
			return
		}
		if again := EncodeCursor("i", "search", request, offset); again != token {
			t.Fatalf("DecodeCursor(%q) = %d, which is %q", token, offset, again)
		}
	})
}
