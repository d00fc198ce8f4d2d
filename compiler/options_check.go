package compiler

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"kdd/compiler/diag"
	"kdd/compiler/graph"
	"kdd/compiler/source"
	"kdd/format/index"
	"kdd/format/text"
)

// maxCommitBytes bounds what --source-commit may say.
const maxCommitBytes = 200

// maxSources and maxEdgeTypes are what a byte in the file can number.
const (
	maxSources   = 256
	maxEdgeTypes = 256
)

// Errors of Build and List match one of these, or source.ErrMissing, source.ErrEmpty or ErrNoModel, by errors.Is.
var (
	ErrOption = source.ErrOption                // an option cannot be followed
	ErrOutput = errors.New("cannot be written") // the output cannot be written
)

// outputError is an error of writing.
type outputError struct{ error }

// Unwrap returns the reason.
func (e outputError) Unwrap() error { return e.error }

// Is reports whether target is ErrOutput.
func (e outputError) Is(target error) bool { return target == ErrOutput }

// check reports options that cannot be followed and sources that are not there, before any work is done.
func (o *Options) check() error {
	if err := o.checkValues(); err != nil {
		return &source.OptionError{Err: err}
	}
	return source.Check(o.walk())
}

// walk are the options of reading the sources.
func (o *Options) walk() source.Options {
	return source.Options{Dirs: o.Sources, FollowLinks: o.FollowLinks, Include: o.Include, Exclude: o.Exclude, MaxFileBytes: o.MaxFileBytes, KeepGoing: o.KeepGoing}
}

func (o *Options) checkValues() error {
	if len(o.Sources) > maxSources {
		return diag.Cure("name a folder further up and use --include", "%d sources, at most %d", len(o.Sources), maxSources)
	}
	if o.MaxFileBytes < 0 || o.MaxFileBytes > index.MaxDocumentBytes {
		return fmt.Errorf("--max-file-size: %d bytes, want at most %d", o.MaxFileBytes, index.MaxDocumentBytes)
	}
	if err := o.checkDialects(); err != nil {
		return err
	}
	if o.Output == "-" {
		return diag.Cure("name a file with -o", "--output -: the file is not printed")
	}
	if o.Language != "" && text.ParseLang(o.Language) == "" {
		return fmt.Errorf("language %q: want a code of two letters, such as en or pt-BR", o.Language)
	}
	if len(o.Commit) > maxCommitBytes || strings.ContainsFunc(o.Commit, unicode.IsControl) {
		return fmt.Errorf("--source-commit: want a commit's name, at most %d bytes without control characters", maxCommitBytes)
	}
	if o.Commit == "HEAD" || strings.ContainsAny(o.Commit, "~^") || strings.Contains(o.Commit, "@{") {
		return diag.Cure(fmt.Sprintf(`write --source-commit="$(git rev-parse %s)"`, o.Commit), "--source-commit: got %q, which is another commit each time, want a commit's name", o.Commit)
	}
	if o.BaseURL != "" {
		if u, err := url.Parse(o.BaseURL); err != nil || u.Scheme == "" || u.Host == "" {
			return diag.Cure("answers link below it, or to what it makes of {path}", "base_url %q: want a URL such as https://docs.example.com/", o.BaseURL)
		}
	}
	if o.EncoderFrom != "" && (o.NoVectors || cmp.Or(o.Encoder, EncoderDistilled) != EncoderDistilled) {
		return diag.Cure("leave it out", "--encoder-from: this build has no distilled encoder")
	}
	if o.NoVectors {
		return nil
	}
	switch cmp.Or(o.Encoder, EncoderDistilled) {
	case EncoderDistilled, EncoderExact, EncoderNone:
	default:
		return fmt.Errorf("encoder %q: want %s, %s or %s", o.Encoder, EncoderDistilled, EncoderExact, EncoderNone)
	}
	return nil
}

// rules returns the built-in rules with what kdd.yaml adds.
func (o *Options) rules() (*graph.Rules, error) {
	if o.Config == nil || len(o.Config.Rules) == 0 {
		return graph.Default(), nil
	}
	rules, err := graph.ParseRules(o.Config.Rules, o.Config.Path)
	if err != nil {
		return nil, &source.OptionError{Err: err}
	}
	if n := len(rules.EdgeTypes()); n > maxEdgeTypes {
		return nil, &source.OptionError{Err: fmt.Errorf("%s: %d edge types with the built-in ones, at most %d", o.Config.Path, n, maxEdgeTypes)}
	}
	return rules, nil
}
