package graph

import (
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/format/text"
)

func TestIDHead(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain word", "readme", ""},
		{"id alone", "ADR-0004", "ADR-0004"},
		{"stem", "UC-001-IndexDocument", "UC-001"},
		{"two parts", "RF-AUTH-001", "RF-AUTH-001"},
		{"heading", "RF-AUTH-001: Login", "RF-AUTH-001"},
		{"dash", "CMD-001 — Do", "CMD-001"},
		{"dash without space", "CMD-001—Do", "CMD-001"},
		{"lower case", "p9-fb-30-mcp-server", "p9-fb-30"},
		{"number first", "0004-use-x", ""},
		{"no number", "EVT-Order-Created", ""},
		{"digits and letters", "ADR-12b-x", ""},
		{"glued", "ADR-12x", ""},
		{"two dashes", "A--1", ""},
		{"underscore after", "RFC-2119_words", "RFC-2119"},
		{"long", strings.Repeat("a", 100) + "-1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := idHead(test.in); got != test.want {
				t.Errorf("idHead(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestKeyOf(t *testing.T) {
	for _, in := range []string{"", "Ñandú", strings.Repeat("é", 200), strings.Repeat("ab ", 200), strings.Repeat("漢", 500), "\xff\xfe"} {
		key := keyOf(in)
		if len(key) > maxKeyBytes || text.Fold(key) != key {
			t.Errorf("keyOf(%.20q) = %q, want a folded text of at most %d bytes", in, key, maxKeyBytes)
		}
		if folded := text.Fold(in); len(folded) <= maxKeyBytes && key != folded {
			t.Errorf("keyOf(%.20q) = %q, want %q", in, key, folded)
		}
	}
}

func TestFieldName(t *testing.T) {
	for in, want := range map[string]string{
		"depends_on": "depends_on", "dependsOn": "depends_on", "Depends-On": "depends_on", "depends on": "depends_on",
		"DEPENDS_ON": "depends_on", "relatedDC": "related_dc", "ver_también": "ver_tambien", "": "",
	} {
		if got := fieldName(in); got != want {
			t.Errorf("fieldName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDateOf(t *testing.T) {
	for in, want := range map[string]string{
		"2024-05-06": "2024-05-06", "2024-05-06T10:00:00Z": "2024-05-06", "2024-05-06 10:00": "2024-05-06", "2024/05/06": "2024-05-06",
		"2024-5-6": "2024-05-06", "May 6, 2024": "2024-05-06", "6 May 2024": "2024-05-06", "2024-13-01": "", "soon": "", "": "",
		"2024-02-30": "", "20240506": "", "2024-05": "2024-05", "2024/05": "2024-05", "2024-5": "2024-05", "May 2024": "2024-05", "Dec 2024": "2024-12", "2024": "2024",
		"2024-13": "", "202": "", "24": "", "20245": "", "12345-06": "", "May": "",
	} {
		if got := dateOf(in); got != want {
			t.Errorf("dateOf(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHeadingName(t *testing.T) {
	for in, want := range map[string]string{
		"Reglas Aplicadas": "reglas aplicadas", "3. Reglas  aplicadas:": "reglas aplicadas", "2.1) Declaración (BR)": "declaracion",
		"🎯 Objetivos": "objetivos", "": "", "(x)": "x", "123": "", strings.Repeat("x", 300): "",
	} {
		if got := headingName(in); got != want {
			t.Errorf("headingName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJoinInside(t *testing.T) {
	for _, test := range []struct {
		dir, target, want string
		ok                bool
	}{
		{"", "a.md", "a.md", true}, {"a/b", "../c.md", "a/c.md", true}, {"a/b", "../../c", "c", true}, {"a/b", "../../../c", "", false},
		{"", "..", "", false}, {"a", "..", "", true}, {"a", "./b/./c/", "a/b/c", true}, {"a", "b/../../../c", "", false},
		{"", "/a//b", "a/b", true}, {"", "", "", true}, {"a", "b/../../c", "c", true}, {"a", "../b/../../c", "", false},
	} {
		got, ok := joinInside(test.dir, test.target)
		if got != test.want || ok != test.ok {
			t.Errorf("joinInside(%q, %q) = %q, %v, want %q, %v", test.dir, test.target, got, ok, test.want, test.ok)
		}
	}
}

func TestHasScheme(t *testing.T) {
	for in, want := range map[string]bool{
		"https://x": true, "mailto:a@b": true, "vscode+x-1:y": true, "c:/a": false, "a.md": false, "a.md:12": false, "/a:b": false,
		"": false, ":x": false, "#a:b": false, "a b:c": false,
	} {
		if got := hasScheme(in); got != want {
			t.Errorf("hasScheme(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestNoAnchor(t *testing.T) {
	for in, want := range map[string]bool{
		"": true, "top": true, "L10": true, "L10-L20": true, "L1-2": true, "^block": true, ":~:text=x": true, "Lists": false, "L": false, "tops": false,
	} {
		if got := noAnchor(in); got != want {
			t.Errorf("noAnchor(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestNearness(t *testing.T) {
	p := place{dir: "de/guide/start"}
	for dir, want := range map[string]int{
		"": 0, "en/guide/start": 0, "d": 0, "de": 2, "de/guide": 4, "de/guides": 2, "de/guide/start": 7, "de/guide/start/x": 6, "de/guide/startx": 4,
	} {
		if got := p.nearness(dir); got != want {
			t.Errorf("nearness(%q) = %d, want %d", dir, got, want)
		}
	}
}

// TestChooseCounted compares the counted choice among many candidates with looking at each.
func TestChooseCounted(t *testing.T) {
	var rows []row
	places := []place{}
	dirs := []string{"", "p", "p/x", "p/x/y", "px/x", "r", "r/x"}
	for i := range 60 {
		places = append(places, place{doc: i, domain: string(rune('a' + i%5)), dir: dirs[i%len(dirs)]})
		rows = append(rows, row{"name", "name", index.StemName, NodeID(i)})
	}
	table := newNameTable(rows, func(n NodeID) place { return places[n] })
	for _, domain := range []string{"", "a", "c", "z"} {
		for _, dir := range []string{"", "p", "p/x/z", "px", "r/x", "r/q/x", "z"} {
			for _, want := range []string{"", "b", "z"} {
				who := asker{place{doc: 99, domain: domain, dir: dir}, want}
				got, ok := table.resolve("name", who, index.HeadingName)
				slow, slowOK := table.chooseOf(table.rows, who)
				slow.class = index.StemName
				if !slowOK {
					slow = found{}
				}
				if ok != slowOK || ok && got != slow {
					t.Errorf("resolve(%+v) = %+v, %v, want %+v, %v", who, got, ok, slow, slowOK)
				}
			}
		}
	}
}
