package cli

import (
	"kdd/runtime"
)

// sharedCommands returns the commands of both tools, in the order of the help.
func sharedCommands() []*Command {
	operations := runtime.Operations()
	commands := make([]*Command, 0, len(operations)+6)
	for i := range operations {
		commands = append(commands, commandOf(&operations[i]))
	}
	commands = append(commands,
		addCommand(),
		fetchCommand(),
		updateCommand(),
		verifyCommand(),
		provenanceCommand(),
		diffCommand(),
		dumpCommand(),
		textconvCommand(),
		mcpCommand(),
		serveCommand(),
		feedbackStatsCommand(),
		feedbackExportCommand(),
		installCommand(),
		uninstallCommand(),
	)
	commands = append(commands, remoteCommands()...)
	return append(commands,
		completionCommand(),
		versionCommand(),
	)
}

// commandOf makes the command of an operation.
func commandOf(op *runtime.Operation) *Command {
	switch op.Name {
	case "lint":
		return lintCommand(op)
	case "eval":
		return evalCommand(op)
	case "graph":
		return graphCommand(op)
	case "doctor":
		return doctorCommand(op)
	case "coverage", "violations", "orphans":
		c := operationCommand(op)
		c.Group = GroupCheck
		return c
	}
	return operationCommand(op)
}
