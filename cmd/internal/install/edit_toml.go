package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// expression is one expression of a TOML text: a header, or a key with its value.
type expression struct {
	span                // whole lines, the line feed included
	path       []string // with the table's
	header     bool
	valueStart int // of a key: the text of its value
	valueEnd   int
	line       int
}

// tomlFile edits the servers of a host's TOML file.
type tomlFile struct {
	key  string
	name string
}

// servers returns the table of servers, and the entry if it is there; nil where absent.
func (f *tomlFile) servers(data []byte) (values, servers, entry map[string]any, err error) {
	if values, err = tomlValues(data); err != nil {
		return nil, nil, nil, err
	}
	v, there := values[f.key]
	if !there {
		return values, nil, nil, nil
	}
	servers, ok := v.(map[string]any)
	if !ok {
		return nil, nil, nil, &syntaxError{f.line(data, f.key), 1, fmt.Sprintf("%q is %s, want a table", f.key, tomlKind(v))}
	}
	if v, there = servers[f.name]; !there {
		return values, servers, nil, nil
	}
	if entry, ok = v.(map[string]any); !ok {
		return nil, nil, nil, &syntaxError{f.line(data, f.key, f.name), 1, fmt.Sprintf("%q is %s, want a table", f.key+"."+f.name, tomlKind(v))}
	}
	return values, servers, entry, nil
}

// line returns the line of the first expression about a path, 1 if there is none.
func (f *tomlFile) line(data []byte, path ...string) int {
	for _, e := range expressions(data) {
		if len(e.path) >= len(path) && slices.Equal(e.path[:len(path)], path) {
			return e.line
		}
	}
	return 1
}

func (f *tomlFile) get(data []byte) (*Entry, error) {
	_, _, entry, err := f.servers(data)
	if err != nil || entry == nil {
		return nil, err
	}
	e := entryOf(entry)
	return &e, nil
}

func (f *tomlFile) entries(data []byte) (map[string]Entry, error) {
	_, servers, _, err := f.servers(data)
	if err != nil {
		return nil, err
	}
	all := map[string]Entry{}
	for name, v := range servers {
		all[name] = entryOf(v)
	}
	return all, nil
}

// set returns data with the entry's keys as wanted: a table at the end where there is none, else its values replaced.
func (f *tomlFile) set(data []byte, want []field) ([]byte, error) {
	_, _, entry, err := f.servers(data)
	if err != nil {
		return nil, err
	}
	eol := lineEnding(data)
	var out []byte
	if entry == nil {
		table := "[" + f.key + "." + f.name + "]" + eol
		for _, w := range want {
			table += w.key + " = " + (&text{}).render(w.value, "", true) + eol
		}
		switch body := bytes.TrimPrefix(data, []byte("\ufeff")); {
		case len(body) == 0:
		case body[len(body)-1] != '\n':
			table = eol + eol + strings.TrimSuffix(table, eol)
		default:
			table = eol + table
		}
		out = slices.Concat(data, []byte(table))
	} else if out, err = f.change(data, entry, want, eol); err != nil {
		return nil, err
	}
	if err := f.check(data, out, want); err != nil {
		return nil, &syntaxError{f.line(data, f.key), 1, fmt.Sprintf("%q cannot be extended as it is written here (%v); write each server as a table [%s.NAME]", f.key, err, f.key)}
	}
	return out, nil
}

// change replaces or adds keys of the entry's table.
func (f *tomlFile) change(data []byte, entry map[string]any, want []field, eol string) ([]byte, error) {
	list := expressions(data)
	at := slices.IndexFunc(list, func(e expression) bool { return e.header && slices.Equal(e.path, []string{f.key, f.name}) })
	var edits []splice
	for _, w := range want {
		if same(entry[w.key], plain([]field{w})[w.key]) {
			continue
		}
		value := (&text{}).render(w.value, "", true)
		i := slices.IndexFunc(list, func(e expression) bool { return !e.header && slices.Equal(e.path, []string{f.key, f.name, w.key}) })
		switch _, there := entry[w.key]; {
		case there && i >= 0:
			edits = append(edits, splice{span{list[i].valueStart, list[i].valueEnd}, value})
		case !there && at >= 0:
			end, line := list[at].end, w.key+" = "+value+eol
			if end == len(data) && data[end-1] != '\n' {
				line = eol + w.key + " = " + value
			}
			edits = append(edits, splice{span{end, end}, line})
		default:
			return nil, &syntaxError{f.line(data, f.key, f.name), 1, fmt.Sprintf("the entry is not written as a table [%s.%s]; remove it, then add it again", f.key, f.name)}
		}
	}
	return apply(data, edits...), nil
}

// remove returns data without the entry and its sub-tables, and whether nothing is left.
func (f *tomlFile) remove(data []byte) (out []byte, empty bool, err error) {
	_, _, entry, err := f.servers(data)
	if err != nil || entry == nil {
		return data, false, err
	}
	var edits []splice
	list := expressions(data)
	prefix := []string{f.key, f.name}
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
			from = blankLineBefore(data, from)
		}
		if to == len(data) && data[to-1] != '\n' && from > 0 { // the line before ends the file then, as this one does
			from = len(bytes.TrimSuffix(bytes.TrimSuffix(data[:from], []byte("\n")), []byte("\r")))
		}
		edits = append(edits, splice{span{from, to}, ""})
		i = last
	}
	out = apply(data, edits...)
	if err := f.check(data, out, nil); err != nil {
		return nil, false, &syntaxError{f.line(data, prefix...), 1, fmt.Sprintf("the entry cannot be taken out as it is written here (%v); remove it by hand", err)}
	}
	return out, len(bytes.TrimSpace(bytes.TrimPrefix(out, []byte("\ufeff")))) == 0, nil
}

// blankLineBefore moves the beginning of a range before the empty line that is above it.
func blankLineBefore(data []byte, at int) int {
	for _, blank := range []string{"\n\r\n", "\n\n"} {
		if bytes.HasSuffix(data[:at], []byte(blank)) {
			return at - len(blank) + 1
		}
	}
	if above := bytes.TrimPrefix(data[:at], []byte("\ufeff")); string(above) == "\n" || string(above) == "\r\n" {
		return at - len(above)
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
