package wire

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
)

// A cursor is the base64url text of: version (1 byte), hash of the index (4), hash of the operation and its request
// (4), offset (uvarint), check (4, hash of all before). It is bound to what it continues, not secret.
const (
	cursorVersion = 1
	cursorFixed   = 1 + 4 + 4 + 4 // bytes beside the offset
	cursorMost    = cursorFixed + binary.MaxVarintLen32
)

// MaxCursorOffset is the largest offset that a cursor can hold.
const MaxCursorOffset = 1<<31 - 1

// EncodeCursor returns the token with which the same request to the same index goes on at offset. request is any value
// with a JSON object form; its max_bytes and cursor do not count. It panics if offset is negative or over
// MaxCursorOffset.
func EncodeCursor(indexID, operation string, request any, offset int) string {
	if offset < 0 || offset > MaxCursorOffset {
		panic("wire.EncodeCursor: offset out of range")
	}
	b := make([]byte, 0, cursorMost)
	b = append(b, cursorVersion)
	b = append(b, shortHash([]byte(indexID))...)
	b = append(b, requestHash(operation, request)...)
	b = binary.AppendUvarint(b, uint64(offset))
	b = append(b, shortHash(b)...)
	return base64.RawURLEncoding.EncodeToString(b)
}

// DecodeCursor returns the offset in a token that EncodeCursor made for the same index, operation and request. Every
// other token is an *Error stale_cursor that says what does not match and how to go on.
func DecodeCursor(token, indexID, operation string, request any) (int, error) {
	const cure = "ask again without a cursor"
	damaged := NewError(CodeStaleCursor, "cursor: damaged, or not from this program", cure).With("field", "cursor")
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) <= cursorFixed || len(b) > cursorMost || b[0] != cursorVersion {
		return 0, damaged
	}
	body, check := b[:len(b)-4], b[len(b)-4:]
	offset, n := binary.Uvarint(body[9:])
	if n != len(body)-9 || offset > MaxCursorOffset || string(shortHash(body)) != string(check) || len(binary.AppendUvarint(nil, offset)) != n {
		return 0, damaged
	}
	if string(body[1:5]) != string(shortHash([]byte(indexID))) {
		return 0, NewError(CodeStaleCursor, "cursor: made with another index; this one was rebuilt or replaced since", cure).With("field", "cursor")
	}
	if string(body[5:9]) != string(requestHash(operation, request)) {
		return 0, NewError(CodeStaleCursor, "cursor: made for another request",
			"repeat the request that gave it, with all its arguments, or "+cure).With("field", "cursor")
	}
	return int(offset), nil
}

func shortHash(b []byte) []byte {
	sum := sha256.Sum256(b)
	return sum[:4]
}

// requestHash covers everything that decides the order and choice of items.
func requestHash(operation string, request any) []byte {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(Encode(request), &fields); err != nil {
		panic("wire.EncodeCursor: the request is no JSON object: " + err.Error())
	}
	delete(fields, "cursor")
	delete(fields, "max_bytes")
	text := []byte(operation)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text = append(append(append(text, 0), name...), 0)
		text = append(text, fields[name]...)
	}
	return shortHash(text)
}
