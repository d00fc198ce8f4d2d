package query

import (
	"kdd/runtime"
)

// sharedCommands returns the commands of both tools, in the order of the help.
func sharedCommands() []*Command {
	operations := runtime.Operations()
	commands := make([]*Command, 0, len(operations)+6)
	for i := range operations {
		commands = append(commands, operationCommand(&operations[i]))
	}
	return append(commands, verifyCommand(), dumpCommand(), mcpCommand(), completionCommand(), versionCommand())
}
