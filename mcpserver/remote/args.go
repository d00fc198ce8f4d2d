package remote

import (
	"strings"

	"kdd/runtime/wire"
)

// ParseArgs makes the arguments of a tool from words: a JSON object, @FILE with one, or KEY=VALUE. Later words win.
// VALUE is a string if the tool's schema says so or if it is not JSON: n=3 is a number, n=three a string. schema is
// called at the first KEY=VALUE, read for each file. Errors are invalid_input, or those of schema and read.
func ParseArgs(words []string, schema func() (map[string]any, error), read func(path string) ([]byte, error)) (map[string]any, error) {
	args := map[string]any{}
	var properties map[string]any
	asked := false
	for _, word := range words {
		trimmed := strings.TrimSpace(word)
		if path, isFile := strings.CutPrefix(trimmed, "@"); isFile {
			data, err := read(path)
			if err != nil {
				return nil, err
			}
			if err := merge(args, data, path); err != nil {
				return nil, err
			}
			continue
		}
		if strings.HasPrefix(trimmed, "{") {
			if err := merge(args, []byte(trimmed), "the argument"); err != nil {
				return nil, err
			}
			continue
		}
		key, value, found := strings.Cut(word, "=")
		if key = strings.TrimSpace(key); !found || key == "" {
			return nil, invalid("args", "got %q, want a JSON object, @FILE or KEY=VALUE", wire.Clean(wire.Shorten(word, 60)))
		}
		if !asked {
			asked = true
			s, err := schema()
			if err != nil {
				return nil, err
			}
			properties, _ = s["properties"].(map[string]any)
		}
		args[key] = typed(value, properties[key])
	}
	return args, nil
}

// merge adds the fields of a JSON object to args.
func merge(args map[string]any, data []byte, where string) error {
	var more map[string]any
	if wire.Decode(data, &more) != nil || more == nil {
		return invalid("args", "%s is not a JSON object", wire.Clean(where))
	}
	for key, value := range more {
		args[key] = value
	}
	return nil
}

// typed reads the value of KEY=VALUE.
func typed(value string, property any) any {
	p, _ := property.(map[string]any)
	if p["type"] == "string" {
		return value
	}
	var v any
	if wire.Decode([]byte(value), &v) != nil {
		return value
	}
	return v
}

// PromptArgs makes the arguments of a prompt from words KEY=VALUE. All are strings.
func PromptArgs(words []string) (map[string]string, error) {
	args := map[string]string{}
	for _, word := range words {
		key, value, found := strings.Cut(word, "=")
		if key = strings.TrimSpace(key); !found || key == "" {
			return nil, invalid("args", "got %q, want KEY=VALUE", wire.Clean(wire.Shorten(word, 60)))
		}
		args[key] = value
	}
	return args, nil
}
