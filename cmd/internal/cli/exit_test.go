package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kdd/format"
	"kdd/runtime/wire"
)

func TestExitCode(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, 0},
		{"reader gone", &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, 0},
		{"pipe closed", io.ErrClosedPipe, 0},
		{"anything", errors.New("boom"), 1},
		{"file system", &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, 1},
		{"corrupt file", &format.CorruptError{Reason: "x"}, 1},
		{"newer file", &format.VersionError{Got: 9}, 1},
		{"another file", &format.ForeignError{Looks: "a zip archive", Do: "unpack it"}, 1},
		{"findings", fmt.Errorf("%w in a strict build", ErrFindings), 3},
		{"printed findings", Silent{ErrFindings}, 3},
		{"refused", ErrRefused, 4},
		{"Ctrl-C", errInterrupted, 130},
		{"SIGTERM", errTerminated, 143},
	}
	for _, row := range exits {
		want := 1
		if row.code == wire.CodeInvalidInput {
			want = 2
		}
		tests = append(tests, struct {
			name string
			err  error
			want int
		}{row.code, fmt.Errorf("wrapped: %w", wire.NewError(row.code, "x", "")), want})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ExitCode(tt.err); got != tt.want {
				t.Errorf("ExitCode(%v) = %d, want %d", tt.err, got, tt.want)
			}
		})
	}
}

// TestExitTable checks that every code of error.v1 has its row, and one only.
func TestExitTable(t *testing.T) {
	codes := []string{wire.CodeInvalidInput, wire.CodeNotFound, wire.CodeIndexNotFound, wire.CodeIndexCorrupt,
		wire.CodeIndexVersion,
		wire.CodeIndexUntrusted, wire.CodeNoVectors, wire.CodeNoModel, wire.CodeStaleCursor, wire.CodeTimeout,
		wire.CodeTooLarge,
		wire.CodeUnauthorized, wire.CodeRateLimited, wire.CodeIO, wire.CodeInternal}
	rows := map[string]int{}
	for _, row := range exits {
		rows[row.code]++
	}
	for _, code := range codes {
		if rows[code] != 1 {
			t.Errorf("the table has %d rows for %s, want 1", rows[code], code)
		}
	}
	if len(rows) != len(codes) {
		t.Errorf("the table has %d codes, want %d", len(rows), len(codes))
	}
}

func TestReport(t *testing.T) {
	tests := []struct {
		name string
		err  error
		json bool
		want string
	}{
		{"nothing", nil, false, ""},
		{"reader gone", &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, false, ""},
		{"already printed", Silent{ErrFindings}, true, ""},
		{"plain", errors.New("boom"), false, "kddq: boom\n"},
		{"own hint", wire.NewError(wire.CodeNotFound, `no document "x"`, `did you mean "y"?`), false,
			"kddq: no document \"x\"; did you mean \"y\"?\n"},
		{"hint of the table", wire.NewError(wire.CodeStaleCursor, "the index has changed", ""), false,
			"kddq: the index has changed; ask again without --cursor\n"},
		{"cure in the message", &format.ForeignError{Looks: "a gzip file", Do: "unpack it"}, false,
			"kddq: not a .kddx file: it is a gzip file; unpack it\n"},
		{"cure of an error in another", fmt.Errorf("docs.kddx: %w", &format.VersionError{Got: 9, Min: 9}), true,
			fmt.Sprintf(`{"schema_version":"error.v1","code":"index_version","message":"docs.kddx: index of another version: format 9 (reader 9), this kdd reads %d",`+
				`"hint":"rebuild it with \"kdd build\" or update kdd"}`, format.Version) + "\n"},
		{"semicolon that begins no cure", wire.NewError(wire.CodeIndexUntrusted, "a; b.kddx: signed by another", ""), false,
			"kddq: a; b.kddx: signed by another; check who made it before you use it\n"},
		{"semicolon of a corrupt file", &format.CorruptError{Offset: -1, Reason: "term a; b ends after the block"}, false,
			"kddq: corrupt index: header: term a; b ends after the block; rebuild it with \"kdd build\", or copy or download " +
				"it again\n"},
		{"disk full", &fs.PathError{Op: "write", Path: "a.kddx", Err: syscall.ENOSPC}, false,
			"kddq: write a.kddx: no space left on device; free some space, or write elsewhere\n"},
		{"file that is not there", &fs.PathError{Op: "open", Path: "q.tsv", Err: syscall.ENOENT}, false,
			"kddq: q.tsv: no such file; correct the name\n"},
		{"folder that is not there", &fs.PathError{Op: "open", Path: filepath.Join("nosuch", "q.tsv"),
			Err: syscall.ENOENT}, false,
			"kddq: " + filepath.Join("nosuch", "q.tsv") + ": the folder nosuch does not exist; make it, or correct the name\n"},
		{"a URL where a file is wanted", &fs.PathError{Op: "open", Path: "https://host/docs.kddx", Err: fs.ErrNotExist}, false,
			"kddq: https://host/docs.kddx: a URL, want a file; download it first; questions are asked by URL with -i\n"},
		{"folder for a file", &fs.PathError{Op: "read", Path: ".", Err: syscall.EISDIR}, false,
			"kddq: .: a folder, want a file; name a file in it\n"},
		{"path error with more around it", fmt.Errorf("the cache: %w",
			&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}), false, "kddq: the cache: open x: file does not exist\n"},
		{"one line", errors.New("two\nlines\x1b[31m"), false, "kddq: two lines�[31m\n"},
		{"json", wire.NewError(wire.CodeNotFound, "no document", ""), true,
			`{"schema_version":"error.v1","code":"not_found","message":"no document"}` + "\n"},
		{"json of a plain error", errors.New("boom"), true,
			`{"schema_version":"error.v1","code":"internal","message":"boom"}` + "\n"},
		{"interrupted", errInterrupted, true, "kddq: interrupted\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			report(&out, "kddq", tt.err, tt.json)
			if tt.name == "one line" {
				if s := out.String(); strings.Count(s, "\n") != 1 || strings.Contains(s, "\x1b") {
					t.Errorf("report(%v) wrote %q, want one line without escapes", tt.err, s)
				}
				return
			}
			if out.String() != tt.want {
				t.Errorf("report(%v) wrote %q, want %q", tt.err, out.String(), tt.want)
			}
		})
	}
}

// TestPanicIsReported checks that a mistake of ours is reported with its stack and is no damaged index.
func TestPanicIsReported(t *testing.T) {
	var b bytes.Buffer
	err := format.Guard(func() error { panic("no such case") })
	if report(&b, "kddq", err, false); codeOf(err) != wire.CodeInternal || ExitCode(err) != 1 {
		t.Errorf("code %s, exit %d, want internal, 1", codeOf(err), ExitCode(err))
	}
	if got := b.String(); !strings.Contains(got, "TestPanicIsReported") ||
		!strings.Contains(got, "\nkddq: an operation broke off: no such case; ") {
		t.Errorf("report = %s, want the stack, then one line", got)
	}
}
