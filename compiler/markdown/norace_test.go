//go:build !race

package markdown

const poolLoss = 1
