package export

import (
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// parquetRows is how many rows are a row group, which is in memory until it is written: some 15 MB with vectors of 384
// dimensions, compressed.
const parquetRows = 8192

// parquetSink writes Parquet: lists as three-level lists, vectors as list<float>, About in the key-value metadata.
type parquetSink[T any] struct {
	w   *parquet.GenericWriter[T]
	row func(*Row) T
	one [1]T
}

func newParquet(w io.Writer, j *job) (sink, error) {
	if j.about.Model == nil {
		return parquetOf(w, j, func(row *Row) Chunk { return row.Chunk }), nil
	}
	return parquetOf(w, j, func(row *Row) Row { return *row }), nil
}

func parquetOf[T any](w io.Writer, j *job, row func(*Row) T) sink {
	// Without a name of its own the file would have the library's version and the build's path in it.
	out := parquet.NewGenericWriter[T](w, parquet.Compression(&zstd.Codec{}), parquet.MaxRowsPerRowGroup(parquetRows),
		parquet.CreatedBy("kdd", "", ""))
	for _, p := range j.about.pairs() {
		out.SetKeyValueMetadata(p.key, p.value)
	}
	return &parquetSink[T]{w: out, row: row}
}

// Write adds a row, and writes the row group if it is the last one of it.
func (p *parquetSink[T]) Write(row *Row) error {
	p.one[0] = p.row(row)
	_, err := p.w.Write(p.one[:])
	return err
}

// Close writes the rest and the footer.
func (p *parquetSink[T]) Close() error { return p.w.Close() }
