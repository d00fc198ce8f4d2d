package index

import (
	"testing"

	"kdd/format/internal/table"
)

// A table with rows beyond what its bytes hold is refused, so no count asks for more memory than the file is worth.
func TestTableRowsNeedBytes(t *testing.T) {
	for i := range tableSpecs {
		b := table.New(1000)
		for _, c := range tableSpecs[i].columns {
			if c.Rising {
				b.Rising(func(int) uint64 { return 0 })
			} else {
				b.Plain(func(int) uint64 { return 5 })
			}
		}
		if n := len(b.Bytes()); n < 1000/8 {
			t.Errorf("table %s of 1000 equal rows has %d bytes, want at least %d", tableSpecs[i].tag, n, 1000/8)
		}
	}
}
