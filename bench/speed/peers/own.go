package peers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"kdd/bench/internal/harness"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/search/vector"
	"kdd/runtime/wire"
)

// asked answers query number i.
type asked func(ctx context.Context, i int) ([]any, error)

// answer asks kdd the queries of the folder, in this process on one thread, and writes a result.
func (s *settings) answer(ctx context.Context, stdout io.Writer) error {
	goruntime.GOMAXPROCS(1)
	queries, err := readQueries(s.work)
	if err != nil {
		return err
	}
	r := result{}
	var ask asked
	var done func()
	if s.mode == byVectors {
		r.Settings = "int8 rows"
		var sketches bool
		if ask, sketches, done, err = scan(s.own, s.work, len(queries), s.limit); sketches {
			r.Settings = "1-bit sketches of all rows, int8 rows of the best thousand"
		}
	} else {
		r.Settings = "a search of the Service, snippets included"
		ask, done, err = service(s.own, s.mode, queries, s.limit)
	}
	if err != nil {
		return err
	}
	defer done()
	for i := range min(5, len(queries)) { // to warm up, as the peers do
		if _, err := ask(ctx, i); err != nil {
			return err
		}
	}
	took, worked := make([][]float64, len(queries)), make([][]float64, len(queries))
	for range s.rounds {
		r.Hits = nil
		for i := range queries {
			cpu, start := harness.CPU(), time.Now()
			hits, err := ask(ctx, i)
			if err != nil {
				return err
			}
			took[i] = append(took[i], float64(time.Since(start).Microseconds())/1000)
			worked[i] = append(worked[i], float64((harness.CPU()-cpu).Microseconds())/1000)
			r.Hits = append(r.Hits, hits)
		}
	}
	for i := range queries {
		r.MS, r.CPU = append(r.MS, harness.Percentile(took[i], 50)), append(r.CPU, harness.Percentile(worked[i], 50))
	}
	r.MemoryMB = peakMB()
	if info, err := os.Stat(s.own); err == nil {
		r.Bytes = info.Size()
	}
	return json.NewEncoder(stdout).Encode(r)
}

// service searches as users do.
func service(artifact, mode string, queries []string, k int) (asked, func(), error) {
	s := runtime.New(runtime.Config{Index: []string{artifact}})
	return func(ctx context.Context, i int) ([]any, error) {
		found, err := s.Search(ctx, wire.SearchRequest{Query: queries[i], Mode: mode, Limit: k, Page: wire.Page{MaxBytes: 65536}})
		if err != nil {
			return nil, err
		}
		if found.Mode != mode {
			return nil, fmt.Errorf("a search by %s was answered by %s: %s", mode, found.Mode, strings.Join(found.Warnings, "; "))
		}
		hits := []any{}
		for _, h := range found.Results {
			hits = append(hits, h.Path+"#"+h.Anchor)
		}
		return hits, nil
	}, func() { s.Close() }, nil
}

// scan compares the query vectors of a folder with the rows of an artifact, as a search does, and nothing else.
func scan(artifact, folder string, n, k int) (ask asked, sketches bool, done func(), err error) {
	queries, err := readVectors(folder, queryVectorsFile)
	if err != nil {
		return nil, false, nil, err
	}
	x, err := index.Open(artifact)
	if err != nil {
		return nil, false, nil, err
	}
	stored, err := x.Vectors()
	if err == nil && stored == nil {
		err = fmt.Errorf("%s: it has no vectors", filepath.Base(artifact))
	}
	if err == nil && len(queries) != n*stored.Dim {
		err = fmt.Errorf("%s: %d numbers, want %d rows of %d", queryVectorsFile, len(queries), n, stored.Dim)
	}
	if err != nil {
		x.File.Close()
		return nil, false, nil, err
	}
	view, all := vector.View{Vectors: stored}, vector.Ranges{{0, uint32(stored.Count)}}
	cosines := make([]float32, stored.Count)
	return func(ctx context.Context, i int) ([]any, error) {
		q := vector.NewQuery(queries[i*stored.Dim : (i+1)*stored.Dim])
		if _, err := view.Cosines(ctx, q, all, cosines); err != nil {
			return nil, err
		}
		hits := []any{}
		for _, row := range best(cosines, k) {
			hits = append(hits, row)
		}
		return hits, nil
	}, stored.Count > index.ExactRows, func() { x.File.Close() }, nil
}

// best returns the rows of the k largest scores, largest first.
func best(scores []float32, k int) []int {
	list := make([]int, 0, k+1)
	for row, score := range scores {
		if len(list) == k && score <= scores[list[k-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, score, func(other int, score float32) int { return cmp.Or(cmp.Compare(score, scores[other]), -1) })
		list = slices.Insert(list, at, row)
		list = list[:min(k, len(list))]
	}
	return list
}

// peakMB is the largest resident set of this process so far, pages of the index included; 0 where the system does not
// tell it.
func peakMB() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(value)[0], 64)
			return kb / 1024
		}
	}
	return 0
}
