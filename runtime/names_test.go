package runtime

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// spelling is a way to type a name.
type spelling struct {
	name string
	typo bool
	of   func(name []rune) []rune
}

// middle is the place of a letter of a name that a typo is made at: the first from its middle on that is a letter and
// differs from the next one, else from its beginning.
func middle(name []rune) int {
	for _, from := range []int{len(name) / 2, 1, 0} {
		for i := from; i+1 < len(name); i++ {
			if isASCIILetter(name[i]) && isASCIILetter(name[i+1]) && name[i] != name[i+1] {
				return i
			}
		}
	}
	return 0
}

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

var spellings = []spelling{
	{"exact", false, func(n []rune) []rune { return n }},
	{"lower case", false, func(n []rune) []rune { return []rune(strings.ToLower(string(n))) }},
	{"upper case", false, func(n []rune) []rune { return []rune(strings.ToUpper(string(n))) }},
	{"without accents", false, func(n []rune) []rune { return []rune(text.Fold(string(n))) }},
	{"with spaces for hyphens", false, func(n []rune) []rune { return []rune(strings.ReplaceAll(string(n), "-", " ")) }},
	{"two letters swapped", true, func(n []rune) []rune {
		i := middle(n)
		n[i], n[i+1] = n[i+1], n[i]
		return n
	}},
	{"a letter dropped", true, func(n []rune) []rune { return slices.Delete(n, middle(n), middle(n)+1) }},
	{"another letter", true, func(n []rune) []rune { n[middle(n)] = 'x'; return n }},
	{"another last letter", true, func(n []rune) []rune { n[len(n)-1] = 'x'; return n }},
	{"the last letter dropped", true, func(n []rune) []rune { return n[:len(n)-1] }},
}

// TestNamesComeFirst checks that every id and every title of a corpus finds its document first, however it is typed.
// Where several documents have the name, or one as near, any of them may lead.
func TestNamesComeFirst(t *testing.T) {
	file := corpus(t, "kdd-specs")
	x, err := index.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer x.File.Close()
	s := serve(t, file)
	owners := map[string][]string{} // paths by name
	var ids, titles []string
	add := func(list *[]string, name, path string) {
		if name == "" {
			return
		}
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
		if !slices.Contains(owners[name], path) {
			owners[name] = append(owners[name], path)
		}
	}
	for d := range index.DocID(x.Docs()) {
		file := x.DocPath(d)
		_, id, _ := strings.Cut(x.DocNodeID(d), ":")
		add(&ids, id, file)
		add(&titles, x.DocTitle(d), file)
		stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
		add(&[]string{}, stem, file)
	}
	if len(ids) < 46 || len(titles) < 38 {
		t.Fatalf("%d ids and %d titles, want at least 46 and 38", len(ids), len(titles))
	}
	// names that are as near as any to a spelling
	leaders := func(typed string) (paths []string) {
		fewest := 100
		for name, of := range owners {
			n := osa(significant(typed), significant(name))
			if n < fewest {
				fewest, paths = n, nil
			}
			if n == fewest {
				paths = append(paths, of...)
			}
		}
		return paths
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"id", ids}, {"title", titles}} {
		for _, sp := range spellings {
			misses, asked := 0, 0
			for _, name := range list.names {
				typed := string(sp.of([]rune(name)))
				may := slices.Clone(owners[name])
				if sp.typo {
					may = append(may, leaders(typed)...)
				}
				for other, of := range owners {
					if text.Fold(other) == text.Fold(typed) {
						may = append(may, of...)
					}
				}
				asked++
				for _, find := range []string{"search", "find-spec"} {
					var resp *wire.SearchResponse
					var err error
					if find == "search" {
						resp, err = s.Search(t.Context(), wire.SearchRequest{Query: typed, Limit: 1})
					} else {
						resp, err = s.FindSpec(t.Context(), wire.FindSpecRequest{Name: typed, Limit: 1})
					}
					if err != nil {
						t.Fatal(err)
					}
					first := "nothing"
					if len(resp.Results) > 0 {
						first = resp.Results[0].Path
					}
					if !slices.Contains(may, first) {
						misses++
						t.Errorf("%s: %s %q of %v %s: %s", find, list.what, typed, owners[name], sp.name, first)
					}
				}
			}
			t.Logf("%s %s: %d of %d, by search and find-spec", list.what, sp.name, 2*asked-misses, 2*asked)
		}
	}
}

// significant is a name without case, accents and what joins its words.
func significant(name string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_./:", r) {
			return -1
		}
		return r
	}, text.Fold(name)))
}

// osa is the optimal string alignment distance.
func osa(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for k := range d[i] {
			switch {
			case i == 0 || k == 0:
				d[i][k] = i + k
				continue
			case a[i-1] == b[k-1]:
				d[i][k] = d[i-1][k-1]
			default:
				d[i][k] = 1 + min(d[i-1][k-1], d[i-1][k], d[i][k-1])
			}
			if i > 1 && k > 1 && a[i-1] == b[k-2] && a[i-2] == b[k-1] {
				d[i][k] = min(d[i][k], d[i-2][k-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// Of more places with one name than come first, those of the strongest kind and then the best ones do.
func TestMoreNamedThanComeFirst(t *testing.T) {
	f := tree{"y.md": "---\nid: Notes\n---\n# Y\n\nLast.\n", "z.md": "# Notes\n\nNotes, notes and notes.\n"}
	for i := range search.MaxNamed {
		f[fmt.Sprintf("n%03d.md", i)] = "# Notes\n\nOf another day, " + strings.Repeat("long ", 9) + "ago.\n"
	}
	got := searched(t, serve(t, f.compile(t)), wire.SearchRequest{Query: "notes", Limit: 2, Explain: true, Diversity: search.DiversityOff})
	if got.Results[0].Path != "y.md" || got.Results[1].Path != "z.md" {
		t.Errorf("%+v, want y.md by its id, then z.md by its words", got.Results)
	}
	for i, want := range []string{"exact id", "exact title"} {
		if parts := got.Results[i].Explain.Parts; parts[0].Name != want {
			t.Errorf("hit %d: %+v, want %s first", i+1, parts, want)
		}
	}
	two := []string{tree{"b.md": "# Retenxion\n"}.compile(t), tree{"a.md": "# Retention\n"}.compile(t)}
	both := searched(t, serve(t, "far="+two[0], "near="+two[1]), wire.SearchRequest{Query: "retentoin"})
	if len(both.Results) != 1 || both.Results[0].Path != "a.md" {
		t.Errorf("%+v, want the nearer name of two artifacts alone", both.Results)
	}
	near := searched(t, serve(t, tree{"a.md": "# Retention\n"}.compile(t)), wire.SearchRequest{Query: "retentoin", Limit: 1, Explain: true})
	if len(near.Results) != 1 || near.Results[0].Explain.Parts[0].Name != "near title" {
		t.Errorf("%+v, want one near title", near.Results)
	}
}
