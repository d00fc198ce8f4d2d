package wire

import (
	"encoding/json"
	"fmt"
)

// ReadBaseline returns the fingerprints of an older lint report, and how often each occurs. name is for messages.
//
// The error is an *Error invalid_input for data that is no report, and for a report that was cut to a size: its missing
// findings would count as new.
func ReadBaseline(name string, data []byte) (map[string]int, error) {
	wrong := func(format string, args ...any) (map[string]int, error) {
		return nil, NewError(CodeInvalidInput, name+": "+fmt.Sprintf(format, args...), `write one with "lint --format json --max-bytes 0"`).With("field", "baseline")
	}
	var report LintReport
	if err := json.Unmarshal(data, &report); err != nil {
		return wrong("not JSON: %v", err)
	}
	if report.SchemaVersion != "lint_report.v1" {
		return wrong("got schema_version %q, want %q", Shorten(report.SchemaVersion, 40), "lint_report.v1")
	}
	if report.Truncated || report.Cursor != "" || len(report.Findings) < report.Total {
		return wrong("it holds %d of %d findings", len(report.Findings), report.Total)
	}
	known := make(map[string]int, len(report.Findings))
	for i := range report.Findings {
		if print := report.Findings[i].Fingerprint; print != "" {
			known[print]++
		}
	}
	return known, nil
}
