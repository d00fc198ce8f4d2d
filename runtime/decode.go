package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// maxArgumentBytes bounds one text argument: a query, a path, or all the values of a list together.
const maxArgumentBytes = 64 << 10

// maxListValues bounds the values of a list argument.
const maxListValues = 1000

type noLimit struct{}

// NoLimit as the value of max_bytes asks for an answer of any size. No JSON value decodes to it, so only a caller
// within the program can pass it: the command line does for --max-bytes 0 and -1.
var NoLimit any = noLimit{}

// Run decodes args by the operation's parameters and calls its method: Decode, then Do.
func (o *Operation) Run(ctx context.Context, s *Service, args map[string]any) (any, error) {
	request, err := o.Decode(args)
	if err != nil {
		return nil, err
	}
	return o.Do(ctx, s, request)
}

// Do calls the operation's method with a request that Decode returned. The error is a *wire.Error.
func (o *Operation) Do(ctx context.Context, s *Service, request any) (any, error) {
	answer, err := o.run(ctx, s, request)
	if err != nil {
		if cause := ctx.Err(); cause != nil && errors.Is(err, cause) {
			return nil, wire.NewError(wire.CodeTimeout, "stopped: "+cause.Error(), "").Because(err)
		}
		return nil, wire.AsError(err)
	}
	return answer, nil
}

// Decode returns the request that args ask for: a pointer to the struct that the operation's method takes, such as
// *wire.SearchRequest, with the default where an argument is absent. Names may be aliases, values synonyms. Equal
// requests give equal structs, however they were written.
//
// args holds JSON values as encoding/json decodes them with UseNumber or without, or the Go values that a flag parser
// has: string, bool, int, float64, []string, map[string][]string. Strings are accepted for numbers and booleans.
//
// The error is a *wire.Error of code invalid_input; it names the field, the value and the values that the field takes.
// It is always the same for the same args: it is about the first unknown argument by name, else about the first wrong
// value in the order of Params.
func (o *Operation) Decode(args map[string]any) (any, error) {
	if err := o.unknown(args); err != nil {
		return nil, err
	}
	request, fields := reflect.New(o.request), o.fields()
	for i := range o.Params {
		p := &o.Params[i]
		value, err := p.pick(args)
		if err != nil {
			return nil, err
		}
		decoded, err := p.decode(value)
		if err != nil {
			return nil, err
		}
		if decoded == nil {
			if p.Required {
				return nil, o.missing(p, value, args)
			}
			decoded = p.Default
		}
		if decoded != nil {
			field := request.Elem().FieldByIndex(fields[i])
			field.Set(reflect.ValueOf(decoded).Convert(field.Type()))
		}
	}
	return request.Interface(), nil
}

// fieldsOf returns the index of each parameter's field in a request. It panics if the request has no field of a name; a
// test shows that the table has no such parameter.
func fieldsOf(request reflect.Type, params []Param) [][]int {
	places := map[string][]int{}
	for _, f := range reflect.VisibleFields(request) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); places[name] == nil {
			places[name] = f.Index
		}
	}
	fields := make([][]int, len(params))
	for i := range params {
		if fields[i] = places[params[i].Name]; fields[i] == nil {
			panic("runtime: " + request.String() + " has no field " + params[i].Name)
		}
	}
	return fields
}

// paramNames returns the names of the parameters, in their order.
func (o *Operation) paramNames() []string {
	names := make([]string, len(o.Params))
	for i := range o.Params {
		names[i] = o.Params[i].Name
	}
	return names
}

// unknown returns an error for the first argument, by name, that is no parameter.
func (o *Operation) unknown(args map[string]any) error {
	var unknown []string
	for name := range args {
		if o.Param(name) == nil {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	name := slices.Min(unknown)
	e := wire.NewError(wire.CodeInvalidInput, "unknown argument "+wire.Quote(name), o.Name+" takes "+strings.Join(o.paramNames(), ", "))
	e.With("field", wire.Clean(wire.Excerpt(name)))
	spellings := o.paramNames()
	for i := range o.Params {
		spellings = append(spellings, o.Params[i].Aliases...)
	}
	near := wire.Nearest(name, spellings)
	if near == "" && len(unknown) == 1 {
		near = o.lacking(args)
	}
	if near != "" {
		near = o.Param(near).Name
		e.Hint = fmt.Sprintf("did you mean %q? %s", near, e.Hint)
		e.With("suggestions", []string{near})
	}
	return e
}

// lacking returns the name of the required argument if it is absent: an unknown argument was probably meant to be it.
func (o *Operation) lacking(args map[string]any) string {
	for i := range o.Params {
		if p := &o.Params[i]; p.Required {
			if value, err := p.pick(args); value == nil && err == nil {
				return p.Name
			}
		}
	}
	return ""
}

// missing is the error for a required argument that is absent or empty.
func (o *Operation) missing(p *Param, value any, args map[string]any) error {
	got := "nothing"
	if value != nil {
		got = describe(value)
	}
	e := p.wrong(got, "").(*wire.Error)
	if cursor, _ := args["cursor"].(string); cursor != "" {
		e.Hint = "a cursor goes on with the request that gave it: repeat that with all its arguments, and the cursor"
	} else if len(p.Examples) > 0 {
		if example, err := json.Marshal(p.Examples[0]); err == nil {
			e.Hint = "for example " + string(example)
		}
	}
	return e
}

// pick returns the argument of p under its name or one of its aliases; nil if it is absent or null.
func (p *Param) pick(args map[string]any) (any, error) {
	value, from := args[p.Name], p.Name
	for _, alias := range p.Aliases {
		other := args[alias]
		if other == nil {
			continue
		}
		if value != nil {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("%s: got %q and %q, which are the same argument", p.Name, from, alias),
				fmt.Sprintf("give %q only", p.Name)).With("field", p.Name)
		}
		value, from = other, alias
	}
	return value, nil
}

// wants describes the values that p takes.
func (p *Param) wants() string {
	switch p.Type {
	case IntParam:
		return fmt.Sprintf("a whole number from %.0f to %.0f", p.Min, p.max())
	case NumberParam:
		return fmt.Sprintf("a number from %g to %g", p.Min, p.Max)
	case BoolParam:
		return "true or false"
	case StringsParam:
		if len(p.Enum) > 0 {
			return "a list of " + wire.Alternatives(p.Enum)
		}
		return "a list of strings"
	case WhereParam:
		return `an object of field and value, such as {"owner":["ana"]}, or a list of "field=value"`
	}
	if len(p.Enum) > 0 {
		return wire.Alternatives(p.Enum)
	}
	if p.Required {
		return "a string: " + p.Help
	}
	return "a string"
}

// wrong is the error for a value of p; near is the value that was probably meant, or "".
func (p *Param) wrong(got, near string) error {
	e := wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("%s: got %s, want %s", p.Name, got, p.wants()), "").With("field", p.Name)
	if near != "" {
		e.Hint = fmt.Sprintf("did you mean %q?", near)
		e.With("suggestions", []string{near})
	}
	return e
}

// tooLarge is the error for a value of p that is over a limit.
func (p *Param) tooLarge(got int, unit string, limit int) error {
	return wire.NewError(wire.CodeTooLarge, fmt.Sprintf("%s: got %d %s, want at most %d", p.Name, got, unit, limit), "").With("field", p.Name)
}
