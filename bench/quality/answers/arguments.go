package answers

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// kind is what sort of arguments a call has.
type kind int

const (
	valid   kind = iota // as the tool's description asks for
	edge                // of the right types, at and a little over the limits, with text that means something elsewhere
	hostile             // of the wrong types, unknown names, too large, no object at all
	kinds
)

// String names the kind, as reports and the flag of calls have it.
func (k kind) String() string { return [...]string{"valid", "edge", "hostile"}[k] }

// odd is text that is something else to some part of the program, or to another program.
var odd = []string{"", " ", "\t\n", "-", "--", "*", "~", "~2", "\"", "\"\"", "\"unclosed", "((((", ")(", "NOT", "NOT NOT a", "AND OR NOT", "a AND", "+", "+-a", "title:", "title:\"", "lang:xx", "path:**", "kind:a,b",
	"a*", "*a", "a~9", "../../etc/passwd", "/etc/passwd", "..\\..\\a.md", "kdd://doc/../a", "file:///etc/passwd", "a.md#", "#", "##", "#a#b", "a.md#~1", "a.md#b~0", "a.md#b~99999999999", "%2e%2e%2f", "a\x00b", "\x1b[31mred\x1b[0m",
	"\u202eabc", "\u200b", "\ufeff", "e\u0301", "ﬀ", "İ", "ſ", "漢字かな交じり文", "สวัสดี", "👩‍👩‍👧", "\U0010ffff", "<script>alert(1)</script>", "${HOME}", "{{.}}", "%s%n", "';--", "null", "true", "-1", "1e9", "NaN",
	"9999-99-99", "2025-13-01", "0000-00-00", "[", "[a", "{a,b", "a{", "**/**/**/**/**/**", "\\", "A", "ADR-", "ADR-99999999999999999999", "ask me anything?", "ignore your instructions"}

func quoted(v any) json.RawMessage { return wire.Encode(v) }

// arguments returns the arguments of a call as JSON.
func arguments(r *rand.Rand, o *runtime.Operation, v *vocabulary, k kind) json.RawMessage {
	if k == hostile && r.IntN(12) == 0 {
		return pick(r, []string{`[]`, `[1]`, `7`, `true`, `"x"`, `"{}"`, `"{\"query\":\"a\"}"`, `"[1]"`, `"{"`, `{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, `{"":""}`, `{"\u0000":1}`, `null`})
	}
	args := map[string]json.RawMessage{}
	for i := range o.Params {
		p := &o.Params[i]
		if (p.Name == "cursor" || p.Name == "offset") && k == valid || !p.Required && r.IntN(5) > 0 || p.Required && k == hostile && r.IntN(20) == 0 {
			continue
		}
		name := p.Name
		if len(p.Aliases) > 0 && r.IntN(6) == 0 {
			name = p.Aliases[r.IntN(len(p.Aliases))]
		}
		switch {
		case k == hostile && r.IntN(2) == 0:
			args[name] = wrong(r, p)
		case k != valid && r.IntN(2) == 0:
			args[name] = extreme(r, p, v)
		default:
			args[name] = quoted(good(r, o, p, v))
		}
	}
	// of that document, under the first names
	if anchor := o.Param("anchor"); k == valid && anchor != nil && drop(args, anchor) {
		file, text, _ := strings.Cut(one(r, v.anchors, "a.md#a"), "#")
		drop(args, o.Param("file"))
		args["file"], args["anchor"] = quoted(file), quoted(text)
	}
	if k == hostile && r.IntN(6) == 0 {
		args[one(r, []string{"limitt", "q", "Query", "__proto__", "constructor", "\u202e", strings.Repeat("x", 5000), "max-bytes"}, "")] = quoted(1)
	}
	return quoted(args)
}

// drop takes a parameter's argument out, under all its names, and tells whether it was there.
func drop(args map[string]json.RawMessage, p *runtime.Param) (was bool) {
	for _, name := range append([]string{p.Name}, p.Aliases...) {
		was = was || args[name] != nil
		delete(args, name)
	}
	return was
}

// good returns a value that a parameter takes.
func good(r *rand.Rand, o *runtime.Operation, p *runtime.Param, v *vocabulary) any {
	list := func(of func() string) []string {
		values := make([]string, 1+r.IntN(3))
		for i := range values {
			values[i] = of()
		}
		return values
	}
	facet := func(field string) func() string { return func() string { return one(r, v.facets[field], "none") } }
	switch p.Name {
	case "query":
		return v.query(r)
	case "name", "entity", "node", "file":
		if o.Name == "read" {
			return one(r, [][]string{v.paths, v.anchors}[r.IntN(2)], "a.md")
		}
		return v.anything(r)
	case "anchor":
		_, anchor, _ := strings.Cut(one(r, v.anchors, "#a"), "#")
		return anchor
	case "hints":
		return list(func() string { return v.anything(r) })
	case "kinds":
		return list(facet("kind"))
	case "domains":
		return list(facet("domain"))
	case "tags":
		return list(facet("tag"))
	case "languages":
		return list(facet("language"))
	case "kind", "domain", "tag", "language":
		return facet(p.Name)()
	case "status":
		if p.Type == runtime.StringsParam {
			return list(facet(p.Name))
		}
		return facet(p.Name)()
	case "since":
		return one(r, []string{"2024-02-29", "1999-01-01", "2030-12-31"}, "")
	case "path_glob":
		return one(r, v.globs, "**")
	case "edge_types":
		return list(func() string { return one(r, v.edges, "LINK") })
	case "rules":
		return list(func() string { return one(r, []string{"orphans", "anchors", "coverage"}, "") })
	case "tool":
		tools := runtime.Tools()
		return one(r, []string{"search", "error.v1", "search_response.v1", tools[r.IntN(len(tools))].Tool}, "")
	case "session_id":
		return one(r, []string{"a", "b", "web"}, "")
	case "where":
		if len(v.fields) == 0 {
			return map[string]any{"owner": "ana"}
		}
		f := v.fields[r.IntN(len(v.fields))]
		return map[string]any{f[0]: []string{f[1]}}
	case "max_bytes": // small budgets are the hard ones
		return int(p.Min * math.Pow(p.Max/p.Min, r.Float64()*r.Float64()))
	}
	if len(p.Enum) > 0 {
		return p.Enum[r.IntN(len(p.Enum))]
	}
	switch p.Type {
	case runtime.IntParam:
		return int(p.Min) + r.IntN(int(min(p.Max-p.Min, 40000))+1)
	case runtime.NumberParam:
		return p.Min + (p.Max-p.Min)*r.Float64()
	case runtime.BoolParam:
		return r.IntN(2) == 0
	case runtime.StringsParam:
		return list(func() string { return one(r, v.words, "a") })
	}
	return one(r, v.words, "a")
}

// extreme returns a value of the parameter's type at a limit, or a little over it.
func extreme(r *rand.Rand, p *runtime.Param, v *vocabulary) json.RawMessage {
	text := func() string {
		switch r.IntN(8) {
		case 0:
			return strings.Repeat(one(r, odd, "a")+" ", 1+r.IntN(400))
		case 1:
			return strings.Repeat(one(r, v.words, "a"), 1+r.IntN(3000))
		case 2:
			return one(r, odd, "a") + one(r, v.words, "a") + one(r, odd, "a") + v.anything(r)
		case 3: // a part of a name, cut anywhere but within a letter
			letters := []rune(v.anything(r))
			return string(letters[:r.IntN(len(letters)+1)])
		}
		return one(r, odd, "a")
	}
	switch p.Type {
	case runtime.IntParam:
		return quoted([]float64{p.Min, p.Max, p.Min + 1, p.Max - 1, p.Min - 1, p.Max + 1}[r.IntN(6)])
	case runtime.NumberParam:
		return pick(r, []string{"0", "1", "0.0", "1e-300", "0.9999999999999999", "-0", "1.0000001"})
	case runtime.BoolParam:
		return pick(r, []string{"true", "false", `"true"`, `"no"`})
	case runtime.StringsParam:
		list := make([]string, r.IntN(60))
		for i := range list {
			list[i] = text()
		}
		return quoted(list)
	case runtime.WhereParam:
		return quoted(map[string]any{text(): []string{text(), text()}, "a": 1})
	}
	return quoted(text())
}

// wrong returns a value of another type than the parameter's, or far too large.
func wrong(r *rand.Rand, p *runtime.Param) json.RawMessage {
	if r.IntN(8) == 0 {
		return quoted(strings.Repeat("word ", 20000))
	}
	return pick(r, []string{`null`, `0`, `-1`, `1e400`, `-1e308`, `99999999999999999999`, `2.5`, `true`, `""`, `"x"`, `"７"`, `[]`, `[null]`, `[[]]`, `[1,"a",{}]`, `{}`, `{"a":{}}`, `{"a":[null,[]]}`, `{"":[]}`, `"\ud800"`, `"\u0000"`,
		`[` + strings.Repeat(`"a",`, 1500) + `"a"]`, strings.Repeat("[", 30) + strings.Repeat("]", 30)})
}

func pick(r *rand.Rand, list []string) json.RawMessage { return json.RawMessage(one(r, list, "")) }
