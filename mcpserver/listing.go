package mcpserver

import (
	"bytes"
	"encoding/json"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// A model reads the list of tools in each session, so what hosts list is short: the arguments that are asked for often,
// and of each only what it is; the shapes of answers without words. kdd_inspect shows both in full.

// listedInput is the schema of an operation's arguments for the list of tools. Its parameters are in their order.
func listedInput(o *runtime.Operation) json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	required := []string{}
	first := true
	for i := range o.Params {
		p := &o.Params[i]
		if p.Required {
			required = append(required, p.Name)
		}
		if p.Listed == "-" {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.Write(wire.Encode(p.Name))
		b.WriteByte(':')
		b.Write(wire.Encode(listedParam(p)))
	}
	b.WriteByte('}')
	if len(required) > 0 {
		b.WriteString(`,"required":`)
		b.Write(wire.Encode(required))
	}
	b.WriteByte('}')
	return b.Bytes()
}

// property is the schema of one argument.
type property struct {
	Type        string    `json:"type"`
	Description string    `json:"description,omitempty"`
	Enum        []string  `json:"enum,omitempty"`
	Items       *property `json:"items,omitempty"`
}

func listedParam(p *runtime.Param) *property {
	made := &property{Type: "string", Description: p.Listed, Enum: p.Enum}
	if made.Description == "" {
		made.Description = p.Help
	}
	switch p.Type {
	case runtime.IntParam:
		made.Type = "integer"
	case runtime.NumberParam:
		made.Type = "number"
	case runtime.BoolParam:
		made.Type = "boolean"
	case runtime.StringsParam:
		made.Type, made.Items, made.Enum = "array", &property{Type: "string", Enum: p.Enum}, nil
	case runtime.WhereParam:
		made.Type = "object"
	}
	return made
}

// listedOutput is a schema of an answer without its words.
func listedOutput(full json.RawMessage) json.RawMessage {
	var decoded any
	if err := json.Unmarshal(full, &decoded); err != nil {
		panic(err) // schemas are JSON
	}
	withoutWords(decoded, false)
	return wire.Encode(decoded)
}

// withoutWords removes from a schema, or from a map of properties, what a validator does not need.
func withoutWords(v any, properties bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			switch {
			case properties:
				withoutWords(value, false)
			case key == "description" || key == "title" || key == "$schema" || key == "examples" || key == "minItems" || key == "maxItems":
				delete(v, key)
			default:
				withoutWords(value, key == "properties")
			}
		}
	case []any:
		for _, one := range v {
			withoutWords(one, false)
		}
	}
}
