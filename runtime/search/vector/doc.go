// Package vector scans the vectors of an artifact: int8 rows with a scale each, 1-bit sketches, and, where the file has
// them, float32 rows.
//
// There is no graph index. Up to index.ExactRows candidates are compared one by one; above it the sketches of exactly
// the filtered rows choose the best, which are then compared one by one. So a filter can never empty a result, and
// nothing depends on the order in which vectors came.
package vector
