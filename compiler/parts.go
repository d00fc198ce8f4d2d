package compiler

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/vectorfile"
	"kdd/compiler/source"
)

// openParts opens the files that names and patterns stand for; nil if none are given. mixed takes those of several
// engines.
func openParts(patterns []string, mixed bool) (*vectorfile.Set, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, &source.OptionError{Err: diag.Cure("quote *, ? and [ that are meant as they are with \\",
				"--vectors %s: no pattern of file names", pattern)}
		}
		if len(found) == 0 {
			cure := `make such files with "kdd embed"`
			if pattern == "int8" || pattern == "float32" { // what that flag takes
				cure = "--stored-vectors says how vectors are stored"
			}
			return nil, &source.OptionError{Err: diag.Cure(cure, "--vectors %s: no such file", pattern)}
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	set, err := vectorfile.OpenSet(slices.Compact(paths), mixed)
	if err != nil {
		return nil, &source.OptionError{Err: fmt.Errorf("--vectors: %w", err)}
	}
	return set, nil
}

// fits reports parts whose vectors are not what this build would make; mixed takes those of other engines.
func (e *embedder) fits(mixed bool) error {
	e.engines = e.recipe.Engine
	head := e.parts.Head()
	if head == nil {
		return nil
	}
	recipe := head.Recipe
	if mixed {
		all := append(e.parts.Engines(), e.recipe.Engine)
		slices.Sort(all)
		e.engines = strings.Join(slices.Compact(all), ", ")
		recipe.Engine = e.recipe.Engine
	}
	d := e.recipe.Difference(&recipe)
	if d == nil && head.Dim != e.engine.Dim() {
		d = &embedding.Difference{Field: "vector length", Mine: fmt.Sprint(e.engine.Dim()), Other: fmt.Sprint(head.Dim)}
	}
	if d == nil {
		return nil
	}
	cure := `make the parts again with this kdd and this model`
	if d.Field == "engine" {
		cure = "embed on machines of this kind, build with --vectors-only, which embeds nothing, or mix them with --mixed-engines"
	}
	return &source.OptionError{Err: diag.Cure(cure, "--vectors: %s has vectors of %s %q, want %q", e.parts.First(), d.Field, d.Other, d.Mine)}
}

// adopt takes the engine of the parts, which then made all vectors: none is opened here.
func (e *embedder) adopt(o *Options) error {
	head := e.parts.Head()
	if head == nil {
		return &source.OptionError{Err: diag.Cure("name the parts with --vectors", "--vectors-only without --vectors")}
	}
	if name, ok := strings.CutPrefix(head.Recipe.ModelSHA256, embedding.ServerModel); ok {
		e.server(name, head.Dim, head.Recipe.Prefix, head.Recipe.Probe)
		if e.recipe.Dimensions = o.Dimensions; o.Dimensions > 0 {
			e.recipe.Whole = head.Recipe.Whole
		}
		return e.fits(o.MixedEngines)
	}
	e.recipe.Engine, e.recipe.ONNXSHA256 = head.Recipe.Engine, head.Recipe.ONNXSHA256
	if e.recipe.ONNXSHA256 != "" {
		e.recipe.ONNXSHA256 = e.model.ONNXSHA256 // fits reports another one
	}
	e.engine = elsewhere{dim: e.model.Dim}
	return e.fits(o.MixedEngines)
}

// elsewhere stands for an engine that made all vectors elsewhere.
type elsewhere struct {
	engine.Engine
	dim int
}

// Dim returns the length of a vector.
func (r elsewhere) Dim() int { return r.dim }

// Close does nothing.
func (elsewhere) Close() error { return nil }

// Embed is never reached: complete has found a vector of every text.
func (elsewhere) Embed([]float32, []int32) error { return errors.New("no engine") }

// wanted is a text whose vector a build needs.
type wanted struct {
	hash  vectorfile.Key
	chunk int    // of chunkTexts
	text  string // of a sentence; "" for the chunk's own
}

// wanted returns the texts that a build embeds, each once: those of the chunks, then the sentences that the query
// encoder is learned from. sentences says how many those are.
func (t chunkTexts) wanted(encoder string) (list []wanted, sentences int) {
	seen := make(map[vectorfile.Key]bool, len(t))
	add := func(w wanted) {
		if !seen[w.hash] {
			seen[w.hash] = true
			list = append(list, w)
		}
	}
	for i := range t {
		add(wanted{hash: vectorfile.Key(t.hash(i)), chunk: i})
	}
	chunks := len(list)
	if encoder == EncoderDistilled {
		chosen := t.learned()
		for _, s := range t.sentences() {
			add(wanted{hash: sentenceHash(s), chunk: chosen[s.Chunk], text: s.Text})
		}
	}
	return list, len(list) - chunks
}

// shownMissing is how many texts that no part has are named.
const shownMissing = 10

// complete reports texts that neither the artifact of before nor a part has.
func (e *embedder) complete(t chunkTexts, encoder string, old *oldVectors) error {
	list, _ := t.wanted(encoder)
	missing, places := 0, []string(nil)
	for _, w := range list {
		if _, ok := old.find(w.hash); ok && w.text == "" {
			continue
		}
		if ok, err := e.parts.Has(w.hash); err != nil {
			return err
		} else if !ok {
			if missing++; missing <= shownMissing {
				places = append(places, t.place(w.chunk))
			}
		}
	}
	if missing == 0 {
		return nil
	}
	if missing > shownMissing {
		places = append(places, fmt.Sprintf("%d more", missing-shownMissing))
	}
	cure := `run "kdd embed" on these documents again, or build without --vectors-only, which embeds them here`
	if absent := e.parts.Absent(); len(absent) > 0 {
		cure = "run kdd embed --shard " + strings.Join(absent, ", ")
	}
	return &source.OptionError{Err: diag.Cure(cure, "%d of %d texts are in no file of --vectors: %s", missing, len(list), strings.Join(places, ", "))}
}

// place is where a chunk is, as path:lines.
func (t chunkTexts) place(i int) string {
	c := &t[i].unit.chunks[t[i].chunk]
	return fmt.Sprintf("%s:%d-%d", t[i].unit.file.Path, c.LineStart, c.LineEnd)
}
