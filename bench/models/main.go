// Command models writes a model of any size with seeded random weights and a Unigram tokenizer of made-up pieces, to
// measure what its import, a build and a query cost where weights of that size are not to be had.
//
//	go run ./bench/models -pieces 250002 -hidden 384 -layers 12 /tmp/large
//	kdd model import /tmp/large
package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"kdd/bench/internal/command"
	"kdd/compiler/embedding/modeltest"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	return command.Run("models", args, stderr, func(flags *flag.FlagSet) command.Work {
		pieces := flags.Int("pieces", 250_002, "pieces of the vocabulary")
		hidden := flags.Int("hidden", 384, "dimensions, a multiple of 32")
		layers := flags.Int("layers", 12, "layers")
		return func(ctx context.Context) error {
			if flags.NArg() != 1 || *pieces < 100 || *hidden < 32 || *hidden%32 != 0 || *layers < 1 {
				return command.Wrong("want one folder, at least 100 pieces, 32 dimensions (a multiple of 32) and 1 layer")
			}
			shape := modeltest.XLMR
			shape.Hidden, shape.Layers, shape.Heads, shape.Inner, shape.Positions, shape.MaxTokens = *hidden, *layers, *hidden/32, 4**hidden, 514, 512
			return modeltest.New(shape, tokenizer(*pieces)).Write(flags.Arg(0))
		}
	})
}

// tokenizer returns a Unigram tokenizer.json: all letters, and words of two to twelve of them. Scores fall with the rank as
// Zipf's law has it.
func tokenizer(pieces int) []byte {
	rng := rand.New(rand.NewPCG(1, 1))
	vocab := [][2]any{{"<s>", 0}, {"<pad>", 0}, {"</s>", 0}, {"<unk>", 0}}
	seen := map[string]bool{}
	for _, letters := range []string{"▁abcdefghijklmnopqrstuvwxyz0123456789.,-:;'()ABCDEFGHIJKLMNOPQRSTUVWXYZ"} {
		for _, c := range letters {
			seen[string(c)] = true
			vocab = append(vocab, [2]any{string(c), -12.0})
		}
	}
	for len(vocab) < pieces {
		word := ""
		if rng.IntN(2) == 0 {
			word = "▁"
		}
		for range 2 + rng.IntN(7) + rng.IntN(5) {
			word += string("eeetaoinshrdlcumwfgypbvkjxqz"[rng.IntN(28)])
		}
		if !seen[word] {
			seen[word] = true
			vocab = append(vocab, [2]any{word, float64(float32(-3 - math.Log(float64(len(vocab)))))})
		}
	}
	special := func(name string) any { return map[string]any{"SpecialToken": map[string]any{"id": name}} }
	data, err := json.Marshal(map[string]any{
		"normalizer": map[string]any{"type": "NFKC"},
		"pre_tokenizer": map[string]any{"type": "Sequence", "pretokenizers": []any{
			map[string]any{"type": "WhitespaceSplit"}, map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}}},
		"post_processor": map[string]any{"type": "TemplateProcessing",
			"single": []any{special("<s>"), map[string]any{"Sequence": map[string]any{"id": "A"}}, special("</s>")}},
		"model": map[string]any{"type": "Unigram", "unk_id": 3, "vocab": vocab},
	})
	if err != nil {
		panic(err)
	}
	return data
}
