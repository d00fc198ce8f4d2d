// Package runtime opens .kddx artifacts and answers questions from them.
//
// A Service holds any number of artifacts. Each operation is one method that takes and returns plain structs of package
// wire. Operations lists the operations with their parameters; Operation.Run decodes untyped arguments and calls the
// method. The command line, MCP and HTTP translate to that table and have no logic of their own.
//
//	svc := runtime.New(runtime.Config{Index: []string{"docs.kddx"}})
//	defer svc.Close()
//	answer, err := svc.Search(ctx, wire.SearchRequest{Query: "how do I log in"})
//
// Nothing is opened before the first call, and nothing writes to shared memory after opening. Every method recovers
// from panics: a fault in the mapping, or values of a file that contradict each other, end the call with index_corrupt,
// any other panic with internal and its stack in the log. The package never writes a file. It uses the network only to
// ask the language model that Config may name, and reads source files only to check whether they have changed.
package runtime
