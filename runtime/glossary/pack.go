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

	"kdd/runtime/analyze"
)

//go:generate go run ./gen

// packs has a file for each list and one of the English words of all, see Pack.
//
//go:embed *.zst
var packs embed.FS

// Pack makes the files that the program embeds, by name without ".zst": en is all English words of the lists with a line end behind each,
// the most frequent first; a list is, for n entries, n as uvarint and then, one column after the other,
//
//	n words    the bytes that it shares with the word before, as a byte; the other bytes; if it is not given by the next column a tab and the
//	           folded stem; a line end
//	n stems    the bytes of its folded form that the stem is, as a byte; 0 = see there
//	n counts   how many English words there are, as a byte
//	           the low bytes of the places of those in en, then their high bytes
//
// Each file is one zstd frame. That is two thirds of what the lists take as lines.
func Pack(lists map[analyze.Lang][]Entry) (map[string][]byte, error) {
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
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{string(English): w.EncodeAll([]byte(strings.Join(english, "\n")+"\n"), nil)}
	for lang, list := range lists {
		words := binary.AppendUvarint(nil, uint64(len(list)))
		var stems, counts, low, high []byte
		last := ""
		for _, e := range list {
			same := min(shared(last, e.word), 255)
			words = append(append(words, byte(same)), e.word[same:]...)
			if n := len(e.stem); n > 0 && n < 256 && strings.HasPrefix(analyze.Fold(e.word), e.stem) {
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
		files[string(lang)] = w.EncodeAll(slices.Concat(words, stems, counts, low, high), nil)
	}
	return files, nil
}

var errPack = errors.New("damaged pack")

// Unpack is the inverse of Pack, for one list.
func Unpack(list, english []byte) ([]Entry, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(16<<20))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	all, err := r.DecodeAll(english, nil)
	if err != nil {
		return nil, err
	}
	known := strings.Split(string(all), "\n")
	data, err := r.DecodeAll(list, nil)
	if err != nil {
		return nil, err
	}
	n, size := binary.Uvarint(data)
	if size <= 0 || n > uint64(len(data)) {
		return nil, errPack
	}
	text := string(data[size:])
	entries := make([]Entry, n)
	last := ""
	for i := range entries {
		end := strings.IndexByte(text, '\n') // no word shares as many bytes with the one before as this one has
		if end == 0 {
			if end = strings.IndexByte(text[1:], '\n') + 1; end == 0 {
				return nil, errPack
			}
		}
		if end < 0 || int(text[0]) > len(last) {
			return nil, errPack
		}
		rest, stem, _ := strings.Cut(text[1:end], "\t")
		entries[i].word, entries[i].stem = last[:text[0]]+rest, stem
		last, text = entries[i].word, text[end+1:]
	}
	if uint64(len(text)) < 2*n {
		return nil, errPack
	}
	stems, counts, text := text[:n], text[n:2*n], text[2*n:]
	low, high := text[:len(text)/2], text[len(text)/2:]
	for i := range entries {
		e := &entries[i]
		if form := analyze.Fold(e.word); stems[i] > 0 && int(stems[i]) <= len(form) {
			e.stem = form[:stems[i]]
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

// entries returns the list of a language.
func entries(lang analyze.Lang) []Entry { return unpacked[lang]() }

var unpacked = func() map[analyze.Lang]func() []Entry {
	all := map[analyze.Lang]func() []Entry{}
	for _, lang := range Languages() {
		all[lang] = sync.OnceValue(func() []Entry {
			list, err := load(lang)
			if err != nil {
				panic(fmt.Sprintf("glossary: %s: %v", lang, err)) // the pack is in the program
			}
			return list
		})
	}
	return all
}()

func load(lang analyze.Lang) ([]Entry, error) {
	list, err := packs.ReadFile(string(lang) + ".zst")
	if err != nil {
		return nil, err
	}
	english, err := packs.ReadFile(string(English) + ".zst")
	if err != nil {
		return nil, err
	}
	return Unpack(list, english)
}
