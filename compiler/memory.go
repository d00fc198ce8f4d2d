package compiler

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"kdd/compiler/chunk"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/include"
	"kdd/compiler/source"
	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
)

// Memory keeps parsed documents from one build to the next of the same process, so that a build after an edit parses
// what was edited and nothing else. The artifact is the same with it and without. The zero value is empty and ready; it
// is for one build at a time.
//
// It keeps the document encoder open too: to open it takes longer than to embed an edit. Close frees that.
//
// Cost: all documents of the last build stay in memory, parsed, which is a few times their bytes, and the model.
type Memory struct {
	mu    sync.Mutex
	of    string          // the options that its documents were parsed with
	units map[string]unit // by path
	next  map[string]unit // those of the running build
	kept  keptEncoder
}

// begin makes units findable if they were parsed as this build would parse them.
func (m *Memory) begin(o *Options, sites []index.Site, limit chunk.Limit) {
	if m == nil {
		return
	}
	of := fmt.Sprintf("%s %s %d %q", o.hash(), o.Model, limit.Max, sites)
	if m.of != of {
		m.of, m.units = of, nil
	}
	m.next = map[string]unit{}
}

// end forgets what the build that ends has not met.
func (m *Memory) end() {
	if m != nil {
		m.units, m.next = m.next, nil
	}
}

// find returns what was made of a document with this path and this text. Several goroutines may call it.
func (m *Memory) find(file *source.File, included *include.Text) (unit, bool) {
	if m == nil {
		return unit{}, false
	}
	m.mu.Lock()
	u, known := m.units[file.Path]
	m.mu.Unlock()
	if !known || !bytes.Equal(u.doc.Source, textOf(file, included)) || !slices.Equal(u.hidden, hidden(included)) {
		return unit{}, false
	}
	u = u.share(file, included)
	m.keep(&u)
	return u, true
}

// keep remembers a unit that was parsed. Several goroutines may call it.
func (m *Memory) keep(u *unit) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next[u.doc.Path] = u.share(nil, nil)
}

// share returns a unit from which the later phases may release what they no longer need.
func (u *unit) share(file *source.File, included *include.Text) unit {
	other, doc := *u, *u.doc
	doc.Sections = slices.Clone(doc.Sections)
	other.doc, other.file, other.included, other.chunks = &doc, file, included, slices.Clone(u.chunks)
	return other
}

// made names what an artifact is made of: the options, the sources and where it goes. Where its query encoder comes from
// is left out: to take the table of the artifact itself is no reason to write it again.
func (o *Options) made(tree *source.Tree, trailer []byte) string {
	return fmt.Sprintf("%s %s %s %s %x %x %q", o.hash(), o.Model, o.Engine, o.Device, tree.Hash, trailer, o.name(tree.Roots))
}

// repeats says whether the artifact of the build before is what this build would write, and takes over what the report
// says of it. The documents are the same, and so are the findings: those about files that only links name are among them.
func (r *Report) repeats(before *Report) bool {
	if before == nil || before.IndexID == "" || r.made != before.made || !slices.Equal(r.Diags, before.Diags) {
		return false
	}
	f, err := format.Open(before.Path)
	if err != nil {
		return false
	}
	defer f.Close()
	if root := f.RootHash(); hex.EncodeToString(root[:8]) != before.IndexID {
		return false
	}
	r.Unchanged, r.IndexID, r.Path, r.FileBytes, r.Blocks = true, before.IndexID, before.Path, before.FileBytes, before.Blocks
	r.Counts = before.Counts
	return true
}

// keptEncoder is the document encoder that builds of one process have in common. The zero value keeps nothing.
type keptEncoder struct {
	of     string // the model and the options that it was opened with; "" = none is to be kept
	pieces *encoder.Vocab
	engine engine.Engine
}

// encoder returns what is kept of a model for these options, which may be nothing yet. Where there is no memory, or a
// server or another engine embeds, nothing is kept.
func (m *Memory) encoder(o *Options, is *model.Model) *keptEncoder {
	if m == nil || o.Embedder != nil || o.Remote.URL != "" || o.PartsOnly {
		return &keptEncoder{}
	}
	of := fmt.Sprintf("%q %s %v %s %d %s %q %s", is.Path, is.SHA256, is.QueryModel, is.ONNXSHA256, o.Dimensions, o.Engine, o.Library, o.Device)
	if m.kept.of != of {
		m.Close()
		m.kept.of = of
	}
	return &m.kept
}

// Close frees the document encoder. The memory can be used on.
func (m *Memory) Close() {
	if m.kept.engine != nil {
		m.kept.engine.Close()
	}
	m.kept = keptEncoder{}
}

// vocab returns the model's vocabulary.
func (k *keptEncoder) vocab(m *model.Model) (v *encoder.Vocab, err error) {
	if k.pieces != nil {
		return k.pieces, nil
	}
	if v, err = m.Vocab(); err == nil && k.of != "" {
		k.pieces = v
	}
	return v, err
}

// release keeps an engine that a build has used, or closes it.
func (k *keptEncoder) release(e engine.Engine) {
	if k.of == "" {
		e.Close()
	} else {
		k.engine = e
	}
}
