package format

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestDump checks what is printed of the container, and that contents are left to the caller.
func TestDump(t *testing.T) {
	r, err := VerifyBytes(demoTrailers(demo(t)))
	if err != nil {
		t.Fatal(err)
	}
	name := func(tag Tag) string { return "the " + strings.ToLower(tag.String()) }
	content := func(d *Dumper, b *Block) error {
		switch b.Tag.String() {
		case "DEMO":
			d.Line(b.Offset, b.Offset+b.Length, "%d letters", b.Length)
			return nil
		case "LONG":
			d.Line(b.Offset, b.Offset+40, "digits")
			d.Fixed(b, 10, "digits")
			return nil
		}
		return errors.New("no content")
	}
	tests := []struct {
		name     string
		o        DumpOptions
		has, not []string
	}{
		{"all", DumpOptions{Rows: 2}, []string{
			"# header\n", "# magic", "# directory\n", "CRCS (the crcs), critical", "NONE (the none), optional",
			"# CRCS the crcs, 20 bytes, 5 rows", "row 1: CRC-32C of a page", "# 3 more rows", "x 616263 # 3 letters",
			"# broken: no content", "# trailer\n", "payload \"signed\"",
		}, nil},
		{"one block", DumpOptions{Block: "DEMO"}, []string{"# DEMO the demo, 3 bytes, 1 rows", "3 letters"},
			[]string{"header", "LONG"}},
		{"short", DumpOptions{Block: "LONG", Rows: 1}, []string{"x 3031323334353637… # digits"}, nil},
		{"hex", DumpOptions{Block: "LONG", Rows: 1, Hex: true}, []string{
			": # digits\n", "x 3031323334353637383930313233343536373839303132333435363738393031\n", "x 3233343536373839\n",
		}, []string{"…"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := Dump(&out, r, tt.o, name, content); err != nil {
				t.Fatalf("Dump = %v", err)
			}
			for _, want := range tt.has {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the dump lacks %q:\n%s", want, out.String())
				}
			}
			for _, not := range tt.not {
				if strings.Contains(out.String(), not) {
					t.Errorf("the dump has %q:\n%s", not, out.String())
				}
			}
		})
	}
}

// TestDumpFails checks the errors of a dump.
func TestDumpFails(t *testing.T) {
	r, err := VerifyBytes(demo(t))
	if err != nil {
		t.Fatal(err)
	}
	name := Tag.String
	nothing := func(*Dumper, *Block) error { return nil }
	if err := Dump(new(bytes.Buffer), r, DumpOptions{Block: "XXXX"}, name, nothing); err == nil ||
		!strings.Contains(err.Error(), "CRCS, DEMO, LONG, NONE, TREE") {
		t.Errorf("Dump of a block that is not there = %v, want the names of those that are", err)
	}
	if err := Dump(&fullDisk{100}, r, DumpOptions{}, name, nothing); err == nil || err.Error() != "disk full" {
		t.Errorf("Dump to a full disk = %v, want its error", err)
	}
	var out bytes.Buffer
	broken := func(_ *Dumper, b *Block) error { Fail(b.Tag, "row 3"); return nil }
	if err := Dump(&out, r, DumpOptions{Block: "DEMO"}, name, broken); err != nil ||
		!strings.Contains(out.String(), "# broken: corrupt index: block DEMO: row 3") {
		t.Errorf("Dump of a broken block = %v:\n%s", err, out.String())
	}
}
