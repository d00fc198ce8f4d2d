package compiler

import (
	"bytes"
	"cmp"
	"fmt"

	"kdd/compiler/diag"
	"kdd/format"
	"kdd/format/index"
)

// recorded returns the options that the artifact's META has.
func (o *Options) recorded() index.Options {
	r := index.Options{Drafts: o.Drafts, FollowLinks: o.FollowLinks, Include: o.Include, Exclude: o.Exclude, SiteURL: o.SiteURL,
		Dialects: o.Dialects, Language: o.Language}
	if o.Config != nil {
		rules := o.Config.Rules // the lines before the part are only for messages
		for {
			line, rest, more := bytes.Cut(rules, []byte("\n"))
			if !more || len(bytes.TrimSpace(line)) > 0 {
				break
			}
			rules = rest
		}
		r.Graph = string(bytes.TrimRight(rules, " \r\n"))
	}
	return r
}

// Like gives o the options that shaped the artifact at path, but for those whose flags given says were given: sources,
// title, what is read, rules of the graph, questions, model, encoder. It says what cannot be taken from it.
func (o *Options) Like(path string, given func(flag string) bool) error {
	x, err := index.Open(path)
	if err != nil {
		return fmt.Errorf("--like %s: %w", path, err)
	}
	defer x.File.Close()
	return format.Guard(func() error { return o.like(path, x, given) })
}

func (o *Options) like(path string, x *index.Index, given func(flag string) bool) error {
	if err := o.likeShape(path, x, given); err != nil || o.NoVectors {
		return err
	}
	m := x.Meta
	if m.Model == nil {
		return nil
	}
	if m.Model.Probe != "" && o.Remote.URL == "" {
		return diag.Cure("name it with --embed-url and --embed-model", "--like %s: a server made its vectors", path)
	}
	if m.EncoderFrom != "" && o.EncoderFrom == "" {
		return diag.Cure("name that artifact with --encoder-from, or this one, which has the same table",
			"--like %s: its query encoder is that of the artifact %.16s", path, m.EncoderFrom)
	}
	if !given("model") {
		o.Model = m.Model.Name
	}
	return nil
}

// GraphOption is the name of the part of kdd.yaml for which there is no flag.
const GraphOption = "graph"

// likeShape takes the options that Options.hash covers.
func (o *Options) likeShape(path string, x *index.Index, given func(flag string) bool) error {
	m := x.Meta
	take := func(flag string, set func()) {
		if !given(flag) {
			set()
		}
	}
	take("drafts", func() { o.Drafts = m.Options.Drafts })
	take("follow-links", func() { o.FollowLinks = m.Options.FollowLinks })
	take("include", func() { o.Include = m.Options.Include })
	take("exclude", func() { o.Exclude = m.Options.Exclude })
	take("site-url", func() { o.SiteURL = m.Options.SiteURL })
	take("dialect", func() { o.Dialects = m.Options.Dialects })
	take("base-url", func() { o.BaseURL = m.BaseURL })
	take("title", func() { o.Title = m.Title })
	take("language", func() { o.Language = m.Options.Language })
	take(GraphOption, func() {
		o.Config = nil
		if m.Options.Graph != "" {
			o.Config = &Config{Rules: []byte(m.Options.Graph), Path: path}
		}
	})
	if set, err := x.Golden(); err != nil {
		return err
	} else if set != nil {
		take("golden", func() { o.Golden = &Golden{Set: set} })
	}
	v, err := x.Vectors()
	if err != nil {
		return err
	}
	if m.Model == nil || v == nil {
		take("no-vectors", func() { o.NoVectors = true })
		return nil
	}
	take("no-vectors", func() { o.NoVectors = false })
	take("encoder", func() { o.Encoder = cmp.Or(m.Encoder, index.EncoderNone) })
	take("dimensions", func() { o.Dimensions = m.Model.Cut() })
	take("stored-vectors", func() { o.Floats = x.File.Block(index.TagFloats) != nil })
	return nil
}
