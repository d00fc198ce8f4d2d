package draw

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

const (
	fontSize   = 12.0
	lineHeight = 15.0
	padding    = 9.0
	margin     = 24.0
	labelSize  = 9.5
	maxLabel   = 26 // characters of a line in a box
	maxNames   = 60 // drawn edges up to which each has its name beside it
)

// textWidth estimates how wide text is drawn.
func textWidth(s string, size float64) float64 {
	units := 0.0
	for _, r := range s {
		switch {
		case r >= 0x1100 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hangul, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r) || r > 0xffff):
			units += 1.02
		case strings.ContainsRune("ijltfr.,:;|!' ()[]", r):
			units += .34
		case unicode.IsUpper(r) || r == 'm' || r == 'w':
			units += .72
		default:
			units += .57
		}
	}
	return float64(units * size)
}

// clip shortens a line of a box.
func clip(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return strings.TrimSpace(string(runes[:most-1])) + "…"
}

// lines are the lines of a node's box.
func (n *Node) lines() []string {
	lines := []string{clip(n.Label, maxLabel)}
	if n.Title != "" {
		lines = append(lines, clip(n.Title, maxLabel+4))
	}
	return lines
}

// SVG draws the graph.
func (g *Graph) SVG() string {
	groups, ink := g.groups(), g.edgeColours()
	fill := colours(slices.Clone(groups), palette)
	edges := g.drawn()
	sizes := make([]box, len(g.Nodes))
	for i := range g.Nodes {
		lines := g.Nodes[i].lines()
		w := textWidth(lines[0], fontSize)
		if len(lines) > 1 {
			w = max(w, textWidth(lines[1], fontSize-2))
		}
		sizes[i] = box{w: math.Ceil(max(w, 40) + 2*padding), h: float64(len(lines))*lineHeight + padding}
	}
	boxes := layout(sizes, edges)
	right, bottom := 0.0, 0.0
	for i := range boxes {
		boxes[i].x, boxes[i].y = boxes[i].x+margin, boxes[i].y+margin
		right, bottom = max(right, boxes[i].x+boxes[i].w/2), max(bottom, boxes[i].y+boxes[i].h/2)
	}
	curves := g.curves(edges, boxes)
	left, top := 0.0, 0.0
	for _, c := range curves { // a bend may lead beyond the boxes
		for k := range 21 {
			p := c.at(float64(k) / 20)
			left, top = min(left, p.x-8), min(top, p.y-8)
			right, bottom = max(right, p.x), max(bottom, p.y)
		}
	}
	legend, legendWidth, legendHeight := g.legend(fill, ink, edges, bottom+margin)
	left, top = math.Floor(left), math.Floor(top)
	width, height := math.Ceil(max(right+margin, legendWidth+2*margin)-left), math.Ceil(bottom+margin+legendHeight+margin-top)

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" width="%s" height="%s" font-family="Helvetica, Arial, sans-serif" font-size="%s">`+"\n",
		num(left), num(top), num(width), num(height), num(width), num(height), num(fontSize))
	fmt.Fprintf(&b, "<title>%s</title>\n", xmlText(g.Name))
	b.WriteString(`<rect x="` + num(left) + `" y="` + num(top) + `" width="100%" height="100%" fill="#ffffff"/>` + "\n<defs>\n")
	heads := map[string]string{}
	for i := range edges {
		heads[edges[i].ink(ink)] = ""
	}
	for k, colour := range slices.Sorted(maps.Keys(heads)) {
		heads[colour] = fmt.Sprintf("a%d", k)
		fmt.Fprintf(&b, `<marker id="a%d" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="%s"/></marker>`+"\n", k, colour)
	}
	b.WriteString("</defs>\n<g fill=\"none\">\n")
	for i := range edges {
		e := &edges[i]
		stroke, dash := "1.5", ""
		if e.Weak {
			stroke, dash = "1", ` stroke-dasharray="4 3"`
		}
		head := heads[e.ink(ink)]
		if e.both {
			dash += ` marker-start="url(#` + head + `)"`
		}
		fmt.Fprintf(&b, `<path d="%s" stroke="%s" stroke-width="%s"%s marker-end="url(#%s)"><title>%s</title></path>`+"\n", curves[i].path(), e.ink(ink), stroke, dash,
			head, xmlText(g.Nodes[e.From].Label+" "+e.Label+" "+g.Nodes[e.To].Label))
	}
	b.WriteString("</g>\n")
	for i := range g.Nodes {
		g.Nodes[i].draw(&b, boxes[i], fill[groups[i]])
	}
	if len(edges) <= maxNames {
		g.names(&b, edges, curves, boxes, ink)
	}
	b.WriteString(legend)
	b.WriteString("</svg>\n")
	return b.String()
}

func (n *Node) draw(b *strings.Builder, at box, fill string) {
	stroke := `stroke="#777777" stroke-width="1"`
	if n.Focus {
		stroke = `stroke="#222222" stroke-width="2.5"`
	}
	if n.Link != "" {
		fmt.Fprintf(b, `<a href="%s">`, xmlText(n.Link))
		defer b.WriteString("</a>\n")
	}
	fmt.Fprintf(b, `<g><title>%s</title><rect x="%s" y="%s" width="%s" height="%s" rx="5" fill="%s" %s/>`,
		xmlText(strings.TrimSpace(n.ID+" "+n.Path)), num(at.x-at.w/2), num(at.y-at.h/2), num(at.w), num(at.h), fill, stroke)
	for i, line := range n.lines() {
		y := at.y - at.h/2 + padding/2 + lineHeight*float64(i) + 11.5
		style := `font-weight="bold" fill="#222222"`
		if i > 0 {
			style = fmt.Sprintf(`font-size="%s" fill="#444444"`, num(fontSize-2))
		}
		fmt.Fprintf(b, `<text x="%s" y="%s" text-anchor="middle" %s>%s</text>`, num(at.x), num(y), style, xmlText(line))
	}
	b.WriteString("</g>\n")
}

// curve is an edge from border to border, bent at the middle by control.
type curve struct{ from, control, to point }

func (c curve) path() string {
	return fmt.Sprintf("M%s %sQ%s %s %s %s", num(c.from.x), num(c.from.y), num(c.control.x), num(c.control.y), num(c.to.x), num(c.to.y))
}

// at returns the place at t in [0, 1].
func (c curve) at(t float64) point {
	u := 1 - t
	a, b, d := float64(u*u), float64(2*u*t), float64(t*t)
	return point{float64(a*c.from.x) + float64(b*c.control.x) + float64(d*c.to.x), float64(a*c.from.y) + float64(b*c.control.y) + float64(d*c.to.y)}
}

// curves bends edges apart that join the same nodes, and those that would run through a third box around it.
func (g *Graph) curves(edges []Edge, boxes []box) []curve {
	count, seen := map[[2]int]int{}, map[[2]int]int{}
	pair := func(e *Edge) [2]int { return [2]int{min(e.From, e.To), max(e.From, e.To)} }
	for i := range edges {
		count[pair(&edges[i])]++
	}
	list := make([]curve, len(edges))
	for i := range edges {
		e := &edges[i]
		p := pair(e)
		k := seen[p]
		seen[p]++
		bend := (float64(k) - float64(count[p]-1)/2) * 44
		if e.From > e.To {
			bend = -bend
		}
		best, crossed := curve{}, math.MaxInt
		for _, more := range []float64{0, 50, -50, 110, -110, 190, -190} {
			c := bent(boxes[e.From], boxes[e.To], bend+more)
			n := 0
			for o := range boxes {
				if o != e.From && o != e.To && c.crosses(boxes[o]) {
					n++
				}
			}
			if n < crossed {
				best, crossed = c, n
			}
			if n == 0 {
				break
			}
		}
		list[i] = best
	}
	return list
}

// bent is the curve between two boxes whose middle is bend pixels off the straight line.
func bent(from, to box, bend float64) curve {
	dx, dy := to.x-from.x, to.y-from.y
	norm := math.Sqrt(float64(dx*dx)+float64(dy*dy)) + 1e-9
	control := point{(from.x+to.x)/2 - float64(dy/norm)*bend, (from.y+to.y)/2 + float64(dx/norm)*bend}
	return curve{border(from, control), control, border(to, control)}
}

// border is where the line from a box's centre towards a place leaves the box.
func border(b box, to point) point {
	dx, dy := to.x-b.x, to.y-b.y
	if dx == 0 && dy == 0 {
		return b.point
	}
	t := math.Inf(1)
	if dx != 0 {
		t = min(t, b.w/2/math.Abs(dx))
	}
	if dy != 0 {
		t = min(t, b.h/2/math.Abs(dy))
	}
	t = min(t, 1)
	return point{b.x + float64(dx*t), b.y + float64(dy*t)}
}

// crosses says whether the curve runs through a box.
func (c curve) crosses(b box) bool {
	for k := 1; k < 20; k++ {
		if p := c.at(float64(k) / 20); math.Abs(p.x-b.x) < b.w/2+3 && math.Abs(p.y-b.y) < b.h/2+3 {
			return true
		}
	}
	return false
}

// names writes what edges are called beside them, where no box and no other name is.
func (g *Graph) names(b *strings.Builder, edges []Edge, curves []curve, boxes []box, ink map[string]string) {
	taken := slices.Clone(boxes)
	fmt.Fprintf(b, `<g font-size="%s" text-anchor="middle" paint-order="stroke" stroke="#ffffff" stroke-width="3">`+"\n", num(labelSize))
	for i := range edges {
		label := strings.ToLower(strings.ReplaceAll(edges[i].name(), "_", " "))
		if label == "" {
			continue
		}
		for _, t := range []float64{.5, .42, .58, .34, .66, .26, .74} {
			p := curves[i].at(t)
			own := box{point: p, w: textWidth(label, labelSize) + 4, h: labelSize + 3}
			if slices.ContainsFunc(taken, func(o box) bool {
				return math.Abs(o.x-own.x) < (o.w+own.w)/2 && math.Abs(o.y-own.y) < (o.h+own.h)/2
			}) {
				continue
			}
			taken = append(taken, own)
			fmt.Fprintf(b, `<text x="%s" y="%s" fill="%s">%s</text>`+"\n", num(p.x), num(p.y+3), edges[i].ink(ink), xmlText(label))
			break
		}
	}
	b.WriteString("</g>\n")
}

// legend explains colours and lines, below the picture.
func (g *Graph) legend(fill, ink map[string]string, edges []Edge, top float64) (svg string, width, height float64) {
	var b strings.Builder
	x, y := margin, top
	right := 0.0
	item := func(mark, text string) {
		w := textWidth(text, 10) + 40
		if x+w > 900 && x > margin {
			x, y = margin, y+18
		}
		b.WriteString(strings.NewReplacer("{x}", num(x), "{y}", num(y), "{x2}", num(x+20), "{ym}", num(y+6)).Replace(mark))
		fmt.Fprintf(&b, `<text x="%s" y="%s" font-size="10" fill="#444444">%s</text>`+"\n", num(x+25), num(y+10), xmlText(text))
		x += w
		right = max(right, x)
	}
	for _, group := range slices.Sorted(maps.Keys(fill)) {
		item(`<rect x="{x}" y="{y}" width="20" height="12" rx="3" fill="`+fill[group]+`" stroke="#777777"/>`, group)
	}
	x, y = margin, y+18
	line := func(colour, dash, text string) {
		item(`<line x1="{x}" y1="{ym}" x2="{x2}" y2="{ym}" stroke="`+colour+`" stroke-width="2"`+dash+`/>`, text)
	}
	for _, label := range slices.Sorted(maps.Keys(ink)) {
		line(ink[label], "", label)
	}
	if slices.ContainsFunc(edges, func(e Edge) bool { return e.Weak && !e.Violation }) {
		line(weakInk, ` stroke-dasharray="4 3"`, "link or mention")
	}
	if slices.ContainsFunc(edges, func(e Edge) bool { return e.Violation }) {
		line(violationInk, "", "to a higher layer")
	}
	return b.String(), right, y + 18 - top
}

// num writes a number of pixels with one decimal at most.
func num(x float64) string {
	s := fmt.Sprintf("%.1f", x)
	return strings.TrimSuffix(strings.Replace(s, "-0.0", "0.0", 1), ".0")
}
