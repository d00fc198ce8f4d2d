// Package runtime opens .kddx artifacts and answers questions from them.
//
// A Service holds any number of artifacts. Each operation is one method that takes and returns plain structs of
// package wire; Operations lists them with their parameters, and Run decodes untyped arguments and calls the method.
// The command line, MCP and HTTP are translations of that table and hold no logic of their own.
//
//	svc := runtime.New(runtime.Config{Index: []string{"docs.kddx"}})
//	defer svc.Close()
//	answer, err := svc.Search(ctx, wire.SearchRequest{Query: "how do I log in"})
//
// Nothing is opened before the first call, and nothing after opening writes shared memory. Every method runs under a
// guard: a fault in the mapping, or values of a file that contradict each other, end that call with index_corrupt, and
// any other panic with internal and its stack in the log. The package never writes a file, uses no network but to ask
// the language model that Config may name, and reads no source file but to tell whether it is still the one that was
// compiled.
package runtime
