package filetest

import "hash/crc32"

// Forge changes the byte at, and four bytes behind it so that the CRC-32C of a page stays what it is.
func Forge(page []byte, at int) {
	table := crc32.MakeTable(crc32.Castagnoli)
	want := crc32.Checksum(page, table)
	page[at] ^= 0xff
	// Each bit of the four bytes changes the checksum by a word of its own; eliminate to find which ones give want.
	now := crc32.Checksum(page, table)
	var words, masks [32]uint32
	for bit := range 32 {
		page[at+1+bit/8] ^= 1 << (bit % 8)
		word, mask := crc32.Checksum(page, table)^now, uint32(1)<<bit
		page[at+1+bit/8] ^= 1 << (bit % 8)
		for top := 31; top >= 0; top-- {
			if word>>top&1 == 0 {
				continue
			}
			if words[top] == 0 {
				words[top], masks[top] = word, mask
				break
			}
			word, mask = word^words[top], mask^masks[top]
		}
	}
	diff, flips := now^want, uint32(0)
	for top := 31; top >= 0; top-- {
		if diff>>top&1 != 0 {
			diff, flips = diff^words[top], flips^masks[top]
		}
	}
	for bit := range 32 {
		page[at+1+bit/8] ^= byte(flips>>bit&1) << (bit % 8)
	}
}
