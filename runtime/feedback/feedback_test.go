package feedback

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kdd/runtime/wire"
)

func testLog(t *testing.T, path string, max int64) *Log {
	t.Helper()
	l, err := Open(path, max)
	if err != nil {
		t.Fatal(err)
	}
	l.now = func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	t.Cleanup(func() { l.Close() })
	return l
}

func add(t *testing.T, l *Log, r Record) bool {
	t.Helper()
	added, err := l.Add(r)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func TestALogKeepsARecordOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	l := testLog(t, path, 0)
	r := Record{Query: " how? ", Response: "so", Rating: "Positive", Confidence: .5, SessionID: "web"}
	if !add(t, l, r) || add(t, l, r) {
		t.Error("the first is added, the second is not")
	}
	r.Rating = Negative
	if !add(t, l, r) {
		t.Error("another rating is another record")
	}
	l.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v, want only the owner to read it", info.Mode(), err)
	}
	if _, err := os.Stat(Aside(path)); err == nil {
		t.Error("two records filled a file of the usual size")
	}
	if err := l.Close(); err != nil || l.file != nil {
		t.Errorf("Close of a closed log = %v", err)
	}
	l = testLog(t, path, 0) // it knows what was there
	if add(t, l, r) {
		t.Error("a record of the run before was added again")
	}
	if data, err := os.ReadFile(path); err != nil || data[0] != '{' || bytes.Count(data, []byte("\n")) != 2 {
		t.Errorf("the file is %q, %v, want two lines", data, err)
	}
	records, broken, err := Read(path)
	if err != nil || broken != 0 || len(records) != 2 || records[0].Query != "how?" || records[0].Rating != Positive || records[0].Time != "2026-11-21T12:00:00Z" {
		t.Errorf("Read = %+v, %d, %v", records, broken, err)
	}
}

func TestABrokenLineIsLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	l := testLog(t, path, 0)
	add(t, l, Record{Query: "a", Rating: Positive})
	l.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Replace(data, []byte(`"query":"a"`), []byte(`"query":"b"`), 1) // its id is another's
	if err := os.WriteFile(path, slices.Concat(data, []byte("\n"), other, data[:20]), 0o600); err != nil {
		t.Fatal(err)
	}
	l = testLog(t, path, 0)
	add(t, l, Record{Query: "c", Rating: Positive})
	records, broken, err := Read(path)
	if err != nil || broken != 2 || len(records) != 2 || records[1].Query != "c" {
		t.Errorf("Read = %+v, %d broken, %v, want a and c, 2 broken", records, broken, err)
	}
}

func TestALogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	l := testLog(t, path, 1000)
	for i := range 100 {
		if !add(t, l, Record{Query: strings.Repeat("q", i+1), Rating: Positive}) {
			t.Fatalf("record %d was not added", i)
		}
		if records, _, err := Read(path); err != nil || len(records) == 0 || len(records[len(records)-1].Query) != i+1 {
			t.Fatalf("record %d is not the last of the file: %v", i, err)
		}
	}
	for _, name := range []string{path, path + ".1"} {
		if info, err := os.Stat(name); err != nil || info.Size() > 1000 || info.Size() == 0 {
			t.Errorf("%s: %v, %v, want 1 to 1000 bytes", name, info, err)
		}
	}
	records, broken, err := Read(path)
	if err != nil || broken != 0 || len(records) < 3 || len(records[len(records)-1].Query) != 100 || len(records[0].Query) >= 100 {
		t.Errorf("Read = %d records, %d broken, %v", len(records), broken, err)
	}
	if add(t, l, records[0]) { // of the file that was put aside
		t.Error("a record was added again after the rotation")
	}
	if !add(t, l, Record{Query: "q", Rating: Positive}) {
		t.Error("the first record, which is in neither file, was not added again")
	}
}

// The file grows to its bound, and not a byte further.
func TestALogIsFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	l := testLog(t, path, 0)
	add(t, l, Record{Query: "a", Rating: Positive})
	l.max = 2 * l.bytes
	for _, test := range []struct {
		query string
		aside bool
	}{{"b", false}, {"c", true}} {
		add(t, l, Record{Query: test.query, Rating: Positive})
		if _, err := os.Stat(Aside(path)); (err == nil) != test.aside {
			t.Errorf("%s: the file was put aside: %t, want %t", test.query, err == nil, test.aside)
		}
	}
	// A record that is larger than the bound has a file of its own, and an empty file does not replace the one put
	// aside.
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	l.max = 1
	add(t, l, Record{Query: "large", Rating: Positive})
	if records, _, err := Read(path); err != nil || len(records) != 3 || records[2].Query != "large" {
		t.Errorf("Read = %v, %v, want the two that were put aside and the large one", records, err)
	}
}

// What goes wrong on the disk is an error, adds nothing, and is over when its cause is.
func TestALogWhoseDiskFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	path := filepath.Join(dir, "f.jsonl")
	next := Record{Query: "b", Rating: Positive}
	for name, test := range map[string]struct {
		fail func(l *Log) error
		mend func() error
	}{
		"the folder is gone": {
			func(*Log) error { return os.RemoveAll(dir) },
			func() error { return os.Mkdir(dir, 0o700) },
		},
		"the file cannot be put aside": {
			func(l *Log) error { l.max = 1; return os.MkdirAll(filepath.Join(Aside(path), "full"), 0o700) },
			func() error { return os.RemoveAll(Aside(path)) },
		},
		"a device has its name": {
			func(*Log) error { return errors.Join(os.Remove(path), os.Symlink(os.DevNull, path)) },
			func() error { return os.Remove(path) },
		},
		"the file cannot be written": {
			func(l *Log) (err error) { l.file.Close(); l.file, err = os.Open(path); return err },
			func() error { return os.Rename(path, path+".old") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			l := testLog(t, path, 0)
			add(t, l, Record{Query: "a", Rating: Positive})
			if err := test.fail(l); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if added, err := l.Add(next); added || err == nil || wire.AsError(err).Code != wire.CodeIO {
					t.Errorf("Add = %t, %v, want %s", added, err, wire.CodeIO)
				}
			}
			if err := test.mend(); err != nil {
				t.Fatal(err)
			}
			if !add(t, l, next) || add(t, l, next) {
				t.Error("the record is not added, once, when its file can be written")
			}
			if records, broken, err := Read(path); err != nil || broken != 0 || len(records) == 0 || records[len(records)-1].Query != "b" {
				t.Errorf("Read = %v, %d, %v", records, broken, err)
			}
			l.Close()
		})
	}
}

func TestALogTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, maxReadBytes+1); err != nil { // no byte is on the disk
		t.Fatal(err)
	}
	if _, _, err := Read(path); err == nil {
		t.Error("Read of a huge file = nil, want an error")
	}
	if _, err := Open(path, 0); err == nil {
		t.Error("Open of a huge file = nil, want an error")
	}
}

// Another program may move, remove or empty the file: what is added is in the file of that name, whole.
func TestALogFollowsItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	l := testLog(t, path, 1000)
	var gone []Record
	for name, change := range map[string]func() error{
		"moved":   func() error { return os.Rename(path, path+".old") },
		"removed": func() error { return os.Remove(path) },
		"emptied": func() error { return os.Truncate(path, 0) },
		"replaced": func() error {
			return errors.Join(os.WriteFile(path+".new", nil, 0o600), os.Rename(path+".new", path))
		},
		"replaced by one whose last line has no end": func() error {
			return errors.Join(os.WriteFile(path+".new", []byte(" "), 0o600), os.Rename(path+".new", path))
		},
	} {
		before := Record{Query: name + strings.Repeat("q", 500), Rating: Positive}
		add(t, l, before)
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if !add(t, l, Record{Query: name, Rating: Positive}) || add(t, l, before) {
			t.Errorf("%s: the next record was not added, or one again", name)
		}
		data, err := os.ReadFile(path)
		if records, broken := Parse(data); err != nil || broken != 0 || len(records) != 1 || records[0].Query != name {
			t.Errorf("%s: the file holds %q, %v, want the next record", name, data, err)
		}
		if l.bytes != int64(len(data)) {
			t.Errorf("%s: the log counts %d bytes of %d", name, l.bytes, len(data))
		}
		gone = append(gone, before)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if !add(t, l, gone[0]) { // what it knows does not grow with each file
		t.Error("the first record, which is in none of the last two files, was not added again")
	}
}

func TestWhatIsNoRecord(t *testing.T) {
	l := testLog(t, filepath.Join(t.TempDir(), "f.jsonl"), 0)
	for _, test := range []struct {
		r     Record
		code  string
		field string
	}{
		{Record{Query: "a", Rating: "fine"}, wire.CodeInvalidInput, "rating"},
		{Record{Rating: Positive}, wire.CodeInvalidInput, "query"},
		{Record{Query: "a", Rating: Positive, Confidence: 2}, wire.CodeInvalidInput, "confidence"},
		{Record{Query: strings.Repeat("a", maxQueryBytes+1), Rating: Positive}, wire.CodeTooLarge, "query"},
		{Record{Query: "a", Comment: strings.Repeat("a", maxCommentBytes+1), Rating: Positive}, wire.CodeTooLarge, "comment"},
		{Record{Query: "a", SessionID: strings.Repeat("a", maxSessionBytes+1), Rating: Positive}, wire.CodeTooLarge, "session_id"},
		{Record{Query: "a", Response: strings.Repeat("a", maxResponseBytes+1), Rating: Positive}, wire.CodeTooLarge, "response"},
		{Record{Query: "a\xff", Rating: Positive}, wire.CodeInvalidInput, "query"},
		{Record{Query: "a", Comment: "\xff", Rating: Positive}, wire.CodeInvalidInput, "comment"},
	} {
		_, err := l.Add(test.r)
		if e := wire.AsError(err); err == nil || e.Code != test.code || !strings.HasPrefix(e.Message, test.field+": ") || e.Details["field"] != test.field {
			t.Errorf("Add(%.60v) = %v, details %v, want %s about %s", test.r, err, e.Details, test.code, test.field)
		}
	}
	most := Record{Query: strings.Repeat("a", maxQueryBytes), Comment: strings.Repeat("a", maxCommentBytes), Response: strings.Repeat("a", maxResponseBytes),
		SessionID: strings.Repeat("a", maxSessionBytes), Rating: Positive, Confidence: 1}
	for i := range maxPlaces + 1 {
		most.Places = append(most.Places, strings.Repeat("p", max(i, 1)))
	}
	if err := most.Check(); err != nil || len(most.Places) != maxPlaces-1 {
		t.Errorf("Check of all that is allowed = %v, %d places, want those of the first %d, one of them once", err, len(most.Places), maxPlaces)
	}
	if _, err := Open(t.TempDir(), 0); err == nil {
		t.Error("Open of a folder = nil, want an error")
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none", "f.jsonl"), 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open in a folder that is not there = %v", err)
	}
	if _, _, err := Read("none.jsonl"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Read of nothing = %v", err)
	}
}

// A record's id is in the files and, in what Export makes, in the questions of others: the same record has it for ever.
func TestIDsStay(t *testing.T) {
	r := Record{Query: "how?", Response: "so", Rating: Positive, SessionID: "web", Comment: "yes"}
	if err := r.Check(); err != nil || r.ID != "8bddee78a7fbe5f1" {
		t.Errorf("Check = %v, id %s", err, r.ID)
	}
}
