package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"kdd/compiler"
	"kdd/runtime"
	"kdd/runtime/browser"
)

func TestThePage(t *testing.T) {
	base, _ := started(t, Options{})
	status, h, body := get(t, base+"/")
	policy := h.Get("Content-Security-Policy")
	if status != 200 || h.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "style-src 'sha256-") || !strings.Contains(policy, "img-src data:;") ||
		h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Frame-Options") != "DENY" {
		t.Errorf("GET / = %d %v", status, h)
	}
	for _, want := range []string{"51 documents", " MB, index ", `<form action="/" method="get"`, " autofocus>", `<link rel="icon" href="data:image/svg+xml,`, "/api/v1/mcp/tools/call", "/openapi.json"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in %s", want, body)
		}
	}
	if strings.Count(strings.ToLower(body), "<script") != 1 || !strings.Contains(body, `<script type="module" src="/ui/page.js"></script>`) || strings.Contains(body, "/api/v1/feedback") || strings.Contains(body, "kdd</title>") {
		t.Errorf("the page has another script, what is not offered, or a title that says nothing: %s", body)
	}
	log, _ := openLog(t)
	rated, _ := started(t, Options{Feedback: log})
	if _, _, body := get(t, rated+"/"); !strings.Contains(body, "POST /api/v1/feedback") {
		t.Errorf("feedback is not named in %s", body)
	}
	if _, _, body = get(t, base+"/?q=token+expiry"); !strings.Contains(body, `<a href="/?read=security%2Fauth.md%23refresh">`) || !strings.Contains(body, `value="token expiry"`) || !strings.Contains(body, "<title>token expiry · handbook</title>") || strings.Contains(body, ">original</a>") {
		t.Errorf("no hit in %s", body)
	}
	if _, _, body = get(t, base+"/?q=how+long+is+an+access+token+valid"); !strings.Contains(body, "15 minutes") || !strings.Contains(body, `">[1] `) || strings.Contains(body, "autofocus") || !strings.Contains(body, "<h2>Answer</h2>\n<pre class=\"prose\" lang=\"") || !strings.Contains(body, "<h2>Sections</h2>\n<ol>") || strings.Contains(body, "do not seem") {
		t.Errorf("no answer in %s", body)
	}
	if _, _, body = get(t, base+"/?q=example+configuration+file"); !strings.Contains(body, `<pre class="columns" lang="`) {
		t.Errorf("no code in %s", body)
	}
	for question, said := range map[string]string{"how+do+I+bake+a+sourdough+bread": "These documents ", "¿cómo+se+prepara+una+tortilla+de+patatas?": "Estos documentos no ", "how+do+I+approve+a+deploy+without+a+reviewer": "These documents may not answer this. The closest passages:"} {
		if _, _, body = get(t, base+"/?q="+question); !strings.Contains(body, `<p class="note" dir="auto">`+said) || strings.Contains(body, "<h2>Answer</h2>") {
			t.Errorf("no refusal in %s", body)
		}
	}
	if _, _, body = get(t, base+"/?q=a%ff%00%1b%22b"); !utf8.ValidString(body) || !strings.Contains(body, "\ufffd") || strings.ContainsAny(body, "\x00") {
		t.Errorf("bytes that are no text = %q", body)
	}
	if _, _, body = get(t, base+"/?q=zzyzx"); !strings.Contains(body, ">These documents say nothing about this.<") || strings.Contains(body, "<ol>") {
		t.Errorf("nothing found = %s", body)
	}
	if _, _, body = get(t, base+"/?read=security/auth.md%23refresh"); !strings.Contains(body, `dir="auto">## Refresh tokens`) || !strings.Contains(body, "<title>security/auth.md#refresh · handbook</title>") {
		t.Errorf("no section in %s", body)
	}
	if _, _, body = get(t, base+"/?q=rotation+periods"); !strings.Contains(body, "Secret | Period | Who rotates\n") {
		t.Errorf("the rows of a table are not lines:\n%s", body)
	}
	if _, _, body = get(t, base+"/?q=RF-AUTH-0O1"); !strings.Contains(body, `<p class="note small" dir="auto">nothing is named`) {
		t.Errorf("no warning in %s", body)
	}
	if status, _, body = get(t, base+"/?read=none.md"); status != 404 || !strings.Contains(body, `role="alert"`) || !strings.Contains(body, "<title>kdd</title>") {
		t.Errorf("none.md = %d %s", status, body)
	}
}

// TestThePagesScripts gets what the page loads, packed where the client takes that, and once.
func TestThePagesScripts(t *testing.T) {
	base, _ := started(t, Options{})
	for _, name := range []string{"page.js", "markdown.js", "texts/de.js"} {
		want, err := browser.Page.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, coding := range []string{"gzip, br", "identity", "gzip;q=0", "GZIP; q=0.5"} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/ui/"+name, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Accept-Encoding", coding)
			response, err := http.DefaultTransport.RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			packed := response.Header.Get("Content-Encoding") == "gzip"
			if packed {
				z, err := gzip.NewReader(bytes.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				body, err = io.ReadAll(z)
				if err != nil {
					t.Fatal(err)
				}
			}
			h := response.Header
			if err != nil || response.StatusCode != 200 || !bytes.Equal(body, want) || h.Get("Content-Type") != "text/javascript; charset=utf-8" || h.Get("ETag") == "" {
				t.Errorf("%s by %s = %d %v, %d bytes, want %d: %v", name, coding, response.StatusCode, h, len(body), len(want), err)
			}
			if want := coding == "gzip, br" || coding == "GZIP; q=0.5"; packed != want {
				t.Errorf("%s by %q: packed %t, want %t", name, coding, packed, want)
			}
			request.Header.Set("If-None-Match", h.Get("ETag"))
			again, err := http.DefaultTransport.RoundTrip(request)
			if err != nil || again.StatusCode != http.StatusNotModified {
				t.Errorf("%s again = %v, %v, want 304", name, again, err)
			}
			again.Body.Close()
		}
	}
	for _, name := range []string{"", "none.js", "texts/", "../page.html", "texts/../page.js"} {
		if status, _, _ := get(t, base+"/ui/"+name); status == 200 && name != "texts/../page.js" {
			t.Errorf("/ui/%s = %d, want none", name, status)
		}
	}
}

// Texts of documents say which language they are in, if nearly all are in one, and run the way that their first letter
// does.
func TestThePagesLanguage(t *testing.T) {
	for _, test := range []struct{ folder, query, lang string }{
		{"ar", "كيف يعمل التخزين المؤقت", "ar"}, {"ja", "キャッシュ", "ja"}, {"zh", "缓存", "zh"}, {"", "cache", ""},
	} {
		path := filepath.Join(t.TempDir(), "docs.kddx")
		if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{filepath.Join("..", "..", "testdata", "corpora", "languages", test.folder)}, Output: path, NoVectors: true, Version: "1.0.0"}); err != nil {
			t.Fatal(err)
		}
		svc := runtime.New(runtime.Config{Index: []string{path}})
		t.Cleanup(func() { svc.Close() })
		base, _ := started(t, Options{Service: svc})
		_, _, body := get(t, base+"/?q="+url.QueryEscape(test.query))
		mark := `<div class="lines" lang="` + test.lang + `" dir="auto">`
		if strings.Count(body, mark) < 2 || strings.Count(body, `<div lang=`) != strings.Count(body, mark) || !strings.Contains(body, `name="q" dir="auto"`) {
			t.Errorf("%q: texts are not marked with %s in %s", test.query, mark, body)
		}
	}
}

// What a document says is text on the page, whatever it is.
func TestThePageEscapes(t *testing.T) {
	docs := t.TempDir()
	evil := "# <script>alert(1)</script> \"onload=\"\n\n<img src=x onerror=alert(2)> [a](javascript:alert(3)) `</pre><script>`\n"
	if err := os.WriteFile(filepath.Join(docs, "evil.md"), []byte(evil), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "evil.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{docs}, Output: path, NoVectors: true, BaseURL: "https://example.com/docs/", Version: "1.0.0"}); err != nil {
		t.Fatal(err)
	}
	svc := runtime.New(runtime.Config{Index: []string{path}})
	t.Cleanup(func() { svc.Close() })
	base, _ := started(t, Options{Service: svc})
	if _, _, body := get(t, base+"/?q=evil"); !strings.Contains(body, `href="https://example.com/docs/evil`) || !strings.Contains(body, `<h1 dir="auto"><a href="/">evil</a></h1>`) {
		t.Errorf("no way to the page itself, or not its name: %s", body)
	}
	for _, path := range []string{"/?q=alert", "/?read=evil.md", `/?q=%22%3E%3Cscript%3Ealert(4)%3C%2Fscript%3E`, `/?read=%3Cscript%3Ealert(5)`} {
		if _, _, body := get(t, base+path); strings.Count(body, "<script") != 1 || strings.Contains(body, "<img") || strings.Contains(body, `href="javascript:`) {
			t.Errorf("%s = %s", path, body)
		}
	}
	for _, tool := range []string{"generate_rag_answer", "kdd_search", "get_document_chunk"} {
		_, _, reply := tell(t, base+callPath, callBody(tool, `{"query":"alert onload","file":"evil.md"}`))
		if text, _ := reply["result"].(string); strings.Contains(strings.ReplaceAll(text, "`</pre><script>`", ""), "<script") || strings.Contains(text, "<img") || strings.Contains(text, "](javascript") {
			t.Errorf("%s = %s", tool, text)
		}
	}
}

// The description is OpenAPI 3.1 as its specification has it, its references lead somewhere, its schemas are schemas,
// and what the server answers is what they say.
func TestOpenAPI(t *testing.T) {
	for _, o := range []Options{{}, {Token: "0123456789abcdef"}, publicOptions(t)} {
		var routes []route
		base, _ := startedWith(t, o, func(s *Server) { routes = s.routes() })
		var header []string
		if o.Token != "" {
			header = []string{"Authorization", "Bearer " + o.Token}
		}
		status, _, body := get(t, base+"/openapi.json", header...)
		var document map[string]any
		if err := json.Unmarshal([]byte(body), &document); err != nil || status != 200 {
			t.Fatalf("%d %v", status, err)
		}
		if document["openapi"] != "3.1.1" || document["info"].(object)["title"] == "" || document["info"].(object)["version"] == "" {
			t.Errorf("head %v %v", document["openapi"], document["info"])
		}
		if secured := len(document["security"].([]any)) > 0; secured != (o.Token != "") {
			t.Errorf("security: %v", document["security"])
		}
		follow(t, document, document)
		for _, r := range routes {
			if label := r.label(); label != "none" && r.path != "/api/v1" && label != "/ui/{file}" && document["paths"].(object)[label] == nil {
				t.Errorf("%s is not described", label)
			}
		}
		ids := map[string]bool{}
		for path, item := range document["paths"].(object) {
			for method, v := range item.(object) {
				operation := v.(object)
				id, _ := operation["operationId"].(string)
				if id == "" || ids[id] || len(operation["responses"].(object)) == 0 || !strings.HasPrefix(path, "/") || method != "get" && method != "post" {
					t.Errorf("%s %s: operationId %q", method, path, id)
				}
				ids[id] = true
				named := map[string]bool{}
				parameters, _ := operation["parameters"].([]any)
				for _, p := range parameters {
					p := p.(object)
					if p["schema"] == nil || named[p["name"].(string)] || p["in"] != "query" && p["in"] != "header" {
						t.Errorf("%s %s: parameter %v", method, path, p)
					}
					named[p["name"].(string)] = true
				}
				for status, r := range operation["responses"].(object) {
					if r.(object)["description"] == nil || r.(object)["description"] == "" || len(status) != 3 {
						t.Errorf("%s %s %s: %v", method, path, status, r)
					}
				}
				if status, _, body := send(t, strings.ToUpper(method), base+path, "", header...); status == 404 && strings.Contains(body, "no path") {
					t.Errorf("%s %s is not there", method, path)
				}
			}
		}
		for name, s := range document["components"].(object)["schemas"].(object) {
			if resolvedSchema(t, document, s) == nil {
				t.Errorf("schema %s does not resolve", name)
			}
		}
		reply := resolvedSchema(t, document, document["components"].(object)["schemas"].(object)["CallReply"])
		for _, tool := range []string{"generate_rag_answer", "kdd_search", "kdd_list", "nothing"} {
			_, _, got := tell(t, base+callPath, callBody(tool, `{"query":"token expiry"}`), header...)
			if err := reply.Validate(got); err != nil {
				t.Errorf("%s: %v", tool, err)
			}
		}
	}
}

// follow checks that each reference leads somewhere.
func follow(t *testing.T, document, v any) {
	t.Helper()
	switch v := v.(type) {
	case object:
		for name, value := range v {
			target, ok := value.(string)
			if name != "$ref" || !ok {
				follow(t, document, value)
				continue
			}
			at := document
			for part := range strings.SplitSeq(strings.TrimPrefix(target, "#/"), "/") {
				o, _ := at.(object)
				at = o[part]
			}
			if at == nil {
				t.Errorf("reference %s leads nowhere", target)
			}
		}
	case []any:
		for _, value := range v {
			follow(t, document, value)
		}
	}
}

// resolvedSchema returns a schema with the document's components beside it, as $defs, where the package that validates
// finds them.
func resolvedSchema(t *testing.T, document map[string]any, s any) *jsonschema.Resolved {
	t.Helper()
	whole := object{"$defs": document["components"].(object)["schemas"], "allOf": []any{s}}
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte(`"#/components/schemas/`), []byte(`"#/$defs/`))
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Error(err)
		return nil
	}
	r, err := schema.Resolve(nil)
	if err != nil {
		t.Error(err)
		return nil
	}
	return r
}
