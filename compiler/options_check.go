package compiler

import (
	"fmt"
	"strings"
	"unicode"

	"kdd/compiler/graph"
	"kdd/runtime/analyze"
)

// maxCommitBytes bounds what --source-commit may say.
const maxCommitBytes = 200

// maxSources and maxEdgeTypes are what a byte in the file can number.
const (
	maxSources   = 256
	maxEdgeTypes = 256
)

// check reports options that cannot be followed, before any work is done.
func (o *Options) check() error {
	if len(o.Sources) > maxSources {
		return fmt.Errorf("%d sources, at most %d; name a folder further up and use --include", len(o.Sources), maxSources)
	}
	if o.Language != "" && analyze.ParseLang(o.Language) == "" {
		return fmt.Errorf("language %q: want a code of two letters, such as en or pt-BR", o.Language)
	}
	if len(o.Commit) > maxCommitBytes || strings.ContainsFunc(o.Commit, unicode.IsControl) {
		return fmt.Errorf("--source-commit: want a commit's name, at most %d bytes without control characters", maxCommitBytes)
	}
	if o.NoVectors {
		return nil
	}
	switch orElse(o.Encoder, EncoderDistilled) {
	case EncoderDistilled, EncoderExact, EncoderNone:
	default:
		return fmt.Errorf("encoder %q: want %s, %s or %s", o.Encoder, EncoderDistilled, EncoderExact, EncoderNone)
	}
	switch orElse(o.Precision, PrecisionFloat32) {
	case PrecisionFloat32, PrecisionInt8:
	default:
		return fmt.Errorf("precision %q: want %s or %s", o.Precision, PrecisionFloat32, PrecisionInt8)
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
		return nil, err
	}
	if n := len(rules.EdgeTypes()); n > maxEdgeTypes {
		return nil, fmt.Errorf("%s: %d edge types with the built-in ones, at most %d", o.Config.Path, n, maxEdgeTypes)
	}
	return rules, nil
}
