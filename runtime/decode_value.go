package runtime

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// decode returns value as p's type: string, int64, float64, bool, []string or map[string][]string. It returns nil for
// nil, and for an empty string or list, since clients send these for arguments that they do not use.
func (p *Param) decode(value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	switch p.Type {
	case IntParam, NumberParam:
		if value == NoLimit && p.Name == "max_bytes" {
			return int64(-1), nil
		}
		return p.number(value)
	case BoolParam:
		return p.bool(value)
	case StringsParam:
		return p.strings(value)
	case WhereParam:
		return p.where(value)
	}
	return p.string(value)
}

func (p *Param) string(value any) (any, error) {
	s, ok := value.(string)
	if list, _ := textList(value); !ok && len(list) == 1 { // a list of one string is that string
		s, ok = list[0].(string)
	}
	if !ok {
		return nil, p.wrong(describe(value), "")
	}
	if len(s) > maxArgumentBytes {
		return nil, p.tooLarge(len(s), "bytes", maxArgumentBytes)
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	if len(p.Enum) == 0 {
		return s, nil
	}
	return p.member(s)
}

// member returns the allowed value that s spells. Case, dashes and spaces do not matter.
func (p *Param) member(s string) (any, error) {
	for _, e := range p.Enum {
		if sameName(s, e) {
			return e, nil
		}
	}
	for _, synonym := range p.Synonyms {
		if word, meant, _ := strings.Cut(synonym, "="); sameName(s, word) {
			return meant, nil
		}
	}
	return nil, p.wrong(wire.Quote(s), wire.Nearest(s, p.Enum))
}

// sameName reports whether a and b are equal but for case, "-", "_" and spaces.
func sameName(a, b string) bool {
	drop := strings.NewReplacer("-", "", "_", "", " ", "")
	return strings.EqualFold(drop.Replace(a), drop.Replace(b))
}

func (p *Param) bool(value any) (any, error) {
	switch v := value.(type) {
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "":
			return nil, nil
		case "true", "yes", "on", "1":
			return true, nil
		case "false", "no", "off", "0":
			return false, nil
		}
	}
	return nil, p.wrong(describe(value), "")
}

// max is p.Max, for an IntParam limited to what an int holds.
func (p *Param) max() float64 {
	if p.Type == IntParam {
		return min(p.Max, math.MaxInt)
	}
	return p.Max
}

func (p *Param) number(value any) (any, error) {
	var f float64
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.String: // a string, or a json.Number
		text := strings.TrimSpace(v.String())
		if text == "" {
			return nil, nil
		}
		if len(text) > maxArgumentBytes {
			return nil, p.tooLarge(len(text), "bytes", maxArgumentBytes)
		}
		var err error
		if f, err = parseNumber(text); err != nil {
			return nil, p.wrong(describe(value), "")
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		f = float64(v.Int())
	case reflect.Float32, reflect.Float64:
		f = v.Float()
	default:
		return nil, p.wrong(describe(value), "")
	}
	if math.IsNaN(f) || f < p.Min || f > p.max() || p.Type == IntParam && f != math.Trunc(f) {
		return nil, p.wrong(describe(value), "")
	}
	if p.Type == IntParam {
		return int64(f), nil
	}
	return f, nil
}

// parseNumber parses a JSON number. It refuses the other spellings of Go (0x10, 1_000, NaN, Inf).
func parseNumber(text string) (float64, error) {
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

func (p *Param) strings(value any) (any, error) {
	given, ok := textList(value)
	if !ok {
		return nil, p.wrong(describe(value), "")
	}
	var list []string
	total := 0
	for _, item := range given {
		text, ok := item.(string)
		if !ok {
			return nil, p.wrong("a list with "+describe(item), "")
		}
		if total += len(text); total > maxArgumentBytes {
			return nil, p.tooLarge(total, "bytes", maxArgumentBytes)
		}
		parts := []string{text}
		if p.Split {
			parts = strings.Split(text, ",")
		}
		for _, part := range parts {
			part = strings.TrimSpace(strings.ToValidUTF8(part, "\uFFFD"))
			if part == "" {
				continue
			}
			if len(p.Enum) > 0 {
				known, err := p.member(part)
				if err != nil {
					return nil, err
				}
				part = known.(string)
			}
			if len(list) == maxListValues {
				return nil, p.tooLarge(len(list)+1, "values or more", maxListValues)
			}
			list = append(list, part)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	return list, nil
}

// textList returns a list, or a string as a list of one.
func textList(value any) ([]any, bool) {
	switch v := value.(type) {
	case string:
		return []any{v}, true
	case []any:
		return v, true
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return list, true
	}
	return nil, false
}

// where decodes {field: value or [values]}, "field=value" or a list of those. Values may be numbers and booleans, as
// front matter has them.
func (p *Param) where(value any) (any, error) {
	conditions := map[string][]string{}
	total, count := 0, 0
	add := func(field string, item any) error {
		text, ok := scalar(item)
		if !ok {
			return p.wrong(fmt.Sprintf("%s for the field %s", describe(item), wire.Quote(field)), "")
		}
		if total += len(field) + len(text); total > maxArgumentBytes {
			return p.tooLarge(total, "bytes", maxArgumentBytes)
		}
		if count++; count > maxListValues {
			return p.tooLarge(count, "values or more", maxListValues)
		}
		if !slices.Contains(conditions[field], text) {
			conditions[field] = append(conditions[field], text)
		}
		return nil
	}
	object, isObject := value.(map[string]any)
	if m, ok := value.(map[string][]string); ok {
		object, isObject = map[string]any{}, true
		for field, values := range m {
			object[field] = values
		}
	}
	if isObject {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			field := strings.TrimSpace(name)
			if field == "" {
				return nil, p.wrong("a field without a name", "")
			}
			if object[name] == nil {
				continue
			}
			items, ok := textList(object[name])
			if !ok {
				items = []any{object[name]}
			}
			for _, item := range items {
				if err := add(field, item); err != nil {
					return nil, err
				}
			}
		}
	} else {
		items, ok := textList(value)
		if !ok {
			return nil, p.wrong(describe(value), "")
		}
		for _, item := range items {
			text, ok := item.(string)
			if !ok {
				return nil, p.wrong("a list with "+describe(item), "")
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			field, condition, ok := strings.Cut(text, "=")
			if field = strings.TrimSpace(field); !ok || field == "" {
				return nil, p.wrong(wire.Quote(text), "")
			}
			if err := add(field, strings.TrimSpace(condition)); err != nil {
				return nil, err
			}
		}
	}
	if len(conditions) == 0 {
		return nil, nil
	}
	return conditions, nil
}

// scalar returns a string, number or boolean as front matter would print it.
func scalar(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		return v.String(), true
	case int:
		return strconv.Itoa(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), !math.IsNaN(v) && math.Abs(v) < 1e15
	}
	return "", false
}

// describe names a value in an error: its type, and the value itself where that is short.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return wire.Clean(wire.Excerpt(v.String()))
	case string:
		return wire.Quote(v)
	case []any:
		if len(v) == 0 {
			return "an empty list"
		}
		return "a list"
	case []string:
		return "a list"
	case map[string]any, map[string][]string:
		return "an object"
	case noLimit:
		return "no limit"
	}
	switch reflect.ValueOf(value).Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
		return fmt.Sprint(value)
	}
	return fmt.Sprintf("%T", value)
}
