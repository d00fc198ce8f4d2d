//go:build race

package markdown

// poolLoss is how many times more memory a parser may take under the race detector, which throws away one of four items
// of each sync.Pool: goldmark's expressions for HTML blocks have a pool of buffers of 53 KB.
const poolLoss = 4
