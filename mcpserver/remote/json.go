package remote

import (
	"bytes"
	"encoding/json"
	"errors"

	"kdd/runtime/wire"
)

// field is a key of a JSON object and its value.
type field struct {
	key   string
	value json.RawMessage
}

// object returns the fields of a JSON object in order. A key that occurs twice is an error: readers differ in which one
// they take, so that a person might agree to one command and another would run.
func object(where string, raw []byte) ([]field, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, syntaxError(raw)
	}
	var fields []field
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, syntaxError(raw)
		}
		key, _ := token.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, syntaxError(raw)
		}
		if seen[key] {
			return nil, invalid(where, "the key %q occurs twice", wire.Clean(wire.Shorten(key, 80)))
		}
		seen[key] = true
		fields = append(fields, field{key, value})
	}
	return fields, nil
}

// syntaxError says in which line data stops being JSON.
func syntaxError(data []byte) *wire.Error {
	var value any
	err := json.Unmarshal(data, &value)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return invalid("", "is not JSON")
	}
	at := min(int(syntax.Offset), len(data))
	return invalid("", "line %d: not JSON: %s", 1+bytes.Count(data[:at], []byte("\n")), syntax.Error())
}

// wanted returns the JSON name of a Go kind.
func wanted(kind string) string {
	switch kind {
	case "bool":
		return "true or false"
	case "slice":
		return "a list of strings"
	case "map", "struct":
		return "an object"
	}
	return "a string"
}
