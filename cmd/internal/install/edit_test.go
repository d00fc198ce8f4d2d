package install

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

var wanted = []field{{"type", "stdio"}, {"command", "kddq"}, {"args", []string{"mcp", "-i", "docs.kddx"}}}

func TestSetJSON(t *testing.T) {
	const block = "{\n      \"type\": \"stdio\",\n      \"command\": \"kddq\",\n      \"args\": [\"mcp\", \"-i\", " +
		"\"docs.kddx\"]\n    }"
	const oneLine = `{"type": "stdio", "command": "kddq", "args": ["mcp", "-i", "docs.kddx"]}`
	whole := "{\n  \"mcpServers\": {\n    \"kdd\": " + block + "\n  }\n}"
	tests := []struct {
		name, before, after string
	}{
		{"no text", "", whole + "\n"},
		{"white space", " \n", " \n" + whole + "\n"},
		{"a mark alone", "\ufeff", "\ufeff" + whole + "\n"},
		{"empty object", "{}", whole},
		{"empty object, mark, CRLF", "\ufeff{}\r\n", "\ufeff" + strings.ReplaceAll(whole, "\n", "\r\n") + "\r\n"},
		{"other key", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"kdd\": " + block + "\n  }\n}\n"},
		{"other server", "{\n  \"mcpServers\": {\n    \"b\": {}\n  },\n  \"z\": 1\n}\n",
			"{\n  \"mcpServers\": {\n    \"b\": {},\n    \"kdd\": " + block + "\n  },\n  \"z\": 1\n}\n"},
		{"empty servers", "{\n  \"mcpServers\": {}\n}", whole},
		{"one line", `{"a":[1,2],"mcpServers": {"b": {}}}`, `{"a":[1,2],"mcpServers": {"b": {}, "kdd": ` + oneLine + `}}`},
		{"first member behind the brace", "{ \"a\": 1,\n    \"b\": 2\n}",
			"{ \"a\": 1,\n    \"b\": 2,\n  \"mcpServers\": {\n    \"kdd\": " + block + "\n  }\n}"},
		{"mark, indented", "\ufeff\t{\n\t\t\"a\": 1\n\t}",
			"\ufeff\t{\n\t\t\"a\": 1,\n\t\t\"mcpServers\": {\n\t\t\t\"kdd\": " +
				strings.ReplaceAll(strings.ReplaceAll(block, "\n      ", "\n\t\t\t\t"), "\n    ", "\n\t\t\t") + "\n\t\t}\n\t}"},
		{"comment at the end of the file", "{} // mine", whole + " // mine"},
		{"tabs", "{\n\t\"mcpServers\": {\n\t\t\"b\": {}\n\t}\n}", "{\n\t\"mcpServers\": {\n\t\t\"b\": {},\n\t\t\"kdd\": " +
			strings.ReplaceAll(strings.ReplaceAll(block, "\n      ", "\n\t\t\t"), "\n    ", "\n\t\t") + "\n\t}\n}"},
		{"comment behind the last", "{\n  \"mcpServers\": {\n    \"b\": {} // mine\n    // end\n  }\n}",
			"{\n  \"mcpServers\": {\n    \"b\": {}, // mine\n    // end\n    \"kdd\": " + block + "\n  }\n}"},
		{"trailing comma", "{\n  \"mcpServers\": {\n    \"b\": {}, // mine\n  },\n}",
			"{\n  \"mcpServers\": {\n    \"b\": {}, // mine\n    \"kdd\": " + block + ",\n  },\n}"},
		{"comment alone", "// servers\n{\n  \"mcpServers\": {\n    // none yet\n  }\n}",
			"// servers\n{\n  \"mcpServers\": {\n    // none yet\n    \"kdd\": " + block + "\n  }\n}"},
		{"other index", `{"mcpServers":{"kdd":{"command":"kdd","args":["mcp"],"env":{"A":"b"}}}}`,
			`{"mcpServers":{"kdd":{"command":"kddq","args":["mcp", "-i", "docs.kddx"],"env":{"A":"b"},"type":"stdio"}}}`},
		{"there already", `{"mcpServers":{"kdd":` + oneLine + `}}`, `{"mcpServers":{"kdd":` + oneLine + `}}`},
		{"duplicates elsewhere", `{"a":1,"a":2,"mcpServers":{"b":{},"b":{}}}`,
			`{"a":1,"a":2,"mcpServers":{"b":{},"b":{},"kdd":` + oneLine + `}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &jsonFile{jsonRelaxed, "mcpServers", "kdd"}
			got, err := f.set([]byte(tt.before), wanted)
			if err != nil {
				t.Fatal(err)
			}
			if compactComma(string(got)) != compactComma(tt.after) {
				t.Errorf("set(%q) =\n%s\nwant\n%s", tt.before, got, tt.after)
			}
			again, err := f.set(got, wanted)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("a second time: %q, %v, want no change", again, err)
			}
		})
	}
}

// compactComma makes the space behind an inserted comma of no account: it follows the file's colons.
func compactComma(s string) string { return strings.ReplaceAll(s, `, "kdd"`, `,"kdd"`) }

func TestRefusedJSON(t *testing.T) {
	tests := []struct {
		name    string
		dialect dialect
		data    string
		want    string
	}{
		{"not closed", jsonRelaxed, "{\n  \"a\": 1", "2:9: parsing object after value: unexpected EOF"},
		{"a list", strictJSON, "[]", "1:1: got a list, want an object"},
		{"servers are a list", strictJSON, "{\n  \"mcpServers\": []\n}", `2:17: "mcpServers" is a list, want an object`},
		{"servers are null", strictJSON, `{"mcpServers":null}`, `1:15: "mcpServers" is null, want an object`},
		{"the entry is a string", strictJSON, `{"mcpServers":{"kdd":"x"}}`, `"kdd" is a string, want an object`},
		{"servers twice", strictJSON, "{\"mcpServers\":{},\n\"mcpServers\":{}}",
			`2:1: "mcpServers" is here twice, the other one is on line 1; keep one`},
		{"entry twice, once escaped", strictJSON, `{"mcpServers":{"kdd":{},"\u006bdd":{}}}`, `"kdd" is here twice`},
		{"command twice", strictJSON, `{"mcpServers":{"kdd":{"command":"kddq","command":"kddq"}}}`,
			`"command" is here twice, the other one is on line 1; keep one`},
		{"comment in plain JSON", strictJSON, "{\n// x\n}", "2:1: got a comment, which this file may not have"},
		{"trailing comma", jsonComments, `{"a":1,}`, "1:7: got a comma behind the last value"},
		{"open comment", jsonRelaxed, "{ /* x }", "1:3: parsing comment: unexpected EOF"},
		{"open string", jsonRelaxed, "{\"a\n\": 1}", `1:2: invalid literal: "a`},
		{"open string at the end", jsonRelaxed, `{"a`, "1:4: parsing string: unexpected EOF"},
		{"open string that ends in a backslash", jsonRelaxed, `{"a\`, "1:5: parsing string: unexpected EOF"},
		{"slash", jsonRelaxed, "{}/", "1:3: invalid character '/' after top-level value"},
		{"wrong escape", jsonRelaxed, `{"\q": 1}`, `1:2: invalid literal: "\q"`},
		{"two values", jsonRelaxed, "{} {}", "1:4: invalid character '{' after top-level value"},
		{"no value", jsonRelaxed, `{"a":}`, "1:6: invalid character '}' at start of value"},
		{"number", jsonRelaxed, `{"a":01}`, "1:6: invalid literal: 01"},
		{"single quotes", jsonRelaxed, `{'a':1}`, `1:2: invalid character '\'' at start of value`},
		{"deep", jsonRelaxed, strings.Repeat("[", 1000), "1:502: nested deeper than 500"},
		{"deep, behind brackets in comments and strings", jsonRelaxed, "// \"\n/* \" */" +
			strings.Repeat(`["]\"]", /*]*/ `, 1000), "2:7523: nested deeper than 500"},
		{"many values", strictJSON, "[" + strings.Repeat("0,", 1_000_000) + "0]", "1:2000001: more than 1000000 values"},
		{"a carriage return alone", jsonRelaxed, "{ // a\r \"b\": 1\n}",
			"1:7: got a carriage return without a line feed in a comment"},
		{"a line separator in a comment", jsonRelaxed, "{ // a\u2028\n}", `1:7: invalid character '\u2028' in line comment`},
		{"an error behind many lines", jsonRelaxed, "\ufeff{\n\n \"é\": x }", "3:7: invalid literal: x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &jsonFile{tt.dialect, "mcpServers", "kdd"}
			out, err := f.set([]byte(tt.data), wanted)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("set(%.200q) = %q, %v, want %q", tt.data, out, err, tt.want)
			}
		})
	}
}

func TestRemoveJSON(t *testing.T) {
	const entry = `"kdd": {"command": "kddq", "args": ["mcp"]}`
	tests := []struct {
		name, before, after string
		empty               bool
	}{
		{"alone", `{"mcpServers": {` + entry + `}}`, "{}", true},
		{"alone, on lines", "{\n  \"mcpServers\": {\n    " + entry + "\n  }\n}\n", "{}\n", true},
		{"with another key", "{\n  \"a\": 1,\n  \"mcpServers\": {\n    " + entry + "\n  }\n}\n", "{\n  \"a\": 1\n}\n", false},
		{"first", `{"mcpServers": {` + entry + `, "b": {}}}`, `{"mcpServers": { "b": {}}}`, false},
		{"last", `{"mcpServers": {"b": {}, ` + entry + `}}`, `{"mcpServers": {"b": {}}}`, false},
		{"a comment stays", "{\n  // mine\n  \"mcpServers\": {\n    " + entry + "\n  }\n}", "{\n  // mine\n}", false},
		{"a comment of the file stays", "// mine\n{\"mcpServers\": {" + entry + "}}", "// mine\n{}", false},
		{"absent", `{"mcpServers": {"b": {}}}`, `{"mcpServers": {"b": {}}}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &jsonFile{jsonRelaxed, "mcpServers", "kdd"}
			got, empty, err := f.remove([]byte(tt.before))
			if err != nil || string(got) != tt.after || empty != tt.empty {
				t.Errorf("remove(%q) = %q, %t, %v, want %q, %t", tt.before, got, empty, err, tt.after, tt.empty)
			}
		})
	}
}

func TestTOML(t *testing.T) {
	const table = "[mcp_servers.kdd]\ncommand = \"kddq\"\nargs = [\"mcp\", \"-i\", \"docs.kddx\"]\n"
	tests := []struct {
		name, before, after string
	}{
		{"no text", "", table},
		{"other keys", "model = \"x\" # mine\n", "model = \"x\" # mine\n\n" + table},
		{"no line feed at the end", "model = 1", "model = 1\n\n" + strings.TrimSuffix(table, "\n")},
		{"CRLF", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(table, "\n", "\r\n")},
		{"other index, with comments", "[mcp_servers.kdd] # docs\ncommand = 'kdd' # here\n\nargs = [ # two\n  \"mcp\", # " +
			"]\n] # end\nenv = { A = \"b\" }\n\n[z]\n",
			"[mcp_servers.kdd] # docs\ncommand = \"kddq\" # here\n\nargs = [\"mcp\", \"-i\", \"docs.kddx\"] # end\nenv = { A " +
				"= \"b\" }\n\n[z]\n"},
		{"tabs", "[mcp_servers.kdd]\ncommand\t=\t\"kdd\"\t# here\n\targs = []\n",
			"[mcp_servers.kdd]\ncommand\t=\t\"kddq\"\t# here\n\targs = [\"mcp\", \"-i\", \"docs.kddx\"]\n"},
		{"dotted keys", "mcp_servers.kdd.command = 'kdd'\nmcp_servers.kdd.args = []\n",
			"mcp_servers.kdd.command = \"kddq\"\nmcp_servers.kdd.args = [\"mcp\", \"-i\", \"docs.kddx\"]\n"},
		{"quotes inside three quotes, above the table", "a = \"\"\"\"\"x\n[mcp_servers.kdd]\n\"\"\"\"\"\n[mcp_servers.kdd]\ncommand = \"kddq\"\n[z]\n",
			"a = \"\"\"\"\"x\n[mcp_servers.kdd]\n\"\"\"\"\"\n[mcp_servers.kdd]\nargs = [\"mcp\", \"-i\", " +
				"\"docs.kddx\"]\ncommand = \"kddq\"\n[z]\n"},
		{"quotes inside three quotes", "a = \"\"\"\"\"x\n[mcp_servers.kdd]\n\"\"\"\"\"\n",
			"a = \"\"\"\"\"x\n[mcp_servers.kdd]\n\"\"\"\"\"\n\n" + table},
		{"command only", "[mcp_servers.kdd]\ncommand = \"kddq\"\nargs = [\"mcp\"]",
			"[mcp_servers.kdd]\ncommand = \"kddq\"\nargs = [\"mcp\", \"-i\", \"docs.kddx\"]"},
		{"there already, inline", "[mcp_servers]\nkdd = { command = \"kddq\", args = [\"mcp\", \"-i\", \"docs.kddx\"] }\n",
			"[mcp_servers]\nkdd = { command = \"kddq\", args = [\"mcp\", \"-i\", \"docs.kddx\"] }\n"},
		{"the name in a string", "a = \"\"\"\n[mcp_servers.kdd]\n\"\"\"\n",
			"a = \"\"\"\n[mcp_servers.kdd]\n\"\"\"\n\n" + table},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &tomlFile{"mcp_servers", "kdd"}
			got, err := f.set([]byte(tt.before), wanted[1:])
			if err != nil || string(got) != tt.after {
				t.Fatalf("set(%q) = %q, %v, want %q", tt.before, got, err, tt.after)
			}
			again, err := f.set(got, wanted[1:])
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("a second time: %q, %v, want no change", again, err)
			}
		})
	}
}

func TestRefusedTOML(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"no TOML", "a = 1\nb = \n", "2:"},
		{"servers are a list", "a = 1\n[[mcp_servers]]\n", `2:1: "mcp_servers" is a list, want a table`},
		{"servers are inline", "a = 1\nmcp_servers = { b = { command = \"x\" } }\n",
			`2:1: "mcp_servers" cannot be extended as it is written here`},
		{"the entry is a number", "[mcp_servers]\nkdd = 1\n", `2:1: "mcp_servers.kdd" is a value, want a table`},
		{"the entry is inline", "[mcp_servers]\nkdd = { command = \"kdd\", args = [\"mcp\"] }\n",
			"2:1: the entry is not written as a table [mcp_servers.kdd]"},
		{"a table twice", "[mcp_servers.kdd]\n[mcp_servers.kdd]\n", "2:2: "},
		{"a key twice", "a = 1\n  \"a\" = 2\n", "2:3: "},
		{"a table that is a value", "a = 1\n[a.b]\n", "2:2: "},
		{"a dotted key into a table", "[a.b]\nc = 1\n[a]\nb.d = 1\n", "4:1: "},
		{"a list of values goes on", "a = [{}]\n[[a]]\n", "2:3: "},
		{"no end", "a = \"b", "1:"},
		{"too large", "a = 1 #" + strings.Repeat(" ", maxTOMLBytes), "1:1: 4194311 bytes, at most 4194304 are read"},
		{"a date that is none", "a = 2026-99-99\n", "1:10: impossible date"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &tomlFile{"mcp_servers", "kdd"}
			out, err := f.set([]byte(tt.data), wanted[1:])
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("set(%.200q) = %q, %v, want %q", tt.data, out, err, tt.want)
			}
		})
	}
}

func TestRemoveTOML(t *testing.T) {
	const table = "[mcp_servers.kdd]\ncommand = \"kddq\"\nargs = [\"mcp\"]\n"
	tests := []struct {
		name, before, after string
		empty               bool
	}{
		{"alone", table, "", true},
		{"in the middle", "a = 1\n\n" + table + "\n# of z\n[z]\nb = 2\n", "a = 1\n\n# of z\n[z]\nb = 2\n", false},
		{"with a table below", table + "[mcp_servers.kdd.env]\nA = \"b\"\n\n[z]\n", "\n[z]\n", false},
		{"inline", "[mcp_servers]\nb = { command = \"x\" }\nkdd = { command = \"kddq\", args = [\"mcp\"] }\n",
			"[mcp_servers]\nb = { command = \"x\" }\n", false},
		{"dotted", "mcp_servers.kdd.command = \"kddq\"\nmcp_servers.\"kdd\".args = [\n\"mcp\"\n]\nc = 1\n", "c = 1\n", false},
		{"a comment stays", "# mine\n\n" + table, "# mine\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &tomlFile{"mcp_servers", "kdd"}
			got, empty, err := f.remove([]byte(tt.before))
			if err != nil || string(got) != tt.after || empty != tt.empty {
				t.Errorf("remove(%q) = %q, %t, %v, want %q, %t", tt.before, got, empty, err, tt.after, tt.empty)
			}
		})
	}
}

// checkRoundTrip adds the entry to a text and removes it again. The text has to come back, byte for byte where it holds
// something besides.
func checkRoundTrip(t *testing.T, edit editor, want []field, data []byte, exact bool) {
	t.Helper()
	had, err := entryIn(edit, data, "kdd")
	if err != nil {
		return
	}
	with, err := edit.set(data, want)
	if err != nil {
		return
	}
	got, err := entryIn(edit, with, "kdd")
	if err != nil || got == nil || !got.Ours() {
		t.Fatalf("set(%q) = %q, whose entry is %v, %v", data, with, got, err)
	}
	again, err := edit.set(with, want)
	if err != nil || !bytes.Equal(again, with) {
		t.Fatalf("set(%q) is %q, a second time %q, %v", data, with, again, err)
	}
	out, empty, err := edit.remove(with)
	if err != nil {
		if had == nil {
			t.Fatalf("remove(%q) = %v", with, err)
		}
		return
	}
	if left, err := entryIn(edit, out, "kdd"); err != nil || left != nil {
		t.Fatalf("remove(%q) = %q, which still has %v, %v", with, out, left, err)
	}
	if had == nil && exact && (empty || !bytes.Equal(out, data)) {
		t.Fatalf("%q with the entry is %q, without it again %q", data, with, out)
	}
}

// comesBack says whether the text is one that removing restores: its objects that take the entry hold something.
func comesBack(f *jsonFile, data []byte) bool {
	if _, text := cutMark(data); hujson.Extra(append(bytes.Clone(text), '\n')).IsValid() {
		return false
	}
	t, err := parseJSON(data, f.dialect)
	if err != nil {
		return false
	}
	root, isObject := t.root.Value.(*hujson.Object)
	if !isObject || bare(root) {
		return false
	}
	servers, _, err := f.find(t)
	return err == nil && (servers == nil || !bare(servers.Value.(*hujson.Object)))
}

// randomJSON writes an object in some manner, with comments and trailing commas.
func randomJSON(r *rand.Rand, depth int, indent string, eol string) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	if depth == 0 || r.IntN(4) == 0 {
		return pick("1", "-2.5e3", `"x"`, `"\u00e9 // no comment"`, "true", "null", "[]", "{}", `["a", {"b":1}]`, "{ }",
			"/* c */ 7")
	}
	unit := pick("  ", "\t", "")
	lines := r.IntN(3) > 0
	var b strings.Builder
	b.WriteString("{")
	n := r.IntN(4)
	for i := range n {
		if lines {
			b.WriteString(pick("", " // c", " /* } */") + eol + indent + unit)
		}
		name := fmt.Sprintf("k%d", i)
		if depth > 1 && r.IntN(2) == 0 {
			name = "mcpServers"
		}
		b.WriteString(quoted(name) + pick(":", ": ", " : ") + randomJSON(r, depth-1, indent+unit, eol))
		if i < n-1 || r.IntN(4) == 0 {
			b.WriteString(pick("", " ", "/* c */") + ",")
		}
	}
	if lines {
		b.WriteString(pick("", " // c", " /* } */", eol+"// "+"c") + eol + indent)
	}
	return b.String() + "}"
}

func TestRoundTripJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	f := &jsonFile{jsonRelaxed, "mcpServers", "kdd"}
	done := 0
	for range 1500 {
		eol := []string{"\n", "\r\n"}[r.IntN(2)]
		data := []byte([]string{"", "\ufeff", "// top" + eol}[r.IntN(3)] + randomJSON(r, 3, "", eol) +
			[]string{"", eol}[r.IntN(2)])
		if comesBack(f, data) {
			done++
		}
		checkRoundTrip(t, f, wanted, data, comesBack(f, data))
	}
	if done < 400 {
		t.Errorf("only %d texts were tried", done)
	}
}

func TestRoundTripTOML(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	f := &tomlFile{"mcp_servers", "kdd"}
	pieces := []string{"# c", "a%d = 1", "b%d = \"x # y\" # c", "c%d = [ # ]\n 1,\n]",
		"d%d = '''\n[mcp_servers.kdd]\n'''", "", "  e%d = { x = 1 }", "[t%d]", "[[u%d]]", "[mcp_servers.m%d]",
		"f%d = nan", "g%d = 1979-05-27T07:32:00Z", "\"h.%d\" = \"\"\"a\\\n \"\"\"\"\"", "k%d.x.\"y z\" = true"}
	done := 0
	for range 1500 {
		var b strings.Builder
		for i := range r.IntN(8) {
			piece := pieces[r.IntN(len(pieces))]
			if strings.Contains(piece, "%d") {
				piece = fmt.Sprintf(piece, i)
			}
			b.WriteString(piece + "\n")
		}
		data := b.String()
		if r.IntN(4) == 0 {
			data = strings.TrimSuffix(data, "\n")
		}
		if r.IntN(3) == 0 {
			data = strings.ReplaceAll(data, "\n", "\r\n")
		}
		if r.IntN(8) == 0 {
			data = "\ufeff" + data
		}
		exact := strings.TrimSpace(strings.TrimPrefix(data, "\ufeff")) != ""
		if _, err := tomlValues([]byte(data)); err == nil && exact {
			done++
		}
		checkRoundTrip(t, f, wanted[1:], []byte(data), exact)
	}
	if done < 400 {
		t.Errorf("only %d texts were tried", done)
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"{}", "", "\ufeff{\r\n}", "{\"a\":1, // c\n}",
		`{"mcpServers":{"kdd":{"command":"kdd","args":["mcp"]},},}`, "{\"mcpServers\":{/* c */}}", "[",
		"{\"a\":{\"b\":\"\\u006b\"} /* x */ , }"} {
		f.Add([]byte(seed), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, d uint8) {
		file := &jsonFile{dialect(d % 3), "mcpServers", "kdd"}
		if !utf8Text(data) {
			return
		}
		checkRoundTrip(t, file, wanted, data, comesBack(file, data))
	})
}

func FuzzTOML(f *testing.F) {
	for _, seed := range []string{"", "a = 1", "[mcp_servers.kdd]\r\ncommand = \"kdd\"\r\nargs = [\"mcp\"]",
		"mcp_servers.x = {command = 'y'}\n", "[mcp_servers]\nkdd.command='kddq'\n", "a = \"\"\"x\"\"\"\"\n#", "\n\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !utf8Text(data) {
			return
		}
		exact := len(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))) > 0
		checkRoundTrip(t, &tomlFile{"mcp_servers", "kdd"}, wanted[1:], data, exact)
	})
}

// FuzzExpressions checks that the ranges of a text that is TOML follow one another, and that a value's range is the
// value.
func FuzzExpressions(f *testing.F) {
	f.Add([]byte("a = [\n#\n]"))
	f.Add([]byte("[a]\nb='''x'''"))
	f.Add([]byte("[ a . \"b=\" ]\n\"c=\" . d = { e = 1 } # f"))
	f.Add([]byte("a=\"\"\"x\"\"\""))
	f.Add([]byte("a=1\n  "))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := tomlValues(text); err != nil {
			return
		}
		end := 0
		for _, e := range expressions(text) {
			if e.start < end || e.end <= e.start || e.end > len(text) {
				t.Fatalf("expressions(%q): %+v behind %d", text, e, end)
			}
			if end = e.end; e.header {
				continue
			}
			if e.value.start <= e.start || e.value.end <= e.value.start || e.value.end > e.end {
				t.Fatalf("expressions(%q): %+v", text, e)
			}
			if _, err := tomlValues(append([]byte("x = "), text[e.value.start:e.value.end]...)); err != nil {
				t.Fatalf("expressions(%q): value %q: %v", text, text[e.value.start:e.value.end], err)
			}
		}
	})
}

// utf8Text says whether load would hand the text on.
func utf8Text(data []byte) bool {
	return utf8.Valid(data) && len(data) < 1<<16
}
