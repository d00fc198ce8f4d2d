package harness

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestMeasurements(t *testing.T) {
	table := []Measurement{{Name: "sizes", Measures: "bytes of blocks", Run: func(args []string, stdout, _ io.Writer) int {
		fmt.Fprint(stdout, args)
		return 1
	}}}
	for _, test := range []struct {
		args         []string
		code         int
		said, listed string // on stdout, and within stderr
	}{
		{[]string{"sizes", "-n", "3"}, 1, "[-n 3]", ""},
		{nil, 2, "", "sizes        bytes of blocks"},
		{[]string{"size"}, 2, "", "usage: go run ./bench/speed MEASUREMENT"},
	} {
		var stdout, stderr strings.Builder
		code := Main("speed", table, test.args, &stdout, &stderr)
		if code != test.code || stdout.String() != test.said || !strings.Contains(stderr.String(), test.listed) {
			t.Errorf("Main(%q) = %d, prints %q and %q", test.args, code, stdout.String(), stderr.String())
		}
	}
}
