package wire

import (
	"errors"
	"testing"
)

// Whatever a file holds, reading it as a baseline gives fingerprints or an *Error.
func FuzzReadBaseline(f *testing.F) {
	for _, seed := range []string{
		`{"schema_version":"lint_report.v1","findings":[{"fingerprint":"a"}],"total":1}`, `{"schema_version":"lint_report.v1"}`,
		`{"schema_version":"lint_report.v1","findings":[{"fingerprint":7}]}`, `[]`, `null`, ``, `{"total":-1,"schema_version":"lint_report.v1"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		known, err := ReadBaseline("b.json", data)
		var wire *Error
		if err != nil && (!errors.As(err, &wire) || wire.Code != CodeInvalidInput || known != nil) {
			t.Errorf("ReadBaseline(%q) = %v, %v, want an invalid_input", data, known, err)
		}
	})
}
