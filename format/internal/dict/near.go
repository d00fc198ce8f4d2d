package dict

import (
	"cmp"
	"slices"
	"sort"
	"unicode/utf8"
)

// Near is a string of a dictionary at a small distance from the one asked for.
type Near struct {
	Ordinal  uint32
	Key      string
	Distance int
}

// The bounds of a walk for near strings.
const (
	maxNearRunes = 128     // of the string asked for; a longer one has no near strings
	maxNearSteps = 200_000 // strings that are decoded; about 10 ms
)

// Near returns the strings in [from, to) that are at most most edits away from key, nearest first and equally near ones
// in order, and whether it looked at all of them; to = "" is the end. An edit changes, drops or adds a character, or
// swaps it with its neighbour; no character is edited twice (optimal string alignment: Damerau 1964, Wagner & Fischer
// 1974). Characters for which skip, if it is not nil, is true count as if they were not there, in key and in the
// dictionary.
//
// It walks the dictionary as a Levenshtein automaton walks a trie (Schulz & Mihov 2002): there is a row of distances
// for each character of the current string, and strings with the same beginning share its rows. If no distance of a row
// is within most, all strings with that beginning are passed over, group by group. This is why it does not call
// text.Distance, which compares two strings from their beginnings on.
//
// Cost: a row of 2·most + 1 distances for each character not shared with the string before; at most maxNearSteps
// strings.
func (d *Dict) Near(key, from, to string, most int, skip func(rune) bool) (list []Near, complete bool) {
	w := nearWalk{most: most, skip: skip}
	for _, r := range key {
		if skip == nil || !skip(r) {
			w.want = append(w.want, r)
		}
	}
	if len(w.want) == 0 || len(w.want) > maxNearRunes || most < 0 {
		return nil, true
	}
	w.start()
	d.ahead(from, to)
	c, ok := d.seek(from)
	for steps := 1; ok && (to == "" || string(c.key) < to); steps++ {
		if steps > maxNearSteps {
			return sortNear(list), false
		}
		if distance, dead := w.read(c.key); dead > 0 {
			if c, ok = c.beyond(c.key[:dead]); ok {
				continue
			}
			break
		} else if distance <= most {
			list = append(list, Near{c.next - 1, string(c.key), distance})
		}
		if ok = c.next < d.n; ok {
			c.step()
		}
	}
	return sortNear(list), true
}

func sortNear(list []Near) []Near {
	slices.SortStableFunc(list, func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return list
}

// beyond moves from a string that begins with prefix to the first one behind it that does not: by steps within its
// group, else by an exponential search over groups.
func (c dictCursor) beyond(prefix []byte) (dictCursor, bool) {
	d, n := c.d, len(prefix)
	begins := func(key []byte) bool { return len(key) >= n && string(key[:n]) == string(prefix) }
	if g := (c.next-1)/dictGroup + 1; g < d.groups && begins(d.first(g)) {
		ahead := uint32(1) // group g begins with prefix; mostly one of the next does not
		for ahead < d.groups-g && begins(d.first(g+ahead)) {
			g, ahead = g+ahead, ahead*2
		}
		ahead = min(ahead, d.groups-g)
		g += uint32(sort.Search(int(ahead)-1, func(i int) bool { return !begins(d.first(g + 1 + uint32(i))) }))
		key := c.key[:0]
		c = d.group(g)
		c.key = key
		c.step()
	}
	for c.next < d.n {
		shared := c.step()
		if shared < n {
			return c, true
		}
	}
	return c, false
}

// FirstLetters returns the characters that strings from a key on begin with, in order, as far as they are UTF-8. Cost: a
// search for each.
func (d *Dict) FirstLetters(from string) (list []rune) {
	d.ahead(from, "")
	c, ok := d.seek(from)
	for ok && len(c.key) > 0 {
		r, size := utf8.DecodeRune(c.key)
		if r != utf8.RuneError {
			list = append(list, r)
			c, ok = c.beyond(c.key[:size])
		} else if ok = c.next < d.n; ok { // strings between this and the next may begin with the same byte
			c.step()
		}
	}
	return list
}

// nearRow has the distances at the end of one character of the current string.
type nearRow struct {
	r          rune
	start, end int  // of the character, in bytes
	skipped    bool // it does not count; the distances are those before it
	before     int  // the row of the character that counts before this one; -1 at the start
	count      int  // characters that count up to this one
	least      uint8
	distances  []uint8 // from what was read so far to each beginning of want; see band
}

// nearWalk holds the rows of the current string.
type nearWalk struct {
	want []rune
	most int
	skip func(rune) bool
	rows []nearRow // rows[0] is before the first character
}

func (w *nearWalk) start() {
	first := nearRow{before: -1, distances: make([]uint8, len(w.want)+1)}
	for i := range first.distances {
		first.distances[i] = uint8(min(i, w.most+1))
	}
	w.rows = append(w.rows[:0], first)
}

// band returns the beginnings [low, high] of want that a row of count characters has distances of: those that are at
// most most characters longer or shorter. Of the beginnings beside them the row says that they are too far, of others
// nothing.
func (w *nearWalk) band(count int) (low, high int) {
	return max(0, count-w.most), min(len(w.want), count+w.most)
}

// distance returns the distance of a row from the whole of want, most + 1 for all that are too far.
func (w *nearWalk) distance(row *nearRow) int {
	if low, high := w.band(row.count); low > len(w.want) || high < len(w.want) {
		return w.most + 1
	}
	return int(row.distances[len(w.want)])
}

// read returns the distance of key. If its first bytes show that no string that begins with them is near, dead is their
// number.
func (w *nearWalk) read(key []byte) (distance, dead int) {
	// Rows of the same bytes as before are kept, up to the first invalid byte: what decoding made of that depends on
	// the bytes behind it.
	n := 1
	for n < len(w.rows) && w.rows[n].r != utf8.RuneError && w.rows[n].end <= len(key) && w.same(n, key) {
		n++
	}
	w.rows = w.rows[:n]
	at := w.rows[n-1].end
	for {
		if last := &w.rows[len(w.rows)-1]; int(last.least) > w.most {
			if last.r == utf8.RuneError { // with other bytes behind it, it may be another character
				return w.most + 1, 0
			}
			return 0, last.end
		} else if at == len(key) {
			return w.distance(last), 0
		}
		r, size := utf8.DecodeRune(key[at:])
		w.push(r, at, at+size)
		at += size
	}
}

// same says whether key has the character of row n at the same place.
func (w *nearWalk) same(n int, key []byte) bool {
	row := &w.rows[n]
	if row.r < utf8.RuneSelf {
		return key[row.start] == byte(row.r)
	}
	r, size := utf8.DecodeRune(key[row.start:row.end])
	return r == row.r && size == row.end-row.start
}

// push adds the row of the next character.
func (w *nearWalk) push(r rune, start, end int) {
	n := len(w.rows)
	if n < cap(w.rows) {
		w.rows = w.rows[:n+1]
	} else {
		w.rows = append(w.rows, nearRow{})
	}
	row := &w.rows[n]
	row.r, row.start, row.end, row.skipped = r, start, end, w.skip != nil && w.skip(r)
	if cap(row.distances) < len(w.want)+1 {
		row.distances = make([]uint8, len(w.want)+1)
	}
	row.distances = row.distances[:len(w.want)+1]
	last := n - 1
	if w.rows[last].skipped {
		last = w.rows[last].before
	}
	row.before = last
	up := &w.rows[last]
	if row.skipped {
		copy(row.distances, up.distances)
		row.count, row.least = up.count, up.least
		return
	}
	over := uint8(w.most + 1)
	var two *nearRow // the row two characters before
	if up.before >= 0 {
		two = &w.rows[up.before]
	}
	row.count, row.least = up.count+1, over
	low, high := w.band(row.count)
	d := row.distances
	if low == 0 {
		d[0] = min(up.distances[0]+1, over)
		row.least = d[0]
	} else if low <= len(d) {
		d[low-1] = over
	}
	for i := max(0, low-1); i < high; i++ {
		want, v := w.want[i], up.distances[i]
		if want != r {
			v = 1 + min(v, up.distances[i+1], d[i])
			if two != nil && i > 0 && want == up.r && w.want[i-1] == r {
				v = min(v, two.distances[i-1]+1)
			}
		}
		d[i+1] = min(v, over)
		row.least = min(row.least, d[i+1])
	}
	if high+1 < len(d) {
		d[high+1] = over
	}
}
