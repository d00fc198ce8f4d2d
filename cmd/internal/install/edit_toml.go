package install

import (
	"bytes"
	"slices"
	"strings"
)

// tomlFile edits the servers of a host's TOML file: it splices text at the places that go-toml finds, since its encoder
// writes a file anew, without the comments.
type tomlFile struct {
	key  string
	name string
}

// find returns the table of servers, and the one that is looked for; nil where absent.
func (f *tomlFile) find(text []byte) (servers, entry map[string]any, err error) {
	values, err := tomlValues(text)
	if err != nil {
		return nil, nil, err
	}
	if servers, err = f.table(text, values, f.key); err == nil && servers != nil {
		entry, err = f.table(text, servers, f.key, f.name)
	}
	return servers, entry, err
}

// table returns the table at a path, whose last part is its name in parent; nil where absent.
func (f *tomlFile) table(text []byte, parent map[string]any, path ...string) (map[string]any, error) {
	value, there := parent[path[len(path)-1]]
	if !there {
		return nil, nil
	}
	table, ok := value.(map[string]any)
	if ok {
		return table, nil
	}
	kind := "a value"
	if _, ok := value.([]any); ok {
		kind = "a list"
	}
	return nil, f.wrong(text, path, "%q is %s, want a table", strings.Join(path, "."), kind)
}

// wrong is an error about a path: its place is the first line about that, the first of the file if there is none.
func (f *tomlFile) wrong(text []byte, path []string, format string, args ...any) error {
	at := 0
	about := func(e expression) bool { return len(e.path) >= len(path) && slices.Equal(e.path[:len(path)], path) }
	if list := expressions(text); slices.ContainsFunc(list, about) {
		at = list[slices.IndexFunc(list, about)].start
	}
	return syntaxAt(text, at, format, args...)
}

// servers returns the servers of the file by name; nil where it has no table of them.
func (f *tomlFile) servers(data []byte) (map[string]any, error) {
	_, text := cutMark(data)
	servers, _, err := f.find(text)
	return servers, err
}

// set returns data with the entry's keys as wanted: a table at the end where there is none, else its values replaced.
func (f *tomlFile) set(data []byte, want []field) ([]byte, error) {
	mark, text := cutMark(data)
	_, entry, err := f.find(text)
	if err != nil {
		return nil, err
	}
	var out []byte
	if entry == nil {
		out = f.added(text, want)
	} else if out, err = f.changed(text, entry, want); err != nil {
		return nil, err
	}
	if err := f.check(text, out, want); err != nil {
		return nil, f.wrong(text, []string{f.key}, "%q cannot be extended as it is written here (%v); "+
			"write each server as a table [%s.NAME]", f.key, err, f.key)
	}
	return slices.Concat([]byte(mark), out), nil
}

// line is one key of the entry with its value.
func line(f field) string { return f.key + " = " + layout{}.render(f.value, "") }

// added returns the text with the entry's table at the end, which ends in a line feed as the text does.
func (f *tomlFile) added(text []byte, want []field) []byte {
	eol := lineEnding(text)
	lines := []string{"[" + f.key + "." + f.name + "]"}
	for _, w := range want {
		lines = append(lines, line(w))
	}
	table := strings.Join(lines, eol)
	switch {
	case len(text) == 0:
		table += eol
	case text[len(text)-1] == '\n':
		table = eol + table + eol
	default:
		table = eol + eol + table
	}
	return slices.Concat(text, []byte(table))
}

// changed replaces or adds keys of the entry's table.
func (f *tomlFile) changed(text []byte, entry map[string]any, want []field) ([]byte, error) {
	eol, list := lineEnding(text), expressions(text)
	index := func(header bool, path ...string) int {
		return slices.IndexFunc(list, func(e expression) bool { return e.header == header && slices.Equal(e.path, path) })
	}
	at := index(true, f.key, f.name)
	var edits []splice
	for _, w := range want {
		if same(entry[w.key], plain([]field{w})[w.key]) {
			continue
		}
		i := index(false, f.key, f.name, w.key)
		switch _, there := entry[w.key]; {
		case there && i >= 0:
			edits = append(edits, splice{list[i].value, layout{}.render(w.value, "")})
		case !there && at >= 0:
			end, added := list[at].end, line(w)+eol
			if end == len(text) && text[end-1] != '\n' {
				added = eol + line(w)
			}
			edits = append(edits, splice{span{end, end}, added})
		default:
			return nil, f.wrong(text, []string{f.key, f.name}, "the entry is not written as a table [%s.%s]; "+
				"remove it, then add it again", f.key, f.name)
		}
	}
	slices.SortStableFunc(edits, func(a, b splice) int { return a.start - b.start })
	return apply(text, edits), nil
}

// remove returns data without the entry and its sub-tables, and whether nothing is left.
func (f *tomlFile) remove(data []byte) (out []byte, empty bool, err error) {
	mark, text := cutMark(data)
	_, entry, err := f.find(text)
	if err != nil || entry == nil {
		return data, false, err
	}
	prefix := []string{f.key, f.name}
	var edits []splice
	list := expressions(text)
	ours := func(e expression) bool { return len(e.path) >= 2 && slices.Equal(e.path[:2], prefix) }
	for i := 0; i < len(list); i++ {
		if !ours(list[i]) {
			continue
		}
		from, last := list[i].start, i
		for last+1 < len(list) && ours(list[last+1]) {
			last++
		}
		to := list[last].end
		if list[i].header {
			from = blankLineBefore(text, from)
		}
		if to == len(text) && text[to-1] != '\n' && from > 0 { // the line before ends the file then, as this one does
			from = len(bytes.TrimSuffix(bytes.TrimSuffix(text[:from], []byte("\n")), []byte("\r")))
		}
		edits = append(edits, splice{span{from, to}, ""})
		i = last
	}
	out = apply(text, edits)
	if err := f.check(text, out, nil); err != nil {
		return nil, false, f.wrong(text, prefix, "the entry cannot be taken out as it is written here (%v); "+
			"remove it by hand", err)
	}
	return slices.Concat([]byte(mark), out), len(bytes.TrimSpace(out)) == 0, nil
}

// blankLineBefore moves the beginning of a range before the empty line that is above it.
func blankLineBefore(text []byte, at int) int {
	for _, blank := range []string{"\n\r\n", "\n\n"} {
		if bytes.HasSuffix(text[:at], []byte(blank)) {
			return at - len(blank) + 1
		}
	}
	if above := string(text[:at]); above == "\n" || above == "\r\n" {
		return 0
	}
	return at
}

// check compares the values of two texts; see sameBut.
func (f *tomlFile) check(before, after []byte, want []field) error {
	was, err := tomlValues(before)
	if err != nil {
		return err
	}
	is, err := tomlValues(after)
	if err != nil {
		return err
	}
	return sameBut(was, is, f.key, f.name, want)
}
