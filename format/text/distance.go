package text

// Edit is what one step of a distance may be, beside adding, dropping and changing one element.
type Edit uint8

// The kinds of distances.
const (
	NoSwaps Edit = iota // Levenshtein's
	Swaps               // neighbours swapped are one edit too, and nothing is edited twice: optimal string alignment
)

// Distance is how many edits make b of a (Wagner & Fischer 1974), or limit+1 if that is more than limit. The elements
// are bytes or runes, as the caller cuts them. A walk over the dictionary, which compares one string with many that
// begin alike, is another algorithm: format.Dict.Near.
//
// Cost: len(a)·len(b) steps at most, and three rows of len(b)+1 numbers.
func Distance[E byte | rune](a, b []E, limit int, kind Edit) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	n := len(b) + 1
	rows := make([]int, 3*n)
	before, last, row := rows[:n], rows[n:2*n], rows[2*n:]
	for j := range last {
		last[j] = j
	}
	for i, x := range a {
		row[0] = i + 1
		least, leastBefore := row[0], last[0]
		for j, y := range b {
			cost := last[j]
			if x != y {
				cost = 1 + min(cost, last[j+1], row[j])
			}
			if kind == Swaps && i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				cost = min(cost, before[j-1]+1)
			}
			row[j+1] = cost
			least, leastBefore = min(least, cost), min(leastBefore, last[j+1])
		}
		if least > limit && (kind == NoSwaps || leastBefore >= limit) { // a swap reaches over one row
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
