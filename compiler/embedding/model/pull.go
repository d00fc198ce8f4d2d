package model

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"kdd/compiler/embedding/modeldir"
)

// PullOptions are ImportOptions and how to reach the hub.
type PullOptions struct {
	ImportOptions
	Endpoint string       // the hub's address; "" is $HF_ENDPOINT or the public hub
	Client   *http.Client // nil is http.DefaultClient
	// QueryID is the model of queries, "OWNER/NAME" or "OWNER/NAME@REVISION", where it is another one; see
	// ImportOptions.QueryModel.
	QueryID string
}

// Pull downloads a model, "OWNER/NAME" or "OWNER/NAME@REVISION", from a hub and imports it. The revision is resolved
// to a commit once, and all files are that commit's. Files are checked against the checksums that the hub gives.
//
// A download that stops stays, in .pull-… of the folder of models, and the next Pull of the same commit goes on there.
// $HF_TOKEN, if set, is sent to the hub and to no other host.
func Pull(ctx context.Context, id string, o PullOptions) (*Model, error) {
	h, err := newHub(&o)
	if err != nil {
		return nil, err
	}
	if o.Dir == "" {
		if o.Dir, err = modeldir.Home(); err != nil {
			return nil, err
		}
	}
	d, err := h.bring(ctx, o.Dir, id)
	if err != nil {
		return nil, err
	}
	folders := []string{d.dir}
	if o.QueryID != "" {
		q, err := h.bring(ctx, o.Dir, o.QueryID)
		if err != nil {
			return nil, err
		}
		o.QueryModel, o.QuerySource, o.QueryRevision, o.QueryLicence = q.dir, q.id, q.commit, q.licence
		folders = append(folders, q.dir)
	}
	o.Name = cmp.Or(o.Name, path.Base(d.id))
	o.Licence = cmp.Or(o.Licence, d.licence)
	o.Source, o.Revision = d.id, d.commit
	m, err := Import(ctx, d.dir, o.ImportOptions)
	if err != nil {
		return nil, err
	}
	for _, dir := range folders {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return m, err
}

// brought is a model of the hub in a folder.
type brought struct {
	dir, id string
	*listing
}

// bring downloads what an import reads of a model.
func (h *hub) bring(ctx context.Context, models, name string) (*brought, error) {
	id, revision, err := ParseID(name)
	if err != nil {
		return nil, err
	}
	l, err := h.list(ctx, id, revision)
	if err != nil {
		return nil, err
	}
	files, err := choose(l.files)
	if err != nil {
		return nil, err
	}
	b := &brought{filepath.Join(models, ".pull-"+strings.ReplaceAll(id, "/", "--")+"-"+l.commit), id, l}
	for _, f := range files {
		if err := h.download(ctx, b.dir, id, l.commit, f); err != nil {
			return nil, err
		}
	}
	return b, nil
}
