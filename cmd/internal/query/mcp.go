package query

import (
	"kdd/mcpserver"
	"kdd/runtime"
)

func mcpCommand() *Command {
	return &Command{
		Name:    "mcp",
		Group:   GroupServe,
		Summary: "serve the index to an agent over MCP on standard input and output",
		Help: "Speaks the Model Context Protocol on standard input and output until the input ends. Nothing but protocol is " +
			"written to standard output; messages go to standard error. The index is opened at the first question, and a " +
			"replaced file is picked up without a restart.",
		Examples: []string{"mcp -i docs.kddx"},
		Flags:    mcpFlags,
		Run:      runMCP,
	}
}

func mcpFlags() []Flag {
	var flags []Flag
	for _, f := range commonFlags() {
		if f.Name == "index" || f.Name == "root" {
			flags = append(flags, f)
		}
	}
	return append(flags, modelFlags()...)
}

func runMCP(c *Call) error {
	config, err := c.answering()
	if err != nil {
		return err
	}
	service := runtime.New(config)
	defer service.Close()
	return mcpserver.ServeStdio(c.Context, service, c.Stdin, c.Stdout, c.Stderr, mcpserver.Info{Name: c.Tool.Name, Version: Version})
}
