// Package corpus makes markdown with the statistics of documentation, of any size, the same for the same seed: word
// frequencies by Zipf and Mandelbrot, documents about topics, favourite neighbours of words, and headings and lengths
// of sections as React's documentation has them.
package corpus

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// The shape of a corpus. Lengths are log-normal: exp(mean + deviation · gauss).
const (
	vocabulary     = 60_000 // distinct words
	shift          = 2.7    // Mandelbrot's: a word of rank r has the share 1/(r + shift)
	topics         = 400
	topicWords     = 120  // that a topic prefers
	topical        = 0.35 // share of words that are of the document's topic
	following      = 0.25 // share of words that are a favourite neighbour of the word before
	followers      = 3    // favourite neighbours of a word
	sectionsMean   = 1.6  // of ln of the sections of a document
	sectionsSpread = 0.45
	wordsMean      = 4.3 // of ln of the words of a section
	wordsSpread    = 0.7
	codeShare      = 0.15 // of sections with a block of code
	listShare      = 0.2  // of sections with a list
)

// frequent are the words of the first ranks, which make the text English.
var frequent = strings.Fields(`the to a of and is you in that it for this with be are as on can your not or if an will when
	from use have by at we which one but all do how has was what so they more its other need value example only into
	there their may each using up then between also set used component function state code call new file same data
	default after name first time user request page element list works change before without type like return called
	should any where make them these would some than see about two no most`)

// Corpus is a source of documents and queries.
type Corpus struct {
	seed      uint64
	words     []string
	share     []float64 // cumulative, of all words
	topicCDF  []float64
	documents int
}

// chunksPerDocument is what kdd makes of a document on average.
const chunksPerDocument = 6.05

// Sized returns a corpus that kdd cuts into about so many chunks.
func Sized(seed uint64, chunks int) *Corpus {
	return New(seed, max(1, int(float64(chunks)/chunksPerDocument)))
}

// New returns a corpus of n documents.
func New(seed uint64, n int) *Corpus {
	c := &Corpus{seed: seed, documents: n, words: append([]string(nil), frequent...)}
	random := rand.New(rand.NewPCG(seed, 0))
	known := map[string]bool{}
	for _, w := range c.words {
		known[w] = true
	}
	for len(c.words) < vocabulary {
		if w := invent(random); !known[w] {
			known[w] = true
			c.words = append(c.words, w)
		}
	}
	c.share = cumulative(vocabulary)
	c.topicCDF = cumulative(topicWords)
	return c
}

// cumulative returns the cumulative shares of n ranks, the last of which is 1.
func cumulative(n int) []float64 {
	shares, sum := make([]float64, n), 0.0
	for r := range shares {
		sum += 1 / (float64(r) + shift)
		shares[r] = sum
	}
	for r := range shares {
		shares[r] /= sum
	}
	return shares
}

// invent makes a word of one to three syllables and an end.
func invent(random *rand.Rand) string {
	onsets := strings.Fields("b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w")
	nuclei := strings.Fields("a e i o u ai ea ee io oo ou")
	codas := strings.Fields("b ck ct d ft g l ll m n nd ng nt p r rd rm rt s sh st t th x")
	var b strings.Builder
	for range 1 + random.IntN(3) {
		b.WriteString(onsets[random.IntN(len(onsets))] + nuclei[random.IntN(len(nuclei))])
	}
	b.WriteString(codas[random.IntN(len(codas))])
	return b.String()
}

// pick returns a rank by its share.
func pick(random *rand.Rand, cumulative []float64) int {
	return min(sort.SearchFloat64s(cumulative, random.Float64()), len(cumulative)-1)
}

// writer makes the text of one document or query.
type writer struct {
	*Corpus
	random *rand.Rand
	topic  uint64
	last   uint64 // rank of the word before
}

func (c *Corpus) writer(stream, number uint64) *writer {
	w := &writer{Corpus: c, random: rand.New(rand.NewPCG(c.seed+stream, number))}
	w.topic = w.random.Uint64N(topics)
	return w
}

// mix is a hash of two numbers.
func mix(a, b uint64) uint64 {
	x := a*0x9E3779B97F4A7C15 ^ b*0xC2B2AE3D27D4EB4F
	x ^= x >> 29
	x *= 0xBF58476D1CE4E5B9
	return x ^ x>>32
}

// ranked spreads a hash over the ranks by their shares.
func (w *writer) ranked(hash uint64) uint64 {
	at := float64(hash>>11) / (1 << 53)
	return uint64(min(sort.SearchFloat64s(w.share, at), len(w.share)-1))
}

// word returns the next word.
func (w *writer) word() string {
	switch at := w.random.Float64(); {
	case at < following:
		w.last = w.ranked(mix(w.last+1, w.random.Uint64N(followers)))
	case at < following+topical:
		// a topic's words are rare ones
		w.last = uint64(len(frequent)) + mix(w.topic+7, uint64(pick(w.random, w.topicCDF)))%(vocabulary-uint64(len(frequent)))
	default:
		w.last = uint64(pick(w.random, w.share))
	}
	return w.words[w.last]
}

func (w *writer) phrase(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = w.word()
	}
	return strings.Join(words, " ")
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// logNormal returns a length, at least 1.
func (w *writer) logNormal(mean, spread float64) int {
	return max(1, int(math.Exp(mean+spread*w.random.NormFloat64())))
}

// Document writes the markdown of document number i.
func (c *Corpus) Document(out io.Writer, i int) error {
	w := c.writer(1, uint64(i))
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %d\n\n", capital(w.phrase(2+w.random.IntN(3))), i)
	for s := range w.logNormal(sectionsMean, sectionsSpread) {
		if s > 0 {
			fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", 2+w.random.IntN(2)), capital(w.phrase(2+w.random.IntN(4))))
		}
		for left := w.logNormal(wordsMean, wordsSpread); left > 0; {
			n := min(left, 30+w.random.IntN(60))
			left -= n
			for n > 0 {
				k := min(n, 8+w.random.IntN(16))
				n -= k
				b.WriteString(capital(w.phrase(k)) + ". ")
			}
			b.WriteString("\n\n")
		}
		if w.random.Float64() < listShare {
			for range 2 + w.random.IntN(5) {
				fmt.Fprintf(&b, "- %s\n", w.phrase(3+w.random.IntN(10)))
			}
			b.WriteString("\n")
		}
		if w.random.Float64() < codeShare {
			fmt.Fprintf(&b, "```js\nconst %s = %s(%q);\n```\n\n", w.word(), w.word(), w.phrase(2))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// Path is the name of document number i below the root: a hundred to a folder.
func Path(i int) string {
	return filepath.Join(fmt.Sprintf("part-%04d", i/100), fmt.Sprintf("page-%06d.md", i))
}

// Write writes all documents below dir.
func (c *Corpus) Write(dir string) error {
	for i := range c.documents {
		path := filepath.Join(dir, Path(i))
		if i%100 == 0 {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
		}
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		if err := c.Document(f, i); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// Queries returns n sentences of ten to thirty words, each about the topic of some document and in no document.
func (c *Corpus) Queries(n int) []string {
	list := make([]string, n)
	for i := range list {
		w := c.writer(2, uint64(i))
		list[i] = w.phrase(10 + w.random.IntN(21))
	}
	return list
}
