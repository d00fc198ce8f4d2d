package install

import (
	"bytes"
	"slices"
	"strings"

	"kdd/runtime/shape"
)

// splice replaces a range of bytes.
type splice struct {
	span
	with string
}

// apply returns data with the splices, which do not overlap.
func apply(data []byte, edits ...splice) []byte {
	slices.SortStableFunc(edits, func(a, b splice) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, data[at:e.start]...), e.with...)
		at = e.end
	}
	return append(out, data[at:]...)
}

// bare says that an object holds no member and no comment.
func (t *text) bare(object *node) bool {
	return len(object.members) == 0 && !slices.ContainsFunc(t.comments, func(c span) bool { return c.start > object.start && c.end < object.end })
}

// cut returns the text without one member of an object, its comma and the space before it.
func (t *text) cut(object *node, m *member) []byte {
	i := slices.IndexFunc(object.members, func(o member) bool { return o.at == m.at })
	from := object.start + 1
	if i > 0 {
		from = object.members[i-1].comma + 1
	}
	remarks := false // stand before the member, behind the comma
	for _, c := range t.comments {
		if c.end <= m.at && c.end > from {
			from, remarks = c.end, true
		}
	}
	switch last := i == len(object.members)-1; {
	case len(object.members) == 1 && t.alone(object, m):
		return apply(t.data, splice{span{object.start + 1, object.end - 1}, ""})
	case i > 0 && last && (m.comma < 0 || !remarks): // the comma before goes; one behind stays
		comma := object.members[i-1].comma
		return apply(t.data, splice{span{comma, comma + 1}, ""}, splice{span{from, m.value.end}, ""})
	case m.comma >= 0:
		return apply(t.data, splice{span{from, m.value.end}, ""}, splice{span{m.comma, m.comma + 1}, ""})
	}
	return apply(t.data, splice{span{from, m.value.end}, ""})
}

// alone says that an object holds m and no comment but m's own.
func (t *text) alone(object *node, m *member) bool {
	return !slices.ContainsFunc(t.comments, func(c span) bool {
		return c.start > object.start && c.end < object.end && !(c.start >= m.value.start && c.end <= m.value.end)
	})
}

// insert returns the text with one more member at the end of an object, in the manner of those that are there.
func (t *text) insert(object *node, key string, value any) []byte {
	last := object.start + 1
	if n := len(object.members); n > 0 {
		last = object.members[n-1].value.end
	}
	if !bytes.ContainsAny(t.data[last:object.end], "\r\n") && !t.bare(object) { // no new line before the brace
		colon, comma := ": ", ""
		if len(object.members) == 0 {
			last = t.lastComment(last, object.end)
		} else {
			if first := &object.members[0]; bytes.IndexByte(t.data[first.at:first.value.start], ' ') < 0 {
				colon = ":"
			}
			comma = "," + colon[1:]
		}
		return apply(t.data, splice{span{last, last}, comma + quoted(key) + colon + t.render(value, "", true)})
	}
	base := t.indentation(object.start)
	unit := t.unit()
	indent := base + unit
	if len(object.members) > 0 && t.firstOnLine(object.members[0].at) {
		indent = t.indentation(object.members[0].at)
	}
	member := t.eol() + indent + quoted(key) + ": " + t.render(value, indent, false)
	if len(object.members) == 0 && t.bare(object) {
		return apply(t.data, splice{span{object.start + 1, object.end - 1}, member + t.eol() + base})
	}
	at, edits := object.start+1, []splice(nil)
	if n := len(object.members); n > 0 {
		last := &object.members[n-1]
		if at = last.value.end; last.comma >= 0 {
			at, member = last.comma+1, member+","
		} else {
			edits = append(edits, splice{span{at, at}, ","})
		}
	}
	at = t.lastComment(at, object.end)
	return apply(t.data, append(edits, splice{span{at, at}, member})...)
}

// lastComment is the end of the last comment between two offsets, the first of them where there is none.
func (t *text) lastComment(from, to int) int {
	for _, c := range t.comments {
		if c.start >= from && c.end < to {
			from = c.end
		}
	}
	return from
}

// eol is the line ending of the text.
func (t *text) eol() string { return lineEnding(t.data) }

func lineEnding(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineStart is the offset of the first byte of the line that holds offset.
func (t *text) lineStart(offset int) int {
	start := bytes.LastIndexByte(t.data[:offset], '\n') + 1
	if start == 0 && bytes.HasPrefix(t.data, []byte("\ufeff")) {
		start = 3
	}
	return start
}

// indentation is the white space that the line of an offset begins with.
func (t *text) indentation(offset int) string {
	line := t.data[t.lineStart(offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func (t *text) firstOnLine(offset int) bool {
	return len(bytes.TrimLeft(t.data[t.lineStart(offset):offset], " \t")) == 0
}

// unit is one level of indentation: that of the first member, else two spaces.
func (t *text) unit() string {
	if t.root != nil && len(t.root.members) > 0 && t.firstOnLine(t.root.members[0].at) {
		if unit := strings.TrimPrefix(t.indentation(t.root.members[0].at), t.indentation(t.root.start)); unit != "" {
			return unit
		}
	}
	return "  "
}

// quoted is a JSON string.
func quoted(s string) string { return string(shape.Encode(s)) }

// render writes a value; indent is that of the line on which it begins.
func (t *text) render(value any, indent string, oneLine bool) string {
	switch v := value.(type) {
	case []string:
		items := make([]string, len(v))
		for i, s := range v {
			items[i] = quoted(s)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case []field:
		var b strings.Builder
		for i, f := range v {
			if i > 0 {
				b.WriteString(",")
			}
			inner := indent + t.unit()
			if !oneLine {
				b.WriteString(t.eol() + inner)
			} else if i > 0 {
				b.WriteString(" ")
			}
			b.WriteString(quoted(f.key) + ": " + t.render(f.value, inner, oneLine))
		}
		if !oneLine {
			b.WriteString(t.eol() + indent)
		}
		return "{" + b.String() + "}"
	}
	return quoted(value.(string))
}
