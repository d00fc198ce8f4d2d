package encoder

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// unigramEncoder is the working memory of one Unigram encoding.
type unigramEncoder struct {
	v      *Vocab
	ids    []int32
	limit  int // ids after which encoding may stop; -1 for none
	nodes  []latticeNode
	word   []byte
	spans  []pieceSpan
	counts []int32
}

// latticeNode is the best way to a place in a word.
type latticeNode struct {
	score float64
	from  int32 // where its last piece starts; -1 if no piece ends here
	id    int32
}

type pieceSpan struct{ from, to, id int32 }

var unigramEncoders = sync.Pool{New: func() any { return new(unigramEncoder) }}

// encodeUnigram appends the ids of a text to dst, at most limit of them unless that is negative.
//
// The pieces of a word are those whose scores have the largest sum (Kudo 2018), found by dynamic programming over its
// characters (Viterbi). Cost: about 0.4 µs a word of English, 2 µs for a run of 30 Chinese characters. A very long word
// costs its length times the longest piece, and 16 bytes of memory for each of its bytes.
func (v *Vocab) encodeUnigram(dst []int32, text string, limit int) []int32 {
	e := unigramEncoders.Get().(*unigramEncoder)
	e.v, e.ids, e.limit = v, dst, limit
	if limit >= 0 {
		e.limit += len(dst)
	}
	e.text(text)
	ids := e.ids
	if e.limit >= 0 && len(ids) > e.limit {
		ids = ids[:e.limit]
	}
	e.release()
	return ids
}

// countUnigram returns the number of ids of a text.
func (v *Vocab) countUnigram(text string) int {
	e := unigramEncoders.Get().(*unigramEncoder)
	e.v, e.ids, e.limit = v, e.counts[:0], -1
	e.text(text)
	n := len(e.ids)
	e.counts = e.ids
	e.release()
	return n
}

// maxKept bounds the memory that an encoder keeps between two texts.
const maxKept = 1 << 16

func (e *unigramEncoder) release() {
	if cap(e.nodes) > maxKept || cap(e.word) > maxKept || cap(e.counts) > maxKept || cap(e.spans) > maxKept {
		*e = unigramEncoder{}
	}
	e.v, e.ids = nil, nil
	unigramEncoders.Put(e)
}

func (e *unigramEncoder) full() bool { return e.limit >= 0 && len(e.ids) >= e.limit }

// text finds added tokens as they stand in a text, and encodes what is between them.
func (e *unigramEncoder) text(s string) {
	if !utf8.ValidString(s) {
		s = string([]rune(s)) // each wrong byte becomes U+FFFD
	}
	e.tokens(s, false, func(part string, first bool) {
		norm, start := e.v.unigram.normalize(part)
		first = first && start
		if !e.v.normalized {
			e.words(norm, first)
			return
		}
		e.tokens(norm, true, func(part string, start bool) { e.words(part, first && start) })
	})
}

// tokens emits the added tokens of s. It calls do with each text between them, and with whether that text starts s.
func (e *unigramEncoder) tokens(s string, normalized bool, do func(part string, first bool)) {
	v, from := e.v, 0
	for i := 0; i < len(s) && len(v.added) > 0 && !e.full(); {
		if !normalized && !v.addedFirst[s[i]] {
			i++
			continue
		}
		t, size := v.addedAt(s, i, normalized)
		if t == nil {
			i += size
			continue
		}
		start, end := i, i+len(t.text)
		i = end
		if t.before {
			start = max(from, len(strings.TrimRightFunc(s[:start], unicode.IsSpace)))
		}
		if t.after {
			end = len(s) - len(strings.TrimLeftFunc(s[end:], unicode.IsSpace))
		}
		if from < start {
			do(s[from:start], from == 0)
		}
		e.ids = append(e.ids, t.id)
		from, i = end, max(i, end)
	}
	if from < len(s) && !e.full() {
		do(s[from:], from == 0)
	}
}

// words splits normalised text and encodes its words.
func (e *unigramEncoder) words(s string, first bool) {
	u := e.v.unigram
	if u.flags&unigramSpaces == 0 {
		e.marked(s, first)
		return
	}
	for !e.full() {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		if s == "" {
			return
		}
		end := strings.IndexFunc(s, unicode.IsSpace)
		if end < 0 {
			end = len(s)
		}
		e.marked(s[:end], first)
		s, first = s[end:], false
	}
}

// marked replaces spaces by markers, puts one before the text, and splits the text at markers.
func (e *unigramEncoder) marked(s string, first bool) {
	u := e.v.unigram
	if s == "" {
		return
	}
	if u.flags&unigramMarker == 0 {
		e.word = append(e.word[:0], s...)
		e.viterbi(e.word)
		return
	}
	w := e.word[:0]
	if !strings.HasPrefix(s, u.marker) && s[0] != ' ' &&
		(u.flags&unigramAlways != 0 || u.flags&unigramFirst != 0 && first) {
		w = append(w, u.marker...)
	}
	for i := range len(s) {
		if s[i] == ' ' {
			w = append(w, u.marker...)
		} else {
			w = append(w, s[i])
		}
	}
	e.word = w
	if u.flags&unigramSplit == 0 {
		e.viterbi(w)
		return
	}
	for len(w) > 0 && !e.full() {
		end := len(w)
		if next := bytes.Index(w[1:], []byte(u.marker)); next >= 0 {
			end = next + 1
		}
		e.viterbi(w[:end])
		w = w[end:]
	}
}

// viterbi encodes one word. Of two ways with equal sums it takes the one whose last piece is longer.
func (e *unigramEncoder) viterbi(w []byte) {
	v, u := e.v, e.v.unigram
	if cap(e.nodes) < len(w)+1 {
		e.nodes = make([]latticeNode, len(w)+1)
	}
	nodes := e.nodes[:len(w)+1]
	for i := range nodes {
		nodes[i] = latticeNode{from: -1}
	}
	for at := 0; at < len(w); {
		_, size := utf8.DecodeRune(w[at:])
		here, single := nodes[at].score, false
		relax := func(end int, score float64, id int32) {
			if n := &nodes[end]; n.from < 0 || score > n.score {
				*n = latticeNode{score, int32(at), id}
			}
		}
		h := hashStart(v.seed, false)
		for i := at; i < min(len(w), at+v.longest); i++ {
			h = (h ^ uint32(w[i])) * fnvPrime
			if i+1 < len(w) && w[i+1]&0xc0 == 0x80 {
				continue // inside a character
			}
			if id, ok := v.lookup(finishHash(h), w[at:i+1], false); ok {
				relax(i+1, here+u.score(id), id)
				single = single || i+1 == at+size
			}
		}
		if !single {
			relax(at+size, here+u.unknown, v.unknown)
		}
		at += size
	}
	spans := e.spans[:0]
	for end := int32(len(w)); end > 0; {
		n := nodes[end]
		if last := len(spans) - 1; n.id == v.unknown && last >= 0 && spans[last].id == v.unknown {
			spans[last].from = n.from // unknown characters side by side make one id
		} else {
			spans = append(spans, pieceSpan{n.from, end, n.id})
		}
		end = n.from
	}
	e.spans = spans
	for i := len(spans) - 1; i >= 0; i-- {
		if s := spans[i]; s.id != v.unknown || u.flags&unigramBytes == 0 || !e.bytes(w[s.from:s.to]) {
			e.ids = append(e.ids, s.id)
		}
	}
}

// bytes emits the pieces "<0xHH>" of a text, if all of them are there.
func (e *unigramEncoder) bytes(s []byte) bool {
	const digits = "0123456789ABCDEF"
	before := len(e.ids)
	piece := [6]byte{'<', '0', 'x', 0, 0, '>'}
	for i := range len(s) {
		piece[3], piece[4] = digits[s[i]>>4], digits[s[i]&15]
		id, ok := e.v.Find(string(piece[:]))
		if !ok {
			e.ids = e.ids[:before]
			return false
		}
		e.ids = append(e.ids, id)
	}
	return true
}
