// Package install registers a kdd server with the hosts of agents, and takes the registration out again.
//
// A host keeps its servers in a file of its own: JSON, JSON with comments, or TOML. The file is never written anew from
// its values. JSON is parsed to a tree that packs to the same bytes (hujson), of TOML the places of keys and values are
// found (go-toml's unstable package), and only what has to change is changed. The result is then parsed again, by
// encoding/json and go-toml, and compared: every other value has to be what it was, or nothing is written. So comments,
// order, indentation, line endings, a byte order mark and duplicates elsewhere stay as they are.
//
//	host, _ := install.Find("claude")
//	env := &install.Env{…}
//	result, err := env.Install(install.Request{Host: host, Scope: install.Project, Name: "kdd", Entry: entry})
//
// A file is replaced by rename, with its permissions, after a copy beside it (NAME.kdd-backup). A file that does not
// parse, is read-only, or was changed meanwhile is left alone. Links are followed: the file they lead to is replaced.
//
// Removing gives back the bytes that adding found, with three exceptions: an object of servers that is left empty goes
// with its key, a file that then holds no value and no comment is removed, and spaces inside an object that was empty
// are not restored.
package install
