package cli

import (
	"os"
	"slices"
	"strconv"

	urfave "github.com/urfave/cli/v2"
	"golang.org/x/term"

	"kdd/runtime"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// The environment that the tools read.
var environment = []string{"KDD_INDEX", "KDD_ROOT", "KDD_INDEX_PATH", "KDD_SPECS_PATH", "NO_COLOR"}

// Options answers what an option's value is. It is the only place that knows the order: flag, environment, kdd.yaml,
// default.
type Options struct {
	flags  []Flag
	cli    *urfave.Context
	config *Config
	getenv func(string) string
}

// resolve returns the values of an option, and whether they come from more than its default.
func (o *Options) resolve(name string) (values []string, given bool) {
	f := find(o.flags, name)
	if f == nil {
		panic("option " + name + " is not one of the command's") // a caller's bug
	}
	if o.cli.IsSet(f.Name) {
		switch f.Type {
		case List, Pair:
			return *o.cli.Generic(f.Name).(*repeated), true
		case Switch:
			return []string{strconv.FormatBool(o.cli.Bool(f.Name))}, true
		}
		return []string{o.cli.String(f.Name)}, true
	}
	if f.Env != "" {
		if v := o.getenv(f.Env); v != "" {
			return []string{v}, true
		}
	}
	if f.Setting != "" && o.config != nil {
		if v, ok := o.config.values[f.Setting]; ok && f.takes(v) {
			return v, true
		}
	}
	if f.Default != "" {
		return []string{f.Default}, false
	}
	return nil, false
}

// takes says that a setting's values are among the flag's: kdd.yaml speaks to all commands, and not each can follow it.
func (f *Flag) takes(values []string) bool {
	return len(f.Enum) == 0 || !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(f.Enum, v) })
}

// Text returns a one-value option, "" if it has none.
func (o *Options) Text(name string) string {
	if v, _ := o.resolve(name); len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// List returns all values of an option.
func (o *Options) List(name string) []string {
	v, _ := o.resolve(name)
	return v
}

// Switch says whether an option is on.
func (o *Options) Switch(name string) bool { return o.Text(name) == "true" }

// Given says that an option has a value from a flag, the environment or kdd.yaml.
func (o *Options) Given(name string) bool {
	_, given := o.resolve(name)
	return given
}

// Count returns an option that is a whole number of at least least.
func (o *Options) Count(name string, least int) (int, error) {
	text := o.Text(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		return 0, usageError("--%s takes a whole number of at least %d, got %q", name, least, wire.Clean(text))
	}
	return n, nil
}

// Config returns the kdd.yaml that was read; its Path is "" if there is none.
func (o *Options) Config() *Config {
	if o.config == nil {
		return &Config{}
	}
	return o.config
}

// commonFlags are the options that every query command has.
func commonFlags() []Flag {
	return []Flag{
		{Name: "index", Aliases: []string{"i"}, Type: List, Value: "[NAME=]FILE",
			Help: "the .kddx to ask, repeated for several; else KDD_INDEX, else the only one in the working folder or above"},
		{Name: "root", Value: "DIR", Env: "KDD_ROOT", Folder: true, Help: "where the sources are, for links to them"},
		{Name: "format", Enum: render.Formats, Default: "text", Setting: "show.format", Help: "what to print"},
		colorFlag(),
	}
}

func colorFlag() Flag {
	return Flag{Name: "color", Enum: []string{"auto", "always", "never"}, Default: "auto", Setting: "show.color",
		Help: "colours and links; auto: on a terminal, unless NO_COLOR is set"}
}

// checkFolders refuses a folder on the command line that is not there: answers would come without it, and not say so.
func (o *Options) checkFolders() error {
	for i := range o.flags {
		f := &o.flags[i]
		if !f.Folder || !o.cli.IsSet(f.Name) {
			continue
		}
		if dir := o.cli.String(f.Name); dir != "" && dirIsNone(dir) {
			e := usageError("%s %s: no such folder", f.spelling(), wire.Clean(dir))
			e.Hint = "name the folder of the sources"
			return e
		}
	}
	return nil
}

// Color says whether to write colours to f: --color always or never, else NO_COLOR, else kdd.yaml, else whether f is a terminal.
func (o *Options) Color(f any) bool {
	choice := o.Text("color")
	if o.getenv("NO_COLOR") != "" && (choice == "auto" || !o.cli.IsSet("color")) {
		choice = "never"
	}
	switch choice {
	case "always":
		return true
	case "never":
		return false
	}
	file, ok := f.(*os.File)
	return ok && Terminal(f) && o.getenv("TERM") != "dumb" && enableColors(file)
}

// Terminal says that f, a reader or writer, is a terminal.
func Terminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// serviceConfig returns what a Service needs to find artifacts and sources.
func (o *Options) serviceConfig() runtime.Config {
	env := map[string]string{}
	for _, name := range environment {
		if v := o.getenv(name); v != "" {
			env[name] = v
		}
	}
	c := runtime.Config{Environ: env, Version: Version, Checks: o.checks}
	if find(o.flags, "index") != nil {
		c.Index = o.List("index")
	}
	if find(o.flags, "root") != nil {
		c.Root = o.Text("root")
	}
	return c
}
