package format

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// demoBlocks are blocks that the container knows nothing of: an empty one, a short one, and one of several pages.
func demoBlocks() []RawBlock {
	return []RawBlock{
		{Tag: Tag{'D', 'E', 'M', 'O'}, Critical: true, Rows: 1, Data: []byte("abc")},
		{Tag: Tag{'L', 'O', 'N', 'G'}, Rows: 7, Pages: FinePages, Data: bytes.Repeat([]byte("0123456789"), 2*crcPage/10+100)},
		{Tag: Tag{'N', 'O', 'N', 'E'}},
	}
}

// demo returns the bytes of a file of demoBlocks.
func demo(t testing.TB) []byte {
	t.Helper()
	return laid(t, demoBlocks())
}

// laid returns the bytes of a file of blocks.
func laid(t testing.TB, blocks []RawBlock) []byte {
	t.Helper()
	im, err := Lay(blocks)
	if err != nil {
		t.Fatalf("Lay = %v", err)
	}
	var b bytes.Buffer
	if n, err := im.WriteTo(&b); err != nil || n != int64(b.Len()) || n != im.Bytes() {
		t.Fatalf("WriteTo = %d, %v of %d bytes, Bytes() = %d", n, err, b.Len(), im.Bytes())
	}
	return b.Bytes()
}

// demoTrailers returns data with two trailers.
func demoTrailers(data []byte) []byte {
	data = AppendTrailer(bytes.Clone(data), TagProvenance, []byte(`{"source_commit":"1"}`))
	return AppendTrailer(data, Tag{'S', 'I', 'G', 'N'}, []byte("signed"))
}

// saved writes data to a file and returns its path.
func saved(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.kddx")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// isSentinel says whether an error is one of those that the package promises.
func isSentinel(err error) bool {
	return errors.Is(err, ErrCorrupt) || errors.Is(err, ErrVersion) || errors.Is(err, ErrNotKddx) || errors.Is(err, ErrTooBig)
}
