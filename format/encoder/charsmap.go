package encoder

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// charsmap is SentencePiece's compiled table of characters and what they become ("precompiled_charsmap"): u32 bytes of
// a trie, the trie, and texts that each end at a zero byte.
//
// The trie is a double array of u32 units (Aoe 1989, in the form of Darts-clone): from the unit at i, byte c leads to
// the unit at i ⊕ offset(i) ⊕ c, if its label is c. Where a unit has a leaf, that is at its offset and its lower 31
// bits are the place of a text.
type charsmap struct {
	raw   []byte
	trie  []byte
	texts []byte
}

const (
	maxCharsmap = 16 << 20
	// clusterBytes is the length of the shortest grapheme clusters that are looked up character by character only, as
	// in the reference.
	clusterBytes = 6
)

// parseCharsmap checks sizes; units and texts are checked where they are read.
func parseCharsmap(b []byte) (*charsmap, error) {
	const what = "vocabulary: character map"
	if len(b) < 4 || len(b) > maxCharsmap {
		return nil, corrupt(what, "%d bytes, want 4 to %d", len(b), maxCharsmap)
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	if n == 0 || n%4 != 0 || n > uint64(len(b)-4) {
		return nil, corrupt(what, "a trie of %d bytes in %d, want units of 4 bytes", n, len(b))
	}
	return &charsmap{raw: b, trie: b[4 : 4+n], texts: b[4+n:]}, nil
}

// verify reads all units and texts: leaves lead to texts, which are UTF-8 and end.
func (m *charsmap) verify() error {
	const what = "vocabulary: character map"
	if !utf8.Valid(m.texts) || len(m.texts) > 0 && m.texts[len(m.texts)-1] != 0 {
		return corrupt(what, "the texts are not UTF-8, or the last one does not end")
	}
	for i := range len(m.trie) / 4 {
		unit := binary.LittleEndian.Uint32(m.trie[4*i:])
		if at := unit & (1<<31 - 1); unit>>31 == 1 &&
			(uint64(at) >= uint64(len(m.texts)) || !utf8.RuneStart(m.texts[at])) {
			return corrupt(what, "unit %d leads to byte %d of the texts, which have %d", i, at, len(m.texts))
		}
	}
	return nil
}

// unit returns unit i of the trie. A unit outside the trie gets a label that no byte has, so a search ends there.
func (m *charsmap) unit(at uint32) uint32 {
	if uint64(at) >= uint64(len(m.trie)/4) {
		return 1 << 31
	}
	return binary.LittleEndian.Uint32(m.trie[4*at:])
}

func unitOffset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

// find looks for the shortest prefix of key that is in the map, as the reference does, and returns its replacement.
func (m *charsmap) find(key string) (text []byte, ok bool) {
	at := unitOffset(m.unit(0))
	for i := 0; i < len(key) && key[i] != 0; i++ {
		at ^= uint32(key[i])
		unit := m.unit(at)
		if unit&(1<<31|0xff) != uint32(key[i]) {
			return nil, false
		}
		at ^= unitOffset(unit)
		if unit>>8&1 == 0 {
			continue
		}
		from := m.unit(at) & (1<<31 - 1)
		if uint64(from) >= uint64(len(m.texts)) {
			return nil, false
		}
		text = m.texts[from:]
		if end := bytes.IndexByte(text, 0); end >= 0 {
			text = text[:end]
		}
		if len(text) > maxStepText || !utf8.Valid(text) {
			return nil, false
		}
		return text, true
	}
	return nil, false
}

// apply replaces the characters of a text. A grapheme cluster (UAX #29) of fewer than six bytes is looked up as a whole
// first. If a prefix of it is in the map, the replacement stands for the whole cluster: the reference does so too.
//
// Cost: 20 ns a character of English, 200 ns where clusters must be looked for.
func (m *charsmap) apply(s string) string {
	out := make([]byte, 0, len(s)+len(s)/8)
	put := func(key string) bool {
		text, ok := m.find(key)
		out = append(out, text...)
		return ok
	}
	for len(s) > 0 {
		cluster := firstCluster(s)
		s = s[len(cluster):]
		if len(cluster) < clusterBytes && put(cluster) {
			continue
		}
		for len(cluster) > 0 {
			_, size := utf8.DecodeRuneInString(cluster)
			if !put(cluster[:size]) {
				out = append(out, cluster[:size]...)
			}
			cluster = cluster[size:]
		}
	}
	return string(out)
}

// firstCluster returns the first grapheme cluster of a text that is not empty. Below U+0300 nothing joins but CR and
// LF.
func firstCluster(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == len(s) {
		return s
	}
	next, _ := utf8.DecodeRuneInString(s[size:])
	if r < 0x300 && next < 0x300 && !(r == '\r' && next == '\n') || isChinese(r) && isChinese(next) {
		return s[:size]
	}
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return cluster
}
