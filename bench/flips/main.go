// Command flips damages an artifact in random places and asks it everything each time: an answer must be the intact
// one's or the error index_corrupt or index_version, and kddq verify must name the damage.
//
//	go run ./bench/flips -kddq BIN -n 10000 docs.kddx
//
// Half of the runs flip bits anywhere, some in header and directory, and one in ten cuts the file. It prints what it
// counted, and exits with 1 and the run's number if one gave another answer, a panic or no answer within a minute;
// -run repeats a single one. With -sealed up to four damages are inside blocks, in what a compressed block unpacks to,
// in the directory or in a trailer, and all hashes are made anew, so that only the checks of structure protect the
// reader: then an answer may be another one, but none may be an internal error, take more than 10 s or allocate more
// than 256 MB, and what a question calls corrupt verify must name.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	goruntime "runtime"
	"sync"
	"time"

	"kdd/bench/internal/harness"
	"kdd/format"
	"kdd/format/index"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("flips", args, stderr, func(flags *flag.FlagSet) harness.Work {
		log.SetFlags(0)
		t := &trial{stdout: stdout}
		n := flags.Int("n", 1000, "damaged files to try")
		seed := flags.Uint64("seed", 1, "of the random damages")
		only := flags.Int("run", -1, "try only the damage of this number")
		flags.StringVar(&t.kddq, "kddq", "bin/kddq", "the kddq binary, which verifies")
		flags.BoolVar(&t.seal, "sealed", false, "damage what is inside blocks, and make all hashes right again")
		flags.StringVar(&t.block, "block", "", "with -sealed, damage only the block of this tag")
		flags.BoolVar(&t.verbose, "v", false, "print each sealed damage that verify does not name and that changes an answer")
		return func(context.Context) (err error) {
			if flags.NArg() != 1 {
				return harness.ErrUsage
			}
			if t.dir, err = os.MkdirTemp("", "flips"); err != nil {
				return err
			}
			defer os.RemoveAll(t.dir)
			if err := t.open(flags.Arg(0)); err != nil {
				return err
			}
			if len(t.choose(t.file.Raw())) == 0 {
				return harness.Wrong("%s has no block %q with bytes", flags.Arg(0), t.block)
			}
			return t.all(*n, *seed, *only)
		}
	})
}

// trial is an artifact, the questions that it is asked and its answers.
type trial struct {
	kddq   string
	stdout io.Writer
	dir    string
	data   []byte
	file   *format.File
	asks   []ask
	intact []string

	seal, verbose bool
	block         string // the only one that is damaged, "" = any

	mu                                  sync.Mutex
	runs, refused, partly, silent, lied int
}

// open reads the intact file and its answers.
func (t *trial) open(name string) (err error) {
	if t.data, err = os.ReadFile(name); err != nil {
		return err
	}
	path := filepath.Join(t.dir, "intact", "docs.kddx")
	if err := put(path, t.data); err != nil {
		return err
	}
	if named, err := t.verify(path); err != nil {
		return err
	} else if named {
		return harness.Wrong("%s is not intact: kddq verify names damages", name)
	}
	if t.file, err = format.OpenBytes(t.data); err != nil {
		return err
	}
	x, err := index.New(t.file)
	if err != nil {
		return err
	}
	if t.asks = questions(x); t.seal {
		t.asks = append(t.asks, further(x)...)
	}
	for i, a := range answers(path, t.asks) {
		if a.err != nil && !t.seal {
			return fmt.Errorf("the intact file's answer to %s: %w", t.asks[i].name(), a.err)
		}
		t.intact = append(t.intact, a.json)
	}
	return nil
}

// all tries n damages, or the one of number only.
func (t *trial) all(n int, seed uint64, only int) error {
	start := time.Now()
	numbers := make(chan int)
	failed := make(chan error, n+1)
	var workers sync.WaitGroup
	try, atOnce := t.one, goruntime.GOMAXPROCS(0)
	if t.seal {
		try, atOnce = t.sealed, 1 // what a question allocates is counted for the process
	}
	for w := range atOnce {
		path := filepath.Join(t.dir, fmt.Sprint(w), "docs.kddx")
		workers.Go(func() {
			for number := range numbers {
				hang := time.AfterFunc(time.Minute, func() { log.Fatalf("flips: run %d of seed %d hangs", number, seed) })
				if err := try(path, number, seed); err != nil {
					failed <- fmt.Errorf("run %d of seed %d: %w", number, seed, err)
				}
				hang.Stop()
			}
		})
	}
	for i := range n {
		if only < 0 || only == i {
			numbers <- i
		}
		if i%1000 == 999 && only < 0 {
			log.Printf("%d of %d, %s", i+1, n, time.Since(start).Round(time.Second))
		}
	}
	if only >= n {
		numbers <- only
	}
	close(numbers)
	workers.Wait()
	close(failed)
	bad := 0
	var first error
	for err := range failed {
		if bad++; bad <= 20 {
			log.Print(err)
		}
		first = err
	}
	fmt.Fprintf(t.stdout, "%d damaged files of %d bytes, %d questions each, %s\n", t.runs, len(t.data), len(t.asks), time.Since(start).Round(time.Second))
	if t.seal {
		fmt.Fprintf(t.stdout, "all questions refused: %d; some refused: %d; none refused: %d, among them with other answers and not named by verify: %d\n", t.refused, t.partly, t.silent, t.lied)
	} else {
		fmt.Fprintf(t.stdout, "all questions refused: %d; some refused, the others answered right: %d; all answered right: %d; verify named every one: %t\n", t.refused, t.partly, t.silent, bad == 0)
	}
	switch {
	case first != nil:
		return fmt.Errorf("%d runs failed", bad)
	case only < 0 && t.runs < n*9/10: // some damages give nothing that can be written as a file
		return fmt.Errorf("%d damages gave %d files", n, t.runs)
	}
	return nil
}

// one tries the damage of a number.
func (t *trial) one(path string, number int, seed uint64) error {
	bad := damage(rand.New(rand.NewPCG(seed, uint64(number))), t.data)
	if err := put(path, bad); err != nil {
		return err
	}
	named, err := t.verify(path)
	if err != nil {
		return err
	}
	if !named {
		return fmt.Errorf("verify names nothing")
	}
	refused := 0
	for i, a := range answers(path, t.asks) {
		switch {
		case a.err != nil && !corrupt(a.err):
			return fmt.Errorf("%s: %w, want index_corrupt or index_version", t.asks[i].name(), a.err)
		case a.err != nil:
			refused++
		case a.json != t.intact[i]:
			return fmt.Errorf("%s: %.400s\nwant %.400s", t.asks[i].name(), a.json, t.intact[i])
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	switch refused {
	case 0:
		t.silent++
	case len(t.asks):
		t.refused++
	default:
		t.partly++
	}
	return nil
}

// damage returns a copy of data with one to three bits flipped, or cut short.
func damage(r *rand.Rand, data []byte) []byte {
	if r.IntN(10) == 0 {
		return data[:r.IntN(len(data))]
	}
	bad := append([]byte(nil), data...)
	flipped := map[int]bool{}
	for range 1 + r.IntN(3) {
		bit := 8*r.IntN(len(bad)) + r.IntN(8)
		if r.IntN(8) == 0 {
			bit = r.IntN(8 * min(len(bad), 4096)) // header and directory
		}
		if !flipped[bit] {
			flipped[bit] = true
			bad[bit/8] ^= 1 << (bit % 8)
		}
	}
	return bad
}

// put writes a file as a new one, so that nothing of the one before it is mapped.
func put(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
