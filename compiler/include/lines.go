package include

import "bytes"

// lines are the lines of a text, by their numbers from 1.
type lines struct {
	data   []byte
	starts []uint32 // of each line, and the end of the last one
}

// indexLines finds the lines of a text, which has less than 2^32 bytes.
func indexLines(data []byte) *lines {
	l := &lines{data: data, starts: make([]uint32, 1, 2+bytes.Count(data, []byte("\n")))}
	for line := range bytes.Lines(data) {
		l.starts = append(l.starts, l.starts[len(l.starts)-1]+uint32(len(line)))
	}
	return l
}

func (l *lines) count() int { return len(l.starts) - 1 }

// raw returns a line with its line end.
func (l *lines) raw(n int) []byte { return l.data[l.starts[n-1]:l.starts[n]] }

// text returns a line without its line end, and the first one without a byte order mark.
func (l *lines) text(n int) []byte {
	line := bytes.TrimRight(l.raw(n), "\r\n")
	if n == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return line
}

// lineRange is the lines from first to last.
type lineRange struct{ first, last int }

// ranges are lines, in the order in which they are included.
type ranges []lineRange

// add adds a line.
func (r *ranges) add(n int) {
	if k := len(*r); k > 0 && (*r)[k-1].last == n-1 {
		(*r)[k-1].last = n
		return
	}
	*r = append(*r, lineRange{n, n})
}

// count returns how many lines there are.
func (r ranges) count() int {
	n := 0
	for _, x := range r {
		n += x.last - x.first + 1
	}
	return n
}

// bytes returns how many bytes the lines have.
func (r ranges) bytes(l *lines) int {
	n := 0
	for _, x := range r {
		n += int(l.starts[x.last] - l.starts[x.first-1])
	}
	return n
}

// each yields the number of each line.
func (r ranges) each(yield func(n int) bool) {
	for _, x := range r {
		for n := x.first; n <= x.last; n++ {
			if !yield(n) {
				return
			}
		}
	}
}

// cut returns the lines of [first, last] that a text has; last = 0 means its end.
func (l *lines) cut(first, last int) ranges {
	first = max(first, 1)
	if last = min(last, l.count()); last <= 0 {
		last = l.count()
	}
	if first > last {
		return nil
	}
	return ranges{{first, last}}
}

// indent returns how many bytes of white space all lines begin with that are not blank.
func (r ranges) indent(l *lines) int {
	least := -1
	for n := range r.each {
		line := l.text(n)
		left := len(line) - len(bytes.TrimLeft(line, " \t"))
		if left < len(line) && (least < 0 || left < least) {
			least = left
		}
	}
	return max(0, least)
}
