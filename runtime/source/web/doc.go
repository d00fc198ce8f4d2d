// Package web reads an artifact from a web server, by range.
//
//	s, err := web.Open(ctx, "https://docs.example.com/docs.kddx", web.Options{})
//	defer s.Close()
//	head, err := s.ReadRange(ctx, 0, 4096) // no request: Open has read the first 64 KiB
//
// Hosts lie, by mistake or on purpose. Each answer is compared with what was asked and with the version that was
// opened; what is too long is cut off, what is too short is asked for again from where it stopped, and what is slow,
// compressed or of another version is an error. A host without ranges is read whole, below a limit.
//
// Where requests go: to the host that the user typed, and to those that it redirects to, which never get credentials.
// Without encryption only this machine and private addresses are read. A public host leads to no private one.
//
// The package does not look at what it reads (package format does), and it keeps nothing on disk.
package web
