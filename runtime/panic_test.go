package runtime

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// TestPanicIsInternal checks that a mistake of ours is not called a damaged file, and that its stack is in the log.
func TestPanicIsInternal(t *testing.T) {
	var log bytes.Buffer
	svc := New(Config{Index: []string{random(1, 3).compile(t)}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	defer svc.Close()
	err := svc.with(t.Context(), func(set *artifact.Set) error {
		var none *artifact.Artifact
		_ = none.Name
		return nil
	})
	e := want(t, err, wire.CodeInternal)
	if !strings.HasPrefix(e.Message, "an operation broke off: ") || !strings.Contains(e.Hint, "please report it") {
		t.Errorf("error = %q, hint %q", e.Message, e.Hint)
	}
	if !strings.Contains(log.String(), "TestPanicIsInternal") || !strings.Contains(log.String(), "nil pointer") {
		t.Errorf("log = %s, want the panic with its stack", log.String())
	}
}
