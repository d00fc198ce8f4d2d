// Package kdd asks compiled documentation: .kddx files, which the command "kdd build" and compiler.Build make of
// markdown.
//
//	index, err := kdd.Open("docs.kddx")
//	if err != nil {
//		return err
//	}
//	defer index.Close()
//	found, err := index.Search(ctx, kdd.SearchRequest{Query: "how do I log in"})
//
// It needs no cgo, no network and no model, and links no code of the compiler. encoding/json turns the answers into the
// same JSON that the command line prints with --format json, and that MCP and HTTP answer with.
//
// This package and compiler.Build are what kdd promises to programs. The other packages of the module may change with
// any release.
package kdd

import (
	"context"
	"log/slog"

	"kdd/runtime"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// The requests. Zero fields take their defaults; Limit is the number of results. MaxBytes of Page bounds an answer: 0 =
// 4,096 bytes of JSON and of text each, negative = no limit. Cursor continues the answer that it is from.
type (
	SearchRequest  = wire.SearchRequest
	AskRequest     = wire.AskRequest
	ReadRequest    = wire.ReadRequest
	RelatedRequest = wire.RelatedRequest
	Filter         = wire.Filter // narrows a search or question to some documents
	Page           = wire.Page   // bounds an answer
)

// The responses, with the structs that they consist of.
type (
	SearchResponse  = wire.SearchResponse
	Hit             = wire.Hit
	AnswerResponse  = wire.AnswerResponse
	Citation        = wire.Citation
	ReadResponse    = wire.ReadResponse
	RelatedResponse = wire.RelatedResponse
	Relative        = wire.Relative
)

// Error is the error that all methods return: a code, what is wrong, and how to cure it. errors.As finds it.
type Error = wire.Error

// The codes of an Error that a program may handle.
const (
	InvalidInput  = wire.CodeInvalidInput   // the request is wrong; Details has the field
	NotFound      = wire.CodeNotFound       // no document or section has that name; Details may have suggestions
	IndexNotFound = wire.CodeIndexNotFound  // there is no file
	IndexCorrupt  = wire.CodeIndexCorrupt   // the file is damaged
	IndexVersion  = wire.CodeIndexVersion   // another release of kdd made the file
	Untrusted     = wire.CodeIndexUntrusted // the file is not signed as Options ask
	StaleCursor   = wire.CodeStaleCursor    // the cursor is from another index or request
	Timeout       = wire.CodeTimeout        // the context ended
)

// Options say how files are opened. The zero value looks for the only .kddx file in the working folder and above it, up
// to the top of the repository.
type Options struct {
	Files   []string     // FILE or NAME=FILE; several answer together
	Root    string       // folder of the sources, for the addresses of results; "" = looked for near the files
	Private bool         // addresses never name files of this machine
	Log     *slog.Logger // takes what an operator has to know; nil = slog.Default()

	// Keys are files of public keys (minisign, signify, OpenSSH), or folders of them: a file that none of them has signed
	// is refused, as is one of an older commit than was opened before under its name. None: no signature is asked for,
	// unless the machine's administrator does.
	Keys     []string
	SignedAs []string // the names that a file may be signed under; none: any
}

// Index answers from one or several .kddx files. It is safe for concurrent use.
//
// If a file is replaced (another is renamed over it), the next call opens the new one. A file must not be written to
// while it is open.
type Index struct {
	service *runtime.Service
}

// Open opens .kddx files that answer together. Without a file it looks for the only one, as Options says.
//
// The error is an *Error: IndexNotFound, IndexCorrupt, IndexVersion or Untrusted. Cost: the files are mapped, not read.
func Open(files ...string) (*Index, error) { return OpenWith(Options{Files: files}) }

// OpenWith is Open with options.
func OpenWith(o Options) (*Index, error) {
	index := &Index{runtime.New(runtime.Config{Index: o.Files, Root: o.Root, Private: o.Private, Log: o.Log,
		Trust: trust.Options{Keys: o.Keys, Names: o.SignedAs}})}
	if _, err := index.service.Ready(context.Background()); err != nil {
		index.Close()
		return nil, err
	}
	return index, nil
}

// Close releases the files after running calls have ended. The Index may not be used after it.
func (x *Index) Close() error { return x.service.Close() }

// Search finds the sections that answer a query, best first. An empty result is no error.
//
// Errors: InvalidInput for an empty query or a malformed filter, StaleCursor.
func (x *Index) Search(ctx context.Context, q SearchRequest) (*SearchResponse, error) {
	return x.service.Search(ctx, q)
}

// Ask answers a question with sentences of the documents, each cited, names the sections that may answer it, or
// refuses: Outcome tells which, and RefusalReason why it is not answered. Neither is an error.
//
// Errors: InvalidInput for an empty question or a malformed filter.
func (x *Index) Ask(ctx context.Context, q AskRequest) (*AnswerResponse, error) {
	return x.service.Ask(ctx, q)
}

// Read returns the markdown of a document, section or chunk as it was compiled, by its path and anchor, id, alias or
// title. A long text comes in parts: NextOffset says where to go on.
//
// Errors: NotFound with suggestions, InvalidInput for a name that several places have.
func (x *Index) Read(ctx context.Context, q ReadRequest) (*ReadResponse, error) {
	return x.service.Read(ctx, q)
}

// Related lists the documents and sections that an entity refers to or that refer to it.
//
// Errors: NotFound with suggestions, InvalidInput for an unknown type of edges.
func (x *Index) Related(ctx context.Context, q RelatedRequest) (*RelatedResponse, error) {
	return x.service.Related(ctx, q)
}
