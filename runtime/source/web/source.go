package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"kdd/runtime/source"
)

// Source is a file on a web server.
type Source struct {
	client  *Client
	size    int64
	head    []byte // the first bytes, or all
	version version

	mu      sync.Mutex
	ifRange string // "" = a range is asked for without a condition
}

var _ source.Source = (*Source)(nil)

// Open reads the first HeadBytes of a file, or all of it if its host has no ranges. Errors are those of the address
// and the host, as *source.Error, or ctx's.
func Open(ctx context.Context, address string, o Options) (*Source, error) {
	c, err := NewClient(address, o)
	if err != nil {
		return nil, err
	}
	s := &Source{client: c}
	if err := c.try(ctx, func() (int64, error) { return 0, s.first(ctx) }); err != nil {
		c.Close()
		return nil, err
	}
	if want := min(s.size, HeadBytes); int64(len(s.head)) < want { // the first answer was cut short
		more, err := s.ReadRange(ctx, int64(len(s.head)), want-int64(len(s.head)))
		if err != nil {
			c.Close()
			return nil, err
		}
		s.head = append(s.head, more...)
	}
	return s, nil
}

// Name is the address without user, password and query.
func (s *Source) Name() string { return s.client.Name() }

// Size is the number of bytes of the file.
func (s *Source) Size() int64 { return s.size }

// Whole says whether the file was read whole, so that no read costs a request.
func (s *Source) Whole() bool { return int64(len(s.head)) == s.size }

// Stats counts the requests until now.
func (s *Source) Stats() Stats { return s.client.Stats() }

// Close gives up the connections.
func (s *Source) Close() error { return s.client.Close() }

// ReadRange returns the n bytes from byte at on. Cost: none for what Open has read, else one request, and more of them
// if answers are cut short. Errors: source.ErrChanged for another version, others as Open has them.
func (s *Source) ReadRange(ctx context.Context, at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > s.size || n > s.size-at {
		return nil, &source.Error{Place: s.Name(), Wrong: fmt.Sprintf("%d bytes from byte %d on of a file of %d bytes", n, at, s.size)}
	}
	var b []byte
	if have := int64(len(s.head)); at < have {
		b = append(b, s.head[at:min(have, at+n)]...)
	}
	err := error(nil)
	if int64(len(b)) < n {
		// What a host says of a size is not believed until the bytes have come.
		b = append(make([]byte, 0, min(n, 1<<20)), b...)
		err = s.client.try(ctx, func() (int64, error) {
			before := len(b)
			var err error
			b, err = s.next(ctx, b, at+int64(len(b)), n-int64(len(b)))
			return int64(len(b) - before), err
		})
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// ranges is the header of a request for n bytes.
func ranges(at, n int64) http.Header {
	return http.Header{"Range": {"bytes=" + strconv.FormatInt(at, 10) + "-" + strconv.FormatInt(at+n-1, 10)}}
}

// first asks for the first bytes, and finds out what the host can do.
func (s *Source) first(ctx context.Context) error {
	a, err := s.client.ask(ctx, nil, false, ranges(0, HeadBytes))
	if err != nil {
		return err
	}
	defer a.close()
	if e := encoding(a.Header); e != "" {
		return a.wrong(compressed, "the file comes with Content-Encoding %q", e)
	}
	switch a.StatusCode {
	case http.StatusOK:
		return s.whole(a)
	case http.StatusRequestedRangeNotSatisfiable:
		return a.wrong("check what was published", "the file is empty (416 for its first bytes)")
	}
	sp, err := a.span()
	if err != nil {
		return err
	}
	if sp.total < 0 {
		return a.wrong(`have the host say the length, or publish with "kdd site --parts"`,
			"Content-Range %q has no length of the file", a.Header.Get("Content-Range"))
	}
	if err := a.covers(sp, 0, min(sp.total, HeadBytes)); err != nil {
		return err
	}
	s.size, s.version = sp.total, versionOf(a.Header)
	s.ifRange = s.version.strong
	s.head, err = a.more(make([]byte, 0, sp.last+1), sp.last+1)
	if err != nil && len(s.head) == 0 {
		return a.short(err, 0, sp.last+1)
	}
	return nil // what is missing is asked for again
}

// span reads the Content-Range of an answer.
func (a *answer) span() (span, error) {
	said := a.Header.Get("Content-Range")
	sp, ok := parseSpan(said)
	if !ok || sp.first < 0 {
		return span{}, a.wrong(`publish with "kdd site --parts" if the host cannot be mended`,
			"206 with Content-Range %q, want one range of the file", said)
	}
	return sp, nil
}

// covers checks that a range is that of the n bytes from at on, or begins like it, and that the body has its length.
func (a *answer) covers(sp span, at, n int64) error {
	if sp.first != at || sp.last >= at+n {
		return a.wrong(`publish with "kdd site --parts" if the host cannot be mended`,
			"sends bytes %d-%d, want %d-%d", sp.first, sp.last, at, at+n-1)
	}
	if length := sp.last - sp.first + 1; a.ContentLength >= 0 && a.ContentLength != length {
		return a.wrong(`publish with "kdd site --parts" if the host cannot be mended`,
			"Content-Length %d beside Content-Range %q", a.ContentLength, a.Header.Get("Content-Range"))
	}
	return nil
}

// whole reads the body of a host without ranges.
func (s *Source) whole(a *answer) error {
	limit := s.client.o.WholeLimit
	tooLarge := func(size string) error {
		e := a.wrong(`raise the limit, choose a host with ranges, or publish with "kdd site --parts"`,
			"the host has no ranges, and the file has %s bytes, the limit for reading it whole is %d", size, max(limit, 0))
		e.Kind = source.ErrTooLarge
		return e
	}
	if a.ContentLength > limit {
		return tooLarge(strconv.FormatInt(a.ContentLength, 10))
	}
	if limit <= 0 {
		return tooLarge("some")
	}
	s.client.guard.once("whole", a.place()+": the host has no ranges, so that the whole file is read")
	want := a.ContentLength
	if want < 0 {
		want = limit + 1
	}
	b, err := a.more(make([]byte, 0, max(0, a.ContentLength)), want)
	switch {
	case err == io.EOF && len(b) > 0: // its end, as far as the host says
	case err != nil:
		return a.short(err, int64(len(b)), want)
	case a.ContentLength < 0:
		return tooLarge("more than " + strconv.FormatInt(limit, 10))
	case len(b) == 0:
		return a.wrong("check what was published", "the file is empty")
	}
	s.size, s.head, s.version = int64(len(b)), b, versionOf(a.Header)
	return nil
}

// next appends the n bytes from at on to b, or as many of them as came, with an error.
func (s *Source) next(ctx context.Context, b []byte, at, n int64) ([]byte, error) {
	header := ranges(at, n)
	s.mu.Lock()
	condition := s.ifRange
	s.mu.Unlock()
	if condition != "" {
		header.Set("If-Range", condition)
	}
	a, err := s.client.ask(ctx, nil, false, header)
	if err != nil {
		return b, err
	}
	defer a.close()
	if err := s.same(a, condition); err != nil {
		return b, err
	}
	if e := encoding(a.Header); e != "" {
		return b, a.wrong(compressed, "the file comes with Content-Encoding %q", e)
	}
	sp, err := a.span()
	if err == nil {
		err = a.covers(sp, at, n)
	}
	if err != nil {
		return b, err
	}
	length := sp.last - sp.first + 1
	had := len(b)
	if b, err = a.more(b, length); err != nil {
		return b, a.short(err, int64(len(b)-had), length)
	}
	if length < n { // a host may send less than was asked for; the rest is one more request
		return b, again{error: a.wrong("", "sends %d bytes, want %d", length, n)}
	}
	return b, nil
}

// same checks that an answer is of the version that was opened. condition is the If-Range of its request.
func (s *Source) same(a *answer, condition string) error {
	changed := func(text string, args ...any) error {
		e := a.wrong("ask again", "%s, "+text, append([]any{source.ErrChanged}, args...)...)
		e.Kind = source.ErrChanged
		return e
	}
	sp, ok := parseSpan(a.Header.Get("Content-Range"))
	if ok && sp.total >= 0 && sp.total != s.size {
		return changed("which has %d bytes now and had %d", sp.total, s.size)
	}
	if v := versionOf(a.Header); s.version.other(v) {
		if v.etag != "" && s.version.etag != "" {
			return changed("whose ETag is %s now and was %s", v.etag, s.version.etag)
		}
		return changed("whose Last-Modified is %s now and was %s", v.modified, s.version.modified)
	}
	switch {
	case a.StatusCode == http.StatusOK && condition != "" && s.unchanged(a):
		// The file is the same, the host does not understand the condition.
		s.mu.Lock()
		s.ifRange = ""
		s.mu.Unlock()
		return again{error: a.wrong(`publish with "kdd site --parts" if the host cannot be mended`,
			"200 with the whole file to a request of a range, want 206")}
	case a.StatusCode == http.StatusOK:
		return changed("200 with a whole file came, want 206 with a range")
	case a.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return a.wrong("check the host", "416 to a range that the file has")
	}
	return nil
}

// unchanged says whether an answer with a whole file names the version that was opened, by its strong validator.
func (s *Source) unchanged(a *answer) bool {
	v := versionOf(a.Header)
	return v.strong != "" && v.strong == s.version.strong && a.ContentLength == s.size
}
