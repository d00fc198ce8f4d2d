package wire

import (
	"bytes"
	"encoding/json"
)

// CleanJSON returns wire JSON with each string in it as CleanLines has it, keys and order as they are: what a model's
// host may decode and show. Text without anything to neutralise is returned as it is.
//
// The answers' prose is clean before; this reaches what is not changed there since it names things: paths, anchors,
// ids. data has to be valid JSON.
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

// stringEnd returns where the JSON string that begins at data[at] ends, behind its quote, and whether it is plain:
// ASCII without \u escapes.
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
