package format

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"testing"
)

// BenchmarkCheck compares the two sums that a page has: a local file is checked by CRC-32C, one that lies elsewhere by
// SHA-256.
func BenchmarkCheck(b *testing.B) {
	for _, size := range []int{1 << FinePages, crcPage, 1 << CoarsePages} {
		page := make([]byte, size)
		for name, sum := range map[string]func(){
			"crc32c": func() { crc32.Checksum(page, castagnoli) },
			"sha256": func() { sha256.Sum256(page) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					sum()
				}
			})
		}
	}
}
