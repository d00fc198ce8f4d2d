package parts

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// manifest is a good one, of two parts.
func manifest() *Manifest {
	m := New("docs.kddx", PartBytes+1, [32]byte{1, 2, 3})
	m.Append(make([]byte, PartBytes))
	m.Append([]byte{1})
	return m
}

// TestManifest writes a manifest and reads it.
func TestManifest(t *testing.T) {
	data, err := manifest().Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := `{
 "schema_version": "parts.v1",
 "name": "docs.kddx",
 "bytes": 262145,
 "root": "0102030000000000000000000000000000000000000000000000000000000000",
 "part_bytes": 262144,
 "parts": [
  "8a39d2abd3999ab73c34db2476849cddf303ce389b35826850f9a700589b4a90",
  "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"
 ]
}
`
	if string(data) != want {
		t.Errorf("Encode gives\n%s\nwant\n%s", data, want)
	}
	m, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if m.Size(0) != PartBytes || m.Size(1) != 1 {
		t.Errorf("Size = %d, %d", m.Size(0), m.Size(1))
	}
	if got := Path(m.Parts[1]); got != "parts/4b/"+m.Parts[1] || !IsPath(got) {
		t.Errorf("Path = %s", got)
	}
}

// TestParse checks what is said of manifests that are none.
func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(m *Manifest)
		want string
	}{
		{"another version", func(m *Manifest) { m.SchemaVersion = "parts.v2" }, `schema_version "parts.v2", want "parts.v1"`},
		{"no version", func(m *Manifest) { m.SchemaVersion = "" }, "no manifest of parts: no schema_version"},
		{"empty", func(m *Manifest) { m.Bytes, m.Parts = 0, nil }, "bytes is 0, want a length"},
		{"below nothing", func(m *Manifest) { m.Bytes = -1 }, "bytes is -1"},
		{"small parts", func(m *Manifest) { m.PartBytes = 1 }, "part_bytes is 1, want 16384 to 1048576"},
		{"large parts", func(m *Manifest) { m.PartBytes = 1 << 40 }, "part_bytes is 1099511627776"},
		{"no root", func(m *Manifest) { m.Root = "" }, `root is "", want 64 hex digits`},
		{"a part less", func(m *Manifest) { m.Parts = m.Parts[1:] }, "1 parts of 262144 bytes for a file of 262145, want 2"},
		{"a part more", func(m *Manifest) { m.Bytes = PartBytes }, "2 parts of 262144 bytes for a file of 262144, want 1"},
		{"a huge file", func(m *Manifest) { m.Bytes = 1<<63 - 1 }, "2 parts of 262144 bytes for a file of 9223372036854775807, want 35184372088832"},
		{"a path", func(m *Manifest) { m.Parts[1] = "../../../../etc/passwd" }, `part 1 is "../../../../etc/passwd", want 64 hex digits`},
		{"capitals", func(m *Manifest) { m.Parts[0] = strings.ToUpper(m.Parts[0]) }, `part 0 is "8A39`},
	} {
		m := manifest()
		tt.edit(m)
		data, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(data); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Parse = %v, want %q", tt.name, err, tt.want)
		}
	}
	for _, tt := range []struct{ data, want string }{
		{"", "no manifest of parts: unexpected end of JSON input"},
		{"<html>", "no manifest of parts: invalid character '<'"},
		{"[]", "no manifest of parts: json: cannot unmarshal array"},
		{"{}", "no manifest of parts: no schema_version"},
		{strings.Repeat(" ", MaxManifestBytes+1), "a manifest of 16777217 bytes, want at most 16777216"},
	} {
		if _, err := Parse([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%.20q) = %v, want %q", tt.data, err, tt.want)
		}
	}
}

// TestNames checks paths and names that are like those of parts and manifests.
func TestNames(t *testing.T) {
	sum := manifest().Parts[1]
	for p, want := range map[string]bool{
		Path(sum): true, sum: false, "parts/" + sum: false, "parts/8a/" + sum: false, "parts/4b/" + sum[:63]: false,
		"parts/4B/" + strings.ToUpper(sum): false, "other/4b/" + sum: false, "parts/4b/x/" + sum: false, "": false,
	} {
		if got := IsPath(p); got != want {
			t.Errorf("IsPath(%s) = %t", p, got)
		}
	}
	for file, want := range map[string]string{"docs.kddx": "docs.kddx.json", "docs": "docs.kddx.json", "a.b.kddx": "a.b.kddx.json"} {
		if got := ManifestName(file); got != want {
			t.Errorf("ManifestName(%s) = %s, want %s", file, got, want)
		}
	}
}

// FuzzParse checks that what is accepted is written and read back the same, and that its parts lie in their folder.
func FuzzParse(f *testing.F) {
	data, err := manifest().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.Replace(data, []byte("262145"), []byte("262144"), 1))
	f.Add([]byte(`{"schema_version": "parts.v1", "parts": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err != nil {
			return
		}
		for i, name := range m.Parts {
			if !IsPath(Path(name)) || m.Size(i) <= 0 || m.Size(i) > maxPartBytes {
				t.Fatalf("part %d is %s of %d bytes", i, name, m.Size(i))
			}
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		m2, err := Parse(again)
		if err != nil || m2.Root != m.Root || m2.Bytes != m.Bytes || !slices.Equal(m2.Parts, m.Parts) {
			t.Errorf("Parse of its own JSON = %v, %v", m2, err)
		}
	})
}
