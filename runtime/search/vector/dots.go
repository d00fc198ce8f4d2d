package vector

// dotsPlain writes the dot products of q with consecutive int8 rows of dim bytes: the reference of dots, and what
// machines without a faster way use.
//
// Shapes: q at least [dim]; rows [len(dst), dim]. Sums fit: |q| is at most 2^13, rows are at most 128 in magnitude and
// 1024 long.
func dotsPlain(dst []int32, q []int16, rows []byte, dim int) {
	q = q[:dim]
	for i := range dst {
		row := rows[i*dim : (i+1)*dim]
		var a, b, c, d int32
		k := 0
		for ; k+4 <= len(row); k += 4 {
			a += int32(q[k]) * int32(int8(row[k]))
			b += int32(q[k+1]) * int32(int8(row[k+1]))
			c += int32(q[k+2]) * int32(int8(row[k+2]))
			d += int32(q[k+3]) * int32(int8(row[k+3]))
		}
		for ; k < len(row); k++ {
			a += int32(q[k]) * int32(int8(row[k]))
		}
		dst[i] = a + b + c + d
	}
}
