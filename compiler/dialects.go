package compiler

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/dialect"
	"kdd/format/index"
)

// maxDialects bounds what kdd.yaml and --dialect may name.
const maxDialects = 100

// checkDialects refuses a dialect that there is not.
func (o *Options) checkDialects() error {
	if len(o.Dialects) > maxDialects {
		return fmt.Errorf("dialect: %d folders, at most %d", len(o.Dialects), maxDialects)
	}
	for _, text := range o.Dialects {
		name := text
		if _, after, found := strings.Cut(text, "="); found {
			name = after
		}
		if !slices.Contains(dialect.Names(), name) {
			return diag.Cure("the dialects are "+strings.Join(dialect.Names(), ", "), "dialect %q: there is none", name)
		}
	}
	return nil
}

// dialects returns what the options say of folders: "NAME" of all, "FOLDER=NAME" of one.
func (o *Options) dialects() []dialect.Choice {
	var list []dialect.Choice
	for _, text := range o.Dialects {
		dir, name, found := strings.Cut(text, "=")
		if !found {
			dir, name = "", text
		}
		dir = strings.Trim(path.Clean("/"+dir), "/")
		list = append(list, dialect.Choice{Dir: dir, Dialect: name})
	}
	return list
}

// records returns the sites as the artifact has them.
func (l *loaded) records() []index.Site { return siteRecords(l.sites) }

func siteRecords(sites *dialect.Sites) []index.Site {
	var list []index.Site
	for _, s := range sites.List() {
		list = append(list, index.Site{Dialect: s.Dialect, Folder: s.Dir, Config: s.Config, SHA256: s.SHA256})
	}
	return list
}
