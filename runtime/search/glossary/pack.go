package glossary

import (
	"cmp"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"kdd/format/text"
)

//go:generate go run ./gen

// packs has a file for each list and one of the English words of all, see Pack.
//
//go:embed *.zst
var packs embed.FS

// Pack makes the files that the program embeds, by name without ".zst": the parts that Compress takes. en is all English words of the
// lists, the most frequent first, with a line end behind each; a list is, for n entries, n as uvarint and then, one column after the other,
//
//	n words    the bytes that it shares with the word before, as a byte; the other bytes; if it is not given by the next column a tab and the
//	           folded stem; a line end
//	n stems    the bytes of its folded form that the stem is, as a byte; 0 = see there
//	n counts   how many English words there are, as a byte
//	           the low bytes of the places of those in en, then their high bytes
//
// Compressed they take six tenths of what the lists take as lines.
func Pack(lists map[text.Lang][]Entry) (map[string][][]byte, error) {
	times := map[string]int{}
	for _, list := range lists {
		for _, e := range list {
			for _, word := range e.english {
				times[word]++
			}
		}
	}
	english := slices.SortedFunc(maps.Keys(times), func(a, b string) int { return cmp.Or(times[b]-times[a], strings.Compare(a, b)) })
	if len(english) > 1<<16 {
		return nil, fmt.Errorf("got %d English words, want at most %d", len(english), 1<<16)
	}
	at := map[string]int{}
	for i, word := range english {
		at[word] = i
	}
	files := map[string][][]byte{string(English): {[]byte(strings.Join(english, "\n") + "\n")}}
	for lang, list := range lists {
		words := binary.AppendUvarint(nil, uint64(len(list)))
		var stems, counts, low, high []byte
		last := ""
		for _, e := range list {
			same := min(shared(last, e.word), 255)
			words = append(append(words, byte(same)), e.word[same:]...)
			if n := len(e.stem); n > 0 && n < 256 && strings.HasPrefix(e.form, e.stem) {
				stems = append(stems, byte(n))
			} else {
				words, stems = append(append(words, '\t'), e.stem...), append(stems, 0)
			}
			words = append(words, '\n')
			if len(e.english) > 255 {
				return nil, fmt.Errorf("%s: got %d English words for %q, want at most 255", lang, len(e.english), e.word)
			}
			counts = append(counts, byte(len(e.english)))
			for _, word := range e.english {
				low, high = append(low, byte(at[word])), append(high, byte(at[word]>>8))
			}
			last = e.word
		}
		files[string(lang)] = [][]byte{words, stems, counts, low, high}
	}
	return files, nil
}

// Compress puts each part of a file into a frame of its own: their bytes are not alike, and one code for all takes a tenth more. Read one
// behind the other they are the file.
func Compress(parts [][]byte) (file []byte, err error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		file = w.EncodeAll(part, file)
	}
	return file, nil
}

var errPack = errors.New("damaged pack")

// Unpack is the inverse of Pack, for one list; both are given with their parts one behind the other.
func Unpack(list, english string) ([]Entry, error) {
	known := strings.Split(english, "\n")
	n, size := binary.Uvarint([]byte(list[:min(len(list), binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(len(list)) {
		return nil, errPack
	}
	entries := make([]Entry, 0, n)
	rest, ok := eachWord(list, func(word []byte, stem string) {
		w := string(word)
		entries = append(entries, Entry{word: w, form: text.Fold(w), stem: stem})
	})
	if !ok || uint64(len(rest)) < 2*n {
		return nil, errPack
	}
	stems, counts, rest := rest[:n], rest[n:2*n], rest[2*n:]
	low, high := rest[:len(rest)/2], rest[len(rest)/2:]
	for i := range entries {
		e := &entries[i]
		if 0 < stems[i] && int(stems[i]) <= len(e.form) {
			e.stem = e.form[:stems[i]]
		}
		many := int(counts[i])
		if many > len(low) {
			return nil, errPack
		}
		for k := range many {
			at := int(low[k]) | int(high[k])<<8
			if at >= len(known) {
				return nil, errPack
			}
			e.english = append(e.english, known[at])
		}
		low, high = low[many:], high[many:]
	}
	return entries, nil
}

// eachWord calls each for the words of a list, with the stem where it stands beside the word, and returns what is behind them; not ok if
// the list is damaged. The word is only good until each returns.
func eachWord(list string, each func(word []byte, stem string)) (rest string, ok bool) {
	n, size := binary.Uvarint([]byte(list[:min(len(list), binary.MaxVarintLen64)]))
	if size <= 0 {
		return "", false
	}
	list = list[size:]
	var word []byte
	for range n {
		if list == "" || int(list[0]) > len(word) {
			return "", false
		}
		end := strings.IndexByte(list[1:], '\n')
		if end < 0 {
			return "", false
		}
		own, stem, _ := strings.Cut(list[1:1+end], "\t")
		word = append(word[:list[0]], own...)
		each(word, stem)
		list = list[2+end:]
	}
	return list, true
}

// entries returns the list of a language.
func entries(lang text.Lang) []Entry {
	list, err := Unpack(data(lang), data(English))
	if err != nil {
		panic(fmt.Sprintf("glossary: %s: %v", lang, err)) // the pack is in the program
	}
	return list
}

// data returns what a file has in its frames.
func data(lang text.Lang) string { return files[lang]() }

var files = func() map[text.Lang]func() string {
	all := map[text.Lang]func() string{}
	for _, lang := range append(Languages(), English) {
		all[lang] = sync.OnceValue(func() string {
			data, err := load(string(lang) + ".zst")
			if err != nil {
				panic(fmt.Sprintf("glossary: %s: %v", lang, err)) // the pack is in the program
			}
			return data
		})
	}
	return all
}()

var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(16<<20))
})

func load(name string) (string, error) {
	pack, err := packs.ReadFile(name)
	if err != nil {
		return "", err
	}
	r, err := decoder()
	if err != nil {
		return "", err
	}
	data, err := r.DecodeAll(pack, nil)
	return string(data), err
}
