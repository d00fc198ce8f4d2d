package index

import (
	"bytes"
	"hash/crc32"
	"math"
)

// How the text is cut into frames, FORMAT.md §8: so that an edit changes the frame that it is in, and its neighbours at
// most. A border depends on the texts near it and not on how many bytes come before.

// borderBytes is how much of the text after a border says how low the border is.
const borderBytes = 256

// frameEnds returns the ends of the frames, in bytes of all texts end to end.
func frameEnds(texts [][]byte) []uint64 {
	var ends []uint64
	at := uint64(0)
	for i := 0; i < len(texts); {
		if len(texts[i]) > textFrame {
			for text := texts[i]; len(text) > 0; {
				n := lineBorder(text)
				at, text = at+uint64(n), text[n:]
				ends = append(ends, at)
			}
			i++
			continue
		}
		next, n := documentBorder(texts[i:])
		if i, at = i+next, at+uint64(n); n > 0 {
			ends = append(ends, at)
		}
	}
	return ends
}

// documentBorder returns how many of the texts a frame takes, and their bytes: all if they fit, else as many as end at
// the lowest border behind minTextFrame, or as many as fit. The first fits.
func documentBorder(texts [][]byte) (count, size int) {
	best, bestSize, lowest := 0, 0, uint32(math.MaxUint32)
	for count < len(texts) && size+len(texts[count]) <= textFrame {
		size += len(texts[count])
		if count++; count == len(texts) {
			return count, size
		}
		if h := border(texts[count]); size >= minTextFrame && h <= lowest {
			best, bestSize, lowest = count, size, h
		}
	}
	if best > 0 {
		return best, bestSize
	}
	return count, size
}

// lineBorder returns how many bytes of a text a frame takes: all if they fit, else those up to the line with the lowest
// border behind minTextFrame, or as many as fit.
func lineBorder(text []byte) int {
	if len(text) <= textFrame {
		return len(text)
	}
	best, lowest := textFrame, uint32(math.MaxUint32)
	for at := minTextFrame; at <= textFrame; at++ {
		n := bytes.IndexByte(text[at-1:textFrame], '\n')
		if n < 0 {
			break
		}
		at += n
		if h := border(text[at:]); h <= lowest {
			best, lowest = at, h
		}
	}
	return best
}

// border returns how low the border before a text is.
func border(text []byte) uint32 {
	return crc32.Checksum(text[:min(len(text), borderBytes)], frameSums)
}
