package calibration

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
)

// drawn makes points whose label is 1 with probability harness.Logistic(a·raw + b).
func drawn(n int, a, b float64) []point {
	random := rand.New(rand.NewPCG(1, 1))
	points := make([]point, n)
	for i := range points {
		raw := random.Float64() * 4
		points[i] = point{id: fmt.Sprint(i), raw: raw, relevant: random.Float64() < harness.Logistic(a*raw+b)}
	}
	return points
}

func TestFit(t *testing.T) {
	// Two raw scores, so the fit must meet the share of relevant ones at both: logit(1/4) at 0, logit(3/4) at 2.
	var two []point
	for i := range 4 {
		two = append(two, point{raw: 0, relevant: i == 0}, point{raw: 2, relevant: i != 0})
	}
	beyond := append([]point{}, two...)
	for i := range beyond {
		beyond[i].raw *= 3 // 0 and 6
	}
	named := append([]point{}, beyond...)
	for i := range named {
		if named[i].raw > 0 {
			named[i].raw = 14
		}
	}
	for _, test := range []struct {
		name      string
		points    []point
		a, b, off float64
	}{
		{"shares are met", two, math.Log(9) / 2, -math.Log(3), 1e-4},
		{"wider", beyond, math.Log(9) / 6, -math.Log(3), 1e-4},
		{"a bonus is cut off", named, math.Log(9) / 6, -math.Log(3), 1e-4},
		{"what they were drawn with", drawn(20000, 1.5, -3), 1.5, -3, 0.15},
		{"no evidence, not relevant", append(without(4), two...), math.Log(21) / 2, -math.Log(7), 1e-4},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b, err := fit(test.points)
			if err != nil || math.Abs(a-test.a) > test.off || math.Abs(b-test.b) > test.off {
				t.Errorf("fit = %.4f, %.4f, %v, want %.4f, %.4f", a, b, err, test.a, test.b)
			}
		})
	}
	parted := []point{{raw: 1}, {raw: 2}, {raw: 3, relevant: true}, {raw: 4, relevant: true}}
	if a, b, err := fit(parted); err != nil || math.IsInf(a, 0) || harness.Logistic(2*a+b) > 0.01 || harness.Logistic(3*a+b) < 0.99 {
		t.Errorf("fit of points that a score parts = %g, %g, %v, want large and finite", a, b, err)
	}
	for _, points := range [][]point{nil, without(3), {{raw: 1, relevant: true}}} {
		if _, _, err := fit(points); !errors.Is(err, errOneLabel) {
			t.Errorf("fit(%v) = %v, want %v", points, err, errOneLabel)
		}
	}
}

func TestECE(t *testing.T) {
	constant := func(v float64) func(*point) float64 { return func(*point) float64 { return v } }
	half := make([]point, 40)
	for i := range half {
		half[i].relevant = i%2 == 0
	}
	twelve := make([]point, 12) // bins of 2, 2, 1, 1, ...
	for i := range twelve {
		twelve[i] = point{raw: float64(i), relevant: i == 0 || i == 11}
	}
	for _, test := range []struct {
		name   string
		points []point
		score  func(*point) float64
		want   float64
	}{
		{"none", nil, constant(0.5), 0},
		{"right", half, constant(0.5), 0},
		{"too sure", half, constant(0.9), 0.4},
		{"too unsure", half, constant(0.2), 0.3},
		{"a bin for each score", twelve, func(p *point) float64 { return p.raw / 100 }, (math.Abs(0.01-1) + 0.05 + 0.04 + 0.05 + 0.06 + 0.07 + 0.08 + 0.09 + 0.10 + 0.89) / 12},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := ece(test.points, test.score); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("ece = %.4f, want %.4f", got, test.want)
			}
		})
	}
	points := drawn(20000, 1.5, -3)
	if got := ece(points, func(p *point) float64 { return harness.Logistic(1.5*p.raw - 3) }); got > 0.015 {
		t.Errorf("ece of points with their own probability = %.4f, want about 0", got)
	}
}

func TestHalves(t *testing.T) {
	fitted, other := halves(drawn(1000, 1, 0))
	if len(fitted) < 400 || len(other) < 400 || len(fitted)+len(other) != 1000 {
		t.Errorf("halves of 1000 have %d and %d", len(fitted), len(other))
	}
	// crc32 of "0" is F4DBDF21, of "1" 83DCEFB7, of "5" 84B12BAE.
	if fitted, other = halves([]point{{id: "0"}, {id: "1"}, {id: "5"}}); len(fitted) != 1 || fitted[0].id != "5" || len(other) != 2 {
		t.Errorf("halves = %v, %v, want 5 in the first", fitted, other)
	}
}

// TestRun measures a small set that has no vectors; what is excluded is no first hit.
func TestRun(t *testing.T) {
	dir, artifacts := filepath.Join(t.TempDir(), "small"), t.TempDir()
	var queries, qrels strings.Builder
	files := map[string]string{"corpus/other.md": "# Other\n\nApples, pears and plums, all of them.\n"}
	for i, fruit := range []string{"apples", "pears", "plums", "figs", "grapes", "limes", "dates", "melons"} {
		files["corpus/"+fruit+".md"] = "# On " + fruit + "\n\nHow " + fruit + " grow, and where.\n"
		fmt.Fprintf(&queries, "q%d\thow do %s grow\tother.md\n", i, fruit)
		fmt.Fprintf(&queries, "x%d\twhere %s grow\t%s.md\n", i, fruit, fruit)
		fmt.Fprintf(&qrels, "q%d\t%s.md\t-\t1\nx%d\tother.md\t-\t1\n", i, fruit, i)
	}
	files["queries.tsv"], files["qrels.tsv"] = queries.String(), qrels.String()
	if err := harness.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	if err := harness.BuildWords(t.Context(), filepath.Join(dir, "corpus"), filepath.Join(artifacts, "small-lexical.kddx")); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := Run([]string{"-kdd", filepath.Join(dir, "none"), "-sets", dir, "-artifacts", artifacts}, &stdout, &stderr); code != 0 {
		t.Fatalf("run = %d: %s", code, stderr.String())
	}
	for _, want := range []string{`(?m)^\| lexical \| fitted \| \d+ \| [\d.]+ \| -?[\d.]+ \| 0\.\d{3} \| 0\.\d{3} of \d+ \|$`, `(?m)^\| \| of the artifact \| \| [\d.]+ \| -[\d.]+ \| 0\.`, `(?m)^\| lexical \| 0\.\d\d, 0\.\d\d \|$`} {
		if !regexp.MustCompile(want).Match(stdout.Bytes()) {
			t.Errorf("the table lacks %s:\n%s", want, stdout.String())
		}
	}
	if strings.Contains(stdout.String(), "vector") || !strings.Contains(stderr.String(), "going on without the exact encoder") {
		t.Errorf("without vectors the table is\n%sand on standard error is\n%s", stdout.String(), stderr.String())
	}
	for _, args := range [][]string{nil, {"-sets", dir, "more"}} {
		if code := Run(args, &stdout, &stderr); code != 2 {
			t.Errorf("Run(%v) = %d, want 2", args, code)
		}
	}
}
