package runtime

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// Doctor checks everything that answers depend on: that artifacts are found, can be opened and are whole, that their
// query encoders work, that the sources have not changed since they were compiled, that there is enough memory. Then it
// runs Config.Checks. A failed check is no error; it says what to do.
//
// Cost: it reads each artifact once in the life of the process (1.2 s for 10,000 documents), and at every call each
// source that is found (0.3 s).
func (s *Service) Doctor(ctx context.Context, q wire.DoctorRequest) (*wire.DoctorResponse, error) {
	start := time.Now()
	// every page makes the checks again; the cursor counts them
	pages, err := render.NewPages("", "doctor", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	resp := &wire.DoctorResponse{Envelope: wire.Envelope{SchemaVersion: "doctor.v1"}}
	var checks []wire.Check
	sources, err := s.store.FindSources()
	if err != nil {
		checks = append(checks, wire.CheckOf("index", "", err))
	} else {
		checks = append(checks, checkFound(sources))
	}
	var open []*artifact.Artifact
	for _, src := range sources {
		if src.Gone() {
			continue
		}
		name := ""
		if len(sources) > 1 {
			name = src.Name
		}
		list, a := s.examine(ctx, src)
		if a != nil {
			defer a.Release()
			open = append(open, a)
		}
		for _, c := range list {
			c.Index = name
			checks = append(checks, c)
		}
		if ctx.Err() != nil {
			return nil, wire.ContextError(ctx)
		}
	}
	if len(open) > 0 && len(open) == len(sources) {
		resp.Envelope = (&artifact.Set{Artifacts: open}).Envelope("doctor.v1")
	}
	checks = append(checks, checkMemory(sources))
	if s.config.Checks != nil {
		checks = append(checks, s.config.Checks(ctx)...)
	}
	for _, c := range checks {
		if !c.OK {
			resp.Failed++
		}
	}
	resp.OK, resp.Checks = resp.Failed == 0, checks[min(pages.From, len(checks)):]
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitDoctor(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}

// checkFound lists the files that queries are answered from, and checks that they exist.
func checkFound(sources []*artifact.Source) wire.Check {
	var paths, missing []string
	for _, src := range sources {
		paths = append(paths, src.Path)
		if src.Gone() {
			missing = append(missing, src.Path)
		}
	}
	if len(missing) > 0 {
		return wire.Check{Name: "index", Detail: "no file " + strings.Join(missing, ", "), Hint: `build it with "kdd build", or name another with -i`}
	}
	return wire.Check{Name: "index", OK: true, Detail: strings.Join(paths, ", ")}
}

// examine checks one artifact. If it opens, examine returns it, and the caller has to release it.
func (s *Service) examine(ctx context.Context, src *artifact.Source) ([]wire.Check, *artifact.Artifact) {
	a, err := src.Acquire(false)
	if err != nil {
		s.store.Forget(src)
		return []wire.Check{wire.CheckOf("open", "", err)}, nil
	}
	checks := []wire.Check{{Name: "open", OK: true, Detail: fmt.Sprintf("format %d, analyzer %d, made by %s, %d bytes, %d documents", format.Version, a.Meta.Analyzer, a.Meta.MadeBy, a.File.Bytes(), a.Docs())}}
	for _, step := range []struct {
		name  string
		check func(context.Context, *artifact.Artifact) wire.Check
	}{{"verify", checkWhole}, {"encoder", checkEncoder}, {"sources", s.checkSources}} {
		if ctx.Err() != nil {
			break
		}
		var c wire.Check
		err := format.Guard(func() error {
			c = step.check(ctx, a)
			return nil
		})
		if err != nil {
			artifact.LogPanic(s.config.Log, err)
			c = wire.CheckOf("", "", artifact.FileError(a.File.Path, err))
		}
		c.Name = step.name
		checks = append(checks, c)
	}
	if a.File.Changed() == format.Written {
		checks = append(checks, wire.CheckOf("verify", "", artifact.WrittenError(a.File.Path)))
	}
	return checks, a
}

// rebuild is the hint for a damaged artifact.
const rebuild = `build it again with "kdd build", or copy or download it again`

// checkWhole verifies every byte of the file. If it did so before and the file has not changed since, it only says so.
func checkWhole(ctx context.Context, a *artifact.Artifact) wire.Check {
	if a.File.Remote() {
		return wire.Check{OK: true, Detail: "it is read by range: each part is compared with its hash when it is read"}
	}
	if a.Verified.Load() && a.File.Changed() == format.Same {
		return wire.Check{OK: true, Detail: "every byte was as it was written when this process checked them; the file's size, time and identity are the same since"}
	}
	problems, err := index.VerifyWithin(ctx, a.File.Path)
	switch {
	case err != nil:
		return wire.CheckOf("", "", artifact.FileError(a.File.Path, err))
	case len(problems) > 0:
		p := problems[0]
		c := wire.Check{Detail: fmt.Sprintf("%s: %s at byte %d: %s", a.File.Path, p.Block, p.Offset, p.Text), Hint: rebuild}
		if n := len(problems) - 1; n > 0 {
			c.Detail += fmt.Sprintf("; %d more, see kdd verify", n)
		}
		return c
	}
	a.Verified.Store(a.File.Changed() == format.Same) // else the file was replaced and its successor was verified
	return wire.Check{OK: true, Detail: "every byte is as it was written"}
}

// checkEncoder runs the self-test of the query encoder.
func checkEncoder(_ context.Context, a *artifact.Artifact) wire.Check {
	if err := artifact.VerifyEncoder(a.Index); err != nil {
		return wire.Check{Detail: err.Error(), Hint: rebuild}
	}
	if a.Meta.Encoder == "none" || a.Meta.Model == nil {
		return wire.Check{OK: true, Detail: "none: search goes by words"}
	}
	return wire.Check{OK: true, Hint: a.Meta.ModelAdvice(), Detail: fmt.Sprintf("%s, of %s: the self-test gives what it gave at the build", a.Meta.Encoder, a.Meta.Model.Name)}
}

// checkSources hashes the sources that are found and compares them with what was compiled. New files do not make the
// check fail, since the ignore rules of the build may leave them out.
func (s *Service) checkSources(ctx context.Context, a *artifact.Artifact) wire.Check {
	where := s.store.Locator(a, false).Anew()
	changed, vanished, same := 0, 0, 0
	first := ""
	for d := range index.DocID(a.Docs()) {
		if ctx.Err() != nil {
			break
		}
		path := a.DocPath(d)
		file, stale, ok := where.SourceFile(d, path)
		switch {
		case !ok && where.SourceFolder(a.DocRoot(d)) == "":
			continue
		case !ok:
			vanished++
		case stale || !hasHash(file, a.DocSHA256(d)):
			changed++
		default:
			same++
			continue
		}
		if first == "" {
			first = path
		}
	}
	for i := range uint32(a.Includes()) {
		path := a.IncludedPath(i)
		if _, ok := a.FindDoc(path); ok || ctx.Err() != nil {
			continue // counted above
		}
		file, stale, ok := where.IncludedFile(i)
		switch {
		case !ok && where.SourceFolder(a.IncludedRoot(i)) == "":
			continue
		case !ok:
			vanished++
		case stale || !hasHash(file, a.IncludedSHA256(i)):
			changed++
		default:
			same++
			continue
		}
		if first == "" {
			first = path
		}
	}
	var st wire.SourceStats
	compareSources(a, &st, where)
	c := wire.Check{OK: changed+vanished == 0, Detail: fmt.Sprintf("%d as compiled, %d changed, %d vanished, %d new", same, changed, vanished, st.Appeared)}
	switch {
	case !st.Checked:
		return wire.Check{OK: true, Detail: "not found from here, so not compared", Hint: "name their folder with --root or KDD_ROOT"}
	case !c.OK:
		c.Detail += "; the first is " + first
		c.Hint = `build it again with "kdd build"`
	case st.Appeared > 0:
		c.Hint = `"kdd build" takes those that nothing ignores`
	}
	return c
}

// hasHash says whether the content of a file has the SHA-256 want.
func hasHash(path string, want [32]byte) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return false
	}
	return [32]byte(h.Sum(nil)) == want
}

// checkMemory says how much of the artifacts is in memory, and checks that the rest fits into the free memory.
func checkMemory(sources []*artifact.Source) wire.Check {
	var total, cached int64
	known := true
	for _, src := range sources {
		info, err := os.Stat(src.Path)
		if err != nil {
			continue
		}
		total += info.Size()
		n, err := cachedBytes(src.Path)
		known = known && err == nil
		cached += n
	}
	var parts []string
	switch {
	case total > 0 && known:
		parts = append(parts, fmt.Sprintf("%s of %s of the artifacts are in the page cache", byteText(cached), byteText(total)))
	case total > 0:
		parts = append(parts, byteText(total)+" of artifacts")
	}
	if resident, err := residentBytes(); err == nil {
		parts = append(parts, "this process has "+byteText(resident))
	}
	c := wire.Check{Name: "memory", OK: true}
	if free, err := availableBytes(); err == nil {
		parts = append(parts, byteText(free)+" are available")
		if known && total-cached > free {
			c.OK, c.Hint = false, "queries will read from the disk: free some memory, or use a smaller artifact"
		}
	}
	c.Detail = cmp.Or(strings.Join(parts, ", "), errUnknown.Error())
	return c
}

// errUnknown is the error for a value that the system does not tell.
var errUnknown = errors.New("not known on this system")

// byteText is a number of bytes for people.
func byteText(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}
