package site

import (
	"strings"
	"testing"
)

func TestDirection(t *testing.T) {
	for code, want := range map[string]string{
		"ar": rtl, "he": rtl, "fa": rtl, "ur": rtl, "ar-EG": rtl, "fa-IR": rtl, "ps": rtl, "yi": rtl, "az-Arab": rtl, "HE": rtl,
		"en": ltr, "de-AT": ltr, "ja": ltr, "az": ltr, "ar-Latn": ltr, "": ltr, "unknown": ltr, "no language": ltr,
	} {
		if got := direction(code); got != want {
			t.Errorf("direction(%q) = %s, want %s", code, got, want)
		}
	}
}

// TestDirections: all pages say how their language is written, and a block in other letters how it is.
func TestDirections(t *testing.T) {
	arabic := "هذا الدليل يشرح خدمة الأرشيف التي تحفظ ملفات الفرق وتعيدها عند الحاجة إليها في كل وقت."
	o := options(t, map[string]string{
		"ar.md": "---\ntags: [a]\n---\n# دليل\n\n" + arabic + "\n\nAll in English.\n\nLinux " + arabic + "\n\n- One\n- Two `نعم`\n\n" +
			"1. One\n2. نعم\n\n| One | نعم |\n|---|---|\n| 1 | `ls` |\n\n> Quoted, too.\n\n## Setup\n\n15 / 3\n",
		"en.md": "---\nlang: en\ntags: [a]\n---\n# Guide\n\nThis guide is about the archive and what it keeps. It is in English, as are the pages that it links to and most of what " +
			"people write to each other about the service.\n\n" + arabic + "\n\nThe term is مفتاح.\n",
		"sub/no.md": "---\ntags: [a]\n---\n# 1\n",
	})
	o.Lang = "he"
	got, _ := write(t, o)
	for name, want := range map[string]string{
		"ar.html": `<html lang="ar" dir="rtl">`, "en.html": `<html lang="en">`, "404.html": `<html lang="he" dir="rtl">`,
		"sub/index.html": `<html lang="he" dir="rtl">`, "kdd/tags/a.html": `<html lang="he" dir="rtl">`,
	} {
		if !strings.Contains(got[name], want) {
			t.Errorf("%s has no %s", name, want)
		}
	}
	for name, wants := range map[string][]string{
		"ar.html": {
			"<p>" + arabic, `<p dir="ltr">All in English.`, "<p>Linux ", `<ul dir="ltr">` + "\n<li>One</li>\n<li>Two <code>",
			"<ol>\n" + `<li dir="ltr">One</li>` + "\n<li>نعم</li>", `<th dir="ltr">One</th>` + "\n<th>نعم</th>", "<td>1</td>\n<td><code>",
			`<blockquote dir="ltr"><p>Quoted`, `<h2 id="setup" dir="ltr">Setup`, "<p>15 / 3",
		},
		"en.html": {"<p>This guide", `<p dir="rtl">` + arabic, "<p>The term"},
	} {
		for _, want := range wants {
			if text := article(got[name]); !strings.Contains(text, want) {
				t.Errorf("%s:\n%s\nwant in it\n%s", name, text, want)
			}
		}
	}
}
