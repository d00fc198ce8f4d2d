package diag

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printer writes diagnostics for people and for GitHub. The zero value prints paths as they are, without colour.
type Printer struct {
	Color bool                     // ANSI colours in Text
	Name  func(path string) string // the path to show, such as one from the working folder; nil: the path itself
}

// ANSI sequences of the text form.
const (
	ansiBold   = "\x1b[1m"
	ansiRed    = "\x1b[1;31m"
	ansiYellow = "\x1b[1;33m"
	ansiBlue   = "\x1b[1;34m"
	ansiDim    = "\x1b[2m"
	ansiReset  = "\x1b[0m"
)

var severityColors = [...]string{Note: ansiBlue, Warning: ansiYellow, Error: ansiRed}

// Text writes one line per diagnostic, as compilers do, and its hint indented below:
//
//	docs/a.md:12:3: warning: link to missing anchor "#setup" [KDD204]
//	    the nearest is "#set-up"
//
// Characters that could move a terminal's cursor or hide text are escaped as in Go strings.
func (p Printer) Text(w io.Writer, ds []Diagnostic) error {
	out := bufio.NewWriter(w)
	for _, d := range ds {
		if place := p.place(d); place != "" {
			out.WriteString(p.paint(ansiBold, place))
			out.WriteByte(' ')
		}
		out.WriteString(p.paint(severityColors[min(d.Severity, Error)], d.Severity.String()+":"))
		out.WriteByte(' ')
		out.WriteString(Escape(d.Text))
		if d.Code != "" {
			out.WriteString(p.paint(ansiDim, " ["+d.Code+"]"))
		}
		out.WriteByte('\n')
		if d.Hint != "" {
			out.WriteString("    " + p.paint(ansiDim, Escape(d.Hint)) + "\n")
		}
	}
	return out.Flush()
}

// paint colours a text.
func (p Printer) paint(color, s string) string {
	if !p.Color || s == "" {
		return s
	}
	return color + s + ansiReset
}

// place returns "path:line:col:", without what is unknown.
func (p Printer) place(d Diagnostic) string {
	if d.Path == "" {
		return ""
	}
	place := Escape(p.name(d.Path))
	if d.Line > 0 {
		place += ":" + strconv.Itoa(d.Line)
		if d.Col > 0 {
			place += ":" + strconv.Itoa(d.Col)
		}
	}
	return place + ":"
}

func (p Printer) name(path string) string {
	if p.Name == nil {
		return path
	}
	return p.Name(path)
}

// GitHub writes one workflow command per diagnostic, which GitHub Actions shows beside the line in a pull request:
//
//	::warning file=docs/a.md,line=12,col=3,title=broken-anchor [KDD204]::link to missing anchor "#setup"
//
// GitHub takes paths from the repository's top: Name must give those.
func (p Printer) GitHub(w io.Writer, ds []Diagnostic) error {
	out := bufio.NewWriter(w)
	for _, d := range ds {
		command := "notice"
		switch d.Severity {
		case Warning:
			command = "warning"
		case Error:
			command = "error"
		}
		var properties []string
		add := func(key, value string) { properties = append(properties, key+"="+githubProperty.Replace(value)) }
		if d.Path != "" {
			add("file", p.name(d.Path))
			if d.Line > 0 {
				add("line", strconv.Itoa(d.Line))
				if d.Col > 0 {
					add("col", strconv.Itoa(d.Col))
				}
			}
		}
		add("title", fmt.Sprintf("%s [%s]", d.Rule, d.Code))
		message := Escape(d.Text)
		if d.Hint != "" {
			message += "\n" + Escape(d.Hint)
		}
		fmt.Fprintf(out, "::%s %s::%s\n", command, strings.Join(properties, ","), githubData.Replace(message))
	}
	return out.Flush()
}

// GitHub's runner undoes exactly these, in properties and in the message.
var (
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
)

// Escape returns s with every byte that is not UTF-8, and every character that does not print (controls, line ends,
// direction marks, zero-width characters), as a Go escape. Printable text, of any script, stays.
func Escape(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return b.String()
}
