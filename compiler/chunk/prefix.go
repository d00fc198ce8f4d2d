package chunk

import (
	"slices"
	"strings"

	"kdd/compiler/markdown"
	"kdd/format/text"
)

// Limits on a prefix, in bytes: of one heading, and of the whole. A longer path loses headings from its middle.
const (
	maxHeading = 160
	maxPrefix  = 480
)

// Prefix returns what stands before the text of a section's chunks: "title > heading path". The title is left out
// where the first heading repeats it.
func Prefix(doc *markdown.Document, section int) string {
	var parts []string
	for i := section; i > 0; i = doc.Sections[i].Parent {
		if h := doc.Sections[i].Heading; h != "" {
			parts = append(parts, text.CutWords(h, maxHeading))
		}
	}
	title := text.CutWords(doc.Title, maxHeading)
	if title != "" && (len(parts) == 0 || !strings.EqualFold(parts[len(parts)-1], title)) {
		parts = append(parts, title)
	}
	slices.Reverse(parts)
	for size(parts) > maxPrefix { // three or more: two are shorter
		parts = slices.Delete(parts, 1, 2)
	}
	return strings.Join(parts, " > ")
}

func size(parts []string) int {
	n := 0
	for _, p := range parts {
		n += len(p) + len(" > ")
	}
	return n
}

// Embedded returns what is embedded and indexed for a chunk: the prefix, an empty line, and the body.
func Embedded(doc *markdown.Document, c Chunk) string {
	prefix := Prefix(doc, c.Section)
	body := c.Text
	if c.Lead != "" {
		body = c.Lead + "\n" + body
	}
	switch {
	case body == "":
		return prefix
	case prefix == "":
		return body
	}
	return prefix + "\n\n" + body
}
