package mcpserver

import (
	"bufio"
	"bytes"
	"io"
	"testing"

	"kdd/runtime"
)

// What the protocol adds to a search: the same one in this process, and through ServeStdio's pipes.
func BenchmarkSearch(b *testing.B) {
	svc := runtime.New(runtime.Config{Index: []string{testIndex(b)}})
	defer svc.Close()
	search := runtime.OperationNamed("search")
	args := map[string]any{"query": "how does authentication work"}
	b.Run("in=process", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := search.Run(b.Context(), svc, args); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("in=stdio", func(b *testing.B) {
		in, client := io.Pipe()
		answers, out := io.Pipe()
		go func() {
			ServeStdio(b.Context(), svc, in, out, io.Discard, Info{Name: "kddq", Version: "1"})
			out.Close()
		}()
		reader := bufio.NewReader(answers)
		ask := func(line string) {
			if _, err := io.WriteString(client, line+"\n"); err != nil {
				b.Fatal(err)
			}
			if answer, err := reader.ReadBytes('\n'); err != nil || !bytes.Contains(answer, []byte(`"result":`)) {
				b.Fatalf("answer %s, %v", answer, err)
			}
		}
		ask(hello)
		for name, arguments := range map[string]string{"searched": `{"query":"how does authentication work"}`, "refused": `{"quary":"how does authentication work"}`} {
			b.Run(name, func(b *testing.B) { // what is refused is the protocol's share alone
				b.ReportAllocs()
				for b.Loop() {
					ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kdd_search","arguments":` + arguments + `}}`)
				}
			})
		}
		client.Close()
	})
}
