package wire

import (
	"encoding/json"
	"fmt"
)

// ReadBaseline returns the fingerprints of an older lint report, and how often each occurs. name is for messages.
//
// The error is an *Error invalid_input for what is no report, and for one that was cut to a size: it would make old
// findings new.
func ReadBaseline(name string, data []byte) (map[string]int, error) {
	const cure = `write one with "lint --format json --max-bytes 0"`
	var report LintReport
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, NewError(CodeInvalidInput, name+": not JSON: "+err.Error(), cure).With("field", "baseline")
	}
	if report.SchemaVersion != "lint_report.v1" {
		return nil, NewError(CodeInvalidInput, fmt.Sprintf("%s: got schema_version %q, want %q", name, Shorten(report.SchemaVersion, 40), "lint_report.v1"), cure).With("field", "baseline")
	}
	if report.Truncated || report.Cursor != "" || len(report.Findings) < report.Total {
		return nil, NewError(CodeInvalidInput, fmt.Sprintf("%s: it holds %d of %d findings", name, len(report.Findings), report.Total), cure).With("field", "baseline")
	}
	known := make(map[string]int, len(report.Findings))
	for i := range report.Findings {
		if print := report.Findings[i].Fingerprint; print != "" {
			known[print]++
		}
	}
	return known, nil
}
