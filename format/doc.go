// Package format is the .kddx file: the only thing that the compiler and the runtime share. FORMAT.md beside it is
// normative; this package follows it.
//
// Writing has one phase: Encode turns a Content, all of a compilation as plain values, into an Image, whose WriteTo writes
// the same bytes for the same content at any GOMAXPROCS.
//
//	image, err := format.Encode(&content)
//	_, err = image.WriteTo(w)
//
// Reading has two. Open maps a file and checks header, directory and checksum block: O(blocks). NewIndex opens the views of
// the blocks, whose accessors read single cells, strings and posting lists from the mapping.
//
//	x, err := format.OpenIndex("docs.kddx")
//	defer x.File.Close()
//	err = format.Guard(func() error {
//		fmt.Println(x.DocTitle(0))
//		return nil
//	})
//
// A file that opens may still lie. Every page is checked against its checksum before its first use, and every number of
// the file before it is followed; where one contradicts another, an accessor leaves the operation by a panic with a
// CorruptError. So every operation, and every goroutine of one, runs under Guard, which turns this, and a fault of a page
// that is not there any more, into an error.
//
// Verify walks everything and names each broken block; Dump prints a file beside FORMAT.md. The package does not know what
// a score or a query is, and does not write to disk.
package format
