package clients

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The floor answers with what it was given, under the id of the request.
func TestFloor(t *testing.T) {
	canned := filepath.Join(t.TempDir(), "canned.json")
	if err := os.WriteFile(canned, []byte(`{"how":{"content":[]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	in := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"query":"how"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/x"}` + "\n" + `{"jsonrpc":"2.0","id":"a","method":"ping"}` + "\n"
	var out bytes.Buffer
	if err := serveFloor("stdio", canned, false, strings.NewReader(in), &out, nil); err != nil {
		t.Fatal(err)
	}
	want := `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}` + "\n" + `{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no ping"}}` + "\n"
	if out.String() != want {
		t.Errorf("floor answered\n%s\nwant\n%s", out.String(), want)
	}
}

// A busy floor takes the time that its answer says.
func TestBusyFloor(t *testing.T) {
	start := time.Now()
	compute([]byte(`{"structuredContent":{"time_ms":3.5}}`))
	compute([]byte(`{"isError":true}`))
	if took := time.Since(start); took < 3500*time.Microsecond {
		t.Errorf("compute took %v, want 3.5 ms", took)
	}
}
