package dialect

import "strings"

// maxRedirects and maxSplats bound what is kept of a host's table.
const (
	maxRedirects = 20000
	maxSplats    = 500
)

// hostRedirects reads the tables of redirects that hosts of sites have: _redirects of Netlify and Cloudflare, and
// vercel.json. Of patterns those are kept that move all that lies below an address.
//
// Sources: https://docs.netlify.com/manage/routing/redirects/overview/,
// https://vercel.com/docs/project-configuration#redirects.
func (s *Site) hostRedirects(c *Reader) {
	for _, file := range []string{"_redirects", "static/_redirects", "public/_redirects", "../_redirects"} {
		if !c.has(file) {
			continue
		}
		for line := range strings.SplitSeq(string(c.bytes(s.at(file))), "\n") {
			fields := strings.Fields(line)
			if len(fields) >= 2 && len(s.Redirects) < maxRedirects && strings.HasPrefix(fields[0], "/") {
				from, all := strings.CutSuffix(fields[0], "/*")
				to, same := strings.CutSuffix(fields[1], "/:splat")
				if all && same && len(s.Splats) < maxSplats && !strings.ContainsAny(from+to, "*") {
					s.Splats = append(s.Splats, Splat{Normal(from), to + "/"})
				} else {
					s.redirect(fields[0], fields[1], "")
				}
			}
		}
	}
	for _, file := range []string{"vercel.json", "../vercel.json"} {
		if !c.has(file) {
			continue
		}
		v, _ := parse(".json", c.bytes(s.at(file)))
		for _, r := range v.get("redirects").list() {
			if len(s.Redirects) < maxRedirects {
				s.redirect(r.get("source").text(""), r.get("destination").text(""), "")
			}
		}
	}
}
