package model

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"kdd/compiler/diag"
)

// querySideFolder is where a model's folder has the model of its queries, if that is another one.
const querySideFolder = "query"

// QueryModel names the model of a model's queries.
type QueryModel struct {
	SHA256       string `json:"sha256"`       // of its weights
	Architecture string `json:"architecture"` // "static" is a table: the mean of its rows of a text's wordpieces
}

// QuerySide returns the model that queries are embedded with, nil if it is m itself. Its vectors are compared with those
// of m. It may be Static.
func (m *Model) QuerySide() *Model { return m.side }

// openSides opens the model of queries of a folder, if info names one.
func (m *Model) openSides() error {
	if m.QueryModel == nil {
		return nil
	}
	folder := m.file(querySideFolder)
	side, err := openFolder(folder)
	switch {
	case err != nil:
		return importAgain("%v", err)
	case side.SHA256 != m.QueryModel.SHA256 || side.Dim != m.Dim || side.QueryModel != nil:
		return importAgain("%s: %s has sha256 %.12s…, %d dimensions, want %.12s…, %d", folder, InfoFile, side.SHA256, side.Dim,
			m.QueryModel.SHA256, m.Dim)
	}
	m.side = side
	return nil
}

// sameWeights says whether two models have the same weights, on both sides.
func (i *Info) sameWeights(o *Info) bool {
	if i.SHA256 != o.SHA256 || (i.QueryModel == nil) != (o.QueryModel == nil) {
		return false
	}
	return i.QueryModel == nil || i.QueryModel.SHA256 == o.QueryModel.SHA256
}

// importSides imports the model of documents from s, and that of queries, if there is one, beside it: from a route of s,
// or from what o.QueryModel says.
func (im *importer) importSides(ctx context.Context, s *source) error {
	documents, queries, err := routes(s)
	if err != nil {
		return err
	}
	separate := im.o.QueryModel != ""
	if separate {
		if queries != nil {
			return diag.Cure("leave out --query-model", "%w", sourceError("it has a query route of its own, and --query-model names another model"))
		}
		given, err := openSource(im.o.QueryModel)
		if err != nil {
			return err
		}
		defer given.close()
		own, other, err := routes(given)
		if err != nil {
			return fmt.Errorf("%s: %w", given.label, err)
		}
		if queries = own; other != nil { // of a pair, the side of queries
			queries = other
		}
	}
	if static, _, err := documents.static(); err != nil {
		return err
	} else if static {
		return diag.Cure("join it with a model that embeds documents: kdd model import DOCUMENTS --query-model QUERIES", "%w",
			sourceError("a static table, which embeds queries only"))
	}
	im.src = documents
	if err := im.run(ctx); err != nil || queries == nil {
		return err
	}
	o := *im.o
	o.SHA256, o.MaxTokens = "", 0 // those of the documents' model
	if separate {
		o.Source, o.Revision, o.Licence = cmp.Or(o.QuerySource, queries.label), o.QueryRevision, o.QueryLicence
	}
	side := &importer{src: queries, dir: filepath.Join(im.dir, querySideFolder), o: &o}
	if err := side.asQuerySide(ctx); err != nil {
		return fmt.Errorf("query side: %w", err)
	}
	if side.info.Dim != im.info.Dim {
		return diag.Cure("take two models that were trained as a pair", "%w",
			sourceError("the query side gives %d dimensions, want %d, those of the documents' side", side.info.Dim, im.info.Dim))
	}
	im.info.Prefixes.Query = side.info.Prefixes.Query
	im.info.QueryModel = &QueryModel{SHA256: side.info.SHA256, Architecture: side.info.Architecture}
	return writeInfo(im.dir, im.info)
}
