package cli

import (
	"context"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	urfave "github.com/urfave/cli/v3"
	"golang.org/x/term"

	"kdd/runtime"
	"kdd/runtime/render"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// The environment that the tools read.
var environment = []string{"KDD_INDEX", "KDD_ROOT", "KDD_INDEX_PATH", "KDD_SPECS_PATH", "NO_COLOR"}

// Options answers what an option's value is. The library asks for it in order: flag, environment, kdd.yaml, default.
type Options struct {
	flags  []Flag
	values map[string]*flagValue // by the flag's name
	config func() (*Config, error)
	getenv func(string) string
	// toolChecks is Tool.Checks
	toolChecks func(context.Context) []wire.Check
}

// newOptions returns the options of a command, and its flags as the library parses them. dir returns the folder where
// kdd.yaml is looked for; it is called once all arguments are known.
func newOptions(flags []Flag, dir func() (string, bool)) (*Options, []urfave.Flag) {
	o := &Options{flags: flags, values: map[string]*flagValue{}, getenv: os.Getenv}
	o.config = sync.OnceValues(func() (*Config, error) {
		if dir, read := dir(); read {
			return readConfig(dir)
		}
		return &Config{}, nil
	})
	parsed := make([]urfave.Flag, len(flags))
	for i := range flags {
		parsed[i], o.values[flags[i].Name] = o.parsed(&flags[i])
	}
	return o, parsed
}

// value returns what the parser found for an option.
func (o *Options) value(name string) *flagValue {
	if f := findFlag(o.flags, name); f != nil {
		return o.values[f.Name]
	}
	panic("option " + name + " is not one of the command's") // a caller's bug
}

// prepend adds the flags that stand before the name of the command. Flags after the name have precedence.
func (o *Options) prepend(before *Options) error {
	for i := range before.flags {
		name := before.flags[i].Name
		given := before.values[name]
		if given.origin == absent {
			continue
		}
		if findFlag(o.flags, name) == nil {
			return unknownFlag(o.flags, "--"+name, name)
		}
		own := o.value(name)
		switch {
		case own.origin == commandLine && own.flag.Type == List:
			own.texts = slices.Concat(given.texts, own.texts)
		case own.origin != commandLine:
			own.texts, own.origin = nil, absent
			for _, text := range given.texts {
				if err := own.Set(text); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// check refuses half a pair, and a folder on the command line that does not exist: the answers would leave it out
// without a word.
func (o *Options) check() error {
	for i := range o.flags {
		f := &o.flags[i]
		v := o.values[f.Name]
		if v.origin != commandLine {
			continue
		}
		if f.Type == Pair && len(v.texts) == 1 {
			return usageError("%s needs two values: %s %s", f.spelling(), f.spelling(), f.valueName())
		}
		if f.Name == "max-age" {
			if _, err := o.trust(); err != nil {
				return err
			}
		}
		if dir := o.Text(f.Name); f.Folder && dir != "" && dirIsNone(dir) {
			return hinted(usageError("%s %s: no such folder", f.spelling(), wire.Clean(dir)), "name the folder of the sources")
		}
	}
	return nil
}

// Text returns a one-value option, "" if it has none.
func (o *Options) Text(name string) string {
	if v := o.List(name); len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// List returns all values of an option.
func (o *Options) List(name string) []string {
	v := o.value(name)
	if v.origin == absent && v.flag.Default != "" {
		return []string{v.flag.Default}
	}
	return v.texts
}

// Switch says whether an option is on.
func (o *Options) Switch(name string) bool { return o.Text(name) == "true" }

// Put gives an option one value in place of those that it has.
func (o *Options) Put(name, value string) {
	v := o.value(name)
	v.texts, v.origin = []string{value}, commandLine
}

// Given says that an option has a value from a flag, the environment or kdd.yaml.
func (o *Options) Given(name string) bool { return o.value(name).origin != absent }

// OnCommandLine says that an option has a value from a flag.
func (o *Options) OnCommandLine(name string) bool { return o.value(name).origin == commandLine }

// Count returns an option that is a whole number of at least least.
func (o *Options) Count(name string, least int) (int, error) {
	text := o.Text(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		return 0, usageError("--%s takes a whole number of at least %d, got %q", name, least, wire.Clean(text))
	}
	return n, nil
}

// Duration returns an option that is a duration above zero. The error shows example.
func (o *Options) Duration(name, example string) (time.Duration, error) {
	d, err := time.ParseDuration(o.Text(name))
	if err != nil || d <= 0 {
		return 0, usageError("--%s takes a duration such as %s, got %q", name, example, wire.Clean(o.Text(name)))
	}
	return d, nil
}

// Config returns the kdd.yaml that was read; its Path is "" if there is none.
func (o *Options) Config() *Config {
	c, err := o.config()
	if err != nil {
		return &Config{} // the command does not run
	}
	return c
}

// commonFlags are the options that every query command has.
func commonFlags() []Flag {
	return append([]Flag{
		{Name: "index", Aliases: []string{"i"}, Type: List, Value: "[NAME=]FILE",
			Help: "the .kddx to ask, or its URL; else KDD_INDEX, or one in this folder or above"},
		{Name: "root", Value: "DIR", Env: "KDD_ROOT", Folder: true, Help: "where the sources are, for links to them"},
		{Name: "format", Enum: render.Formats, Default: "text", Setting: "show.format", Help: "what to print"},
		colorFlag(),
	}, TrustFlags()...)
}

// TrustFlags say which artifacts are answered from. No kdd.yaml sets them.
func TrustFlags() []Flag {
	return append(signatureFlags(),
		Flag{Name: "max-age", Value: "AGE", Help: "refuse an artifact whose signed commit is older than this, as 30d"},
		Flag{Name: "allow-older", Type: Switch, Help: "take an artifact that is older than the one that was accepted before"})
}

// signatureFlags are those of TrustFlags for artifacts of any age.
func signatureFlags() []Flag {
	return []Flag{
		{Name: "require-signature", Type: Switch, Help: "refuse an artifact that none of the keys has signed"},
		{Name: "key", Type: List, Value: "FILE", Help: "public keys of minisign or OpenSSH, or a folder of them (or KDD_KEY)"},
		{Name: "signed-as", Type: List, Value: "NAME", Help: "refuse an artifact that is signed under another name"},
	}
}

// Policy returns what flags, environment and system ask of artifacts, nil if nothing.
func (c *Call) Policy() (*trust.Policy, error) {
	config := c.serviceConfig()
	config.Trust.Environ = config.Environ
	return config.Trust.Policy()
}

// trust returns what the flags ask of artifacts.
func (o *Options) trust() (t trust.Options, err error) {
	t.Require, t.Keys, t.Names = o.Switch("require-signature"), o.List("key"), o.List("signed-as")
	if findFlag(o.flags, "max-age") == nil {
		return t, nil
	}
	t.AllowOlder = o.Switch("allow-older")
	if age := o.Text("max-age"); age != "" {
		if t.MaxAge, err = trust.ParseAge(age); err != nil {
			err = usageError("--max-age: %v", err)
		}
	}
	return t, err
}

// textOrJSON is the --format of commands that print one or the other.
func textOrJSON(help string) Flag {
	return Flag{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: help}
}

// outputFlag names a file to write.
func outputFlag(help string) Flag {
	return Flag{Name: "output", Aliases: []string{"o"}, Value: "FILE", Help: help}
}

func colorFlag() Flag {
	return Flag{Name: "color", Enum: []string{"auto", "always", "never"}, Default: "auto", Setting: "show.color",
		Help: "colours, links; auto: on a terminal without NO_COLOR"}
}

// Color says whether to write colours to f: --color always or never, else NO_COLOR, else kdd.yaml, else whether f is a
// terminal.
func (o *Options) Color(f any) bool {
	choice := o.Text("color")
	if o.getenv("NO_COLOR") != "" && (choice == "auto" || !o.OnCommandLine("color")) {
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
	for _, name := range slices.Concat(environment, runtime.RemoteVariables, runtime.TrustVariables) {
		if v := o.getenv(name); v != "" {
			env[name] = v
		}
	}
	c := runtime.Config{Environ: env, Version: Version, Checks: o.checks}
	if findFlag(o.flags, "index") != nil {
		c.Index = o.List("index")
	}
	if findFlag(o.flags, "require-signature") != nil {
		c.Trust, _ = o.trust() // check has looked at it
	}
	if findFlag(o.flags, "root") != nil {
		c.Root = o.Text("root")
	}
	return c
}
