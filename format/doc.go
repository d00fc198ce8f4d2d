// Package format is the container of a .kddx file, the only thing that the compiler and the runtime share: a header, a
// directory of blocks, a checksum for each page of them, and trailers. FORMAT.md beside it is normative for the whole
// file.
//
// What the blocks hold is the business of package format/index, which is built on this one. A term is defined by
// format/text, the vector of a query by format/encoder.
//
// Writing: Lay gives blocks their places and computes all hashes; the Image that it returns writes the same bytes for
// the same blocks at any GOMAXPROCS.
//
//	image, err := format.Lay(blocks)
//	_, err = image.WriteTo(w)
//
// Reading: Open maps a file and checks header, directory and checksum block: O(blocks). Block.Range gives bytes of a
// block and checks each page before its first use.
//
//	f, err := format.Open("docs.kddx")
//	defer f.Close()
//	err = format.Guard(func() error {
//		fmt.Printf("%x\n", f.Block(tag).All())
//		return nil
//	})
//
// A file that opens may still lie. Every number of the file is checked before it is followed; where one contradicts
// another, an accessor leaves the operation by a panic with a CorruptError (Fail). So every operation, and every
// goroutine of one, runs under Guard, which turns this, and a fault of a page that is not there any more, into an
// error.
//
// Verify checks the whole container and names each broken block; Dump prints a file beside FORMAT.md. Both go as far as
// the blocks; format/index goes on from there. The package does not write to disk.
package format
