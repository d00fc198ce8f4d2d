package elsewhere

import (
	"context"
	"fmt"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// hits are asked for and compared. Answers have no limit of bytes, since the length of URLs counts for it.
const hits = 10

// alike counts how far the answers of an artifact elsewhere are those of the local file.
type alike struct {
	questions, sets, orders, firsts int // all; with the same hits; in the same order; with the same first hit
	hits, shared                    int
}

// compare asks all questions of both, of the one elsewhere without a cache on disk.
func (c *alike) compare(ctx context.Context, questions []string, path, url string) error {
	here := runtime.New(runtime.Config{Index: []string{path}})
	defer here.Close()
	there := runtime.New(runtime.Config{Index: []string{url}, Environ: map[string]string{"KDD_CACHE": "off"}})
	defer there.Close()
	for _, q := range questions {
		want, err := found(ctx, here, q)
		if err != nil {
			return err
		}
		got, err := found(ctx, there, q)
		if err != nil {
			return err
		}
		c.add(want, got)
	}
	return nil
}

// add compares two lists of hits.
func (c *alike) add(want, got []string) {
	shared, order := 0, len(want) == len(got)
	in := map[string]bool{}
	for _, hit := range want {
		in[hit] = true
	}
	for i, hit := range got {
		if in[hit] {
			shared++
		}
		order = order && want[i] == hit
	}
	c.questions, c.hits, c.shared = c.questions+1, c.hits+len(want), c.shared+shared
	if shared == len(want) && len(want) == len(got) {
		c.sets++
	}
	if order {
		c.orders++
	}
	if len(want) == 0 && len(got) == 0 || len(want) > 0 && len(got) > 0 && want[0] == got[0] {
		c.firsts++
	}
}

func found(ctx context.Context, svc *runtime.Service, question string) ([]string, error) {
	r, err := svc.Search(ctx, wire.SearchRequest{Query: question, Limit: hits, Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		return nil, err
	}
	list := make([]string, len(r.Results))
	for i, hit := range r.Results {
		list[i] = fmt.Sprintf("%s#%s %v", hit.Path, hit.Anchor, hit.Lines)
	}
	return list, nil
}

// String says how far they are.
func (c *alike) String() string {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	return fmt.Sprintf("Of %d questions %.1f %% have the same %d hits as in the local file, %.1f %% in the same order, "+
		"%.1f %% the same first one; %.2f %% of the hits are the same.",
		c.questions, share(c.sets, c.questions), hits, share(c.orders, c.questions), share(c.firsts, c.questions), share(c.shared, c.hits))
}
