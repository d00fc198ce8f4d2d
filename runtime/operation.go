package runtime

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// ParamType is the type of an operation's parameter.
type ParamType uint8

// The types of parameters.
const (
	StringParam ParamType = iota
	IntParam              // whole number in [Min, Max]
	NumberParam           // number in [Min, Max]
	BoolParam
	StringsParam // list; one string is a list of one, commas separate on the command line only where Split is set
	WhereParam   // field → list of values; on the command line FIELD=VALUE, repeated
)

// Param is one parameter of an operation.
type Param struct {
	Name     string // wire name; the command line's flag has "-" for "_"
	Type     ParamType
	Required bool
	Arg      bool     // positional on the command line
	Default  any      // as the wire would have it; nil: absent
	Min, Max float64  // for IntParam and NumberParam
	Enum     []string // allowed values
	// other names of the same: older, singular, of other systems, of fields of answers; accepted everywhere, shown
	// nowhere
	Aliases []string
	// WORD=VALUE: other words for allowed values; accepted from programs but not by the command line, shown nowhere
	Synonyms []string
	Split    bool   // "a,b" in a string is a list of two
	Help     string // one line: what it is, and its limits
	Listed   string // shorter words for the lists of hosts; "" = Help, "-" = it is not listed, only taken
	Examples []any
}

// Operation is one request that a Service can answer.
type Operation struct {
	Name     string // command name: "find-spec"
	Tool     string // MCP tool name: "kdd_find_spec"; "" if another tool answers it
	Title    string // a short title for people
	Summary  string // one line for command help
	Help     string // more text for the command's help, or ""
	Describe string // MCP description: when to use it instead of grep, examples, limits
	Hint     string // MCP search hint: a few words
	Params   []Param
	Examples []map[string]any
	// the command line never shortens it: a reader would take a part of a report or drawing for all of it
	Whole    bool
	Prose    bool  // MCP answers with text only
	Unlisted bool  // hosts do not list the tool: kdd_inspect answers the same
	Response any   // a zero response struct, for its schema
	Also     []any // other responses that it may answer with

	request reflect.Type   // a struct whose JSON fields are called as Params
	fields  func() [][]int // of request, by parameter; found at the first call
	run     func(ctx context.Context, s *Service, request any) (any, error)
}

// Param returns the parameter of a name or alias, nil if there is none.
func (o *Operation) Param(name string) *Param {
	return o.first(func(p *Param) bool { return p.Name == name || slices.Contains(p.Aliases, name) })
}

// Arg returns the parameter that is positional on the command line, nil if there is none.
func (o *Operation) Arg() *Param { return o.first(func(p *Param) bool { return p.Arg }) }

func (o *Operation) first(is func(*Param) bool) *Param {
	for i := range o.Params {
		if is(&o.Params[i]) {
			return &o.Params[i]
		}
	}
	return nil
}

// define completes a row of the table with the method that answers it, and the method's request and response.
func define[Q, A any](method func(*Service, context.Context, Q) (*A, error), o Operation) Operation {
	o.Response = *new(A)
	o.takes(*new(Q))
	o.run = func(ctx context.Context, s *Service, request any) (any, error) {
		answer, err := method(s, ctx, *request.(*Q))
		if err != nil {
			return nil, err
		}
		return answer, nil
	}
	return o
}

// takes sets what the operation's request is.
func (o *Operation) takes(request any) {
	t, params := reflect.TypeOf(request), o.Params
	o.request, o.fields = t, sync.OnceValue(func() [][]int { return fieldsOf(t, params) })
}

// params joins parameters.
func params(lists ...[]Param) []Param { return slices.Concat(lists...) }

func filterParams() []Param {
	return []Param{
		{Name: "kinds", Listed: "of documents", Type: StringsParam, Aliases: []string{"kind"}, Split: true, Help: "only documents of these kinds", Examples: []any{[]string{"requirement"}}},
		{Name: "chunk_types", Listed: "-", Type: StringsParam, Aliases: []string{"chunk_type"}, Split: true, Enum: []string{"ENTITY", "USE_CASE", "RULE", "PROCESS", "DEFAULT"}, Help: "only text of these types: ENTITY, USE_CASE, RULE, PROCESS, DEFAULT"},
		{Name: "domains", Listed: "of documents", Type: StringsParam, Aliases: []string{"domain"}, Split: true, Help: "only documents of these domains", Examples: []any{[]string{"security"}}},
		{Name: "tags", Listed: "any of these", Type: StringsParam, Aliases: []string{"tag"}, Split: true, Help: "only documents with one of these tags"},
		{Name: "status", Listed: "of documents", Type: StringsParam, Split: true, Help: "only documents of these statuses"},
		{Name: "languages", Listed: "-", Type: StringsParam, Aliases: []string{"language", "lang"}, Split: true, Help: "only documents in these languages (ISO 639-1: en, es, ...)"},
		{Name: "since", Listed: "date: 2006-01-02", Type: StringParam, Help: "only documents dated on or after this date (2006-01-02)"},
		{Name: "path_glob", Listed: "** crosses folders", Type: StringParam, Aliases: []string{"path", "glob"}, Help: "only documents whose path matches this glob (** crosses folders)", Examples: []any{"guides/**"}},
		{Name: "where", Listed: "-", Type: WhereParam, Help: "only documents whose front matter has FIELD=VALUE", Examples: []any{map[string]any{"owner": []string{"ana"}}}},
	}
}

func pageParams() []Param {
	return []Param{
		{Name: "max_bytes", Listed: "-", Type: IntParam, Default: 4096, Min: 512, Max: 65536, Help: "size of the answer in bytes, 512 to 65536 (on the command line 0 = no limit)"},
		{Name: "cursor", Listed: "of the answer before, to go on", Type: StringParam, Help: "the cursor of the answer before, to get what comes after it"},
	}
}

func limitParam(def, max int) Param {
	return Param{Name: "limit", Listed: fmt.Sprintf("1 to %d (%d unless given)", max, def), Type: IntParam, Default: def, Min: 1, Max: float64(max), Aliases: []string{"k", "top_k", "max_results", "num_results"}, Help: fmt.Sprintf("how many at most, 1 to %d", max)}
}

// Detail is the name of the parameter that says how much the JSON of an answer has. An agent's is brief.
const Detail = "detail"

func detailParam() Param {
	return Param{Name: Detail, Listed: "brief unless given", Type: StringParam, Enum: []string{wire.DetailBrief, wire.DetailFull}, Help: "brief (to agents, unless given): JSON says nothing twice; full: it has the places of the query's words too"}
}

// called returns the aliases of a parameter, called own, that takes the name of a document, section or entity: the
// names of the fields of answers that such a value is copied from, and names of parameters of other systems' tools.
func called(own string, more ...string) []string {
	names := append([]string{"entity", "node_id", "id", "name", "title", "file", "file_path", "url", "uri", "chunk", "node"}, more...)
	return slices.DeleteFunc(names, func(name string) bool { return name == own })
}

// Formats returns the formats that the answer can be printed in.
func (o *Operation) Formats() []string {
	return render.FormatsOf(reflect.New(reflect.TypeOf(o.Response)).Interface())
}

var table func() []Operation

func init() { table = sync.OnceValue(operations) } // not in the declaration, since operations refers to Operations

// Operations returns the table of operations, in the order of the help. The rows of all calls share their parameters.
func Operations() []Operation { return slices.Clone(table()) }

// Tools returns the operations that agents have as tools, kdd_inspect last, which no command has; the other operations
// are parts of these.
func Tools() []Operation {
	return append(slices.DeleteFunc(Operations(), func(o Operation) bool { return o.Tool == "" }), inspect())
}

// Listed returns the tools that hosts list.
func Listed() []Operation {
	return slices.DeleteFunc(Tools(), func(o Operation) bool { return o.Unlisted })
}

// OperationNamed returns the operation of a name, nil if there is none.
func OperationNamed(name string) *Operation {
	all := Operations()
	if at := slices.IndexFunc(all, func(o Operation) bool { return o.Name == name }); at >= 0 {
		return &all[at]
	}
	return nil
}
