// Package lock reads and writes kdd.lock, which pins the artifacts that are asked in its folder and below it: names,
// where each comes from, and the root hash that it has to have.
//
//	l, err := lock.Read("kdd.lock")
//	for _, e := range l.Artifacts {
//		fmt.Println(e.Name, e.Source, e.Root)
//	}
//
// A lock comes with a repository, so it is hostile until it is checked: it is bounded, it names no file outside of its
// folder, and what it says of an artifact is compared with the artifact. The package opens no artifact and no
// connection.
package lock
