// Package cli is the command line that kdd and kddq share: one entry point, one place where options come from, one
// table of exit codes, and the commands that ask an artifact.
//
// A Tool is a name and a list of Commands. Run finds the command that argv names, puts its flags first, resolves every
// option (flags > environment > kdd.yaml > defaults), runs it and turns its error into one line on stderr and an exit
// code. The commands that query are made from runtime.Operations, so a parameter that the table gains is a flag at
// once, with help and completion.
//
//	os.Exit(cli.Run(cli.Tool{Name: "kddq"}, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
//
// The package imports nothing of the compiler: package main of kdd adds the commands that compile.
package cli
