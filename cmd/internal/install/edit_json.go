package install

import (
	"bytes"
	"fmt"
	"slices"

	"kdd/runtime/wire"

	"github.com/tailscale/hujson"
)

// jsonFile edits the servers of a host's JSON file, in hujson's tree of it.
//
// hujson's Patch (RFC 6902) is not used: it adds a member on the line of the one before and without indentation, and
// removes the comment above a member with it (four files tried).
type jsonFile struct {
	dialect dialect
	key     string
	name    string
}

// find returns the object that holds the servers, and the one that is looked for; both are nil where absent.
func (f *jsonFile) find(t *jsonText) (servers, entry *hujson.Value, err error) {
	if t.root.Value.Kind() != '{' {
		return nil, nil, syntaxAt(t.data, t.root.StartOffset, "got %s, want an object", kindOf(&t.root))
	}
	if servers, err = t.only(&t.root, f.key); err == nil && servers != nil {
		entry, err = t.only(servers, f.name)
	}
	return servers, entry, err
}

func kindOf(v *hujson.Value) string { return wire.JSONKind(byte(v.Value.Kind())) }

func nameOf(m *hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// only returns the object that is the one member of that name; nil if there is none. A name that is there twice is an
// error: hosts take one or the other.
func (t *jsonText) only(object *hujson.Value, name string) (*hujson.Value, error) {
	found, err := t.member(object, name)
	if err != nil || found == nil {
		return nil, err
	}
	if found.Value.Value.Kind() != '{' {
		return nil, syntaxAt(t.data, found.Value.StartOffset, "%q is %s, want an object", name, kindOf(&found.Value))
	}
	return &found.Value, nil
}

// member returns the one member of that name, nil if there is none.
func (t *jsonText) member(object *hujson.Value, name string) (*hujson.ObjectMember, error) {
	var found *hujson.ObjectMember
	members := object.Value.(*hujson.Object).Members
	for i := range members {
		m := &members[i]
		if nameOf(m) != name {
			continue
		}
		if found != nil {
			other := syntaxAt(t.data, found.Name.StartOffset, "")
			return nil, syntaxAt(t.data, m.Name.StartOffset, "%q is here twice, the other one is on line %d; keep one",
				name, other.line)
		}
		found = m
	}
	return found, nil
}

// servers returns the servers of the file by name; nil where it has no object of them.
func (f *jsonFile) servers(data []byte) (map[string]any, error) {
	t, err := parseJSON(data, f.dialect)
	if err != nil {
		return nil, err
	}
	servers, _, err := f.find(t)
	if err != nil || servers == nil {
		return nil, err
	}
	v, err := valueOf(*servers)
	all, _ := v.(map[string]any)
	return all, err
}

// set returns data with the entry's fields as wanted; other fields of an entry that is there stay.
func (f *jsonFile) set(data []byte, want []field) ([]byte, error) {
	t, err := parseJSON(data, f.dialect)
	if err != nil {
		return nil, err
	}
	servers, entry, err := f.find(t)
	if err != nil {
		return nil, err
	}
	before, err := t.values()
	if err != nil {
		return nil, err
	}
	switch {
	case servers == nil:
		t.insert(&t.root, f.key, []field{{f.name, want}})
	case entry == nil:
		t.insert(servers, f.name, want)
	default:
		for _, w := range want {
			if err := t.setField(entry, w); err != nil {
				return nil, err
			}
		}
	}
	out := t.pack()
	return out, f.check(before, out, want)
}

// setField changes or adds a field that is not as wanted.
func (t *jsonText) setField(object *hujson.Value, want field) error {
	have, err := t.member(object, want.key)
	if err != nil {
		return err
	}
	if have == nil {
		t.insert(object, want.key, want.value)
		return nil
	}
	v, err := valueOf(have.Value)
	if err == nil && !same(v, plain([]field{want})[want.key]) {
		have.Value.Value = t.literal(want.value, "", true)
	}
	return err
}

// literal is a value that hujson writes as it is.
func (t *jsonText) literal(value any, indent string, inline bool) hujson.Literal {
	l := t.layout
	l.inline = inline
	return hujson.Literal(l.render(value, indent))
}

// insert puts one more member at the end of an object, in the manner of those that are there.
func (t *jsonText) insert(at *hujson.Value, key string, value any) {
	object := at.Value.(*hujson.Object)
	m := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(key)}}
	behind := object.AfterExtra // the last value, or its comma
	if n := len(object.Members); n > 0 && object.Members[n-1].Value.AfterExtra != nil {
		behind = slices.Concat(object.Members[n-1].Value.AfterExtra, behind)
		m.Value.AfterExtra = hujson.Extra{} // the new one has a comma behind it too
	}
	remarks, rest := splitComments(object.AfterExtra)
	base := t.indentation(at.StartOffset)
	indent := base + t.layout.unit
	if first := firstIndent(object); first != nil {
		indent = string(first)
	}
	m.Name.BeforeExtra = slices.Concat(remarks, []byte(t.layout.eol+indent))
	m.Value.BeforeExtra = hujson.Extra(" ")
	inline := !bytes.ContainsAny(behind, "\r\n") && !bare(object)
	switch {
	case bare(object):
		rest = hujson.Extra(t.layout.eol + base)
	case inline && len(object.Members) == 0:
		m.Name.BeforeExtra = remarks
	case inline:
		if len(object.Members[0].Value.BeforeExtra) == 0 {
			m.Value.BeforeExtra = nil
		}
		m.Name.BeforeExtra, rest = m.Value.BeforeExtra, object.AfterExtra
	}
	m.Value.Value = t.literal(value, indent, inline)
	object.Members, object.AfterExtra = append(object.Members, m), rest
}

// splitComments splits white space and comments behind the last comment, so rest is white space alone.
func splitComments(extra hujson.Extra) (remarks, rest hujson.Extra) {
	at := 0
	for _, end := range comments(extra) {
		at = end
	}
	return extra[:at:at], extra[at:]
}

// cut takes a member out of an object, with its comma and the space before it. Comments around it stay.
func (t *jsonText) cut(object *hujson.Object, name string) {
	i := slices.IndexFunc(object.Members, func(m hujson.ObjectMember) bool { return nameOf(&m) == name })
	m := object.Members[i]
	remarks, _ := splitComments(m.Name.BeforeExtra)
	next := &object.AfterExtra
	if i+1 < len(object.Members) {
		next = &object.Members[i+1].Name.BeforeExtra
	} else if i > 0 && m.Value.AfterExtra == nil { // the comma before it goes
		last := &object.Members[i-1].Value
		remarks, last.AfterExtra = slices.Concat(last.AfterExtra, remarks), nil
	} else if i > 0 { // its comma goes, the one before it stays
		last := &object.Members[i-1].Value
		last.AfterExtra = append(hujson.Extra{}, last.AfterExtra...)
	}
	remarks = slices.Concat(remarks, m.Value.AfterExtra)
	if !slices.Concat(remarks, *next).IsValid() { // a // comment needs a line feed behind it
		remarks = append(remarks, t.layout.eol...)
	}
	*next = slices.Concat(remarks, *next)
	object.Members = slices.Delete(object.Members, i, i+1)
	if bare(object) {
		object.AfterExtra = nil
	}
}

// remove returns data without the entry, and whether nothing is left that is worth a file.
func (f *jsonFile) remove(data []byte) (out []byte, empty bool, err error) {
	t, err := parseJSON(data, f.dialect)
	if err != nil {
		return nil, false, err
	}
	servers, entry, err := f.find(t)
	if err != nil || entry == nil {
		return data, false, err
	}
	before, err := t.values()
	if err != nil {
		return nil, false, err
	}
	root, list := t.root.Value.(*hujson.Object), servers.Value.(*hujson.Object)
	if t.cut(list, f.name); bare(list) {
		t.cut(root, f.key)
	}
	out = t.pack()
	empty = bare(root) && t.root.IsStandard()
	return out, empty, f.check(before, out, nil)
}

// check says whether a text has the wanted entry and is what was before in everything else.
func (f *jsonFile) check(before map[string]any, out []byte, want []field) error {
	t, err := parseJSON(out, f.dialect)
	if err != nil {
		return fmt.Errorf("after the change: %w", err)
	}
	after, err := t.values()
	if err != nil {
		return err
	}
	return sameBut(before, after, f.key, f.name, want)
}
