package encoder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxTokenizerBytes bounds a tokenizer.json or vocab.txt. BERT's is half a megabyte, the multilingual one 3 MB.
const maxTokenizerBytes = 64 << 20

// NewVocab makes a WordPiece tokenizer with BERT's usual settings from pieces in the order of their ids. Cased leaves
// case and accents alone.
func NewVocab(pieces []string, cased bool) (*Vocab, error) {
	src := &vocabSource{flags: flagsAll, maxRunes: 100, pieces: pieces, model: len(pieces)}
	if cased {
		src.flags &^= flagLower | flagStrip
	}
	id := func(piece string) int32 { return int32(slices.Index(pieces, piece)) }
	src.unknown, src.first, src.last = id("[UNK]"), id("[CLS]"), id("[SEP]")
	for _, s := range []string{"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"} {
		i := id(s)
		if i >= 0 {
			src.added = append(src.added, addedToken{text: s, id: i})
		} else if s != "[PAD]" && s != "[MASK]" {
			return nil, unsupported("vocabulary", "no piece %s among %d; a BERT vocabulary has [UNK], [CLS] and [SEP]",
				s, len(pieces))
		}
	}
	return newVocab(src)
}

// ParseVocabText reads a vocab.txt: a piece a line, its id being the line's number from 0. The file does not say
// whether text is lower-cased; do_lower_case in tokenizer_config.json beside it does.
func ParseVocabText(data []byte, cased bool) (*Vocab, error) {
	if len(data) > maxTokenizerBytes {
		return nil, unsupported("vocab.txt", "%d bytes, want at most %d", len(data), maxTokenizerBytes)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	v, err := NewVocab(lines, cased)
	if err != nil {
		return nil, fmt.Errorf("vocab.txt: %w", err)
	}
	return v, nil
}

// tokenizerFile is the part of a tokenizer.json that decides ids. Truncation and padding are left out on purpose: they
// are settings of the program that saved the file, and the model decides the window.
type tokenizerFile struct {
	AddedTokens []struct {
		ID         int64  `json:"id"`
		Content    string `json:"content"`
		SingleWord bool   `json:"single_word"`
		Normalized bool   `json:"normalized"`
		Before     bool   `json:"lstrip"`
		After      bool   `json:"rstrip"`
	} `json:"added_tokens"`
	Normalizer    *normalizerFile `json:"normalizer"`
	PreTokenizer  *splitterFile   `json:"pre_tokenizer"`
	PostProcessor *postProcessor  `json:"post_processor"`
	Model         struct {
		Type      string          `json:"type"`
		Unknown   string          `json:"unk_token"`
		UnknownID *int            `json:"unk_id"`
		Bytes     bool            `json:"byte_fallback"`
		Prefix    *string         `json:"continuing_subword_prefix"`
		MaxRunes  *int            `json:"max_input_chars_per_word"`
		RawVocab  json.RawMessage `json:"vocab"`
		RawMerges json.RawMessage `json:"merges"`
	} `json:"model"`
}

// normalizerFile has the settings of all known normalizers; each kind uses some of them.
type normalizerFile struct {
	Type         string `json:"type"`
	CleanText    *bool  `json:"clean_text"`
	Chinese      *bool  `json:"handle_chinese_chars"`
	StripAccents *bool  `json:"strip_accents"`
	Lowercase    *bool  `json:"lowercase"`

	Parts    []normalizerFile `json:"normalizers"`
	Charsmap *string          `json:"precompiled_charsmap"`
	Left     *bool            `json:"strip_left"`
	Right    *bool            `json:"strip_right"`
	Pattern  struct {
		String *string
		Regex  *string
	} `json:"pattern"`
	Content string `json:"content"`
	Prepend string `json:"prepend"`
}

// splitterFile has the settings of all known pre-tokenizers.
type splitterFile struct {
	Type        string         `json:"type"`
	Parts       []splitterFile `json:"pretokenizers"`
	Replacement string         `json:"replacement"`
	Prefix      *bool          `json:"add_prefix_space"`
	Scheme      string         `json:"prepend_scheme"`
	Split       *bool          `json:"split"`
}

type postProcessor struct {
	Type   string            `json:"type"`
	Single []templatePart    `json:"single"`
	Sep    []json.RawMessage `json:"sep"`
	Cls    []json.RawMessage `json:"cls"`
}

type templatePart struct {
	SpecialToken *struct {
		ID string `json:"id"`
	}
	Sequence *struct {
		ID string `json:"id"`
	}
}

// ParseTokenizer reads a Hugging Face tokenizer.json of BERT's kind (a WordPiece model, BertNormalizer,
// BertPreTokenizer) or of SentencePiece's (a Unigram model, see unigram_parse.go), with a post-processor that puts one
// token before a text and one after it. Anything else is an [ErrModel] that names what was found.
func ParseTokenizer(data []byte) (*Vocab, error) {
	return namedTokenizer(data, false)
}

// ParseBareTokenizer is [ParseTokenizer] for a table of word vectors, whose texts have no special tokens: the
// unknown piece stands in for them, whatever the post-processor is.
func ParseBareTokenizer(data []byte) (*Vocab, error) { return namedTokenizer(data, true) }

func namedTokenizer(data []byte, bare bool) (*Vocab, error) {
	v, err := parseTokenizer(data, bare)
	if err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	return v, nil
}

func parseTokenizer(data []byte, bare bool) (*Vocab, error) {
	if len(data) > maxTokenizerBytes {
		return nil, unsupported("size", "%d bytes, want at most %d", len(data), maxTokenizerBytes)
	}
	if b := bytes.TrimLeft(data, " \t\r\n"); len(b) > 0 && b[0] == '<' {
		return nil, corrupt("content", "a web page, want JSON; was the file downloaded behind a login or proxy?")
	}
	var f tokenizerFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, corrupt("content", "%v", err)
	}
	src := &vocabSource{}
	read := f.wordPiece
	if f.Model.Type == "Unigram" || f.Model.Type == "" && f.Model.UnknownID != nil {
		read = f.unigram
	}
	if err := read(src); err != nil {
		return nil, err
	}
	byText := make(map[string]int32, len(src.pieces))
	for i, p := range src.pieces {
		byText[p] = int32(i)
	}
	for _, t := range f.AddedTokens {
		id, known := byText[t.Content]
		switch {
		case t.Content == "":
			return nil, corrupt("added_tokens", "token %d has no content", t.ID)
		case known && int64(id) != t.ID:
			return nil, corrupt("added_tokens", "%q has id %d, in the vocabulary %d", t.Content, t.ID, id)
		case !known && t.ID != int64(len(src.pieces)):
			return nil, corrupt("added_tokens", "%q has id %d, want the next free one, %d",
				t.Content, t.ID, len(src.pieces))
		case !known:
			byText[t.Content] = int32(t.ID)
			src.pieces = append(src.pieces, t.Content)
		}
		src.added = append(src.added, addedToken{text: t.Content, id: int32(t.ID), normalized: t.Normalized,
			word: t.SingleWord, before: t.Before, after: t.After})
	}
	if src.unigram != nil {
		src.unigram.pieces = len(src.pieces)
		f.Model.Unknown = src.pieces[*f.Model.UnknownID]
	}
	first, last, err := f.Model.Unknown, f.Model.Unknown, error(nil)
	if !bare {
		first, last, err = f.PostProcessor.specials()
	}
	if err != nil {
		return nil, err
	}
	for _, s := range []struct {
		role, piece string
		id          *int32
	}{{"unk_token", f.Model.Unknown, &src.unknown}, {"post_processor", first, &src.first},
		{"post_processor", last, &src.last}} {
		id, ok := byText[s.piece]
		if !ok {
			return nil, corrupt(s.role, "%q is not in the vocabulary", s.piece)
		}
		*s.id = id
	}
	return newVocab(src)
}

// wordPiece puts BERT's settings and pieces into src.
func (f *tokenizerFile) wordPiece(src *vocabSource) error {
	src.flags, src.maxRunes = flagsAll, 100
	if err := f.checkModel(src); err != nil {
		return err
	}
	n := f.Normalizer
	if n == nil {
		return unsupported("normalizer", "none, want BertNormalizer")
	}
	if n.Type != "BertNormalizer" {
		return unsupported("normalizer", "%q, want BertNormalizer", n.Type)
	}
	strip := n.StripAccents
	if strip == nil {
		strip = n.Lowercase // as the reference does
	}
	for _, o := range []struct {
		value *bool
		flag  uint32
	}{{n.CleanText, flagClean}, {n.Chinese, flagChinese}, {strip, flagStrip}, {n.Lowercase, flagLower}} {
		if o.value != nil && !*o.value {
			src.flags &^= o.flag
		}
	}
	if f.PreTokenizer == nil {
		return unsupported("pre_tokenizer", "none, want BertPreTokenizer")
	}
	if f.PreTokenizer.Type != "BertPreTokenizer" {
		return unsupported("pre_tokenizer", "%q, want BertPreTokenizer", f.PreTokenizer.Type)
	}
	return nil
}

// checkModel puts the model's pieces, in the order of their ids, into src.
func (f *tokenizerFile) checkModel(src *vocabSource) error {
	m := &f.Model
	kind := m.Type
	if kind == "" && m.Prefix != nil && m.RawMerges == nil {
		kind = "WordPiece" // older files have no type
	}
	if kind != "WordPiece" {
		return unsupported("model", "%q, want WordPiece (BERT's tokenizer) or Unigram (SentencePiece's)", kind)
	}
	if m.Prefix != nil && *m.Prefix != "##" {
		return unsupported("model", "continuing_subword_prefix %q, want \"##\"", *m.Prefix)
	}
	if m.MaxRunes != nil {
		src.maxRunes = *m.MaxRunes
	}
	var vocab map[string]int64
	if err := json.Unmarshal(m.RawVocab, &vocab); err != nil {
		return corrupt("model", "vocab: %v", err)
	}
	if len(vocab) == 0 {
		return unsupported("model", "vocab is empty")
	}
	src.pieces = make([]string, len(vocab))
	used := make([]bool, len(vocab))
	for piece, id := range vocab {
		if id >= 0 && id < int64(len(vocab)) {
			src.pieces[id], used[id] = piece, true
		}
	}
	// With n pieces, an id twice or out of range leaves another of 0 to n-1 unused.
	if free := slices.Index(used, false); free >= 0 {
		return corrupt("model", "no piece of vocab has id %d, want %d pieces with ids 0 to %d",
			free, len(vocab), len(vocab)-1)
	}
	src.model = len(src.pieces)
	return nil
}

// specials returns the tokens that go before and after one text.
func (p *postProcessor) specials() (first, last string, err error) {
	const want = "want TemplateProcessing, BertProcessing or RobertaProcessing " +
		"with one token before the text and one after"
	if p == nil {
		return "", "", unsupported("post_processor", "none, %s", want)
	}
	switch p.Type {
	case "TemplateProcessing":
		s := p.Single
		if len(s) == 3 && s[0].SpecialToken != nil && s[1].Sequence != nil && s[2].SpecialToken != nil {
			return s[0].SpecialToken.ID, s[2].SpecialToken.ID, nil
		}
		return "", "", unsupported("post_processor", "a template of %d parts, %s", len(s), want)
	case "BertProcessing", "RobertaProcessing":
		if len(p.Cls) > 0 && len(p.Sep) > 0 && json.Unmarshal(p.Cls[0], &first) == nil &&
			json.Unmarshal(p.Sep[0], &last) == nil {
			return first, last, nil
		}
		return "", "", corrupt("post_processor", "%s without cls and sep", p.Type)
	}
	return "", "", unsupported("post_processor", "%q, %s", p.Type, want)
}
