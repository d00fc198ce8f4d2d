// Package install registers a kdd server with the hosts of agents, and takes the registration out again.
//
// A host keeps its servers in a file of its own: JSON, JSON with comments, or TOML. The file is never written anew from
// its values. It is scanned for places, the few bytes that have to change are spliced in, and the result is parsed by a
// second parser (encoding/json, go-toml) and compared: every other value has to be what it was, or nothing is written.
// So comments, order, indentation, line endings, a byte order mark and duplicates elsewhere stay as they are.
//
//	host, _ := install.Find("claude")
//	result, err := install.Env{…}.Apply(install.Request{Host: host, Scope: install.Project, Name: "kdd", Entry: entry})
//
// A file is replaced by rename, with its permissions, after a copy beside it (NAME.kdd-backup); one that does not parse,
// is read-only, or changed meanwhile is left alone. Links are followed: the file they lead to is replaced.
//
// Removing gives back the bytes that adding found, but for: an object of servers that is left empty goes with its key, a
// file that then holds no value and no comment is removed, and spaces inside an object that was empty are not restored.
package install
