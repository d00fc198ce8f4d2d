package runtime

import (
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"kdd/runtime/wire"
)

// strangeQueries are what people and programs type that is no question; none may be an error but the empty ones, or
// take long.
var strangeQueries = []struct{ name, query string }{
	{"one letter", "a"},
	{"ten thousand words", strings.Repeat("render state ", 5000)},
	{"ten thousand other words", words10000()},
	{"ten thousand unknown words", strings.Repeat("rendeer sttate componennt ", 3400)},
	{"emoji", "🦊🦊 👩‍👩‍👧 🇪🇸"},
	{"SQL", "'; DROP TABLE documents; -- SELECT * FROM users WHERE id = 1 OR 1=1"},
	{"controls", "\x00\x01\x02\x1b[31m\x7f render \u202e"},
	{"not UTF-8", "\xff\xfe\xfd render \xc3"},
	{"a megabyte", strings.Repeat("x", 1<<20)},
	{"a megabyte of words", strings.Repeat("state ", 1<<20/6)},
	{"parentheses", strings.Repeat("(", 10_000) + "a" + strings.Repeat(")", 10_000)},
	{"operators", strings.Repeat("a AND NOT ", 5000) + "b"},
	{"operators within bounds", strings.Repeat("render OR -state OR ", 49) + "memo"},
	{"phrases within bounds", strings.Repeat(`"the of a to" `, 150)},
	{"prefixes within bounds", strings.Repeat("a* b* w* s* ", 45)},
	{"long phrase", `"` + strings.Repeat("the of a to is and ", 100) + `"`},
	{"fuzzy within bounds", "w100y~2 w200y~2 w300y~2 statee~2 renderr~2 componentt~2 memooo~2 tokenn~2 retryy~2"},
	{"paths within bounds", strings.Repeat("path:**/*{0,1,2}*.md ", 60) + "render"},
	{"star", "*"}, {"tilde", "~"}, {"quote", `"`}, {"quotes", strings.Repeat(`"`, 5000)},
	{"short prefix", "w*"}, {"required short prefix", "+w*"},
	{"signs", strings.Repeat("+-", 5000)},
	{"one long identifier", strings.Repeat("a_b.c-", 3000)},
	{"Han", strings.Repeat("索", 5000)},
}

func words10000() string {
	var b strings.Builder
	for i := range 10_000 {
		b.WriteString(words[i%len(words)])
		b.WriteString(" w")
		b.WriteString(strings.Repeat("9", i%4))
		b.WriteString("x ")
	}
	return b.String()
}

// TestStrangeQueries checks that none of them is an error, and that each answer keeps its budget.
func TestStrangeQueries(t *testing.T) {
	each(t, 30, func(t *testing.T, s *Service, mode string) {
		for _, q := range strangeQueries {
			began := time.Now()
			resp, err := s.Search(t.Context(), wire.SearchRequest{Query: q.query, Mode: mode})
			if err != nil {
				t.Errorf("%s: %v", q.name, err)
				continue
			}
			if n := len(wire.Encode(resp)); n > 4096 {
				t.Errorf("%s: an answer of %d bytes", q.name, n)
			}
			// far above what the bounds allow; BenchmarkStrangeQueries measures
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("%s: took %s", q.name, took)
			}
		}
		for _, empty := range []string{"", " ", "\t\n"} {
			if _, err := s.Search(t.Context(), wire.SearchRequest{Query: empty, Mode: mode}); err == nil {
				t.Errorf("the query %q is accepted", empty)
			} else {
				want(t, err, wire.CodeInvalidInput)
			}
		}
	})
}

// TestStrangeQueriesTakeLittle counts what the answers to them allocate, which is in step with their work: a query of
// many words reads each of its words, and the query itself, a few times, and not once for each word, hit and term.
func TestStrangeQueriesTakeLittle(t *testing.T) {
	var names, long strings.Builder
	for i := range 150 {
		fmt.Fprintf(&names, "useState%dFoo_bar.baz-qux ", i)
	}
	for r := rune(0x4e00); long.Len() < 4000; r += 7 {
		long.WriteRune(r)
	}
	files := tree{}
	for i := range 60 {
		var b strings.Builder
		for k := range 100 {
			fmt.Fprintf(&b, "a%d%c ", i*7+k, 'a'+k%26)
		}
		files[fmt.Sprintf("d%d.md", i)] = "# A page\n\n" + b.String() + "\n"
	}
	s := serve(t, files.compile(t))
	const most = 12 << 20
	for name, query := range map[string]string{
		"unknown names": names.String(), "unknown characters": long.String(), "unknown words": words10000(), "a prefix 200 times": strings.Repeat("a* ", 200),
		"field groups": strings.Repeat("title:(a* OR b*) ", 40),
	} {
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		if _, err := s.Search(t.Context(), wire.SearchRequest{Query: query, Limit: 100, Page: wire.Page{MaxBytes: 65536}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		goruntime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > most {
			t.Errorf("%s: search allocates %d bytes, want at most %d", name, n, most)
		}
		ask1(t, s, wire.AskRequest{Query: query})
		goruntime.ReadMemStats(&before)
		if n := before.TotalAlloc - after.TotalAlloc; n > most {
			t.Errorf("%s: ask allocates %d bytes, want at most %d", name, n, most)
		}
	}
}

// BenchmarkStrangeQueries asks them of about 5,000 chunks.
func BenchmarkStrangeQueries(b *testing.B) {
	path := withVectors(b, large(830).compile(b), "distilled")
	s := serve(b, path)
	for _, q := range strangeQueries {
		b.Run(strings.ReplaceAll(q.name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Search(b.Context(), wire.SearchRequest{Query: q.query}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
