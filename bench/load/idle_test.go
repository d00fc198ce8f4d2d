package main

import (
	"bytes"
	"strings"
	"testing"

	"kdd/mcpserver/web"
)

// More connections than there may be are refused before anything is measured.
func TestRoomFor(t *testing.T) {
	if err := roomFor(0); err != nil {
		t.Errorf("no idle connections: %v", err)
	}
	have := web.OpenFiles()
	if have == 0 || have > 25000 { // the system does not say, or there is room for all that may be asked for
		have = 1 << 20
	}
	if err := roomFor(have); web.OpenFiles() > 0 && web.OpenFiles() < have+256 && (err == nil || !strings.Contains(err.Error(), "raise the hard limit")) {
		t.Errorf("%d idle connections: %v", have, err)
	}
	var out, errs bytes.Buffer
	for _, args := range [][]string{{"-index", "x", "-queries", "y", "-idle", "-1"}, {"-index", "x", "-queries", "y", "-idle", "1000000"}, {"-queries", "y"}} {
		if code := run(args, &out, &errs); code != 2 {
			t.Errorf("%q exits %d, want 2", args, code)
		}
	}
}
