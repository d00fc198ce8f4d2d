package harness

import (
	"cmp"
	"slices"
)

// Percentile returns the value that p of 100 values are not above (nearest rank); 0 if there are none.
func Percentile[T cmp.Ordered](values []T, p int) (value T) {
	if len(values) == 0 {
		return value
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}
