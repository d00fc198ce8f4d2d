package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"

	"kdd/cmd/internal/install"
	"kdd/runtime/wire"
)

func installCommand() *Command {
	return &Command{
		Name: "install", Group: GroupServe, Usage: "HOST|git|all", Words: hostNames(), MinArgs: 1, MaxArgs: 1,
		Summary: "register the MCP server with an agent's host, or diff and merge drivers with git",
		Help: "The hosts are " + strings.Join(install.Names(), ", ") + "; \"all\" are those of them that are on this " +
			"machine.\n" +
			"Adds the server to the host's own file and keeps everything else in it as it is, comments too. The file as " +
			"it was is copied beside it (.kdd-backup); a second run changes nothing. Where a host's file is not one " +
			"for programs (goose, jetbrains), what to put there is printed.\n" +
			"The project's file (.mcp.json and the like, at the repository's top) names the index relative to that folder, " +
			"so that it can be committed; a user's file names it by its full path. Without --index the artifact is looked " +
			"for as a query does.\n" +
			"\"git\" is no host: it tells the repository of the working folder how to compare and merge .kddx files, in its own " +
			"configuration (.git/config) and in .gitattributes, which is to be committed (docs/PUBLISH.md).",
		Examples: []string{"install claude", "install git", "install all --index docs.kddx --dry-run",
			"install vscode --scope user --index ~/docs.kddx --name handbook"},
		Flags: func() []Flag {
			self := Flag{Name: "self", Type: Switch, Help: "register this very program, even where another kddq is on PATH"}
			via := Flag{Name: "via", Enum: install.Via(),
				Help: "register kddq of a package of npm or PyPI in this version, which that program fetches and starts"}
			return append([]Flag{*findFlag(commonFlags(), "index"), self, via}, installFlags()...)
		},
		Run: runInstall,
	}
}

func uninstallCommand() *Command {
	return &Command{
		Name: "uninstall", Group: GroupServe, Usage: "HOST|git|all", Words: hostNames(), MinArgs: 1, MaxArgs: 1,
		Summary: "take the MCP server out of an agent's host, or the drivers out of git",
		Help: "Takes out what install has added, and nothing else. The file as it was is copied beside it (.kdd-backup); " +
			"a file that then holds nothing is removed. With \"all\", the files of hosts that are not on this machine " +
			"count too.",
		Examples: []string{"uninstall claude", "uninstall all --scope user --dry-run"},
		Flags:    installFlags, Run: runUninstall,
	}
}

// gitTarget is what install and uninstall call the repository itself.
const gitTarget = "git"

func hostNames() []string { return append(install.Names(), gitTarget, "all") }

func installFlags() []Flag {
	return []Flag{
		{Name: "scope", Enum: []string{string(install.Project), string(install.User)},
			Help: "whose file: the project's, or yours (default project, if it has one)"},
		{Name: "name", Value: "NAME", Default: "kdd", Help: "name of the server"},
		{Name: "dry-run", Type: Switch, Help: "change nothing, print what would change as a diff"},
	}
}

// machine returns what install needs to know about this machine.
func machine() *install.Env {
	home, _ := os.UserHomeDir() // unknown: only a user's file needs it
	dir, _ := os.Getwd()
	program, err := os.Executable()
	if err != nil {
		program = "kddq"
	}
	return &install.Env{OS: goruntime.GOOS, Home: home, Dir: dir, Getenv: os.Getenv, LookPath: exec.LookPath,
		Executable: program}
}

func runInstall(c *Call) error {
	env := machine()
	env.Self, env.Via, env.Version = c.Switch("self"), c.Text("via"), Version
	if env.Self && env.Via != "" {
		return Usage("--self and --via name different programs; give one")
	}
	if c.Args[0] == gitTarget {
		err := c.runGit(env.InstallGit, "scope", "name", "index")
		if err == nil && !env.CanMerge() {
			c.Notef("kdd is not on PATH: merges of artifacts will stop and ask, until it is")
		}
		return err
	}
	if c.Args[0] != "all" {
		if _, err := install.Find(c.Args[0]); err != nil { // before an artifact is looked for, which may be missing too
			return err
		}
	}
	indexes, err := c.installed()
	if err != nil {
		return err
	}
	missing := map[string]bool{}
	return c.eachHost(env, func(h *install.Host, _ install.Scope) bool { return h.Present(env) },
		func(r install.Request) (*install.Result, error) {
			r.Entry = env.Server(r.Scope, indexes)
			for _, file := range env.Missing(r.Scope, r.Entry) {
				if !missing[file] {
					c.Notef("%s does not exist yet: build it before the server is asked", file)
				}
				missing[file] = true
			}
			return env.Install(r)
		})
}

// installed returns the artifacts to register. It returns none if none is found, since one may be built later.
func (c *Call) installed() ([]string, error) {
	service := c.Service()
	defer service.Close()
	paths, err := service.Paths()
	var reply *wire.Error
	if errors.As(err, &reply) && reply.Code == wire.CodeIndexNotFound && reply.Details["found"] == nil {
		c.Notef("%s: the server will look for one at each call", reply.Message)
		return nil, nil
	}
	return paths, err
}

func runUninstall(c *Call) error {
	env := machine()
	if c.Args[0] == gitTarget {
		return c.runGit(env.RemoveGit, "scope", "name")
	}
	there := func(h *install.Host, scope install.Scope) bool { return h.Present(env) || env.Used(h, scope) }
	return c.eachHost(env, there, env.Remove)
}

// eachHost calls do for the named host, or for all that are there, and prints a line for each.
func (c *Call) eachHost(env *install.Env, there func(*install.Host, install.Scope) bool,
	do func(install.Request) (*install.Result, error)) error {
	name := c.Text("name")
	if err := install.CheckName(name); err != nil {
		return err
	}
	scope := func(h *install.Host) install.Scope {
		if c.Given("scope") {
			return install.Scope(c.Text("scope"))
		}
		if !h.Has(install.Project) && c.Args[0] != "all" {
			return install.User
		}
		return install.Project
	}
	all, hosts := c.Args[0] == "all", install.Hosts()
	if !all {
		host, err := install.Find(c.Args[0])
		if err != nil {
			return err
		}
		hosts = []*install.Host{host}
	}
	var failed error
	for _, host := range hosts {
		if err := c.Context.Err(); err != nil {
			return err
		}
		skipped := ""
		switch {
		case all && !host.Has(scope(host)):
			skipped = "it has no file for a project's servers; use --scope user"
		case all && !there(host, scope(host)):
			skipped = "not found on this machine"
		}
		if skipped != "" {
			if _, err := fmt.Fprintf(c.Stdout, "%s: skipped: %s\n", host.Name, skipped); err != nil {
				return err
			}
			continue
		}
		result, err := do(install.Request{Host: host, Scope: scope(host), Name: name, DryRun: c.Switch("dry-run")})
		switch {
		case err == nil:
			line := strings.ReplaceAll(outcomes[result.Action], "NAME", name)
			if err := c.said(host.Name, line, result); err != nil {
				return err
			}
		case !all:
			return err
		default: // the others can do without this one
			c.Notef("%s: %s", host.Name, wire.Clean(wireError(err).Error()))
			failed = cmp.Or(failed, err)
		}
	}
	if failed != nil {
		return Silent{failed}
	}
	return nil
}

// outcomes are the lines that report what was done.
var outcomes = map[install.Action]string{
	install.Added:     "NAME WOULD added to PATH",
	install.Changed:   "NAME WOULD changed in PATH",
	install.Removed:   "NAME WOULD removed from PATH",
	install.Deleted:   "NAME WOULD removed with PATH, which holds nothing else",
	install.Unchanged: "NAME is in PATH already; nothing to change",
	install.Absent:    "no NAME in PATH; nothing to remove",
	install.Told:      "put this into PATH:",
	install.Untold:    "take NAME out yourself of PATH",
}

// said prints what was done with a file of one host.
func (c *Call) said(host, line string, r *install.Result) error {
	path := wire.Clean(r.Path)
	would := ""
	if c.Switch("dry-run") {
		would = "would be "
	}
	line = strings.NewReplacer("WOULD ", would, "PATH", path).Replace(line)
	if r.Backup != "" {
		line += fmt.Sprintf(" (as it was: %s)", wire.Clean(r.Backup))
	}
	diff := r.Diff
	if Terminal(c.Stdout) {
		diff = wire.CleanLines(diff)
	}
	if _, err := fmt.Fprintf(c.Stdout, "%s: %s\n%s", host, line, diff); err != nil {
		return err
	}
	if r.Note != "" && !c.Switch("dry-run") {
		c.Notef("%s", r.Note)
	}
	return nil
}
