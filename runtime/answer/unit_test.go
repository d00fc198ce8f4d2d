package answer

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/units"
	"kdd/format/index"
)

func TestReads(t *testing.T) {
	for text, want := range map[string]string{
		"**Never** use *one* of `*a*`, 2 * 3 * 4.":              "Never use one of `*a*`, 2 * 3 * 4.",
		"See [the guide](/a/b#c) and [[Node|nodes]], [[Edge]].": "See the guide and nodes, Edge.",
		"Render `<Foo />` with <b>care</b>.{/*x*/}":             "Render `<Foo />` with care.",
		"over\n> lines":                        "over lines",
		"![alt](a.png) [^1] text":              "alt text",
		"[`useState`](/x) returns `[a, b](c)`": "`useState` returns `[a, b](c)`",
		"a < b and c > d":                      "a < b and c > d",
	} {
		if got := reads(Sentence, text); got != want {
			t.Errorf("reads(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestFormOf(t *testing.T) {
	for question, want := range map[string]Form{
		"how do I deploy": HowTo, "¿cómo se instala?": HowTo, "what is a chunk": Definition, "¿qué es un nodo?": Definition, "¿qué hace el comando?": Definition, "¿cuáles son los pasos del flujo?": HowTo,
		"which keys are there": Listing, "what built-in components does it have": Listing, "list the rules": Listing, "what does it have": Definition, "what are hooks?": Definition,
		"What are server components": Definition, "what are the hooks": Listing, "what are valid kinds": Listing, "what are keys of nodes": Listing, "¿cuáles son las métricas?": Listing, "example of a manifest": Example, "why is it slow": Plain,
	} {
		if got := FormOf(question); got != want {
			t.Errorf("FormOf(%q) = %d, want %d", question, got, want)
		}
	}
}

// ask is a question whose words are looked for by their letters.
func ask(text string, words ...string) *Question {
	q := &Question{Text: text, Form: FormOf(text)}
	for _, w := range words {
		q.Words = append(q.Words, Word{Text: w, Weight: 1, Known: 1})
	}
	q.WordsIn = func(_ int, text string) (has []int) {
		for i, w := range words {
			if strings.Contains(strings.ToLower(text), w) {
				has = append(has, i)
			}
		}
		return has
	}
	return q
}

// named is ask, with the first of the words as an identifier.
func named(text string, words ...string) *Question {
	q := ask(text, words...)
	q.Words[0].Name = true
	return q
}

// passage is a text as the build cuts it.
func passage(heading, text string) Passage {
	return Passage{Text: text, Heading: heading, Units: unitsOf(text)}
}

func unitsOf(text string) []Unit {
	return Place(units.Split(text, 0), 0, uint64(len(text)), func(from, to uint64) string { return text[from:to] })
}

func TestPickAndWrite(t *testing.T) {
	tests := []struct {
		name     string
		q        *Question
		passages []Passage
		want     string
	}{
		{"definition", ask("what is a token", "token"), []Passage{passage("Words", "Words of this page. A token is a unit of text. Nothing else.")},
			"A token is a unit of text. [1] Nothing else. [1]"},
		{"steps come whole, with what leads to them", ask("how do I deploy the site", "deploy", "site"),
			[]Passage{passage("Deploy", "To deploy the site:\n\n1. Build it.\n2. Copy the site.\n3. Restart.\n\nThe weather is fine.")},
			"To deploy the site: [1]\n\n1. Build it. [2]\n2. Copy the site. [2]\n3. Restart. [2]"},
		{"code that a sentence announces", ask("how do I start the server", "start", "server"),
			[]Passage{passage("Server", "Start the server with:\n\n```sh\nmake run\n```\n\nUnrelated.")},
			"Start the server with: [1]\n\n```sh\nmake run\n```\n[2]"},
		{"rows under their header", ask("what is the limit of uploads", "limit", "uploads"),
			[]Passage{passage("Limits", "| what | limit |\n|---|---|\n| uploads | 5 MB |\n| names | 80 |\n")},
			"| what | limit |\n|---|---|\n| uploads | 5 MB [1] |\n| names | 80 [1] |"},
		{"a table that is too long says how many rows are left", ask("what is the limit of uploads", "limit", "uploads"),
			[]Passage{passage("Limits", "| what | limit |\n|---|---|\n| uploads | 5 MB |\n"+strings.Repeat("| names of the others | "+strings.Repeat("many ", 30)+"|\n", 4))},
			"| what | limit |\n|---|---|\n| uploads | 5 MB [1] |\n\n(4 more rows)"},
		{"no text twice", ask("retry policy", "retry", "policy"),
			[]Passage{passage("Retry", "The retry policy is three times."), {Text: "The retry policy is three times.", Doc: 1}},
			"The retry policy is three times. [1]"},
		{"a short answer goes on with its paragraph, and one of a few words with the next", ask("why no numbers on the left", "numbers", "left"),
			[]Passage{passage("Pitfall", "Here it is said.\n\nPut no numbers on the left.\n\nThe left side is converted first. It may be shown as it is.")},
			"Here it is said. [1] Put no numbers on the left. [2] The left side is converted first. [3] It may be shown as it is. [3]"},
		{"what a sentence leans on comes before it", ask("how do I prevent hiding of content", "prevent", "hiding", "content"),
			[]Passage{passage("Pages", "A page shows a spinner at first. To do this, prevent the hiding of content with a transition.")},
			"A page shows a spinner at first. [1] To do this, prevent the hiding of content with a transition. [1]"},
		{"what only points elsewhere is no answer", ask("how do I update arrays", "update", "arrays"),
			[]Passage{passage("State", "Make a copy to update arrays. Read Update Arrays to learn how to update arrays.")},
			"Make a copy to update arrays. [1]"},
		{"a list below a heading that names it", ask("which built components are there", "built", "components"),
			[]Passage{passage("Overview", "There are built components for you to use. They are in a package."), {Text: "- [A](a.md) groups.\n- [B](b.md) measures. See below.\n- [C](c.md) hides.\n", Heading: "Built components", At: 100}},
			"There are built components for you to use. [1]\n\n- A groups. [2]\n- B measures. [2]\n- C hides. [3]"},
		{"a nested item stands below its parent", ask("how do I remove the edges", "remove", "edges"),
			[]Passage{passage("Flow", "1. Read the list.\n2. For each file that is gone:\n   - Remove the edges.\n   - Tell it.\n3. Write the list.\n")},
			"1. Read the list. [1]\n2. For each file that is gone: [1]\n   - Remove the edges. [1]\n   - Tell it. [1]\n3. Write the list. [1]"},
		{"a scenario comes whole, its table too", ask("what happens to domains", "domains"),
			[]Passage{passage("Domains", "Given domains:\n  | name | path |\n  | core | a/ |\nWhen I index\nThen an edge leads to domains\n")},
			"- Given domains: [1]\n\n| name | path |\n|---|---|\n| core | a/ [2] |\n\n- When I index [3]\n- Then an edge leads to domains [3]"},
		{"code in something that shows more is only what comes next", ask("how do I add cleanup", "add", "cleanup"),
			[]Passage{passage("Effects", "Add cleanup like this:\n\n<Sandpack>\n\n```js src/api.js hidden\nx()\n```\n\n</Sandpack>\n\nTo add cleanup return a function.")},
			"Add cleanup like this: [1]\n\n```js\nx()\n```\n[2]\n\nTo add cleanup return a function. [3]"},
		{"the fence of code names its language only", ask("how do I start the server", "start", "server"),
			[]Passage{passage("Server", "Start the server with:\n\n```js {1,2} title=\"a b\"\nrun()\n```\n")},
			"Start the server with: [1]\n\n```js\nrun()\n```\n[2]"},
		{"what points is behind what says", ask("what is the difference of memo and callback", "difference", "memo", "callback"),
			[]Passage{passage("Hooks", "Read more about the difference of memo and callback. The memo of a callback has a difference.")},
			"The memo of a callback has a difference. [1]"},
		{"what is asked for is the subject", ask("what is a ref", "ref"),
			[]Passage{passage("Refs", "You can point a ref to a value.\n\n- A ref is an object that keeps a value.\n")},
			"- A ref is an object that keeps a value. [1]"},
		{"the beginning of the document that is called so", ask("what is a ref", "ref"),
			[]Passage{passage("A ref of others", "Take one of them."), {Text: "a"}, {Text: "b"}, {Text: "c"}, {Text: "d"}, {Heading: "Ref", Text: "The holder of a value that the program keeps.", Doc: 1, Opens: true}},
			"The holder of a value that the program keeps. [1]"},
		{"a command between tags", ask("how do I install the compiler", "install", "compiler"),
			[]Passage{passage("Install", "Install the compiler:\n\n<Terminal>\nnpm install -D compiler\n</Terminal>\n\nThe weather is fine.")},
			"Install the compiler: [1]\n\n`npm install -D compiler` [2]"},
		{"what leads to a command", ask("npm compiler", "npm", "compiler"),
			[]Passage{passage("Other", "Write this:\n\n    npm install compiler\n\nThe weather is fine.")},
			"Write this: [1]\n\n`npm install compiler` [2]"},
		{"a guide that says what it is", ask("how do I install the compiler", "install", "compiler"),
			[]Passage{passage("Install", "This guide will help you to install the compiler.\n\nThe compiler comes in one file.")},
			"This guide will help you to install the compiler. [1] The compiler comes in one file. [2]"},
		{"an example is code, which no colon announces", ask("show an example of retry", "retry"),
			[]Passage{passage("Retry", "Call retry at the top.\n\n```js\nagain()\n```\n")},
			"Call retry at the top. [1]\n\n```js\nagain()\n```\n[2]"},
		{"what is checked is behind what is said", ask("are domains indexed", "domains", "indexed"),
			[]Passage{passage("Other", "All domains are indexed."), {Text: "Given two domains\nThen the domains are indexed\n", Doc: 1}},
			"All domains are indexed. [1]"},
		{"a box to tick is no part of an item", ask("retry policy", "retry", "policy"),
			[]Passage{passage("Retry", "- [x] The retry policy is set.\n")},
			"- The retry policy is set. [1]"},
		{"a sentence ends inside of a link", ask("retry policy", "retry", "policy"),
			[]Passage{passage("Other", "The retry policy is [set by the owner.](a.md#b) It holds for all. See [e.g.](c.md) this.")},
			"The retry policy is set by the owner. [1] It holds for all. [1]"},
		{"and of an item too, which one begins once", ask("which retry policy", "retry", "policy"),
			[]Passage{passage("Other", "- A retry policy [is set.](a.md) The retry policy holds.\n- Names are kept.\n")},
			"- A retry policy is set. [1] The retry policy holds. [1]\n- Names are kept. [1]"},
		{"an item begins with its mark, and what it leans on", ask("retry policy", "retry", "policy"),
			[]Passage{passage("Other", "- Names are kept for the retry policy.\n- The server waits. Then the retry policy is read.\n- All names end. The retry policy stays.\n")},
			"- Names are kept for the retry policy. [1]"},
		{"what leads to a list, but leans itself", ask("retry policy", "retry", "policy"),
			[]Passage{passage("Other", "They are both of use:\n\n- The retry policy is set.\n- A name is kept.\n")},
			"- The retry policy is set. [1]"},
		{"nothing of another than the question names beside it", named("when does EVT-1 fire", "evt-1", "fire"),
			[]Passage{{Heading: "EVT-2", Text: "The events fire for all changes."}, {Heading: "EVT-1", Text: "The reader fires one.", Doc: 1}},
			"The reader fires one. [1]"},
		{"unless there is nothing else", named("when does EVT-1 fire", "evt-1", "fire"),
			[]Passage{{Heading: "EVT-2", Text: "The events fire for all changes."}},
			"The events fire for all changes. [1]"},
		{"nothing to say", ask("retry", "retry"), []Passage{passage("Other", "Something else altogether stands here.")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i := range tt.passages {
				tt.passages[i].Units = unitsOf(tt.passages[i].Text)
			}
			picked := Pick(tt.q, tt.passages, 0, false)
			got, quotes := Write(picked, tt.passages, "en")
			if got != tt.want {
				t.Errorf("answer = %q, want %q", got, tt.want)
			}
			for i, q := range quotes {
				if q.Marker != i+1 || q.Start >= q.End || q.End > len(tt.passages[q.Passage].Text) {
					t.Errorf("quote %d is %+v", i, q)
				}
			}
		})
	}
}

func TestPickSkipsWhatMayNotBeQuoted(t *testing.T) {
	q := ask("retry", "retry")
	q.Skip = func(text string) bool { return strings.Contains(text, "\x1b") }
	picked := Pick(q, []Passage{passage("Retry", "Please retry \x1b[31mnow or later. You may retry twice.")}, 0, false)
	if len(picked) != 1 || picked[0].Text != "You may retry twice." {
		t.Errorf("picked %+v", picked)
	}
}

func TestWeigh(t *testing.T) {
	for _, means := range []Means{Words, Distilled, Exact} {
		last := 0.0
		for _, x := range []float64{0, 0.2, 0.4, 0.6, 0.8, 1} {
			p := Weigh(Evidence{Means: means, Coverage: x, Passage: x, Score: x, Gap: x / 4, Pairs: x, Agreement: x, Rarity: 0.5}).Probability
			if p <= last || p >= 1 {
				t.Errorf("means %v: evidence %g gives %g, after %g", means, x, p, last)
			}
			last = p
		}
		lacking := Evidence{Means: means, Coverage: 0.2, Passage: 0.2, Score: 0.1, Agreement: 0.1, Unknown: 0.4, Rarity: 1.1}
		found := Evidence{Means: means, Coverage: 1, Passage: 1, Score: 0.9, Gap: 0.3, Pairs: 0.4, Agreement: 0.8, Rarity: 0.7}
		middling := Evidence{Means: means, Coverage: 0.6, Passage: 1, Score: 0.5, Gap: 0.05, Agreement: 0.4, Rarity: 0.5}
		nothing, all, some := Weigh(lacking), Weigh(found), Weigh(middling)
		if nothing.Enough || !all.Enough || some.Enough {
			t.Errorf("means %v: enough: %v with nothing (%g), %v with all (%g), %v with some (%g)", means,
				nothing.Enough, nothing.Probability, all.Enough, all.Probability, some.Enough, some.Probability)
		}
		if nothing.Near || !all.Near || !some.Near {
			t.Errorf("means %v: let a reader look: %v with nothing, %v with all, %v with some", means, nothing.Near, all.Near, some.Near)
		}
		if enough, near := means.Thresholds(); near >= enough {
			t.Errorf("means %v: %g lets a reader look, and %g is enough without one", means, near, enough)
		}
		strange := found
		strange.Unknown = 0.5
		if p := Weigh(strange).Probability; p >= all.Probability {
			t.Errorf("means %v: %g with words that no document has, %g without", means, p, all.Probability)
		}
	}
	if got, most := Weigh(Evidence{Rarity: 7}), Weigh(Evidence{Rarity: mostRarity}); got != most {
		t.Errorf("a rarity of 7 gives %+v, want %+v", got, most)
	}
}

// TestGather takes what an answer begins with, wherever it stands in the answer, and its question.
func TestGather(t *testing.T) {
	q := ask("retry limit backoff", "retry", "limit", "backoff")
	q.Words[1].Known, q.Words[2].Known = 0.6, 0
	passages := []Passage{passage("Other", "It is so."), {Text: "You may retry. There is a limit.", Heading: "Rules", Doc: 1}}
	passages[1].Units = unitsOf(passages[1].Text)
	e, at := Gather(q, Pick(q, passages, 0, false))
	if at != 1 || e.Passage != 0.5 || math.Abs(e.Coverage-2.0/3) > 1e-9 || math.Abs(e.Unknown-1.0/3) > 1e-9 {
		t.Errorf("passage %d, %+v; want the second one, 2/3 covered, 1/3 unknown: what is like a word is known", at, e)
	}
	passages[1].Opens = true
	if e, _ := Gather(q, Pick(q, passages, 0, false)); e.Passage != 1 {
		t.Errorf("the beginning of the document that is asked for has the place %g, want 1", e.Passage)
	}
	if e, at := Gather(&Question{}, nil); at != -1 || e != (Evidence{}) {
		t.Errorf("without a question and an answer: passage %d, %+v", at, e)
	}
}

// TestFeatures checks what is said of each unit.
func TestFeatures(t *testing.T) {
	likely := func(q *Question) *Question {
		q.Likeness = func(_ int, text string) float64 { return float64(strings.Count(text, "limit")) / 10 }
		return q
	}
	for _, test := range []struct {
		name     string
		q        *Question
		passages []Passage
		feature  sentenceFeature
		want     []float64 // of each unit
	}{
		{"likeness has the headings and two units more", likely(ask("limit")), []Passage{passage("A limit", "One. Two limit. Three. Four limit.")}, sentenceLikeness, []float64{0.2, 0.3, 0.2, 0.2}},
		{"likeness ends with its passage, and code has none", likely(ask("limit")), []Passage{passage("A", "```\nlimit\n```\n\nOne."), passage("A limit", "Two.")}, sentenceLikeness, []float64{0, 0, 0.1}},
		{"coverage has what an answer goes on with", ask("retry limit", "retry", "limit"), []Passage{passage("A", "Retry. "+strings.Repeat("word ", 58)+"end. There is more. The limit.")}, sentenceCoverage, []float64{0.5, 0.5, 0.5}},
		{"coverage has the headings of its passage", ask("retry limit", "retry", "limit"), []Passage{passage("Limit", "Retry."), passage("A", "Nothing.")}, sentenceCoverage, []float64{1, 0}},
		{"and the header of a table", ask("retry limit", "retry", "limit"), []Passage{passage("A", "| retry | what |\n|---|---|\n| often | yes |\n")}, sentenceCoverage, []float64{0.5}},
		{"own words", ask("retry limit", "retry", "limit"), []Passage{passage("Limit", "Retry.")}, sentenceOwn, []float64{0.5}},
		{"own words where the likeness is known", likely(ask("retry limit", "retry", "limit")), []Passage{passage("Limit", "Retry.")}, sentenceOwn, []float64{0}},
		{"first", ask("a"), []Passage{passage("A", "One. Two."), passage("B", "Three.")}, sentenceFirst, []float64{1, 0, 1}},
		{"passage", ask("a"), []Passage{passage("A", "One."), passage("B", "Two."), passage("C", "Three.")}, sentencePassage, []float64{1, 1.0 / 2, 1.0 / 3}},
		{"a number", ask("how many retries"), []Passage{passage("A", "The limit is 5. The limit is two. The limit is tender.")}, sentenceFigure, []float64{1, 1, 0}},
		{"a number in Spanish", ask("cuántos reintentos"), []Passage{passage("A", "The limit is low. The limit is 5.")}, sentenceFigure, []float64{0, 1}},
		{"no number asked for", ask("which retries"), []Passage{passage("A", "The limit is 5.")}, sentenceFigure, []float64{0}},
		{"what is defined", ask("what is a token", "token"), []Passage{passage("A", "A token is text. It has tokens.")}, sentenceDefinesSubject, []float64{1, 0}},
		{"nothing is to be defined", ask("how do I use a token", "token"), []Passage{passage("A", "A token is text.")}, sentenceDefinesSubject, []float64{0}},
		{"short", ask("a"), []Passage{passage("A", "One two three four five six seven. One two three four five six seven eight.")}, sentenceShort, []float64{1, 0}},
		{"points away", ask("a"), []Passage{passage("A", "See the guide. The guide is here.")}, sentencePointsAway, []float64{1, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []float64
			for _, c := range Candidates(test.q, test.passages) {
				got = append(got, math.Round(c.Features[test.feature]*1e6)/1e6)
			}
			for i := range test.want {
				test.want[i] = math.Round(test.want[i]*1e6) / 1e6
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	q := ask("how many retries and what of the backoff")
	q.Last = "and what of the backoff"
	if q.asksFigure() {
		t.Error("a question asks for the number that the one before it asked for")
	}
}

// A scenario for which there is no room is not begun.
func TestScenarioWithoutRoom(t *testing.T) {
	text := "Given domains\n" + strings.Repeat("And one more thing that is there\n", 30) + "\nDomains are folders of their own.\n"
	picked := Pick(ask("what are domains", "domains"), []Passage{passage("Domains", text)}, 0, false)
	if len(picked) != 1 || picked[0].Text != "Domains are folders of their own." {
		t.Errorf("picked %+v", picked)
	}
}

// TestPlace checks which units of a document are those of a passage, what they go on with, and that no two overlap.
func TestPlace(t *testing.T) {
	const text = "0123456789abcdefghij"
	list := []index.Unit{
		{Kind: index.HeadUnit, Start: 0, End: 2}, {Kind: Row, Start: 4, End: 6},
		{Kind: Sentence, Marks: index.BeginsBlock, Start: 3, End: 8}, {Kind: Sentence, Start: 7, End: 9}, {Kind: Sentence, Start: 9, End: 10},
		{Kind: Step, Marks: index.BeginsBlock | index.BeginsItem, Depth: 2, Start: 10, End: 11}, {Kind: Step, Depth: 2, Start: 11, End: 12},
		{Kind: Item, Marks: index.BeginsItem, Start: 13, End: 15}, {Kind: Code, Marks: index.BeginsBlock, Start: 15, End: 19},
	}
	got := Place(list, 4, 18, func(from, to uint64) string { return text[from:to] })
	want := []Unit{
		{Kind: Row, Start: 0, End: 2, Number: 1, Header: "01"},
		{Kind: Sentence, Start: 3, End: 5, Block: 1, Number: 1}, {Kind: Sentence, Start: 5, End: 6, Block: 1, Number: 2},
		{Kind: Step, Start: 6, End: 7, Block: 2, Indent: 2, First: true, marks: index.BeginsBlock | index.BeginsItem}, {Kind: Step, Start: 7, End: 8, Block: 2, Indent: 2},
		{Kind: Item, Start: 9, End: 11, Block: 2, Number: 1, First: true, marks: index.BeginsItem},
	}
	if !slices.Equal(got, want) {
		t.Errorf("units\n%+v, want\n%+v", got, want)
	}
}
