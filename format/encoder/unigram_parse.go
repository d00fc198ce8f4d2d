package encoder

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"unicode/utf8"
)

// unigram puts the settings and pieces of SentencePiece's Unigram model into src.
//
// Supported are the normalizers Precompiled, NFC, NFD, NFKC, NFKD, Strip, Replace (of a text, or of runs of one
// character) and Prepend, alone or in a Sequence; the pre-tokenizers Metaspace, WhitespaceSplit and both in this order,
// or none.
func (f *tokenizerFile) unigram(src *vocabSource) error {
	m := &f.Model
	u := &unigramSource{}
	src.unigram = u
	if err := f.unigramPieces(src); err != nil {
		return err
	}
	if m.UnknownID == nil {
		return unsupported("model", "no unk_id, want the id of the piece for unknown characters")
	}
	if *m.UnknownID < 0 || *m.UnknownID >= len(src.pieces) {
		return corrupt("model", "unk_id %d of %d pieces", *m.UnknownID, len(src.pieces))
	}
	if m.Bytes {
		u.flags |= unigramBytes
	}
	if f.Normalizer != nil {
		if err := f.Normalizer.appendSteps(u, 0); err != nil {
			return err
		}
	}
	if _, err := parseSteps(u.steps); err != nil {
		return err
	}
	if f.PreTokenizer != nil {
		return f.PreTokenizer.split(u)
	}
	return nil
}

// unigramPieces reads the vocabulary, a list of pieces with scores; a piece's id is its place.
func (f *tokenizerFile) unigramPieces(src *vocabSource) error {
	var vocab []json.RawMessage
	if err := json.Unmarshal(f.Model.RawVocab, &vocab); err != nil {
		return corrupt("model", "vocab: %v", err)
	}
	if len(vocab) == 0 {
		return unsupported("model", "vocab is empty")
	}
	if len(vocab) > maxPieces {
		return unsupported("model", "%d pieces, want at most %d", len(vocab), maxPieces)
	}
	for i, raw := range vocab {
		var piece *string
		var score *float64
		if pair := []any{&piece, &score}; json.Unmarshal(raw, &pair) != nil || len(pair) != 2 || piece == nil ||
			score == nil {
			return corrupt("model", "piece %d of vocab is %.80s, want a text and a score", i, raw)
		}
		if math.Abs(*score) > math.MaxFloat64/2 {
			return corrupt("model", "piece %d of vocab has the score %g", i, *score)
		}
		src.pieces = append(src.pieces, *piece)
		src.unigram.scores = append(src.unigram.scores, *score)
	}
	src.model = len(src.pieces)
	return nil
}

// appendSteps adds the steps of a normalizer.
func (n *normalizerFile) appendSteps(u *unigramSource, depth int) error {
	const what = "normalizer"
	isTrue := func(b *bool) bool { return b == nil || *b }
	s := step{}
	switch n.Type {
	case "Sequence":
		if depth > 2 {
			return unsupported(what, "a Sequence in a Sequence in a Sequence")
		}
		for i := range n.Parts {
			if err := n.Parts[i].appendSteps(u, depth+1); err != nil {
				return err
			}
		}
		return nil
	case "Precompiled":
		if n.Charsmap == nil || *n.Charsmap == "" {
			return nil // SentencePiece's "identity"
		}
		data, err := base64.StdEncoding.DecodeString(*n.Charsmap)
		if err != nil {
			return corrupt(what, "precompiled_charsmap: %v", err)
		}
		if s.chars, err = parseCharsmap(data); err != nil {
			return err
		}
		if err := s.chars.verify(); err != nil {
			return err
		}
		s.op = stepChars
	case "NFC":
		s.op = stepNFC
	case "NFD":
		s.op = stepNFD
	case "NFKC":
		s.op = stepNFKC
	case "NFKD":
		s.op = stepNFKD
	case "Strip":
		s.op = stepStrip
		if isTrue(n.Left) {
			s.sides |= 1
		}
		if isTrue(n.Right) {
			s.sides |= 2
		}
	case "Replace":
		s.new = n.Content
		switch {
		case n.Pattern.String != nil && *n.Pattern.String != "":
			s.op, s.old = stepReplace, *n.Pattern.String
		case n.Pattern.Regex != nil && s.setRun(*n.Pattern.Regex):
			s.op = stepRun
		default:
			pattern := ""
			if n.Pattern.Regex != nil {
				pattern = *n.Pattern.Regex
			}
			return unsupported(what,
				"Replace of the pattern %q, want a text, or a character or \\s followed by + or {N,}", pattern)
		}
	case "Prepend":
		s.op, s.new = stepPrepend, n.Prepend
	default:
		return unsupported(what, "%q with a Unigram model, want Precompiled, NFC, NFD, NFKC, NFKD, Strip, Replace, "+
			"Prepend or a Sequence of them", n.Type)
	}
	if len(s.old) > maxStepText || len(s.new) > maxStepText {
		return unsupported(what, "%s with a text of %d bytes, want at most %d",
			n.Type, max(len(s.old), len(s.new)), maxStepText)
	}
	u.steps = s.appendTo(u.steps)
	return nil
}

// setRun accepts a regular expression that matches a run of one character: " {2,}", " +", `\s+`.
func (s *step) setRun(pattern string) bool {
	char, size := utf8.DecodeRuneInString(pattern)
	rest := pattern[size:]
	switch {
	case char == '\\' && len(rest) > 0 && rest[0] == 's':
		char, rest = -1, rest[1:]
	case char == '\\' && len(rest) > 0 && rest[0] == ' ':
		char, rest = ' ', rest[1:]
	case char < utf8.RuneSelf && byteClass[byte(char)] == classMark:
		return false // it has a meaning in regular expressions
	}
	least := 1
	if rest != "+" {
		n := len(rest)
		if n < 4 || rest[0] != '{' || rest[n-2:] != ",}" {
			return false
		}
		least = 0
		for _, d := range rest[1 : n-2] {
			if d < '0' || d > '9' || least > maxStepText {
				return false
			}
			least = least*10 + int(d-'0')
		}
	}
	s.char, s.least = char, least
	return least > 0 && least <= maxStepText
}

// split reads the pre-tokenizer.
func (p *splitterFile) split(u *unigramSource) error {
	const what = "pre_tokenizer"
	parts := []splitterFile{*p}
	if p.Type == "Sequence" {
		parts = p.Parts
	}
	for i, part := range parts {
		switch part.Type {
		case "WhitespaceSplit":
			if i > 0 {
				return unsupported(what,
					"WhitespaceSplit after another, want it first")
			}
			u.flags |= unigramSpaces
		case "Metaspace":
			if u.flags&unigramMarker != 0 {
				return unsupported(what, "two of type Metaspace")
			}
			marker, size := utf8.DecodeRuneInString(part.Replacement)
			if size != len(part.Replacement) || marker <= ' ' || marker == utf8.RuneError {
				return unsupported(what, "Metaspace with the replacement %q, want one character", part.Replacement)
			}
			u.marker = marker
			u.flags |= unigramMarker
			if part.Split == nil || *part.Split {
				u.flags |= unigramSplit
			}
			scheme := part.Scheme
			if scheme == "" {
				scheme = "always"
				if part.Prefix != nil && !*part.Prefix {
					scheme = "never"
				}
			}
			switch scheme {
			case "always":
				u.flags |= unigramAlways
			case "first":
				if u.flags&unigramSpaces != 0 {
					return unsupported(what, "WhitespaceSplit and a Metaspace with prepend_scheme \"first\", want \"always\"")
				}
				u.flags |= unigramFirst
			case "never":
			default:
				return unsupported(what, "Metaspace with prepend_scheme %q, want always, first or never", scheme)
			}
		default:
			return unsupported(what, "%q with a Unigram model, want Metaspace, WhitespaceSplit or both", part.Type)
		}
	}
	return nil
}
