package install

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// Request asks for one server to be registered with a host, or taken out.
type Request struct {
	Host   *Host
	Scope  Scope
	Name   string // of the server
	Entry  Entry  // what to register; not used by Remove
	DryRun bool   // change nothing, show what would change
}

// Action is what became of a file.
type Action string

// The actions.
const (
	Added     Action = "added"
	Changed   Action = "changed"
	Unchanged Action = "unchanged"
	Removed   Action = "removed"
	Deleted   Action = "deleted" // the file, since it held nothing else
	Absent    Action = "absent"  // there was nothing to remove
	Told      Action = "told"    // the host's file is not ours to write: what to put there is in Diff
	Untold    Action = "untold"  // nor to take anything out of
)

// Result says what was done, or would be.
type Result struct {
	Path   string
	Action Action
	Backup string // the copy of the file as it was; "" = none
	Diff   string // of a dry run, or what to write by hand
	Note   string // what a person has to know; "" = nothing
}

// editor changes one entry of a file's text.
type editor interface {
	servers(data []byte) (map[string]any, error)
	set(data []byte, want []field) ([]byte, error)
	remove(data []byte) (out []byte, empty bool, err error)
}

// entryIn returns the entry of that name in the file's text, or nil where there is none.
func entryIn(edit editor, data []byte, name string) (*Entry, error) {
	servers, err := edit.servers(data)
	if value, there := servers[name]; there {
		e := entryOf(value)
		return &e, err
	}
	return nil, err
}

func (h *Host) editor(name string) editor {
	if h.dialect == tomlText {
		return &tomlFile{h.key, name}
	}
	return &jsonFile{h.dialect, h.key, name}
}

// open loads the file of a request and looks for the entry; one of another program is refused, with that cure.
func (e *Env) open(r *Request, cure string) (*file, editor, *Entry, error) {
	path, err := r.Host.Path(e, r.Scope)
	if err != nil {
		return nil, nil, nil, err
	}
	f, err := load(path)
	if err != nil {
		return nil, nil, nil, err
	}
	if r.Scope == Project && !within(e.Top(), f.real) {
		return nil, nil, nil, wire.NewError(wire.CodeInvalidInput,
			f.path+": a link leads it out of the project, to "+wire.Clean(realPath(f.real)),
			"replace the link by a file, or register there with --scope user")
	}
	edit := r.Host.editor(r.Name)
	have, err := entryIn(edit, f.data, r.Name)
	if err != nil {
		return nil, nil, nil, f.refused(err, "")
	}
	if have != nil && !have.Ours() {
		what := "starts " + wire.Clean(wire.Shorten(strings.Join(append([]string{have.Command}, have.Args...), " "), 80))
		if have.Command == "" {
			what = "has no command"
		}
		return nil, nil, nil, wire.NewError(wire.CodeInvalidInput,
			fmt.Sprintf("%s: the server %q there is not ours: it %s", path, r.Name, what), cure)
	}
	return f, edit, have, nil
}

// Install registers a server. Keys that the entry has besides (env and the like) stay.
func (e *Env) Install(r Request) (*Result, error) {
	if err := CheckName(r.Name); err != nil {
		return nil, err
	}
	r.Entry = e.For(r.Host, r.Entry)
	if r.Host.byHand != nil {
		text, err := r.Host.byHand(r.Name, r.Entry)
		return &Result{Path: r.Host.where, Action: Told, Diff: text}, err
	}
	f, edit, have, err := e.open(&r, "register under another name with --name")
	if err != nil {
		return nil, err
	}
	out, err := edit.set(f.data, r.Host.fields(r.Entry))
	if err != nil {
		return nil, f.refused(err, "")
	}
	result := &Result{Path: f.path, Action: Added}
	if r.Scope == Project {
		result.Note = r.Host.note
	}
	if have != nil {
		result.Action, result.Note = Changed, ""
	}
	if f.info != nil && string(out) == string(f.data) {
		result.Action = Unchanged
		return result, nil
	}
	if err := f.writable(); err != nil {
		return nil, err
	}
	if r.DryRun {
		result.Diff = unified(f.path, f.data, out, f.info != nil, true)
		return result, nil
	}
	if f.info != nil && len(f.data) > 0 {
		if result.Backup, err = f.backup(); err != nil {
			return nil, err
		}
	}
	perm := fs.FileMode(0o644)
	if r.Scope == User {
		perm = 0o600
	}
	return result, f.write(out, perm)
}

// Remove takes a server out. A file that then holds nothing is deleted, without a copy.
func (e *Env) Remove(r Request) (*Result, error) {
	if err := CheckName(r.Name); err != nil {
		return nil, err
	}
	if r.Host.byHand != nil {
		return &Result{Path: r.Host.where, Action: Untold}, nil
	}
	f, edit, have, err := e.open(&r, "name the server that install has added with --name, "+
		"or take this one out of the file yourself")
	if err != nil {
		return nil, err
	}
	result := &Result{Path: f.path, Action: Absent}
	if have == nil {
		return result, nil
	}
	out, empty, err := edit.remove(f.data)
	if err != nil {
		return nil, f.refused(err, "")
	}
	if err := f.writable(); err != nil {
		return nil, err
	}
	if result.Action = Removed; empty && f.real == f.path { // a link's file is not ours to delete
		result.Action = Deleted
	}
	switch {
	case r.DryRun:
		if result.Action == Deleted {
			out = nil
		}
		result.Diff = unified(f.path, f.data, out, true, result.Action != Deleted)
		return result, nil
	case result.Action == Deleted:
		return result, f.remove()
	}
	if result.Backup, err = f.backup(); err != nil {
		return nil, err
	}
	return result, f.write(out, 0)
}

// Used reports whether a host keeps a file in that scope, on this machine or in this project, from which a server could
// be taken.
func (e *Env) Used(h *Host, scope Scope) bool {
	path, err := h.Path(e, scope)
	return err == nil && h.byHand == nil && exists(path)
}

// Registration is a server of ours that a host has.
type Registration struct {
	Host  *Host
	Scope Scope
	Path  string
	Name  string // "" where the file could not be read
	Entry Entry
	Err   error // the file is not what the host reads
}

// Registrations returns the servers of ours in the files of all hosts, and the files that cannot be read.
func (e *Env) Registrations() []Registration {
	var list []Registration
	for _, h := range Hosts() {
		seen := ""
		for _, scope := range []Scope{Project, User} {
			path, err := h.Path(e, scope)
			if err != nil || path == seen || h.byHand != nil { // the user's folder is the project's top
				continue
			}
			seen = path
			r := Registration{Host: h, Scope: scope, Path: path}
			f, err := load(path)
			var servers map[string]any
			if err == nil {
				if servers, err = h.editor("").servers(f.data); err != nil {
					err = f.refused(err, "mend it, or let the host write it again")
				}
			}
			if err != nil {
				r.Err = err
				list = append(list, r)
			}
			for _, name := range slices.Sorted(maps.Keys(servers)) {
				if entry := entryOf(servers[name]); entry.Ours() {
					r.Name, r.Entry = name, entry
					list = append(list, r)
				}
			}
		}
	}
	return list
}

// Check says what is wrong with a registration; nil if nothing is.
func (e *Env) Check(r *Registration) error {
	if r.Err != nil {
		return r.Err
	}
	again := "kddq install " + r.Host.Name
	if r.Scope == User {
		again += " --scope user"
	}
	if _, err := e.LookPath(r.Entry.Command); err != nil {
		return wire.NewError(wire.CodeNotFound, fmt.Sprintf("%s: %s: no program %s", r.Path, r.Name, r.Entry.Command),
			`put it on PATH, or run "`+again+`"`).Because(errors.Unwrap(err))
	}
	if missing := e.Missing(r.Scope, r.Entry); len(missing) > 0 {
		return wire.NewError(wire.CodeIndexNotFound,
			fmt.Sprintf("%s: %s: no file %s", r.Path, r.Name, strings.Join(missing, ", ")),
			`build it with "kdd build", or run "`+again+` --index FILE"`)
	}
	return nil
}
