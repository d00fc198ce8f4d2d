package latency

import (
	"context"
	"time"

	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// inProcess measures opening and searching without a process around it.
func inProcess(ctx context.Context, s *settings, all *samples, form, path string) error {
	open := all.series(form, "open")
	for range s.n {
		start := time.Now()
		x, err := index.Open(path)
		took := time.Since(start)
		if err != nil {
			return err
		}
		open.add(took, 0)
		if err := x.File.Close(); err != nil {
			return err
		}
	}
	first := all.series(form, "open and search")
	for i := range s.n {
		svc := runtime.New(runtime.Config{Index: []string{path}})
		took, err := search(ctx, svc, s.queries[i%len(s.queries)])
		svc.Close()
		if err != nil {
			return err
		}
		first.add(took, 0)
	}
	svc := runtime.New(runtime.Config{Index: []string{path}})
	defer svc.Close()
	if _, err := search(ctx, svc, s.queries[0]); err != nil {
		return err
	}
	warm := all.series(form, "warm search")
	for range s.rounds {
		for _, q := range s.queries {
			took, err := search(ctx, svc, q)
			if err != nil {
				return err
			}
			warm.add(took, 0)
		}
	}
	return nil
}

func search(ctx context.Context, svc *runtime.Service, text string) (time.Duration, error) {
	start := time.Now()
	_, err := svc.Search(ctx, wire.SearchRequest{Query: text})
	return time.Since(start), err
}
