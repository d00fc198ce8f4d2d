package distil

import (
	"context"

	"github.com/viterin/vek/vek32"
)

const (
	basisRows  = 8192 // rows that a basis is fitted to, spread over all
	basisSteps = 24   // of subspace iteration
)

// principal returns an orthonormal basis, [rank, dim] row-major, of the subspace in which rows [n, dim] lie best: their
// first principal components, about zero, by subspace iteration from a fixed start.
//
// Cost: 8192·dim²/2 + 24·rank·dim² multiply-adds.
func principal(ctx context.Context, rows []float32, dim, rank, workers int) ([]float32, error) {
	n := len(rows) / dim
	used := min(n, basisRows)
	flipped := make([]float32, dim*used)
	for i := range used {
		row := rows[i*n/used*dim:]
		for k := range dim {
			flipped[k*used+i] = row[k]
		}
	}
	cov := make([]float32, dim*dim)
	if err := share(ctx, workers, dim, func(i int) {
		for j := range i + 1 {
			cov[i*dim+j] = vek32.Dot(flipped[i*used:(i+1)*used], flipped[j*used:(j+1)*used])
		}
	}); err != nil {
		return nil, err
	}
	for i := range dim {
		for j := range i {
			cov[j*dim+i] = cov[i*dim+j]
		}
	}
	basis, next := make([]float32, rank*dim), make([]float32, rank*dim)
	state := uint32(1)
	for i := range basis {
		state = state*1664525 + 1013904223
		basis[i] = float32(int32(state)) / (1 << 31)
	}
	orthonormalise(basis, dim)
	for range basisSteps {
		if err := share(ctx, workers, rank, func(r int) {
			for i := range dim {
				next[r*dim+i] = vek32.Dot(cov[i*dim:(i+1)*dim], basis[r*dim:(r+1)*dim])
			}
		}); err != nil {
			return nil, err
		}
		basis, next = next, basis
		orthonormalise(basis, dim)
	}
	return basis, nil
}

// orthonormalise makes rows orthogonal to those before them and of unit length (Gram & Schmidt, twice for accuracy). A
// row that depends on others becomes zero.
func orthonormalise(rows []float32, dim int) {
	for i := 0; i < len(rows); i += dim {
		row := rows[i : i+dim]
		before := vek32.Norm(row)
		for range 2 {
			for j := 0; j < i; j += dim {
				other := rows[j : j+dim]
				d := vek32.Dot(row, other)
				for k := range row {
					row[k] -= d * other[k]
				}
			}
		}
		if vek32.Norm(row) <= 1e-5*before {
			clear(row)
		}
		normalise(row)
	}
}
