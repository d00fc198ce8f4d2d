package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// span is what a Content-Range header says: the bytes from first to last of a file of total bytes.
type span struct {
	first, last int64 // -1 if no range was sent (416)
	total       int64 // -1 if it is not said
}

// parseSpan reads a Content-Range header (RFC 9110, section 14.4).
func parseSpan(header string) (s span, ok bool) {
	unit, rest, _ := strings.Cut(header, " ")
	ranges, total, found := strings.Cut(rest, "/")
	if !strings.EqualFold(unit, "bytes") || !found {
		return span{}, false
	}
	if s.total, ok = number(total); !ok {
		if total != "*" {
			return span{}, false
		}
		s.total = -1
	}
	if ranges == "*" {
		s.first, s.last = -1, -1
		return s, s.total >= 0
	}
	first, last, _ := strings.Cut(ranges, "-")
	var okFirst, okLast bool
	s.first, okFirst = number(first)
	s.last, okLast = number(last)
	if !okFirst || !okLast || s.last < s.first || s.total >= 0 && s.last >= s.total {
		return span{}, false
	}
	return s, true
}

// number reads digits, and nothing but digits.
func number(s string) (int64, bool) {
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n), err == nil && s[0] != '+'
}

// version is what tells one version of a file from another.
type version struct {
	etag     string // as it came; "" = none
	modified string
	strong   string // what If-Range may have; "" = nothing
}

// enoughSeconds lie between the last change and the answer if the change is the only one of its second, and clocks may
// differ a little (RFC 9110, section 8.8.2.2).
const enoughSeconds = 60

// versionOf reads the validators of an answer. A weak ETag says that a file means the same, not that it has the same
// bytes. A date is only used where there is no ETag at all (RFC 9110, section 13.1.5).
func versionOf(h http.Header) version {
	v := version{etag: h.Get("ETag"), modified: h.Get("Last-Modified")}
	switch {
	case len(v.etag) >= 2 && v.etag[0] == '"' && v.etag[len(v.etag)-1] == '"':
		v.strong = v.etag
	case v.etag == "":
		modified, err := http.ParseTime(v.modified)
		sent, errSent := http.ParseTime(h.Get("Date"))
		if err == nil && errSent == nil && sent.Sub(modified) >= enoughSeconds*time.Second {
			v.strong = v.modified
		}
	}
	return v
}

// other says whether an answer is of another version. What one of them lacks says nothing: an answer to If-Range may
// leave out what the first had. A gateway that makes an ETag weak has not changed the file.
func (v version) other(w version) bool {
	a, b := strings.TrimPrefix(v.etag, "W/"), strings.TrimPrefix(w.etag, "W/")
	if a != "" && b != "" {
		return a != b
	}
	return v.modified != "" && w.modified != "" && v.modified != w.modified
}

// encoding is the Content-Encoding of an answer, "" for none. Some object stores keep what only the upload was.
func encoding(h http.Header) string {
	e := strings.TrimSpace(strings.Join(h.Values("Content-Encoding"), ", "))
	if strings.EqualFold(e, "identity") || strings.EqualFold(e, "aws-chunked") {
		return ""
	}
	return e
}
