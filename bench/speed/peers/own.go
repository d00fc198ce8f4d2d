package peers

import (
	"context"
	"encoding/json"
	"io"
	"os"
	goruntime "runtime"
	"strconv"
	"strings"
	"time"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// result is what one engine did on one corpus: what peers.py prints, and what own measures of kdd.
type result struct {
	Engine   string  `json:"engine"`
	Absent   string  `json:"absent,omitempty"`
	Failed   string  `json:"failed,omitempty"`
	Version  string  `json:"version,omitempty"`
	Settings string  `json:"settings,omitempty"`
	BuildS   float64 `json:"build_s"`
	Bytes    int64   `json:"bytes"`
	// peak of the process that builds, loads and asks; of kdd of the one that asks
	MemoryMB float64   `json:"memory_mb"`
	MS       []float64 `json:"ms,omitempty"`
	Hits     [][]any   `json:"hits,omitempty"` // first ones of each query: numbers of sections, of kdd path#anchor
}

// own asks kdd the queries of a folder, in this process on one thread, and writes a result.
func own(ctx context.Context, stdout io.Writer, index, mode, folder string, k int) error {
	goruntime.GOMAXPROCS(1)
	queries, err := readQueries(folder)
	if err != nil {
		return err
	}
	service := runtime.New(runtime.Config{Index: []string{index}})
	defer service.Close()
	r := result{Engine: "kdd-" + mode, Settings: "limit " + strconv.Itoa(k)}
	for round, list := range [][]string{queries[:min(5, len(queries))], queries} {
		for _, text := range list {
			start := time.Now()
			found, err := service.Search(ctx, wire.SearchRequest{Query: text, Mode: mode, Limit: k, Page: wire.Page{MaxBytes: 65536}})
			if err != nil {
				return err
			}
			if round == 0 {
				continue // to warm up, as the peers do
			}
			r.MS = append(r.MS, float64(time.Since(start).Microseconds())/1000)
			hits := []any{}
			for _, h := range found.Results {
				hits = append(hits, h.Path+"#"+h.Anchor)
			}
			r.Hits = append(r.Hits, hits)
		}
	}
	r.MemoryMB = peakMB()
	if info, err := os.Stat(index); err == nil {
		r.Bytes = info.Size()
	}
	return json.NewEncoder(stdout).Encode(r)
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
