package encoder

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Encode appends the ids of the pieces of text to dst, without [CLS] and [SEP]. Bytes that are not UTF-8 count as
// U+FFFD.
//
// Cost: WordPiece about 80 ns a word of English (80 MB/s on one core), no allocation if dst has room; for Unigram see
// unigram_encode.go.
func (v *Vocab) Encode(dst []int32, text string) []int32 {
	if v.unigram != nil {
		return v.encodeUnigram(dst, text, -1)
	}
	e := embedder{v: v, ids: dst, limit: -1}
	e.text(text)
	return e.ids
}

// EncodeWithSpecials appends [CLS], the ids of text, and [SEP]: what a [Transformer] reads. A positive limit bounds the
// number of ids, both specials included: the text's ids beyond it are cut off.
func (v *Vocab) EncodeWithSpecials(dst []int32, text string, limit int) []int32 {
	if v.unigram != nil {
		cut := -1
		if limit > 0 {
			cut = max(limit-2, 0)
		}
		return append(v.encodeUnigram(append(dst, v.first), text, cut), v.last)
	}
	e := embedder{v: v, ids: append(dst, v.first), limit: -1}
	if limit > 0 {
		e.limit = len(dst) + max(limit-1, 1)
	}
	e.text(text)
	if e.limit >= 0 && len(e.ids) > e.limit {
		e.ids = e.ids[:e.limit]
	}
	return append(e.ids, v.last)
}

// Count returns the number of ids that Encode gives, without making them.
func (v *Vocab) Count(text string) int {
	if v.unigram != nil {
		return v.countUnigram(text)
	}
	buffer := countBuffers.Get().(*[256]int32)
	e := embedder{v: v, ids: buffer[:0], limit: -1, counting: true}
	e.text(text)
	countBuffers.Put(buffer)
	return e.counted + len(e.ids)
}

var countBuffers = sync.Pool{New: func() any { return new([256]int32) }}

// encoder is the state of one Encode: the word that is being read, normalised, and the ids so far.
type embedder struct {
	v        *Vocab
	ids      []int32
	limit    int // ids after which encoding may stop; -1 for none
	counting bool
	counted  int

	word  [4*maxWordRunes + utf8.UTFMax]byte
	n     int // bytes of the word; past the limit of characters they are counted only
	runes int

	hashes [maxPieceBytes + 1]uint32 // of each start of the part that is being matched
}

func (e *embedder) full() bool { return e.limit >= 0 && len(e.ids) >= e.limit }

// text encodes a whole text: it finds added tokens such as [SEP] as they stand, and encodes what is between them.
func (e *embedder) text(s string) {
	v := e.v
	from := 0
	for i := 0; i < len(s) && len(v.added) > 0; {
		if !v.addedFirst[s[i]] {
			i++
			continue
		}
		t, size := v.addedAt(s, i, false)
		if t == nil {
			i += size
			continue
		}
		e.between(s[from:i])
		e.emit(t.id)
		i += len(t.text)
		from = i
		if e.full() {
			return
		}
	}
	e.between(s[from:])
}

// addedAt returns the longest added token at s[i:] and the number of bytes to go on by. The token is nil if there is
// none, or if it touches a word and must not: then no other token is looked for in the text that it covers.
func (v *Vocab) addedAt(s string, i int, normalized bool) (*addedToken, int) {
	var best *addedToken
	for k := range v.added {
		t := &v.added[k]
		if t.normalized == normalized && (best == nil || len(t.text) > len(best.text)) &&
			strings.HasPrefix(s[i:], t.text) {
			best = t
		}
	}
	if best == nil {
		return nil, 1
	}
	end := i + len(best.text)
	if best.word {
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if i > 0 && isWordRune(before) || end < len(s) && isWordRune(after) {
			return nil, end - i
		}
	}
	return best, end - i
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.In(r, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc,
		unicode.Other_Alphabetic, unicode.Join_Control)
}

// between encodes text in which no added token was found as it stands.
func (e *embedder) between(s string) {
	if !e.v.normalized {
		e.words(s)
		return
	}
	norm := string(e.v.normalize(nil, s))
	plain := embedder{v: e.v, ids: e.ids, limit: e.limit, counting: e.counting, counted: e.counted}
	from := 0
	for i := 0; i < len(norm); {
		t, size := e.v.addedAt(norm, i, true)
		if t == nil {
			i += size
			continue
		}
		plain.normalized(norm[from:i])
		plain.emit(t.id)
		i += len(t.text)
		from = i
	}
	plain.normalized(norm[from:])
	e.ids, e.counted = plain.ids, plain.counted
}

// normalized encodes text that normalize returned.
func (e *embedder) normalized(s string) {
	for _, r := range s {
		e.split(r)
	}
	e.endWord()
}

// words normalises, splits and encodes text in one pass.
func (e *embedder) words(s string) {
	clean := e.v.flags&flagClean != 0
	lower := e.v.flags&flagLower != 0
	for i := 0; i < len(s); {
		b := s[i]
		switch byteClass[b] {
		case classWord:
			// The whole run of letters and digits at once: this is where English spends its time.
			j := i + 1
			for j < len(s) && byteClass[s[j]] == classWord {
				j++
			}
			e.runes += j - i
			if e.runes <= e.v.maxRunes {
				w := e.word[e.n : e.n+j-i]
				if lower {
					for k := range w {
						w[k] = byteLower[s[i+k]]
					}
				} else {
					copy(w, s[i:j])
				}
				e.n += j - i
			}
			i = j
			continue
		case classSpace:
			e.endWord()
		case classMark:
			e.endWord()
			e.word[0], e.n, e.runes = b, 1, 1
			e.endWord()
		case classControl:
			if !clean {
				e.push(rune(b))
			}
		case classBreak:
			if !clean {
				e.endWord()
			}
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			e.rune(r)
			i += size
			continue
		}
		i++
		if e.full() {
			e.n, e.runes = 0, 0
			return
		}
	}
	e.endWord()
}

// rune normalises a character above U+007F and gives the result to split.
func (e *embedder) rune(r rune) {
	flags := e.v.flags
	if flags&flagClean != 0 && unicode.Is(droppedRunes, r) {
		return
	}
	chinese := flags&flagChinese != 0 && isChinese(r)
	if chinese {
		e.endWord()
	}
	left, n := [3]rune{r}, 1
	if flags&flagStrip != 0 {
		n = stripAccents(r, &left)
	}
	for _, r := range left[:n] {
		if flags&flagLower != 0 {
			if r == 'İ' {
				e.split('i')
				r = '\u0307'
			} else if r < utf8.RuneSelf {
				r = rune(byteLower[r])
			} else {
				r = lowerCase(r)
			}
		}
		e.split(r)
	}
	if chinese {
		e.endWord()
	}
}

// split puts a normalised character into the word, or ends the word with it.
func (e *embedder) split(r rune) {
	space, mark := false, false
	if r < utf8.RuneSelf {
		c := byteClass[r]
		space, mark = c == classSpace || c == classBreak, c == classMark
	} else {
		space, mark = unicode.Is(spaceRunes, r), unicode.Is(punctuationRunes, r)
	}
	switch {
	case space:
		e.endWord()
	case mark:
		e.endWord()
		e.push(r)
		e.endWord()
	default:
		e.push(r)
	}
}

func (e *embedder) push(r rune) {
	if e.runes++; e.runes <= e.v.maxRunes {
		e.n += utf8.EncodeRune(e.word[e.n:e.n+utf8.UTFMax], r)
	}
}

func (e *embedder) emit(id int32) {
	if e.counting && len(e.ids) == cap(e.ids) {
		e.counted += len(e.ids)
		e.ids = e.ids[:0]
	}
	e.ids = append(e.ids, id)
}

// endWord encodes the word that was read: the longest piece that starts it, then the longest continuation, and so on.
// If no piece fits somewhere, the whole word is unknown.
func (e *embedder) endWord() {
	if e.runes == 0 {
		return
	}
	v, w := e.v, e.word[:e.n]
	long := e.runes > v.maxRunes
	e.n, e.runes = 0, 0
	if long {
		e.emit(v.unknown)
		return
	}
	if e.counting && cap(e.ids)-len(e.ids) < len(w) {
		// Ids of a word may be taken back, so they are counted only once the word is done.
		e.counted += len(e.ids)
		e.ids = e.ids[:0]
	}
	before := len(e.ids)
	for start := 0; start < len(w); {
		rest := w[start:min(len(w), start+v.longest)]
		cont := start > 0
		h := hashStart(v.seed, cont)
		for i, b := range rest {
			h = (h ^ uint32(b)) * fnvPrime
			e.hashes[i] = h
		}
		end := len(rest)
		for ; end > 0; end-- {
			if start+end < len(w) && w[start+end]&0xc0 == 0x80 {
				continue // inside a character
			}
			if id, ok := v.lookup(finishHash(e.hashes[end-1]), rest[:end], cont); ok {
				e.ids = append(e.ids, id)
				break
			}
		}
		if end == 0 {
			e.ids = append(e.ids[:before], v.unknown)
			return
		}
		start += end
	}
}
