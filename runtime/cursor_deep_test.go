package runtime

import (
	"maps"
	goruntime "runtime"
	"slices"
	"testing"

	"kdd/runtime/wire"
)

// A cursor is no secret: anyone can write one. One that leads far beyond the last result costs no more than the first
// page, and gives no results.
func TestCursorBeyondTheEnd(t *testing.T) {
	s := serve(t, corpus(t, "handbook"))
	tried := 0
	for _, o := range Operations() {
		if !slices.ContainsFunc(o.Params, func(p Param) bool { return p.Name == "cursor" }) {
			continue
		}
		args := map[string]any{}
		if len(o.Examples) > 0 {
			maps.Copy(args, o.Examples[0])
		}
		for _, p := range o.Params {
			if p.Required && args[p.Name] == nil {
				args[p.Name] = "auth"
			}
		}
		cost := func(args map[string]any) (any, uint64, error) {
			var before, after goruntime.MemStats
			goruntime.ReadMemStats(&before)
			v, err := o.Run(t.Context(), s, args)
			goruntime.ReadMemStats(&after)
			return v, after.TotalAlloc - before.TotalAlloc, err
		}
		cost(args) // the first call opens the file
		v, first, err := cost(args)
		if err != nil {
			t.Fatalf("%s(%v) = %v", o.Name, args, err)
		}
		request, err := o.Decode(args)
		if err != nil {
			t.Fatal(err)
		}
		cursor, id := map[string]any{}, ""
		maps.Copy(cursor, args)
		if a, ok := v.(interface{ AnsweredFrom() string }); ok && o.Name != "schema" && o.Name != "doctor" {
			id = a.AnsweredFrom()
		}
		if o.Name == "violations" || o.Name == "orphans" {
			continue // they are lint with other arguments
		}
		cursor["cursor"] = wire.EncodeCursor(id, o.Name, request, wire.MaxCursorOffset)
		if _, far, err := cost(cursor); err != nil || far > 2*first+64<<10 {
			t.Errorf("%s: %v, %d bytes are allocated, for the first page %d", o.Name, err, far, first)
		}
		tried++
	}
	if tried < 10 {
		t.Errorf("%d operations were tried, want 10 or more", tried)
	}
}
