package remote

import (
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// Fit cuts an answer of a Fleet until its text form has at most maxBytes, and sets truncated; 0 or less means no limit.
// Lists lose whole entries from their end, content is cut between characters, and servers are never left out. It says
// whether it cut anything.
func Fit(answer any, maxBytes int) bool {
	size := func() int { return len(render.Text(answer, render.Style{})) }
	if maxBytes <= 0 || size() <= maxBytes {
		return false
	}
	switch v := answer.(type) {
	case *ServerList:
		v.Truncated = true
		cutList(&v.Servers, size, maxBytes)
	case *ToolList:
		v.Truncated = true
		cutList(&v.Tools, size, maxBytes)
	case *ResourceList:
		v.Truncated = true
		cutList(&v.Templates, size, maxBytes)
		cutList(&v.Resources, size, maxBytes)
	case *PromptList:
		v.Truncated = true
		cutList(&v.Prompts, size, maxBytes)
	case *Capabilities:
		v.Truncated = true
		cutList(&v.Prompts, size, maxBytes)
		cutList(&v.Templates, size, maxBytes)
		cutList(&v.Resources, size, maxBytes)
		cutList(&v.Tools, size, maxBytes)
	case *CallResult:
		v.Truncated = true
		cutContent(v.Content, size, maxBytes)
	case *ReadResult:
		v.Truncated = true
		cutContent(v.Contents, size, maxBytes)
	case *PromptResult:
		v.Truncated = true
		cutContent(v.Messages, size, maxBytes)
	}
	return true
}

// cutList keeps the longest prefix of items with which size is at most maxBytes, or none if that is impossible.
func cutList[T any](items *[]T, size func() int, maxBytes int) {
	all := *items
	low, high := 0, len(all) // the answer fits with low, or low is 0
	for low < high {
		middle := (low + high + 1) / 2
		if *items = all[:middle]; size() <= maxBytes {
			low = middle
		} else {
			high = middle - 1
		}
	}
	*items = all[:low]
}

// cutContent shortens texts, the last one first.
func cutContent(content []Content, size func() int, maxBytes int) {
	for i := len(content) - 1; i >= 0; i-- {
		over := size() - maxBytes
		if over <= 0 {
			return
		}
		c := &content[i]
		// Neutralising can lengthen a text threefold (a control byte becomes U+FFFD): cut what will be shown.
		shown := wire.CleanLines(c.Text)
		c.Text = wire.Shorten(shown, max(len(shown)-over, 0))
	}
}
