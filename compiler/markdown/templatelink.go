package markdown

import "strings"

// plainTarget returns what a template makes of a link's target, so far as the target itself says it: "/a" for "{{ '/a'
// | relative_url }}", "{{ site.baseurl }}/a" and "{% link a %}". Docusaurus's "@site/" is the site's root, too.
func plainTarget(target string) string {
	for _, root := range [...]string{"@site/", "@/"} {
		if rest, found := strings.CutPrefix(target, root); found {
			return "/" + rest
		}
	}
	if !strings.Contains(target, "{{") && !strings.Contains(target, "{%") {
		return target
	}
	var out strings.Builder
	rest := target
	for {
		k := strings.Index(rest, "{{")
		if p := strings.Index(rest, "{%"); k < 0 || p >= 0 && p < k {
			k = p
		}
		if k < 0 {
			out.WriteString(rest)
			return out.String()
		}
		value, n, ok := templateValue(rest[k:])
		if !ok || out.Len() > maxTarget {
			return target
		}
		if after := rest[k+n:]; value == "" && !strings.HasPrefix(after, "/") && !strings.HasPrefix(after, "{") {
			value = "/"
		}
		out.WriteString(rest[:k])
		out.WriteString(value)
		rest = rest[k+n:]
	}
}

// siteRoots are the variables by which templates name the place where a site is.
var siteRoots = nameSet(`base_url baseurl config.site_url page.root rel root site.base_url site.baseurl site.url url $baseurl
	page.baseurl page.rel`)

// templateValue evaluates the tag or output that text begins with; n is its length.
func templateValue(text string) (value string, n int, ok bool) {
	if t, found := readTemplate([]byte(text), 0); found {
		if !targetTags[t.name] || t.closing {
			return "", 0, false
		}
		for _, a := range t.args {
			if a.name == "" || a.name == "path" {
				switch value = text[a.start:a.end]; t.name {
				case "link":
					value = "/" + strings.TrimPrefix(value, "/")
				case "post_url":
					value = "/_posts/" + strings.TrimPrefix(value, "/")
				}
				return value, t.end, true
			}
		}
		return "", 0, false
	}
	end := strings.Index(text, "}}")
	if end < 2 || !strings.HasPrefix(text, "{{") {
		return "", 0, false
	}
	inside := strings.TrimSpace(strings.Trim(text[2:end], "-"))
	if inside == "" {
		return "", 0, false
	}
	if quote := inside[0]; quote == '"' || quote == '\'' {
		if k := strings.IndexByte(inside[1:], quote); k >= 0 {
			return inside[1 : 1+k], end + 2, true
		}
		return "", 0, false
	}
	name, _, _ := strings.Cut(inside, "|")
	return "", end + 2, siteRoots[strings.ToLower(strings.TrimSpace(name))]
}
