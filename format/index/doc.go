// Package index is the schema of a .kddx file: what each block holds, FORMAT.md §6 to §11. A file block_NAME.go has the
// encoder of a block, its view and its check.
//
// Writing has one phase: Encode turns a Content, all of a compilation as plain values, into a format.Image.
//
//	image, err := index.Encode(&content)
//	_, err = image.WriteTo(w)
//
// Reading: Open opens the views of all blocks, whose accessors read single cells, strings and posting lists from the
// mapping. They fail where the file contradicts itself, so operations run under format.Guard.
//
//	x, err := index.Open("docs.kddx")
//	defer x.File.Close()
//	err = format.Guard(func() error {
//		fmt.Println(x.DocTitle(0))
//		return nil
//	})
//
// Verify walks everything and names each broken block; Dump prints a file beside FORMAT.md. The package does not know
// what a score or a query is.
package index
