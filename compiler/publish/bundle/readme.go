package bundle

import (
	"bytes"
	"strings"
	"text/template"
	"unicode"
)

// readme returns the README of the kit.
func (k *kit) readme() ([]byte, error) {
	source, err := files.ReadFile("files/README.md")
	if err != nil {
		return nil, err
	}
	t, err := template.New("README.md").Funcs(template.FuncMap{"line": line, "title": (*artifact).title}).Parse(string(source))
	if err != nil {
		return nil, err
	}
	windows, unix := k.systems()
	facts := struct {
		*kit
		Windows, Unix, Signed, Licensed bool
		First                           *artifact
		Index                           string // the flag that names the artifacts, "" where there is one
		Systems                         string
	}{kit: k, Windows: windows, Unix: unix, Licensed: len(k.licences) > 0, First: &k.Artifacts[0], Systems: platformNames(k.Platforms)}
	for _, a := range k.Artifacts {
		facts.Signed = facts.Signed || len(a.Signatures) > 0
	}
	if len(k.Artifacts) > 1 {
		facts.Index = ` -i "*.kddx"`
	}
	var out bytes.Buffer
	err = t.Execute(&out, facts)
	return out.Bytes(), err
}

// line makes text of an artifact fit a line of a table: whoever wrote a title has not written the README.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("|`[]<>", r) || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	const most = 80
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		r = append(r[:most], '…')
	}
	return string(r)
}
