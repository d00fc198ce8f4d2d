package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kdd/runtime/feedback"
)

// serve starts "kddq serve" on a port of its own and returns its address; it ends with the test.
func serve(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"serve", "--port", "0", "--format", "json", "--access-log", "off"},
		flags...)...)
	cmd.Env, cmd.Dir = append(os.Environ(), asTool+"=1"), dir
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("serve ended with %v", err)
		}
	})
	line, err := bufio.NewReader(stderr).ReadBytes('\n')
	var said struct{ URL string }
	if err != nil || json.Unmarshal(line, &said) != nil || said.URL == "" {
		t.Fatalf("serve says %q, %v", line, err)
	}
	return said.URL
}

// The widget of ADR-0003 as it was shipped, in a stub of the DOM. KDD_WIDGET names its file, assistant-widget.js.
func TestTheShippedWidget(t *testing.T) {
	node, err := exec.LookPath("node")
	file := os.Getenv("KDD_WIDGET")
	if err != nil || file == "" {
		t.Skip("Node: it is absent, or KDD_WIDGET does not name the widget's file")
	}
	data, err := artifact()
	if err != nil {
		t.Fatal(err)
	}
	dir, lonely := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "docs.kddx"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(lonely, ".git"), 0o755); err != nil { // where the search for an index ends
		t.Fatal(err)
	}
	const origin = "https://www.example.com"
	public := []string{"--public", "--allow-host", "api.example.com", "--allow-origin", origin}
	base := serve(t, dir, append(public, "--feedback", "said.jsonl")...)
	without := serve(t, lonely, public...)

	type step struct {
		Endpoint string `json:"endpoint"`
		Question string `json:"question"`
		Rating   string `json:"rating,omitempty"`
	}
	type shown struct {
		Role, Text, Rated, Comment, HTML string
		Sources                          []string
		Confidence                       float64
	}
	widget := func(origin string, steps ...step) []shown {
		t.Helper()
		asked, err := json.Marshal(steps)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), node, filepath.Join("testdata", "widget.cjs"), file, origin, string(asked))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, stderr.Bytes())
		}
		var all []shown
		for line := range bytes.Lines(out) {
			var one shown
			if err := json.Unmarshal(line, &one); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			all = append(all, one)
		}
		if len(all) != len(steps) {
			t.Fatalf("%d answers to %d questions: %s", len(all), len(steps), stderr.Bytes())
		}
		return all
	}

	const question = "how long is an access token valid"
	got := widget(origin,
		step{base + "/api/v2/mcp/tools/call", question, "positive"},
		step{base + "/api/v1/mcp/tools/call/", question, "negative"},
		step{base + "/api/v1/mcp/tools/call", "zzyzx qwfpgj", ""},
		step{without + "/api/v1/mcp/tools/call", question, ""},
	)
	for i, rating := range []string{"positive", "negative"} {
		if a := got[i]; a.Role != "assistant" || !strings.Contains(a.Text, "15 minutes") || len(a.Sources) == 0 ||
			a.Confidence <= 0 || a.Rated != rating || !strings.Contains(a.HTML, "source-item") {
			t.Errorf("answer %d: %+v, want 15 minutes with sources, rated %s", i, a, rating)
		}
	}
	if a := got[2]; a.Role != "assistant" || a.Text == "" || len(a.Sources) != 0 {
		t.Errorf("refusal: %+v, want text without sources", a)
	}
	if a := got[3]; a.Role != "error" || !strings.Contains(a.Text, "503") {
		t.Errorf("without an index: %+v, want the error of 503", a)
	}
	if a := widget("https://evil.example", step{base + "/api/v1/mcp/tools/call", question, ""})[0]; a.Role != "error" ||
		!strings.Contains(a.Text, "Failed to fetch") {
		t.Errorf("a page of another origin: %+v, want an error", a)
	}
	records, broken, err := feedback.Read(filepath.Join(dir, "said.jsonl"))
	if err != nil || broken != 0 || len(records) != 2 || records[0].Rating != "positive" ||
		records[1].Rating != "negative" || len(records[0].Places) == 0 ||
		records[0].Comment != got[0].Comment || records[1].Comment != "" {
		t.Errorf("feedback %+v, %d broken, %v, want both ratings with the places that were cited and the comment %q",
			records, broken, err, got[0].Comment)
	}
}
