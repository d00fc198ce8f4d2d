package markdown

import "bytes"

// tickRun is a run of back-ticks and the index of the next run of the same length, 0 if there is none.
type tickRun struct{ at, n, next int }

// codeSpan reads a code span. All runs of back-ticks are found once, so that unclosed ones cost nothing.
func (s *scanner) codeSpan(i int) int {
	raw := s.raw
	if !s.ticked {
		s.ticked = true
		for j := i; j < len(raw); {
			n := bytes.IndexByte(raw[j:], '`')
			if n < 0 {
				break
			}
			j += n
			at := j
			for j < len(raw) && raw[j] == '`' {
				j++
			}
			s.ticks = append(s.ticks, tickRun{at, j - at, 0})
		}
		last := map[int]int{}
		for k := len(s.ticks) - 1; k >= 0; k-- {
			s.ticks[k].next = last[s.ticks[k].n]
			last[s.ticks[k].n] = k
		}
	}
	for s.tickAt < len(s.ticks) && s.ticks[s.tickAt].at+s.ticks[s.tickAt].n <= i {
		s.tickAt++
	}
	if s.tickAt == len(s.ticks) {
		return i
	}
	run := s.ticks[s.tickAt]
	length := run.at + run.n - i // shorter than the run after a backslash
	next := run.next
	if length != run.n {
		for next = s.tickAt + 1; next < len(s.ticks) && s.ticks[next].n != length && s.burn(1); next++ {
		}
		if next == len(s.ticks) || s.ticks[next].n != length {
			next = 0
		}
	}
	if next == 0 {
		s.flush(i)
		s.addText(i, i+length)
		return i + length
	}
	from, to := i+length, s.ticks[next].at
	if to-from >= 2 && isBlank(raw[from]) && isBlank(raw[to-1]) && len(bytes.TrimSpace(raw[from:to])) > 0 {
		from, to = from+1, to-1
	}
	s.flush(i)
	s.items = append(s.items, item{kind: itemCode, start: from, end: to})
	return s.ticks[next].at + length
}
