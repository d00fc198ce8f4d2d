// Command flips damages an artifact in random places and asks it everything each time: an answer must be the intact
// one's or the error index_corrupt or index_version, and verify must name the damage.
//
//	go run ./bench/flips -n 10000 docs.kddx
//
// Half of the runs flip bits anywhere, some in header and directory, and one in ten cuts the file. It prints what it
// counted, and exits with 1 and the run's number if one gave another answer, a panic or no answer within a minute;
// -run repeats a single one. With -sealed up to four damages are inside blocks, in what a compressed block unpacks to, in the
// directory or in a trailer, and all hashes are made anew, so that the checks of structure alone stand before the reader:
// then an answer may be another one, but none may be an internal error, take more than 10 s or allocate more than 256 MB, and
// what a question calls corrupt verify must name.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	goruntime "runtime"
	"sync"
	"time"

	"kdd/format"
	"kdd/format/index"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 1000, "damaged files to try")
	seed := flag.Uint64("seed", 1, "of the random damages")
	run := flag.Int("run", -1, "try only the damage of this number")
	seal := flag.Bool("sealed", false, "damage what is inside blocks, and make all hashes right again")
	block := flag.String("block", "", "with -sealed, damage only the block of this tag")
	verbose := flag.Bool("v", false, "print each sealed damage that verify does not name and that changes an answer")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: flips [-n N] [-seed N] [-run N] [-sealed [-block TAG] [-v]] FILE.kddx")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	data, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "flips")
	if err != nil {
		log.Fatal(err)
	}
	t, err := newTrial(dir, data, *seal)
	if err == nil {
		t.block, t.verbose = *block, *verbose
		if len(t.choose(rawBlocks(t.file))) == 0 {
			log.Fatalf("flips: %s: no block %q with bytes", flag.Arg(0), *block)
		}
		err = t.all(*n, *seed, *run)
	}
	if rerr := os.RemoveAll(dir); err == nil {
		err = rerr
	}
	if err != nil {
		log.Fatal("flips: ", err)
	}
}

// trial is an artifact, the questions that it is asked and its answers.
type trial struct {
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

func newTrial(dir string, data []byte, seal bool) (*trial, error) {
	f, err := format.OpenBytes(data)
	if err != nil {
		return nil, err
	}
	x, err := index.New(f)
	if err != nil {
		return nil, err
	}
	t := &trial{dir: dir, data: data, file: f, seal: seal}
	err = format.Guard(func() error {
		if t.asks = questions(x); seal {
			t.asks = append(t.asks, further(x)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "intact", "docs.kddx")
	if err := put(path, data); err != nil {
		return nil, err
	}
	if problems, err := index.Verify(path); err != nil || len(problems) > 0 {
		return nil, fmt.Errorf("the file itself is not intact: %v %w", problems, err)
	}
	for i, a := range answers(path, t.asks) {
		if a.err != nil && !seal {
			return nil, fmt.Errorf("the intact file's answer to %s: %w", t.asks[i].name, a.err)
		}
		t.intact = append(t.intact, a.json)
	}
	return t, nil
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
	fmt.Printf("%d damaged files of %d bytes, %d questions each, %s\n", t.runs, len(t.data), len(t.asks), time.Since(start).Round(time.Second))
	if t.seal {
		fmt.Printf("all questions refused: %d; some refused: %d; none refused: %d, among them with other answers and not named by verify: %d\n", t.refused, t.partly, t.silent, t.lied)
	} else {
		fmt.Printf("all questions refused: %d; some refused, the others answered right: %d; all answered right: %d; verify named every one: %t\n", t.refused, t.partly, t.silent, bad == 0)
	}
	if first != nil {
		return fmt.Errorf("%d runs failed", bad)
	}
	return nil
}

// one tries the damage of a number.
func (t *trial) one(path string, number int, seed uint64) error {
	bad := damage(rand.New(rand.NewPCG(seed, uint64(number))), t.data)
	if err := put(path, bad); err != nil {
		return err
	}
	problems, err := index.Verify(path)
	if err == nil && len(problems) == 0 {
		return fmt.Errorf("verify names nothing")
	}
	if err != nil && !sentinel(err) {
		return fmt.Errorf("verify: %w, which is no sentinel", err)
	}
	refused := 0
	for i, a := range answers(path, t.asks) {
		switch {
		case a.err != nil && !corrupt(a.err):
			return fmt.Errorf("%s: %w, want index_corrupt or index_version", t.asks[i].name, a.err)
		case a.err != nil:
			refused++
		case a.json != t.intact[i]:
			return fmt.Errorf("%s: %.400s\nwant %.400s", t.asks[i].name, a.json, t.intact[i])
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
