// Package elsewhere measures what questions cost of an artifact that is read by range.
//
//	go run ./bench/speed elsewhere -questions FILE [-n 20] [-delay 50ms] [-out DIR] ARTIFACT...
//
// A server on loopback waits -delay before each answer and notes down which ranges were asked for. FILE has a question a
// line (see harness.Questions). The first -n of them are each asked of a new Service with an empty cache, then, of the
// same Service, the question that follows. Printed for each artifact: rounds of requests that waited for each other,
// requests, bytes, time to the answer, bytes by block, and how many of all questions have the ten hits that the local
// file gives.
package elsewhere

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kdd/bench/internal/harness"
	"kdd/format"
	"kdd/runtime"
	"kdd/runtime/source/sourcetest"
	"kdd/runtime/wire"
)

// settings are the command line.
type settings struct {
	n         int
	delay     time.Duration
	questions []string
}

// Run measures each artifact and prints a table of each.
func Run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return harness.Run("elsewhere", args, stderr, func(flags *flag.FlagSet) harness.Work {
		flags.IntVar(&s.n, "n", 20, "questions that are asked with an empty cache")
		flags.DurationVar(&s.delay, "delay", sourcetest.BenchDelay, "what each request waits")
		questions := flags.String("questions", "", "file of questions")
		out := flags.String("out", "", "folder that keeps the table and the raw output")
		return func(ctx context.Context) (err error) {
			if *questions == "" || flags.NArg() == 0 || s.n < 1 {
				return harness.ErrUsage
			}
			if s.questions, err = harness.Questions(*questions); err != nil {
				return err
			}
			var body strings.Builder
			raw := map[string]string{}
			for _, path := range flags.Args() {
				m, err := measure(ctx, &s, path)
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				name := strings.TrimSuffix(filepath.Base(path), ".kddx")
				raw[name+".txt"] = m.raw.String()
				body.WriteString(m.table(name))
			}
			return harness.Report(stdout, *out, harness.Result{Title: "Artifacts read by range", Command: "speed elsewhere", Args: args,
				Body: body.String(), Files: raw})
		}
	})
}

// measurement is that of one artifact.
type measurement struct {
	size        int64
	entries     []format.Entry
	first, next series
	alike       alike
	raw         strings.Builder // the requests of each question
}

// series are the answers to questions of one kind.
type series struct {
	rounds, requests []int
	bytes            []int64
	took             []time.Duration
	blocks           map[string]int64
}

func (s *series) add(seen sourcetest.Requests, took time.Duration, entries []format.Entry) {
	s.rounds, s.requests = append(s.rounds, seen.Rounds()), append(s.requests, len(seen))
	s.bytes, s.took = append(s.bytes, seen.Bytes()), append(s.took, took)
	if s.blocks == nil {
		s.blocks = map[string]int64{}
	}
	for _, r := range seen {
		if r.At < 0 {
			continue
		}
		rest := r.N
		for _, e := range entries {
			n := min(r.At+r.N, int64(e.Offset+e.Length)) - max(r.At, int64(e.Offset))
			if n > 0 {
				s.blocks[e.Tag.String()] += n
				rest -= n
			}
		}
		s.blocks["header, padding"] += rest
	}
}

// measure asks questions of the artifact at path.
func measure(ctx context.Context, s *settings, path string) (*measurement, error) {
	f, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	m := &measurement{size: info.Size(), entries: f.Entries()}
	server := sourcetest.New(os.DirFS(filepath.Dir(path)), sourcetest.Delay(s.delay))
	defer server.Close()
	url := server.URL + "/" + filepath.Base(path)
	for i := range min(s.n, len(s.questions)-1) {
		if err := m.ask(ctx, server, url, s.questions[i:i+2]); err != nil {
			return nil, err
		}
	}
	return m, m.alike.compare(ctx, s.questions, path, url)
}

// ask asks questions of a new Service with an empty cache.
func (m *measurement) ask(ctx context.Context, server *sourcetest.Server, url string, questions []string) error {
	cache, err := os.MkdirTemp("", "kdd-elsewhere")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	svc := runtime.New(runtime.Config{Index: []string{url}, Environ: map[string]string{"KDD_CACHE": cache}})
	defer svc.Close()
	server.Seen()
	for i, of := range []*series{&m.first, &m.next} {
		begun := time.Now()
		if _, err := svc.Search(ctx, wire.SearchRequest{Query: questions[i], Limit: hits, Page: wire.Page{MaxBytes: -1}}); err != nil {
			return err
		}
		took, seen := time.Since(begun), server.Seen()
		of.add(seen, took, m.entries)
		fmt.Fprintf(&m.raw, "%s\n%v\n", questions[i], seen)
	}
	return nil
}

// table prints what was measured.
func (m *measurement) table(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s, %.2f MB\n\n| question | rounds p50 | max | requests p50 | kB p50 | kB p90 | ms p50 | ms p90 |\n%s\n", name,
		float64(m.size)/1e6, "|---|---|---|---|---|---|---|---|")
	for _, row := range []struct {
		name string
		s    *series
	}{{"first", &m.first}, {"next", &m.next}} {
		s := row.s
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %.0f | %.0f | %.0f | %.0f |\n", row.name, harness.Percentile(s.rounds, 50), slices.Max(s.rounds),
			harness.Percentile(s.requests, 50), kB(harness.Percentile(s.bytes, 50)), kB(harness.Percentile(s.bytes, 90)),
			ms(harness.Percentile(s.took, 50)), ms(harness.Percentile(s.took, 90)))
	}
	b.WriteString("\nBytes by block, kB, means:\n\n| block | in the file | first | next |\n|---|---|---|---|\n")
	lengths := map[string]uint64{}
	for _, e := range m.entries {
		lengths[e.Tag.String()] = e.Length
	}
	questions := int64(len(m.first.bytes))
	for _, tag := range slices.SortedFunc(maps.Keys(m.first.blocks), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.first.blocks[b], m.first.blocks[a]), cmp.Compare(a, b))
	}) {
		fmt.Fprintf(&b, "| %s | %.0f | %.1f | %.1f |\n", tag, kB(int64(lengths[tag])), kB(m.first.blocks[tag]/questions),
			kB(m.next.blocks[tag]/questions))
	}
	fmt.Fprintf(&b, "\n%s\n\n", m.alike.String())
	return b.String()
}

func kB(n int64) float64         { return float64(n) / 1e3 }
func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
