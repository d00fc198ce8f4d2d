package model

import (
	"cmp"
	"context"
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
}

// Pull downloads a model, "OWNER/NAME" or "OWNER/NAME@REVISION", from a hub and imports it. The revision is resolved
// to a commit once, and all files are that commit's. Files are checked against the checksums that the hub gives.
//
// A download that stops stays, in .pull-… of the folder of models, and the next Pull of the same commit goes on there.
// $HF_TOKEN, if set, is sent to the hub and to no other host.
func Pull(ctx context.Context, id string, o PullOptions) (*Model, error) {
	id, revision, err := ParseID(id)
	if err != nil {
		return nil, err
	}
	h, err := newHub(&o)
	if err != nil {
		return nil, err
	}
	if o.Dir == "" {
		if o.Dir, err = modeldir.Home(); err != nil {
			return nil, err
		}
	}
	l, err := h.list(ctx, id, revision)
	if err != nil {
		return nil, err
	}
	files, err := choose(l.files)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(o.Dir, ".pull-"+strings.ReplaceAll(id, "/", "--")+"-"+l.commit)
	for _, f := range files {
		if err := h.download(ctx, dir, id, l.commit, f); err != nil {
			return nil, err
		}
	}
	o.Name = cmp.Or(o.Name, path.Base(id))
	o.Licence = cmp.Or(o.Licence, l.licence)
	o.Source, o.Revision = id, l.commit
	m, err := Import(ctx, dir, o.ImportOptions)
	if err != nil {
		return nil, err
	}
	return m, os.RemoveAll(dir)
}
