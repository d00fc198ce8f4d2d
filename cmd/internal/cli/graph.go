package cli

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// maxDrawn is how many nodes an SVG takes: the layout's cost grows with their square, and nobody can read more.
const maxDrawn = 500

// extensions are the formats that the name of a file asks for.
var extensions = map[string]string{
	".svg": "svg", ".dot": "dot", ".gv": "dot", ".graphml": "graphml", ".mmd": "mermaid", ".mermaid": "mermaid",
	".json": "json", ".csv": "csv", ".md": "md", ".jsonl": "jsonl",
}

// graphCommand is the operation's command with the formats of drawings, and a file to write them to.
func graphCommand(op *runtime.Operation) *Command {
	c := operationCommand(op)
	c.Help = "Prints the documents around a node, or all of them, and the edges between them: as DOT, GraphML, " +
		"Mermaid, JSON, or drawn as SVG without another program. Kinds have colours, or folders where nearly all are of one kind; " +
		"plain links are dashed, have no label and are left out beside typed relations; what leads to a higher layer is red. " +
		"Tables of contents are left out unless --contents is given. A picture is readable up to about 50 nodes."
	c.Examples = []string{"graph CMD-001 --svg --output cmd-001.svg", "graph CMD-001 --depth 2 --format mermaid",
		"graph --format graphml --output all.graphml --limit 5000"}
	flags := c.Flags
	c.Flags = func() []Flag {
		list := flags()
		findFlag(list, "format").Enum = op.Formats()
		return append(list,
			Flag{Name: "svg", Type: Switch, Help: "the same as --format svg"},
			outputFlag("file to write (- = print); its extension gives the format unless --format does"))
	}
	c.Run = func(call *Call) error { return runGraph(call, op) }
	return c
}

func runGraph(c *Call, op *runtime.Operation) error {
	output, format := c.Text("output"), c.Text("format")
	switch {
	case c.Switch("svg"):
		if c.OnCommandLine("format") && format != "svg" {
			return usageError("--svg and --format %s exclude each other", format)
		}
		format = "svg"
	case output != "" && !c.OnCommandLine("format"):
		extension := strings.ToLower(filepath.Ext(output))
		if byName := extensions[extension]; byName != "" {
			format = byName
		} else if extension != "" && extension != ".txt" {
			known := strings.Join(slices.Sorted(maps.Keys(extensions)), ", ")
			return hinted(usageError("--output %s: no format has the extension %q", wire.Clean(output), extension),
				"name one with --format, or end the name in "+known+" or .txt")
		}
	}
	answer, err := c.answer(c.Context, c.serviceConfig(), op)
	if err != nil {
		return err
	}
	graph, ok := answer.(*wire.GraphResponse)
	if ok && format == "svg" && graph.Count > maxDrawn {
		return hinted(usageError("%d nodes are too many to draw, at most %d", graph.Count, maxDrawn),
			"name a node, lower --depth or --limit, or write --format graphml for a program that lays out large graphs")
	}
	if ok && !slices.Contains([]string{"text", "json"}, format) {
		for _, w := range graph.Warnings {
			c.Notef("%s", w)
		}
	}
	if output == "" || output == "-" {
		return c.printAs(answer, format)
	}
	var b bytes.Buffer
	if err := render.Write(&b, format, answer, render.Style{}); err != nil {
		return err
	}
	return writeOutput("output", output, b.Bytes())
}
