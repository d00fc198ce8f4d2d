package model

import (
	"strings"
	"testing"
	"unicode"

	"kdd/format/encoder"
)

// TestProse holds the lines to what their use asks for: each is short, plain and there once.
func TestProse(t *testing.T) {
	seen := map[string]int{}
	for i, line := range strings.Split(strings.TrimSuffix(prose, "\n"), "\n") {
		if len(line) < 20 || len(line) > 220 || strings.TrimSpace(line) != line || strings.Contains(line, "  ") {
			t.Errorf("prose.txt:%d: %d characters, want 20 to 220 without white space around and twice: %q", i+1, len(line), line)
		}
		if k := strings.IndexFunc(line, func(r rune) bool { return r != ' ' && (r > unicode.MaxLatin1 || !unicode.IsPrint(r)) }); k >= 0 {
			t.Errorf("prose.txt:%d:%d: %q, want plain English", i+1, k+1, line[k:])
		}
		key := strings.ToLower(line)
		if seen[key] > 0 {
			t.Errorf("prose.txt:%d: the line of %d again: %q", i+1, seen[key], line)
		}
		seen[key] = i + 1
	}
}

func TestProseLines(t *testing.T) {
	pieces := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789.,:;?!'\"()-%/&+*=$_" {
		pieces = append(pieces, string(r))
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			pieces = append(pieces, "##"+string(r))
		}
	}
	english := vocabOf(t, pieces)
	lines := proseLines(english, 100, 60)
	if len(lines) < 20 {
		t.Fatalf("%d of 100 lines, want some that have at most 60 letters", len(lines))
	}
	for i, ids := range lines {
		if len(ids) > 60 || i > 0 && len(ids) < len(lines[i-1]) {
			t.Errorf("line %d has %d pieces, want at most 60 and no fewer than the %d before", i, len(ids), len(lines[max(i, 1)-1]))
		}
	}
	if other := proseLines(vocabOf(t, []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "щ", "##щ", "."}), 100, 60); len(other) != 0 {
		t.Errorf("%d lines that the vocabulary does not know, want none", len(other))
	}
}

// vocabOf returns a WordPiece vocabulary.
func vocabOf(t *testing.T, pieces []string) *encoder.Vocab {
	t.Helper()
	v, err := parseVocab(VocabFile, []byte(strings.Join(pieces, "\n")+"\n"), false)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCountTexts(t *testing.T) {
	for _, c := range []struct {
		name                    string
		layers, hidden, inner   int
		pieces                  int
		random, least, greatest int // texts; lines of prose
	}{
		{"MiniLM", 6, 384, 1536, 30522, 20_000, 10_000, 10_174},
		{"few pieces", 6, 384, 1536, 400, 266, 133, 133},
		{"twice as deep", 12, 384, 1536, 30522, 11_000, 5_000, 6_000},
		{"large", 24, 1024, 4096, 30522, 0, 0, 0},
	} {
		got := countTexts(&encoder.Config{Layers: c.layers, Hidden: c.hidden, Intermediate: c.inner, Positions: 512}, c.pieces)
		if got.random < c.random || got.prose < c.least || got.prose > c.greatest || got.random > 0 && got.longest != 510 {
			t.Errorf("%s: %+v, want at least %d random texts and %d to %d lines", c.name, got, c.random, c.least, c.greatest)
		}
		if work := perToken(&encoder.Config{Layers: c.layers, Hidden: c.hidden, Intermediate: c.inner}) * float64(got.random*randomLength+got.prose*proseLength); work > textWork {
			t.Errorf("%s: %g multiplications, want at most %g", c.name, work, textWork)
		}
	}
}
