package wire

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
)

// A cursor is the base64url text of: version (1 byte), hash of the index (4 bytes), hash of the operation and its
// request (4), offset (uvarint), checksum of all bytes before it (4). It works only with the index and request that
// gave it. It is not secret.
const (
	cursorVersion  = 1
	cursorFixed    = 1 + 4 + 4 + 4 // bytes beside the offset
	maxCursorBytes = cursorFixed + binary.MaxVarintLen32
)

// MaxCursorOffset is the largest offset that a cursor can hold.
const MaxCursorOffset = 1<<31 - 1

// EncodeCursor returns the token with which the same request to the same index goes on at offset. request is any value
// whose JSON form is an object; its max_bytes and cursor may change between calls. It panics if offset is negative or
// over MaxCursorOffset.
func EncodeCursor(indexID, operation string, request any, offset int) string {
	if offset < 0 || offset > MaxCursorOffset {
		panic("wire.EncodeCursor: offset out of range")
	}
	b := append([]byte{cursorVersion}, shortHash([]byte(indexID))...)
	b = append(b, requestHash(operation, request)...)
	b = binary.AppendUvarint(b, uint64(offset))
	b = append(b, shortHash(b)...)
	return base64.RawURLEncoding.EncodeToString(b)
}

// DecodeCursor returns the offset in a token that EncodeCursor made for the same index, operation and request. For any
// other token it returns an *Error stale_cursor that says what does not match and how to go on.
func DecodeCursor(token, indexID, operation string, request any) (int, error) {
	const cure = "ask again without a cursor"
	stale := func(message, hint string) (int, error) {
		return 0, NewError(CodeStaleCursor, "cursor: "+message, hint).With("field", "cursor")
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) <= cursorFixed || len(b) > maxCursorBytes || b[0] != cursorVersion {
		return stale("damaged, or not from this program", cure)
	}
	body, check := b[:len(b)-4], b[len(b)-4:]
	offset, n := binary.Uvarint(body[9:])
	if n != len(body)-9 || offset > MaxCursorOffset || string(shortHash(body)) != string(check) || len(binary.AppendUvarint(nil, offset)) != n {
		return stale("damaged, or not from this program", cure)
	}
	if string(body[1:5]) != string(shortHash([]byte(indexID))) {
		return stale("made with another index; this one was rebuilt or replaced since", cure)
	}
	if string(body[5:9]) != string(requestHash(operation, request)) {
		return stale("made for another request", "repeat the request that gave it, with all its arguments, or "+cure)
	}
	return int(offset), nil
}

func shortHash(b []byte) []byte {
	sum := sha256.Sum256(b)
	return sum[:4]
}

// requestHash is the hash of everything that decides which items an answer has and in which order.
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
