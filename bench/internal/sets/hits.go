package sets

import (
	"context"

	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

// Hits asks page after page, of request.Limit hits or a hundred, until the hits name so many documents, or are all
// there are.
func Hits(ctx context.Context, svc *runtime.Service, request wire.SearchRequest, documents int) ([]wire.Hit, error) {
	request.MaxBytes = -1
	if request.Limit == 0 {
		request.Limit = 100
	}
	var hits []wire.Hit
	seen := map[string]bool{}
	for {
		resp, err := svc.Search(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, h := range resp.Results {
			seen[h.Path] = true
		}
		hits = append(hits, resp.Results...)
		if resp.Cursor == "" || len(seen) >= documents {
			return hits, nil
		}
		request.Cursor = resp.Cursor
	}
}

// Places are the sections of hits.
func Places(hits []wire.Hit) []eval.Place {
	places := make([]eval.Place, len(hits))
	for i, h := range hits {
		places[i] = eval.Place{Path: h.Path, Anchor: h.Anchor}
	}
	return places
}
