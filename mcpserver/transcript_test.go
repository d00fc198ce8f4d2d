package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kdd/compiler"
	"kdd/compiler/corpustest"
	"kdd/runtime"
)

var update = flag.Bool("update", false, "write the transcripts' answers anew")

// A transcript is a txtar file: a comment that names the mistakes it pins, and the file "session". Its lines that begin
// with a mark are what the client sends; what follows each is the answer, indented JSON.
//
//	> MESSAGE      sends MESSAGE and waits for one answer
//	- MESSAGE      sends MESSAGE, which has no answer
//	* N TEXT       sends a line of N times TEXT and waits for one answer
//	= "QUOTED"     sends a Go string as a line and waits for one answer
//
// "# index" in the comment opens the test index; without it there is none.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil || len(archive.Files) != 1 || archive.Files[0].Name != "session" {
				t.Fatalf("%s: %v, want one file named session", file, err)
			}
			config := runtime.Config{Dir: t.TempDir(), Version: "1.0.0"}
			// the search for artifacts ends here
			if err := os.Mkdir(filepath.Join(config.Dir, ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(archive.Comment, []byte("# index")) {
				config.Index = []string{testIndex(t)}
			}
			got := replay(t, config, string(archive.Files[0].Data))
			if *update {
				archive.Files[0].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(archive.Files[0].Data), got); diff != "" {
				t.Errorf("%s (-want +got; if it is meant, run with -update):\n%s", file, diff)
			}
		})
	}
}

// replay sends what a session sends and returns the session with the answers that came.
func replay(t *testing.T, config runtime.Config, session string) string {
	in, client := io.Pipe()
	answers, out := io.Pipe()
	svc := runtime.New(config)
	done := make(chan error, 1)
	go func() {
		err := ServeStdio(t.Context(), svc, in, out, io.Discard, Info{Name: "kddq", Version: "1.0.0"})
		out.Close()
		done <- err
	}()
	reader := bufio.NewReader(answers)
	var got strings.Builder
	for sent := range strings.Lines(session) {
		sent = strings.TrimSuffix(sent, "\n")
		mark, rest, ok := strings.Cut(sent, " ")
		message, waits := rest, true
		switch {
		case !ok || len(mark) != 1 || strings.TrimSpace(mark) == "":
			continue
		case mark == ">":
		case mark == "-":
			waits = false
		case mark == "*":
			times, text, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(times)
			if err != nil {
				t.Fatalf("%s: %v", sent, err)
			}
			message = strings.Repeat(text, n)
		case mark == "=":
			var err error
			if message, err = strconv.Unquote(rest); err != nil {
				t.Fatalf("%s: %v", sent, err)
			}
		default:
			continue
		}
		got.WriteString(sent + "\n")
		if _, err := io.WriteString(client, message+"\n"); err != nil {
			t.Fatal(err)
		}
		if waits {
			answer, err := reader.ReadBytes('\n')
			if err != nil {
				t.Fatalf("answer to %.100s: %v", sent, err)
			}
			got.WriteString(shown(t, answer))
		}
	}
	client.Close()
	if rest, err := io.ReadAll(reader); err != nil || len(rest) > 0 {
		t.Errorf("more answers than questions: %s, %v", rest, err)
	}
	if err := <-done; err != nil {
		t.Errorf("ServeStdio = %v, want nil", err)
	}
	if err := svc.Close(); err != nil {
		t.Errorf("Close = %v, want nil", err)
	}
	return got.String()
}

// What differs between runs, machines and formats of the file, and what an answer shows for it.
var scrubbed = []struct {
	pattern *regexp.Regexp
	shown   string
}{
	{regexp.MustCompile(`("time_ms": )[0-9.]+`), "${1}0"},
	{regexp.MustCompile(`("index_id": ")[0-9a-f]{16}`), "${1}INDEX"},
	{regexp.MustCompile(`(handbook )[0-9a-f]{16}`), "${1}INDEX"},
	{regexp.MustCompile(`("cursor": "|cursor )[A-Za-z0-9_-]{18,24}`), "${1}CURSOR"},
	{regexp.MustCompile(`("file_bytes": |"terms": |\bsize |terms )\d+`), "${1}0"},
	{regexp.MustCompile(`( edges, )\d+( bytes\b)`), "${1}0${2}"},
	{regexp.MustCompile(`("name": "memory",\s+"ok": )[a-z]+(,\s+"detail": ")[^"]*`), "${1}true${2}MEMORY"},
	{regexp.MustCompile(`(ok  |FAIL)  memory  [^\\]*`), "ok    memory        MEMORY"},
	{regexp.MustCompile(`\d+ bytes, (\d+ documents)`), "0 bytes, ${1}"},
	{regexp.MustCompile(`(edges, )\d+ bytes`), "${1}0 bytes"},
	{regexp.MustCompile(`("analyzer": |analyzer )\d+`), "${1}0"},
	{regexp.MustCompile(`/[^"\s]*/TestTranscripts[^/"\s]*/\d+`), "/DIR"},
}

// shown returns an answer as a transcript shows it: indented, without what differs between runs.
func shown(t *testing.T, answer []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSuffix(answer, []byte("\n")), "  ", " "); err != nil {
		t.Fatalf("answer %s: %v", answer, err)
	}
	text := "  " + b.String() + "\n"
	for _, s := range scrubbed {
		text = s.pattern.ReplaceAllString(text, s.shown)
	}
	return text
}

// Hosts cut or refuse what is longer: names, descriptions, instructions.
func TestToolsKeepTheHostsLimits(t *testing.T) {
	if len(instructions) >= 2000 {
		t.Errorf("instructions have %d bytes, want under 2000", len(instructions))
	}
	always := 0
	operations := runtime.Tools()
	for i := range operations {
		made := tool(&operations[i])
		if !regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`).MatchString(made.Name) || len(made.Name) > 30 {
			t.Errorf("tool name %q, want at most 30 of [a-z0-9_]", made.Name)
		}
		if len(made.Description) >= 2000 || !strings.Contains(made.Description, "Use ") && !strings.Contains(made.Description, "Use it") {
			t.Errorf("%s: description of %d bytes: want when to use it, under 2000", made.Name, len(made.Description))
		}
		a := made.Annotations
		if !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", made.Name, a)
		}
		if made.Meta["anthropic/alwaysLoad"] == true {
			always++
		} else if hint, _ := made.Meta["anthropic/searchHint"].(string); hint == "" {
			t.Errorf("%s has no search hint", made.Name)
		}
		if input, ok := made.InputSchema.(json.RawMessage); !ok || len(input) == 0 {
			t.Errorf("%s has no input schema", made.Name)
		}
		if (made.OutputSchema == nil) != operations[i].Prose {
			t.Errorf("%s: output schema %v, prose %v", made.Name, made.OutputSchema != nil, operations[i].Prose)
		}
	}
	if always != 1 {
		t.Errorf("%d tools load always, want 1", always)
	}
}

// handbook is the compiled corpus, made once.
var handbook = corpustest.Once(compiler.Options{Sources: []string{"../testdata/corpora/handbook"}, Version: "1.0.0"})

// testIndex returns the path of the compiled corpus in a folder of its own, far from its sources.
func testIndex(t testing.TB) string { return corpustest.Copy(t, "handbook.kddx", handbook) }
