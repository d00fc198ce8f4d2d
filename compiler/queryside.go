package compiler

import (
	"cmp"
	"context"

	"kdd/compiler/diag"
	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/remote"
	"kdd/format/index"
)

// openQueries finds what embeds queries: the embedder itself, or one of the model's query side, whose engine is opened
// only where it has to teach. What it embeds has the prefix of queries.
func (e *embedder) openQueries(o *Options) (err error) {
	e.queries = e // a server's model is in e too
	side := e.model.QuerySide()
	if side == nil || o.Remote.URL != "" {
		return nil
	}
	m := *side
	m.Prefixes.Document = e.model.Prefixes.Query
	q := &embedder{model: &m, kept: &keptEncoder{}}
	q.queries = q
	if q.vocab, err = m.Vocab(); err != nil {
		return err
	}
	q.recipe = embedding.Recipe{Prefix: m.Prefixes.Document, Limit: m.MaxTokens}
	e.queries = q
	return nil
}

// teacher returns the embedder whose vectors of sentences the query encoder learns from, with its engine open.
func (e *embedder) teacher(ctx context.Context, o *Options) (*embedder, error) {
	q := e.queries
	if q == e {
		return e, nil
	}
	kind, err := engine.ParseKind(cmp.Or(o.Engine, string(engine.Auto)))
	if err != nil {
		return nil, err
	}
	here := *o
	here.Embedder, here.PartsOnly, here.MixedEngines, here.Floats, here.Remote = nil, false, false, false, remote.Options{}
	if err := q.openEngine(ctx, &here, kind); err != nil {
		return nil, err
	}
	if o.CacheDir != "-" {
		q.cache = openCache(o.CacheDir, &q.recipe)
		if o.Fresh {
			q.cache.blind()
		}
	}
	return q, nil
}

// dismiss closes what teacher has opened.
func (e *embedder) dismiss(teacher *embedder) {
	if teacher != e {
		e.made += teacher.made
		teacher.close()
	}
}

// learnsFrom returns the kind of query encoder, as far as the documents' model has to embed sentences for it.
func (e *embedder) learnsFrom(o *Options) string {
	if e.queries != e {
		return EncoderNone
	}
	return cmp.Or(o.Encoder, EncoderDistilled)
}

// exactPossible reports a model that has no transformer to put into the file.
func exactPossible(o *Options, m *model.Model) error {
	if side := m.QuerySide(); side != nil {
		m = side
	}
	switch {
	case o.Encoder != EncoderExact:
		return nil
	case m.Static != nil:
		return diag.Cure("leave --encoder out",
			"encoder exact: queries of the model %s are embedded by a static table, which any file has as it is", m.Name)
	case !m.HasWeights():
		return diag.Cure("use --encoder distilled", "encoder exact: the model %s has no %s to put into the file",
			m.Name, model.WeightsFile)
	}
	return nil
}

// queryModel is what the artifact says of the query side, nil if there is none.
func (e *embedder) queryModel() *index.QueryModel {
	if e.queries == e {
		return nil
	}
	m := e.queries.model
	return &index.QueryModel{SHA256: m.SHA256, Architecture: m.Architecture, MaxTokens: m.MaxTokens, Licence: m.Licence,
		Documents: e.recipe.Tokenizer}
}

// querySum names the weights of the query side, "" if there is none.
func (e *embedder) querySum() string {
	if e.queries == e {
		return ""
	}
	return e.queries.model.SHA256
}

// querySum is that of an artifact's model.
func querySum(m *index.Model) string {
	if m.QueryModel == nil {
		return ""
	}
	return m.QueryModel.SHA256
}
