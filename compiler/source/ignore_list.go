package source

import "slices"

// ruleList is the rules of one ignore file. Names, paths and "*.ext" are looked up, so that they cost the same however
// many there are; all other rules are tried one by one.
type ruleList struct {
	rules   []rule
	names   lookup // of rules for a name without special characters
	paths   lookup // of rules for a path without special characters
	tails   lookup // of rules that are "*" and then bytes, for a name
	lengths []int  // of the keys of tails
	others  []int  // places of all other rules, ascending
}

// lookup is the place of the last rule by what it matches: for folders, and for other entries.
type lookup map[string][2]int

// add makes the rule at i the last one of key.
func (l *lookup) add(key string, i int, dirOnly bool) {
	if *l == nil {
		*l = lookup{}
	}
	last, ok := (*l)[key]
	if !ok {
		last = [2]int{-1, -1}
	}
	last[0] = i
	if !dirOnly {
		last[1] = i
	}
	(*l)[key] = last
}

// find returns the place of the last rule of key, -1 if there is none.
func (l lookup) find(key string, isDir bool) int {
	last, ok := l[key]
	switch {
	case !ok:
		return -1
	case isDir:
		return last[0]
	}
	return last[1]
}

// newRuleList sorts rules by how they are found.
func newRuleList(rules []rule) *ruleList {
	l := &ruleList{rules: rules}
	for i := range rules {
		r := &rules[i]
		g := &r.pattern
		switch {
		case g.never:
		case len(g.tokens) == 0 && r.baseOnly:
			l.names.add(g.prefix, i, r.dirOnly)
		case len(g.tokens) == 0:
			l.paths.add(g.prefix, i, r.dirOnly)
		case g.suffix && r.baseOnly && g.prefix == "":
			l.tails.add(g.tail, i, r.dirOnly)
			l.lengths = append(l.lengths, len(g.tail))
		default:
			l.others = append(l.others, i)
		}
	}
	slices.Sort(l.lengths)
	l.lengths = slices.Compact(l.lengths)
	return l
}

// globs is how many rules are tried one by one.
func (l *ruleList) globs() int {
	if l == nil {
		return 0
	}
	return len(l.others)
}

// last returns the last rule that matches a path below the list's folder, and its name; nil if there is none.
func (l *ruleList) last(path, name string, isDir bool) *rule {
	if l == nil {
		return nil
	}
	at := max(l.names.find(name, isDir), l.paths.find(path, isDir))
	for _, n := range l.lengths {
		if n > len(name) {
			break
		}
		at = max(at, l.tails.find(name[len(name)-n:], isDir))
	}
	for k := len(l.others) - 1; k >= 0 && l.others[k] > at; k-- {
		r := &l.rules[l.others[k]]
		if r.dirOnly && !isDir {
			continue
		}
		subject := path
		if r.baseOnly {
			subject = name
		}
		if r.pattern.match(subject) {
			return r
		}
	}
	if at < 0 {
		return nil
	}
	return &l.rules[at]
}
