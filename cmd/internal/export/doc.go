// Package export writes the chunks of an artifact in the formats of other engines, for who outgrows one file.
//
// An export goes through three steps: Open reads what the artifact says of itself (About), Source.Rows gives one Row for
// each chunk in the order of the file, and the target's sink writes them. No step holds more than a few thousand rows, so
// memory does not grow with the artifact. The same artifact and options give the same bytes.
//
//	report, err := export.Run(ctx, export.Options{Path: "docs.kddx", To: "parquet", Output: "docs.parquet"}, os.Stdout)
//
// Each target is a row of the table in target.go; its sink is in the file of its name. The package computes nothing: an
// artifact without vectors is exported without them, and no index of the target is built.
package export
