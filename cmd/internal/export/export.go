package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"regexp"
	"strings"

	"kdd/runtime/artifact"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// Options say what is exported and how.
type Options struct {
	Path      string // of the artifact
	To        string // one of Targets
	Output    string // file or folder; "-" = the writer that Run is given
	Name      string // of the table, index, collection or document type; "" = DefaultName
	BaseURL   string // where the documents are published; "" = what the artifact says
	NoVectors bool
	Policy    *trust.Policy // that has to accept the artifact; nil = none
}

// DefaultName is what a table, index, collection or document type is called.
const DefaultName = "chunks"

// Report says what was exported.
type Report struct {
	About
	To        string
	Questions int  // of beir: those that the artifact carries
	Without   bool // vectors were wanted, and the artifact has none
}

// Run exports an artifact. Errors have their place on the wire, but for those of stdout and of a context that ended,
// which are as they are.
func Run(ctx context.Context, o Options, stdout io.Writer) (*Report, error) {
	t, source, j, err := prepare(&o)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	report := &Report{About: j.about, To: t.name, Without: !o.NoVectors && j.about.Model == nil && t.folder == nil}
	if t.folder != nil && j.questions != nil {
		report.Questions = len(j.questions.Questions)
	}
	fill := func(open func() (sink, error)) error {
		s, err := open()
		if err != nil {
			return &writeError{err}
		}
		err = source.Rows(ctx, func(row *Row) error {
			if err := s.Write(row); err != nil {
				return &writeError{err}
			}
			return nil
		})
		if closed := s.Close(); err == nil && closed != nil {
			err = &writeError{closed}
		}
		return err
	}
	stream := func(w io.Writer) error { return fill(func() (sink, error) { return t.stream(w, j) }) }
	if o.Output == "-" {
		if t.stream == nil {
			return nil, wire.NewError(wire.CodeInvalidInput, "-o -: "+t.name+" is no stream, so it cannot go to standard output",
				"name a file or folder with -o").With("field", "output")
		}
		w := bufio.NewWriterSize(stdout, bufferBytes)
		err = stream(w)
		if flushed := w.Flush(); err == nil {
			err = flushed
		}
		return report, runError(ctx, o.Path, "", err)
	}
	p, err := newPlace(o.Output, o.Path, t)
	if err != nil {
		return nil, err
	}
	err = p.write(ctx, t.folder != nil, func(temp string) error {
		switch {
		case t.folder != nil:
			return fill(func() (sink, error) { return t.folder(temp, j) })
		case t.file != nil:
			return fill(func() (sink, error) { return t.file(temp, j) })
		}
		return output(temp, stream)
	})
	return report, runError(ctx, o.Path, o.Output, err)
}

// Schema prints what the engine has to be told before it takes the export: mapping, collection, tables.
func Schema(o Options, w io.Writer) error {
	t, source, j, err := prepare(&o)
	if err != nil {
		return err
	}
	defer source.Close()
	if t.schema == nil {
		return wire.NewError(wire.CodeInvalidInput, "--schema: "+t.name+" needs none, the export says it itself", "leave it out").
			With("field", "schema")
	}
	return t.schema(w, j)
}

// prepare checks the options and opens the artifact, which the caller closes.
func prepare(o *Options) (*target, *Source, *job, error) {
	t := findTarget(o.To)
	if t == nil {
		return nil, nil, nil, wire.NewError(wire.CodeInvalidInput,
			fmt.Sprintf("no format %q, want %s", o.To, wire.Alternatives(Targets())), "").With("field", "to")
	}
	name := DefaultName
	if o.Name != "" {
		name = o.Name
		if err := checkName(t, name); err != nil {
			return nil, nil, nil, err
		}
	}
	if err := checkBaseURL(o.BaseURL); err != nil {
		return nil, nil, nil, err
	}
	source, err := openSource(o.Path, strings.TrimSuffix(o.BaseURL, "/"), !o.NoVectors && t.folder == nil, o.Policy)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil, wire.NewError(wire.CodeIndexNotFound, wire.Clean(o.Path)+": no such file",
			`build it with "kdd build", or correct the name`).Because(err)
	}
	if err != nil {
		return nil, nil, nil, artifact.FileError(o.Path, err)
	}
	j := &job{about: source.About, name: name}
	if t.folder != nil {
		if j.questions, err = golden(source); err != nil {
			source.Close()
			return nil, nil, nil, artifact.FileError(o.Path, err)
		}
	}
	return t, source, j, nil
}

// checkName refuses a name that one of the engines would have to quote or would refuse.
func checkName(t *target, name string) error {
	bad := func(why, cure string) error {
		return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("--name %s: %s", wire.Clean(name), why), cure).With("field", "name")
	}
	if !t.named {
		return bad(t.name+" has no table or index to name", "leave it out")
	}
	if !regexp.MustCompile(`^[a-z][a-z0-9_]{0,47}$`).MatchString(name) {
		return bad("want a small letter, then small letters, digits and _, at most 48 together", "such as --name docs")
	}
	return nil
}

// checkBaseURL refuses an address that no URL can begin with; "" is none.
func checkBaseURL(address string) error {
	if u, err := url.Parse(address); address != "" && (err != nil || u.Scheme == "" || u.Host == "") {
		return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("--base-url %s: no address", wire.Clean(address)),
			"want a URL such as https://docs.example.com/").With("field", "base_url")
	}
	return nil
}

// runError gives an error of a run its place on the wire; out is "" for standard output.
func runError(ctx context.Context, path, out string, err error) error {
	var of *writeError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		return context.Cause(ctx)
	case !errors.As(err, &of):
		return artifact.FileError(path, err)
	case out == "":
		return of.err
	}
	return fmt.Errorf("%s: not written, what was there before is untouched: %w", wire.Clean(out), cause(of.err))
}
