package compiler

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/filetest"
)

// corpus makes and edits documents at random, from a seed.
type corpus struct {
	rng  *rand.Rand
	docs map[string][]string // paragraphs and headings, by path
	next int
}

var corpusWords = strings.Fields("index build query chunk section document vector search page cache model token order invoice payment user session error limit the of and is for with")

func newCorpus(seed uint64, n int) *corpus {
	c := &corpus{rng: rand.New(rand.NewPCG(seed, 9)), docs: map[string][]string{}}
	for range n {
		c.add()
	}
	return c
}

func (c *corpus) words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = corpusWords[c.rng.IntN(len(corpusWords))]
	}
	return strings.Join(list, " ")
}

func (c *corpus) block() string {
	switch c.rng.IntN(6) {
	case 0:
		return "## " + c.words(1+c.rng.IntN(3))
	case 1:
		return fmt.Sprintf("See [%s](/%s) and `%s`.", c.words(2), c.some(), c.words(1))
	case 2:
		return "| name | value |\n|---|---|\n| " + c.words(2) + " | " + c.words(1) + " |"
	}
	text := c.words(5 + c.rng.IntN(60))
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// some returns the path of one of the documents.
func (c *corpus) some() string {
	if len(c.docs) == 0 {
		return "none.md"
	}
	return c.paths()[c.rng.IntN(len(c.docs))]
}

func (c *corpus) paths() []string {
	list := make([]string, 0, len(c.docs))
	for p := range c.docs {
		list = append(list, p)
	}
	slices.Sort(list)
	return list
}

func (c *corpus) add() {
	path := fmt.Sprintf("%c/doc-%03d.md", 'a'+rune(c.rng.IntN(3)), c.next)
	c.next++
	blocks := []string{"---\ntags: [" + c.words(1) + "]\nowner: " + c.words(1) + "\n---", "# " + c.words(2)}
	for range c.rng.IntN(8) {
		blocks = append(blocks, c.block())
	}
	c.docs[path] = blocks
}

// edit changes one thing.
func (c *corpus) edit() string {
	path := c.some()
	blocks := c.docs[path]
	at := 2 + c.rng.IntN(max(len(blocks)-2, 1))
	switch op := c.rng.IntN(7); {
	case op == 0:
		c.add()
		return "add a document"
	case op == 1 && len(c.docs) > 2:
		delete(c.docs, path)
		return "delete " + path
	case op == 2:
		c.docs[fmt.Sprintf("b/moved-%03d.md", c.next)] = blocks
		c.next++
		delete(c.docs, path)
		return "move " + path
	case op == 3:
		c.docs[fmt.Sprintf("c/copy-%03d.md", c.next)] = slices.Clone(blocks)
		c.next++
		return "copy " + path
	case op == 4 && at < len(blocks):
		c.docs[path] = slices.Delete(slices.Clone(blocks), at, at+1)
		return "delete a block of " + path
	case op == 5 && at < len(blocks):
		blocks = slices.Clone(blocks)
		blocks[at] = c.block()
		c.docs[path] = blocks
		return "replace a block of " + path
	}
	c.docs[path] = slices.Insert(slices.Clone(blocks), min(at, len(blocks)), c.block())
	return "insert a block into " + path
}

// write makes dir hold just the documents.
func (c *corpus) write(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for path, blocks := range c.docs {
		files[path] = strings.Join(blocks, "\n\n") + "\n"
	}
	filetest.Write(t, dir, files)
}

// mustBuild builds and returns the report and the bytes of the artifact.
func mustBuild(t *testing.T, o Options) (*Report, []byte) {
	t.Helper()
	r, err := Build(t.Context(), o)
	if err != nil {
		t.Fatalf("Build(%+v): %v", o, err)
	}
	b, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(b)) != r.FileBytes {
		t.Fatalf("the artifact has %d bytes, the report says %d", len(b), r.FileBytes)
	}
	return r, b
}

// sameBytes fails if two artifacts differ.
func sameBytes(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	t.Fatalf("%s: the artifact differs from byte %d on (%d bytes, want %d)", what, at, len(got), len(want))
}

// leftovers returns what a folder holds beside the names that it should.
func leftovers(t *testing.T, dir string, want ...string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !slices.Contains(want, e.Name()) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}
