package corpus

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func text(t *testing.T, c *Corpus, i int) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Document(&b, i); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSameSeed: a seed gives the same documents and queries whatever was made before, and another seed others.
func TestSameSeed(t *testing.T) {
	one, again, other := New(1, 10), New(1, 20), New(2, 10)
	text(t, again, 3)
	if text(t, one, 7) != text(t, again, 7) || !slices.Equal(one.Queries(5), again.Queries(5)) {
		t.Error("the same seed gives other texts")
	}
	if text(t, one, 7) == text(t, other, 7) || slices.Equal(one.Queries(5), other.Queries(5)) {
		t.Error("another seed gives the same texts")
	}
}

// TestShape: documents are markdown with a title and sections, words are Zipf's, and queries are sentences.
func TestShape(t *testing.T) {
	c := New(1, 300)
	counts := map[string]int{}
	total, sections := 0, 0
	for i := range 300 {
		document := text(t, c, i)
		if !strings.HasPrefix(document, "# ") {
			t.Fatalf("document %d has no title: %.40q", i, document)
		}
		sections += strings.Count(document, "\n##") + 1
		for word := range strings.FieldsSeq(strings.ToLower(document)) {
			counts[strings.Trim(word, ".")]++
			total++
		}
	}
	if mean := float64(sections) / 300; mean < 4 || mean > 8 {
		t.Errorf("%.1f sections a document, want 4 to 8", mean)
	}
	if share := float64(counts["the"]) / float64(total); share < .01 || share > .08 {
		t.Errorf("%.3f of all words are the most frequent one, want .01 to .08", share)
	}
	if once := len(counts); once < 5000 {
		t.Errorf("%d different words, want 5,000 or more", once)
	}
	for _, q := range c.Queries(70) {
		if n := len(strings.Fields(q)); n < 10 || n > 30 {
			t.Errorf("a query of %d words, want 10 to 30: %s", n, q)
		}
	}
}
