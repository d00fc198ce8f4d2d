package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/compiler"
	"kdd/runtime"
)

// The handshake and the lists open nothing: the artifact may come to be after them.
func TestNothingIsLoadedBeforeTheFirstAnswer(t *testing.T) {
	data, err := handbook()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "late.kddx")
	session := connected(t, runtime.New(runtime.Config{Index: []string{path}}), nil)
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if _, err := session.ListPrompts(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if _, err := session.ListResources(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if _, err := session.ListResourceTemplates(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "kdd_stats", Arguments: map[string]any{}})
	if err != nil || result.IsError {
		t.Errorf("CallTool = %v, %v, want the stats of the artifact that came", result, err)
	}
}

// variants are artifacts with 1 to n documents.
func variants(t *testing.T, n int) []string {
	t.Helper()
	var paths []string
	for i := range n {
		dir := t.TempDir()
		for d := range i + 1 {
			text := fmt.Sprintf("# Document %d of %d\n\nThe token of variant %d.\n", d, i+1, i)
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("d%d.md", d)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(t.TempDir(), "v.kddx")
		if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{dir}, Output: path, NoVectors: true, Version: "1.0.0"}); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// Many replacements while calls run: each call answers from one artifact as a whole, and none fails.
func TestAReplacedArtifactUnderCalls(t *testing.T) {
	made := variants(t, 3)
	path := filepath.Join(t.TempDir(), "docs.kddx")
	replace := func(i int) {
		data, err := os.ReadFile(made[i%len(made)])
		if err != nil {
			t.Fatal(err)
		}
		next := fmt.Sprintf("%s.%d", path, i)
		if err := os.WriteFile(next, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, path); err != nil {
			t.Fatal(err)
		}
	}
	replace(0)
	session := connected(t, runtime.New(runtime.Config{Index: []string{path}}), nil)
	ids, counts := sync.Map{}, map[int]*atomic.Int64{1: {}, 2: {}, 3: {}}
	var stop atomic.Bool
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for !stop.Load() {
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "kdd_list", Arguments: map[string]any{}})
				if err != nil || result.IsError {
					t.Errorf("CallTool = %v, %v", result, err)
					return
				}
				data, err := json.Marshal(result.StructuredContent)
				if err != nil {
					t.Error(err)
					return
				}
				var list struct {
					IndexID   string `json:"index_id"`
					Total     int    `json:"total"`
					Documents []struct{ Title string }
				}
				if err := json.Unmarshal(data, &list); err != nil || len(list.Documents) != list.Total {
					t.Errorf("answer %s, %v", data, err)
					return
				}
				for _, d := range list.Documents {
					if !strings.HasSuffix(d.Title, fmt.Sprintf("of %d", list.Total)) {
						t.Errorf("answer of %d documents holds %q: half of another artifact", list.Total, d.Title)
					}
				}
				if known, _ := ids.LoadOrStore(list.IndexID, list.Total); known != list.Total {
					t.Errorf("index %s has %d documents and %d", list.IndexID, list.Total, known)
				}
				counts[list.Total].Add(1)
			}
		})
	}
	for i := 1; i <= 200 || counts[1].Load()*counts[2].Load()*counts[3].Load() == 0 && i < 5000 && !t.Failed(); i++ {
		replace(i)
	}
	stop.Store(true)
	wait.Wait()
	for n, count := range counts {
		if count.Load() == 0 {
			t.Errorf("no call answered from the artifact of %d documents", n)
		}
	}
	if maps, err := os.ReadFile("/proc/self/maps"); err == nil {
		if n := strings.Count(string(maps), "docs.kddx (deleted)"); n > 1 {
			t.Errorf("%d replaced artifacts are still mapped, want at most the last one in use", n)
		}
	}
}

// Progress comes after 20 ms of work and each second, and never behind the answer.
func TestProgress(t *testing.T) {
	for _, test := range []struct {
		work  time.Duration
		token string
		want  int
	}{
		{10 * time.Millisecond, `"p"`, 0}, {30 * time.Millisecond, `"p"`, 1}, {1500 * time.Millisecond, `7`, 2}, {time.Second, "", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "fake", Version: "0"}, nil)
			server.AddTool(&mcp.Tool{Name: "works", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				defer progressing(ctx, r)()
				time.Sleep(test.work)
				return &mcp.CallToolResult{}, nil
			})
			meta := ""
			if test.token != "" {
				meta = `,"_meta":{"progressToken":` + test.token + `}`
			}
			var out lockedBuffer
			script := hello + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"works"` + meta + `}}` + "\n"
			if err := serve(t.Context(), server, strings.NewReader(script), &out); err != nil && test.work < drainTime {
				t.Fatal(err)
			}
			said := out.String()
			if n := strings.Count(said, `"method":"notifications/progress"`); n != test.want {
				t.Errorf("%v of work with token %q: %d notifications, want %d:\n%s", test.work, test.token, n, test.want, said)
			}
			if test.token != "" && test.want > 0 && !strings.Contains(said, `"progressToken":`+test.token) {
				t.Errorf("token %s is not in %s", test.token, said)
			}
			if at := strings.Index(said, `"id":1`); at >= 0 && strings.Contains(said[at:], "progress") {
				t.Errorf("progress behind the answer: %s", said)
			}
		})
	}
}
