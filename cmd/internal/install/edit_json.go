package install

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"kdd/runtime/shape"
)

// jsonFile edits the servers of a host's JSON file.
type jsonFile struct {
	dialect dialect
	key     string
	name    string
}

// servers finds the object that holds the servers, and the one that is looked for; both are nil where absent.
func (f *jsonFile) servers(t *text) (servers, entry *member, err error) {
	if t.root == nil {
		return nil, nil, nil
	}
	if !t.root.object {
		return nil, nil, syntaxAt(t.data, t.root.start, "got %s, want an object", shape.JSONKind(t.data[t.root.start]))
	}
	if servers, err = only(t, t.root, f.key); err != nil || servers == nil {
		return nil, nil, err
	}
	if entry, err = only(t, servers.value, f.name); err != nil || entry == nil {
		return servers, nil, err
	}
	return servers, entry, nil
}

// only returns the one member of that name, whose value has to be an object; nil if there is none.
func only(t *text, object *node, name string) (*member, error) {
	var found *member
	for i := range object.members {
		m := &object.members[i]
		if m.name != name {
			continue
		}
		if found != nil {
			return nil, syntaxAt(t.data, m.at, "%q is here twice, the other one is on line %d; keep one", name, syntaxAt(t.data, found.at, "").line)
		}
		found = m
	}
	if found != nil && !found.value.object {
		return nil, syntaxAt(t.data, found.value.start, "%q is %s, want an object", name, shape.JSONKind(t.data[found.value.start]))
	}
	return found, nil
}

// get returns the entry, or nil where there is none.
func (f *jsonFile) get(data []byte) (*Entry, error) {
	t, err := scan(data, f.dialect)
	if err != nil {
		return nil, err
	}
	_, m, err := f.servers(t)
	if err != nil || m == nil {
		return nil, err
	}
	var v any
	if v, err = valueOf(t, m.value); err != nil {
		return nil, err
	}
	e := entryOf(v)
	return &e, nil
}

// entries returns all servers of the file by name.
func (f *jsonFile) entries(data []byte) (map[string]Entry, error) {
	t, err := scan(data, f.dialect)
	if err != nil {
		return nil, err
	}
	servers, _, err := f.servers(t)
	if err != nil || servers == nil {
		return nil, err
	}
	all := map[string]Entry{}
	for i := range servers.value.members {
		m := &servers.value.members[i]
		v, err := valueOf(t, m.value)
		if err != nil {
			return nil, err
		}
		all[m.name] = entryOf(v)
	}
	return all, nil
}

// valueOf parses one value of a text.
func valueOf(t *text, n *node) (any, error) {
	part := &text{data: t.data[n.start:n.end], root: n}
	for _, c := range t.comments {
		if c.start >= n.start && c.end <= n.end {
			part.comments = append(part.comments, span{c.start - n.start, c.end - n.start})
		}
	}
	for _, c := range t.trailing {
		if c >= n.start && c < n.end {
			part.trailing = append(part.trailing, c-n.start)
		}
	}
	return part.values()
}

// set returns data with the entry's fields as wanted; other fields of an entry that is there stay.
func (f *jsonFile) set(data []byte, want []field) ([]byte, error) {
	before, err := scan(data, f.dialect)
	if err != nil {
		return nil, err
	}
	if _, _, err := f.servers(before); err != nil {
		return nil, err
	}
	out := data
	for range 2 + len(want) { // one splice each; then there is nothing left to do
		t, err := scan(out, f.dialect)
		if err != nil {
			return nil, fmt.Errorf("after the change: %w", err)
		}
		servers, entry, err := f.servers(t)
		if err != nil {
			return nil, err
		}
		switch {
		case t.root == nil:
			out = slices.Concat(out, []byte(opening(out)+t.render([]field{{f.key, []field{{f.name, want}}}}, "", false)+t.eol()))
		case servers == nil:
			out = t.insert(t.root, f.key, []field{{f.name, want}})
		case entry == nil:
			out = t.insert(servers.value, f.name, want)
		default:
			next, err := t.setField(entry.value, want)
			if err != nil {
				return nil, err
			}
			if next == nil {
				return out, f.check(before, t, want)
			}
			out = next
		}
	}
	return nil, fmt.Errorf("the change does not come to an end")
}

// opening separates a new value from comments that are the whole file.
func opening(data []byte) string {
	if rest := bytes.TrimPrefix(data, []byte("\ufeff")); len(rest) > 0 && rest[len(rest)-1] != '\n' {
		return "\n"
	}
	return ""
}

// setField changes or adds the first field that is not as wanted; nil if all are.
func (t *text) setField(object *node, want []field) ([]byte, error) {
	for _, w := range want {
		var have *member
		for i := range object.members {
			if m := &object.members[i]; m.name == w.key {
				if have != nil {
					return nil, syntaxAt(t.data, m.at, "%q is here twice; keep one", w.key)
				}
				have = m
			}
		}
		if have == nil {
			return t.insert(object, w.key, w.value), nil
		}
		v, err := valueOf(t, have.value)
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(v, plain([]field{w})[w.key]) {
			return apply(t.data, splice{span{have.value.start, have.value.end}, t.render(w.value, "", true)}), nil
		}
	}
	return nil, nil
}

// check says whether after has the wanted entry and is before in everything else.
func (f *jsonFile) check(before, after *text, want []field) error {
	was, err := before.values()
	if err != nil {
		return err
	}
	is, err := after.values()
	if err != nil {
		return err
	}
	return sameBut(was, is, f.key, f.name, want)
}

// sameBut compares the values of two files without the entry name of the object key; want is what the entry has to hold
// in the second, nil that it is not there.
func sameBut(was, is any, key, name string, want []field) error {
	take := func(v any) (root map[string]any, entry map[string]any) {
		root, _ = v.(map[string]any)
		servers, _ := root[key].(map[string]any)
		entry, _ = servers[name].(map[string]any)
		delete(servers, name)
		if len(servers) == 0 {
			delete(root, key)
		}
		return root, entry
	}
	wasRoot, wasEntry := take(was)
	isRoot, isEntry := take(is)
	if len(wasRoot)+len(isRoot) > 0 && !same(wasRoot, isRoot) {
		return fmt.Errorf("the change would alter other values")
	}
	if want == nil {
		if isEntry != nil {
			return fmt.Errorf("the change would leave the entry")
		}
		return nil
	}
	expected := map[string]any{}
	for k, v := range wasEntry {
		expected[k] = v
	}
	for k, v := range plain(want) {
		expected[k] = v
	}
	if !same(expected, isEntry) {
		return fmt.Errorf("the change would not give the entry that is wanted")
	}
	return nil
}

// remove returns data without the entry, and whether nothing is left that is worth a file.
func (f *jsonFile) remove(data []byte) (out []byte, empty bool, err error) {
	before, err := scan(data, f.dialect)
	if err != nil {
		return nil, false, err
	}
	servers, entry, err := f.servers(before)
	if err != nil || entry == nil {
		return data, false, err
	}
	out = before.cut(servers.value, entry)
	t, err := scan(out, f.dialect)
	if err != nil {
		return nil, false, fmt.Errorf("after the change: %w", err)
	}
	if servers, _, err = f.servers(t); err != nil {
		return nil, false, err
	}
	if t.bare(servers.value) { // cut has left their braces
		out = t.cut(t.root, servers)
		if t, err = scan(out, f.dialect); err != nil {
			return nil, false, fmt.Errorf("after the change: %w", err)
		}
	}
	return out, t.bare(t.root) && len(t.comments) == 0, f.check(before, t, nil)
}
