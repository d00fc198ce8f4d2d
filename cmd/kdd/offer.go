package main

import (
	"cmp"
	"fmt"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
)

// offerWords asks a person who has no model whether to build for search by words alone. It says what vectors would cost.
// Nobody is asked who has said that vectors are wanted, or who is not at a terminal: then err, of the missing model, stands.
func offerWords(c *cli.Call, o *compiler.Options, err error) error {
	if !c.Asks() || c.Switch("quiet") || c.Text("format") != "text" || wantsVectors(c) {
		return err
	}
	list, listErr := compiler.List(c.Context, *o)
	if listErr != nil {
		return err
	}
	yes, askErr := c.Ask(offerText(list.Counts.Chunks))
	if !yes {
		return cmp.Or(askErr, err)
	}
	o.NoVectors = true
	return nil
}

// wantsVectors says that a flag is given that only a build with vectors can follow.
func wantsVectors(c *cli.Call) bool {
	for _, flag := range []string{"model", "encoder-from", "vectors", "embed-url", "like"} {
		if c.OnCommandLine(flag) && len(c.List(flag)) > 0 {
			return true
		}
	}
	return false
}

// offerText says what there is to choose from.
func offerText(chunks int) string {
	return fmt.Sprintf(`There is no embedding model on this machine. A build without one is searched by words; with one also by meaning,
for which %s take about %s here, once: later builds embed what has changed.
To get a model (90 MB): kdd model pull sentence-transformers/all-MiniLM-L6-v2
Build for search by words now? [Y/n] `, count(chunks, "chunk"), roughly(embeddingCost(chunks)))
}
