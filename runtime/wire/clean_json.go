package wire

import (
	"bytes"
	"encoding/json"
)

// CleanJSON returns wire JSON with CleanLines applied to each string, so that a model's host may decode and show it.
// Keys and order stay. Text without anything to neutralise is returned as it is.
//
// The prose of answers is clean already. This reaches the strings that name things and so are not changed elsewhere:
// paths, anchors, ids. data has to be valid JSON.
func CleanJSON(data []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(data); i++ {
		if data[i] != '"' {
			continue
		}
		end, plain := stringEnd(data, i)
		if !plain {
			var text string
			if json.Unmarshal(data[i:end], &text) == nil {
				if cleaned := CleanLines(text); cleaned != text {
					out = append(append(out, data[done:i]...), Encode(cleaned)...)
					done = end
				}
			}
		}
		i = end - 1
	}
	if done == 0 {
		return data
	}
	return append(out, data[done:]...)
}

// stringEnd returns the place behind the closing quote of the JSON string that begins at data[at], and whether the
// string is plain: ASCII without escapes of control characters.
func stringEnd(data []byte, at int) (end int, plain bool) {
	plain = true
	for i := at + 1; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			return i + 1, plain
		case c == '\\':
			if i++; i < len(data) && bytes.IndexByte([]byte("urbf"), data[i]) >= 0 {
				plain = false
			}
		case c >= 0x7f || c < ' ':
			plain = false
		}
	}
	return len(data), false
}
