package chunk

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"kdd/compiler/markdown"
)

// broken returns what is wrong with the chunks of a document that must hold of any.
func broken(doc *markdown.Document, chunks []Chunk, limit Limit) error {
	texts := make([]strings.Builder, len(doc.Sections))
	last, ordinal := -1, 0
	for i, c := range chunks {
		if c.Section < last {
			return fmt.Errorf("chunk %d of section %d after %d", i, c.Section, last)
		}
		if c.Section > last {
			last, ordinal = c.Section, 0
		}
		if c.Ordinal != ordinal {
			return fmt.Errorf("chunk %d has ordinal %d, want %d", i, c.Ordinal, ordinal)
		}
		ordinal++
		s := doc.Sections[c.Section]
		if c.Start < s.Start || c.End > s.End || c.Start > c.End {
			return fmt.Errorf("chunk %d [%d, %d) outside its section [%d, %d)", i, c.Start, c.End, s.Start, s.End)
		}
		if c.LineStart != doc.Line(c.Start) || c.LineEnd < c.LineStart || c.LineEnd > s.LineEnd {
			return fmt.Errorf("chunk %d lines %d-%d, section %d-%d", i, c.LineStart, c.LineEnd, s.LineStart, s.LineEnd)
		}
		if !utf8.ValidString(c.Text) {
			return fmt.Errorf("chunk %d: %q is not UTF-8", i, c.Text)
		}
		texts[c.Section].WriteString(squeeze(c.Text))
		room := max(limit.Max-limit.Count(Prefix(doc, c.Section)), limit.Max/minRoom, 1)
		body := c.Text
		if c.Lead != "" {
			body = c.Lead + "\n" + body
		}
		if n := limit.Count(body); n > room && utf8.RuneCountInString(c.Text) > 4 {
			return fmt.Errorf("chunk %d has size %d, want at most %d: %q", i, n, room, body)
		}
	}
	for i := range doc.Sections {
		var want strings.Builder
		for _, b := range doc.Sections[i].Blocks {
			want.WriteString(squeeze(b.Text))
		}
		if got := texts[i].String(); got != want.String() {
			return fmt.Errorf("section %d: chunks have %q, want %q", i, got, want.String())
		}
	}
	return nil
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

// letters measures text as a tokenizer would that has no words: the hardest case for cutting.
var letters = Limit{Max: 24, Count: func(text string) int { return len(squeeze(text)) }}

// clumsy measures the whole as more than its parts.
var clumsy = Limit{Max: 30, Count: func(text string) int { n := CountWords(text); return n + n/4 }}

// uneven measures some characters as more than a chunk has room for.
var uneven = Limit{Max: 16, Count: func(text string) int {
	return len(squeeze(text)) + 19*strings.Count(text, "Z") + 5*strings.Count(text, "😀")
}}

var limits = []Limit{Words, {Max: 8, Count: CountWords}, {Max: 1, Count: CountWords}, letters, clumsy, uneven}

func TestSplit(t *testing.T) {
	long := strings.Repeat("Nine words make up this sentence and no more. ", 8)
	for _, c := range []struct {
		name, source string
		max          int
		want         []string // "line-line text"
	}{
		{"empty", "", 20, []string{"1-1 "}},
		{"heading only", "# A\n\n## B\n", 20, []string{"1-1 ", "3-3 "}},
		{"heading of two lines only", "A\n=\n", 20, []string{"1-2 "}},
		{"heading of two lines, and another", "A\n=\n\n## B\nb", 20, []string{"1-2 ", "5-5 b"}},
		{"lines", "# A\n\na\nb", 20, []string{"3-4 a b"}},
		{"a list alone", "# A\n\n- x\n- y\n", 20, []string{"3-4 x\ny"}},
		{"a list, and what follows it", "- x\n\ny\n", 20, []string{"1-3 x\n\ny"}},
		{"preamble", "a\n\n# A\nb", 20, []string{"1-1 a", "4-4 b"}},
		{"paragraphs merge", "# A\n\none\n\ntwo\n\n- x\n- y\n", 20, []string{"3-8 one\n\ntwo\n\nx\ny"}},
		{"never over a heading", "# A\none\n## B\ntwo", 20, []string{"2-2 one", "4-4 two"}},
		{"at blocks", "# A\n\na b c d e f\n\ng h i j k l\n", 10, []string{"3-3 a b c d e f", "5-5 g h i j k l"}},
		{"at sentences", "# A\n\nOne two three. Four five six.\nSeven eight nine, e.g. ten.\n", 8,
			[]string{"3-3 One two three. Four five six. ", "4-4 Seven eight nine, e.g. ten."}},
		{"a short paragraph, and the begin of a long one", "# A\n\na\n\nBb c dd. E f g h i.", 6, []string{"3-5 a\n\nBb c dd. ", "5-5 E f g h i."}},
		{"at words", "# A\n\na b c d e f g h i j k l", 6, []string{"3-3 a b c d e ", "3-3 f g h i j ", "3-3 k l"}},
		{"at full stops of Chinese", "# A\n\n一二三四。五六七八。", 5, []string{"3-3 一二三四。", "3-3 五六七八。"}},
		{"code stays whole", "# A\n\na b c\n\n```\nd e\nf g\n```\n", 6, []string{"3-3 a b c", "5-8 d e\nf g"}},
		{"code is cut at lines", "# A\n\n```\na b c\nd e f\ng\n```\n", 5, []string{"3-4 a b c", "5-7 d e f\ng"}},
		{"code with an empty line", "# A\n\n```\na b c\n\nd e f\ng h\n```\n", 5, []string{"3-4 a b c", "6-6 d e f", "7-8 g h"}},
		{"a table is cut at rows", "# A\n\n|h|\n|-|\n|a b c|\n|d e f|\n", 5, []string{"3-5 h\na b c", "6-6 d e f"}},
		{"one huge word", "# A\n\n" + strings.Repeat("x", 300), 5,
			[]string{"3-3 " + strings.Repeat("x", 90), "3-3 " + strings.Repeat("x", 90), "3-3 " + strings.Repeat("x", 120)}},
		{"long paragraph", long, 40, []string{
			"1-1 " + strings.Repeat("Nine words make up this sentence and no more. ", 4),
			"1-1 " + strings.TrimSpace(strings.Repeat("Nine words make up this sentence and no more. ", 4))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			limit := Limit{c.max, CountWords}
			doc := markdown.Parse("a.md", []byte(c.source))
			chunks := Split(doc, limit)
			var got []string
			for _, k := range chunks {
				got = append(got, fmt.Sprintf("%d-%d %s", k.LineStart, k.LineEnd, k.Text))
			}
			if strings.Join(got, "\x00") != strings.Join(c.want, "\x00") {
				t.Errorf("Split(%q) = %q, want %q", c.source, got, c.want)
			}
			if err := broken(doc, chunks, limit); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBlank checks that no chunk is white space alone, by a measure that counts it too.
func TestBlank(t *testing.T) {
	doc := markdown.Parse("a.md", []byte("```\n"+strings.Repeat(strings.Repeat(" ", 10)+"\n", 5)+"abc\ndef ghi jkl mno pqr\n```\n"))
	chunks := Split(doc, Limit{24, func(text string) int { return len(text) }})
	if len(chunks) != 2 || strings.TrimSpace(chunks[0].Text) != "abc" || chunks[0].LineStart != 7 || chunks[0].LineEnd != 7 {
		t.Errorf("Split = %+v, want abc with the lines of spaces before it, and the last line", chunks)
	}
}

func TestTableLead(t *testing.T) {
	doc := markdown.Parse("a.md", []byte("# A\n\n| key | value |\n|---|---|\n"+strings.Repeat("| one two | three four |\n", 30)))
	limit := Limit{40, CountWords}
	chunks := Split(doc, limit)
	if len(chunks) < 3 || chunks[0].Lead != "" || chunks[1].Lead != "key | value" {
		t.Fatalf("Split = %+v, want the header row as the lead of all chunks but the first", chunks)
	}
	want := "A\n\nkey | value\none two | three four"
	if got := Embedded(doc, chunks[1]); !strings.HasPrefix(got, want) {
		t.Errorf("Embedded = %q, want %q first", got, want)
	}
	if err := broken(doc, chunks, limit); err != nil {
		t.Error(err)
	}
}

// TestCountCalls checks that a measure, which may be dear, sees each byte a constant number of times.
func TestCountCalls(t *testing.T) {
	for _, c := range []struct{ name, source string }{
		{"words", strings.Repeat("word ", 80_000)},
		{"sentences", strings.Repeat("A few words. ", 20_000)},
		{"one word", strings.Repeat("x", 500_000)},
		{"Chinese", strings.Repeat("字", 50_000)},
		{"rows", "|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", 20_000)},
		{"code", "```\n" + strings.Repeat("a line of code\n", 20_000)},
		{"sections", strings.Repeat("# h\n\ntext\n\n", 20_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := markdown.Parse("a.md", []byte(c.source))
			seen := 0
			limit := Limit{160, func(text string) int { seen += len(text); return CountWords(text) }}
			chunks := Split(doc, limit)
			if want := 8*len(c.source) + 1000; seen > want {
				t.Errorf("Count saw %d bytes, want at most %d of %d", seen, want, len(c.source))
			}
			if err := broken(doc, chunks, Words); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestPrefix(t *testing.T) {
	long := func(letter string) string { return strings.Repeat(letter, maxHeading) }
	deep := strings.Repeat("long words of a heading ", 12)
	for _, c := range []struct {
		name, source string
		section      int
		want         string
	}{
		{"document", "---\ntitle: T\n---\nx", 0, "T"},
		{"first heading repeats the title", "# T\n## U\n### V", 3, "T > U > V"},
		{"title of its own", "---\ntitle: Title\n---\n# T\n## U", 2, "Title > T > U"},
		{"level skipped", "## U\n#### V\n## W", 2, "U > V"},
		{"empty heading", "# T\n##\n### V", 3, "T > V"},
		{"heading of the largest size", "# " + deep[1:161], 1, deep[1:161]},
		{"long heading", "# " + deep, 1, strings.TrimSpace(deep[:159])},
		{"long heading of one word", "# x" + strings.Repeat("é", 100), 1, "x" + strings.Repeat("é", 79)},
		{"long heading, its one space early", "# x " + strings.Repeat("y", 200), 1, "x " + strings.Repeat("y", 158)},
		{"path of the largest size", "# " + long("x") + "\n## " + long("y") + "\n### " + long("z")[:151], 3, long("x") + " > " + long("y") + " > " + long("z")[:151]},
		{"path over the largest size", "# " + long("x") + "\n## " + long("y") + "\n### " + long("z")[:152], 3, long("x") + " > " + long("z")[:152]},
		{"long path", "# " + long("x") + "\n## " + long("y") + "\n### z\n#### " + long("Z"), 4, long("x") + " > z > " + long("Z")},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := markdown.Parse("a.md", []byte(c.source))
			if got := Prefix(doc, c.section); got != c.want || len(got) > maxPrefix {
				t.Errorf("Prefix(%q, %d) = %q, want %q", c.source, c.section, got, c.want)
			}
		})
	}
}

func TestCountWords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"empty", "", 0},
		{"white space", " \t\n\v\f\r\u00a0", 0},
		{"words", "one two\nthree", 3},
		{"accents", "canción niño", 2},
		{"32 bytes", strings.Repeat("a", 32), 1},
		{"33 bytes", strings.Repeat("a", 33), 2},
		{"Chinese", "一二三四五", 3},
		{"mixed", "a一b", 3},
		{"mixed, 32 bytes", strings.Repeat("a", 32) + "一b", 3},
		{"Korean has spaces", "한국어 문장", 2},
		{"not UTF-8", "\xff\xfe x", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := CountWords(c.text); got != c.want {
				t.Errorf("CountWords(%q) = %d, want %d", c.text, got, c.want)
			}
		})
	}
}

func TestSentenceEnd(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"one", "No end", "No end"},
		{"two", "One. Two.", "One. "},
		{"question", "Why? Because.", "Why? "},
		{"quoted", `He said "no." Then left.`, `He said "no." `},
		{"abbreviation", "See e.g. The other. Next", "See e.g. The other. "},
		{"abbreviation in brackets", "See (e.g. The other). Next", "See (e.g. The other). "},
		{"abbreviation, capital", "Fig. 3 shows it. Next", "Fig. 3 shows it. "},
		{"initial", "J. Smith wrote. He did", "J. Smith wrote. "},
		{"decimal", "It is 3.5 or so. Yes", "It is 3.5 or so. "},
		{"lower case goes on", "v. 2 etc. and more. End", "v. 2 etc. and more. "},
		{"line end", "line\nnext", "line\n"},
		{"Japanese", "今日は。明日", "今日は。"},
		{"Japanese quote", "「はい。」次", "「はい。」"},
		{"dots", "Wait... What", "Wait... "},
		{"Spanish", "Véase p.ej. El otro. ¿Y?", "Véase p.ej. El otro. "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.text[:sentenceEnd(c.text)]; got != c.want {
				t.Errorf("sentenceEnd(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// FuzzSplit cuts anything by several measures and checks what must hold of any chunks.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"", "# A\n\ntext. More text here. 一二三。\n\n- a\n- b\n\n```\ncode\n\n\ncode\n```\n\n|a|b|\n|-|-|\n|c|d|\n",
		"> quote\n> more\n\nx\ufffd\xff\n\n# B\n# C {#d}\n", strings.Repeat("abc", 100), "a\u2028b. C\n\n    \n    x\n",
		"```\n\n\n\n" + strings.Repeat("y", 200) + "\n```",
		"|h|\n|-|\n|" + strings.Repeat("c d ", 60) + "|\n|" + strings.Repeat("e", 200) + "|\n" + strings.Repeat("|f g|\n", 30),
		strings.Repeat("x", 100) + strings.Repeat("Z", 20) + strings.Repeat("😀", 20) + strings.Repeat("x", 40),
		strings.Repeat("a\n\n", 90) + strings.Repeat("one two three four five six ", 20),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc := markdown.Parse("a.md", data)
		for i, limit := range limits {
			if err := broken(doc, Split(doc, limit), limit); err != nil {
				t.Errorf("Split(%q) by limit %d: %v", data, i, err)
			}
		}
	})
}
