package include

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"

	"kdd/format/text"
)

// The directives of VitePress (https://vitepress.dev/guide/markdown): a file as code, with "#region", and in braces the
// lines to highlight and the language; and Markdown with "#region" or "#heading", and a range in braces.
var (
	snippetImport   = regexp.MustCompile(`^([ \t>]*)<<<[ \t]*([@./~][^\n]*?)[ \t]*$`)
	snippetTitle    = regexp.MustCompile(`[ \t]*\[[^\]]*\]$`)
	snippetMeta     = regexp.MustCompile(`[ \t]*\{([^{}]*)\}$`)
	snippetRegion   = regexp.MustCompile(`#([\w.-]+)$`)
	highlightLines  = regexp.MustCompile(`^[\d,\s-]+$`)
	markdownInclude = regexp.MustCompile(`<!--\s*@include:\s*([^>]*?)\s*-->`)
	includeRange    = regexp.MustCompile(`\{(\d*)(,?)(\d*)\}$`)
	includeRegion   = regexp.MustCompile(`#([^\s{]+)$`)
)

// readVitePress reads both directives. Code is not included into a fence.
func readVitePress(r *reading, _ int, line []byte) (p plan) {
	if m := snippetImport.FindSubmatchIndex(line); m != nil && r.fence.mark == 0 {
		return codeImport(line, m)
	}
	for _, m := range markdownInclude.FindAllSubmatchIndex(line, -1) {
		d := directive{start: m[0], end: m[1], strip: true}
		file := string(line[m[2]:m[3]])
		first, last := 0, 0
		if m := includeRange.FindStringSubmatchIndex(file); m != nil {
			first, _ = lineNumber(file[m[2]:m[3]])
			if last, _ = lineNumber(file[m[6]:m[7]]); m[4] == m[5] {
				last = first
			}
			file, d.strip = file[:m[0]], false
		}
		region := ""
		if m := includeRegion.FindStringSubmatchIndex(file); m != nil {
			file, region = file[:m[0]], file[m[2]:m[3]]
			d.strip = true
		}
		d.file = strings.ToValidUTF8(file, "\uFFFD")
		if region != "" || first+last > 0 {
			d.choose = func(l *lines, within ranges) (ranges, int, string) {
				return markdownPart(l, within, region, first, last)
			}
		}
		if d.file != "" {
			p.directives = append(p.directives, d)
		}
	}
	return p
}

// codeImport returns the directive of "<<< FILE#region{1,3-4 js} [title]".
func codeImport(line []byte, m []int) plan {
	file := line[m[4]:m[5]]
	d := directive{start: m[3], end: len(line), fence: true}
	if t := snippetTitle.FindIndex(file); t != nil {
		file = file[:t[0]]
	}
	if t := snippetMeta.FindSubmatchIndex(file); t != nil {
		for _, word := range strings.Fields(string(file[t[2]:t[3]])) {
			if !highlightLines.MatchString(word) {
				d.info, _, _ = strings.Cut(word, ":") // js:line-numbers
				break
			}
		}
		file = file[:t[0]]
	}
	if t := snippetRegion.FindSubmatchIndex(file); t != nil {
		want := string(file[t[2]:t[3]])
		d.choose = func(l *lines, _ ranges) (ranges, int, string) {
			chosen, ok := regions(l, want)
			if !ok {
				return nil, 0, "region " + quote(want)
			}
			return chosen, chosen.indent(l), ""
		}
		file = file[:t[0]]
	}
	d.file = valid(bytes.TrimSpace(file))
	if d.info == "" {
		d.info = strings.TrimPrefix(path.Ext(d.file), ".")
	}
	return plan{directives: []directive{d}}
}

// The comments that begin and end a region, as editors fold them in many languages.
var regionComment = regexp.MustCompile(`(?i)^\s*` +
	`(?://\s*#?|(?:--|::|@?rem)\s*#|#\s*(?:#\s*|pragma\s+)?|<!--\s*#?|/\*\s*#|\(\*\s*#|"//+\s*#)` +
	`(end ?)?region\b[ \t]*"?([^"*>)]*)`)

// regions returns the lines of all regions of a name, without the comments of regions in them.
func regions(l *lines, want string) (chosen ranges, ok bool) {
	var open []string
	inside := 0 // regions of that name that are open
	for n := 1; n <= l.count(); n++ {
		line := l.text(n)
		m := regionComment.FindSubmatch(line[:min(len(line), maxLine)])
		if m == nil {
			if inside > 0 {
				chosen.add(n)
			}
			continue
		}
		name := string(bytes.Trim(m[2], " \t-"))
		if len(m[1]) == 0 {
			if len(open) < maxRegions {
				open = append(open, name)
			}
			if name == want {
				inside, ok = inside+1, true
			}
			continue
		}
		for i := len(open) - 1; i >= 0; i-- { // one without a name ends the innermost
			if name != "" && open[i] != name {
				continue
			}
			for _, closed := range open[i:] {
				if closed == want {
					inside--
				}
			}
			open = open[:i]
			break
		}
	}
	return chosen, ok
}

// maxRegions is how many regions may be open at a time.
const maxRegions = 100

// markdownPart chooses a region, else what stands below a heading, and of that the lines from first to last; 0 stands
// for its beginning and end.
func markdownPart(l *lines, within ranges, region string, first, last int) (chosen ranges, dedent int, missing string) {
	chosen = within
	if region != "" {
		found := false
		if chosen, found = regions(l, region); !found {
			if chosen, found = belowHeading(l, region); !found {
				return nil, 0, "region or heading " + quote(region)
			}
		}
	}
	if first+last == 0 {
		return chosen, 0, ""
	}
	total := chosen.count()
	if first = max(first, 1); first > total {
		return nil, 0, fmt.Sprintf("line %d there, but %d", first, total)
	}
	if last == 0 {
		last = total
	}
	var list ranges
	i := 0
	for n := range chosen.each {
		if i++; first <= i && i <= last {
			list.add(n)
		}
	}
	return list, 0, ""
}

var atxHeading = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?(?:[ \t]*\{#([^}\s]+)\})?[ \t]*$`)

// belowHeading returns the lines below a heading, up to the next one of its level or above.
func belowHeading(l *lines, anchor string) (chosen ranges, ok bool) {
	var fence fenceState
	level := 0
	for n := 1; n <= l.count(); n++ {
		line := l.text(n)
		if m := atxHeading.FindSubmatch(line[:min(len(line), maxLine)]); m != nil && fence.mark == 0 {
			if ok && len(m[1]) <= level {
				return chosen, true
			}
			if !ok && (string(m[3]) == anchor || len(m[3]) == 0 && text.Slug(string(m[2])) == anchor) {
				ok, level = true, len(m[1])
				continue
			}
		}
		if fence.next(line); ok {
			chosen.add(n)
		}
	}
	return chosen, ok
}

// vitePressPlaces resolves "@" from the folder that VitePress calls srcDir: that of the site's pages, or, where no site
// is known, one above the document. Other paths count from the folder of the file.
func vitePressPlaces(w place, d *directive) []string {
	if rest, ok := strings.CutPrefix(d.file, "@"); ok {
		if w.known {
			return below([]string{w.tree}, rest)
		}
		return below(parents(w.document), rest)
	}
	return besideFile(w, d)
}
