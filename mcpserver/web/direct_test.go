package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// A call that is answered directly is answered as the SDK answers it, and one that is not plain is left to the SDK.
func TestDirectAnswersAreTheSDKs(t *testing.T) {
	svc := testService(t)
	direct, _ := started(t, Options{Service: svc})
	sdk, _ := started(t, Options{Service: svc, Extend: func(*mcp.Server) {}})
	const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	request := func(id, name, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q%s}}`, id, name, params)
	}
	type sent struct {
		name, body string
		header     []string
	}
	var all []sent
	operations := runtime.Tools()
	for i := range operations {
		o := &operations[i]
		if o.Name == "doctor" { // says how much memory is free, which changes
			continue
		}
		for _, arguments := range []string{`{}`, `{"nosuch":1}`, `null`, `"{}"`, `[]`, string(wire.Encode(o.Examples[0]))} {
			for _, version := range []string{"", "2025-03-26", "2025-06-18", "2025-11-25"} {
				all = append(all, sent{o.Tool + " " + arguments + " " + version, request("1", o.Tool, `,"arguments":`+arguments), []string{"Mcp-Protocol-Version", version}})
			}
			all = append(all, sent{o.Tool + " " + arguments, request(`"<é>"`, o.Tool, `,"arguments":`+arguments+meta), []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", o.Tool}})
		}
	}
	plain := request("7", "kdd_search", `,"arguments":{"query":"<token> & expiry"}`+meta)
	regular := []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "kdd_search"}
	for _, odd := range []sent{
		{"plain", plain, nil},
		{"another name", plain, []string{"Mcp-Name", "kdd_stats"}},
		{"another method", plain, []string{"Mcp-Method", "tools/list"}},
		{"no method", plain, []string{"Mcp-Method", ""}},
		{"another version", plain, []string{"Mcp-Protocol-Version", "2025-11-25"}},
		{"a version that is none", plain, []string{"Mcp-Protocol-Version", "1999-01-01"}},
		{"a later version", plain, []string{"Mcp-Protocol-Version", "2099-01-01"}},
		{"no version in _meta", request("7", "kdd_search", `,"arguments":{}`), nil},
		{"JSON only", plain, []string{"Accept", "application/json"}},
		{"anything", plain, []string{"Accept", "*/*"}},
		{"with a charset", plain, []string{"Content-Type", "application/json; charset=utf-8"}},
		{"text", plain, []string{"Content-Type", "text/plain"}},
		{"going on", plain, []string{"Last-Event-ID", "1"}},
		{"a session", plain, []string{"Mcp-Session-Id", "1"}},
		{"null as id", strings.Replace(plain, `"id":7`, `"id":null`, 1), nil},
		{"a fraction as id", strings.Replace(plain, `"id":7`, `"id":7.5`, 1), nil},
		{"a large id", strings.Replace(plain, `"id":7`, `"id":9007199254740992`, 1), nil},
		{"a negative id", strings.Replace(plain, `"id":7`, `"id":-1.0e2`, 1), nil},
		{"spaces", strings.ReplaceAll(plain, ",", " ,\n"), nil},
		{"a tool that is none", strings.Replace(plain, "kdd_search", "kdd_serch", 1), []string{"Mcp-Name", "kdd_serch"}},
	} {
		all = append(all, sent{odd.name, odd.body, append(append([]string{}, regular...), odd.header...)})
	}
	for _, test := range all {
		header := append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, test.header...)
		status, got, body := send(t, "POST", direct+"/mcp", test.body, header...)
		wantStatus, want, wantBody := send(t, "POST", sdk+"/mcp", test.body, header...)
		if status != wantStatus || withoutTime(body) != withoutTime(wantBody) {
			t.Errorf("%s = %d %s\nwant %d %s", test.name, status, body, wantStatus, wantBody)
		}
		for _, name := range []string{"Content-Type", "Cache-Control", "X-Content-Type-Options"} {
			if got.Get(name) != want.Get(name) {
				t.Errorf("%s: %s %q, want %q", test.name, name, got.Get(name), want.Get(name))
			}
		}
	}
}
