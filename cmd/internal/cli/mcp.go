package cli

import (
	"kdd/mcpserver"
	"kdd/runtime"
)

func mcpCommand() *Command {
	return &Command{
		Name: "mcp", Group: GroupServe,
		Summary: "serve the index to an agent over MCP on standard input and output",
		Help: "Speaks the Model Context Protocol on standard input and output until the input ends. Nothing but protocol " +
			"is written to standard output; messages go to standard error. The index is opened at the first question, and a " +
			"replaced file is picked up without a restart.",
		Examples: []string{"mcp -i docs.kddx"},
		Flags:    mcpFlags, Run: runMCP,
	}
}

func mcpFlags() []Flag {
	var flags []Flag
	for _, f := range commonFlags() {
		if f.Name == "index" || f.Name == "root" {
			f.Folder = false // a server waits for what is not there yet
			flags = append(flags, f)
		}
	}
	flags = append(append(flags, TrustFlags()...), Flag{Name: "idle", Value: "DURATION", Default: "15m",
		Help: "close files after so long without a question; 0 = never"})
	return append(flags, modelFlags()...)
}

// agentGCPercent is how much garbage, in percent of what is in use, the server of one agent lets gather before it
// collects it. A search makes 0.25 MB of it and decoding a request up to 0.3 MB, and with Go's default of 100 little more
// than ten of them make a collection of a heap in which 2 MB are in use; so each waits 0.1 to 0.4 ms longer. 400 costs 12
// MB. GOGC in the environment wins.
//
// A server of many clients keeps Go's default. Under 64 clients 400 saved 6 % of a search's processor time and took 64 MB
// of private memory in place of 28 (6,000 chunks), or 104 in place of 43 (117,000 chunks).
const agentGCPercent = 400

// serving is answering for a program that stays.
func (c *Call) serving() (config runtime.Config, err error) {
	if config, err = c.answering(); err == nil && c.Text("idle") != "0" {
		config.Idle, err = c.Duration("idle", "15m or 90s, or 0")
	}
	return config, err
}

func runMCP(c *Call) error {
	defer c.CollectAt(agentGCPercent)()
	config, err := c.serving()
	if err != nil {
		return err
	}
	config.Turns = turns()
	service := runtime.New(config)
	defer service.Close()
	return mcpserver.ServeStdio(c.Context, service, c.Stdin, c.Stdout, c.Stderr,
		mcpserver.Info{Name: c.Tool.Name, Version: Version})
}
