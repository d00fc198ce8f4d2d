package render

import (
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// moreText says how many sections of a document match besides, and which the best of them are; name prints one.
func moreText(m *wire.MoreSections, name func(*wire.MoreSection) string) string {
	text := wire.Plural(m.Count, "more section", "more sections")
	list := make([]string, len(m.Sections))
	for i := range m.Sections {
		list[i] = name(&m.Sections[i]) + " (" + lineRange(m.Sections[i].Lines) + ")"
	}
	return joined(": ", text, strings.Join(list, ", "))
}

// anchorOf names a further section: by its anchor, or as the beginning of its document.
func anchorOf(s *wire.MoreSection) string {
	if s.Anchor == "" {
		return "the beginning"
	}
	return "#" + s.Anchor
}

// moreCount is how many sections of a hit's document match besides; "" where hits are sections.
func moreCount(h *wire.Hit) string {
	if h.More == nil {
		return ""
	}
	return strconv.Itoa(h.More.Count)
}

// moreAddresses are path#anchor of the further sections that a hit names.
func moreAddresses(h *wire.Hit) []string {
	if h.More == nil {
		return nil
	}
	list := make([]string, len(h.More.Sections))
	for i := range h.More.Sections {
		list[i] = Address("", h.Path, h.More.Sections[i].Anchor)
	}
	return list
}
