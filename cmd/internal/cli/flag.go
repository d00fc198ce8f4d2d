package cli

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v3"
)

// FlagType says how a flag takes its value.
type FlagType uint8

// The types of flags. Every value is text until the command asks for it.
const (
	Text     FlagType = iota // one value; the last one given counts
	Switch                   // no value
	List                     // any number of values, one each time it is given
	Optional                 // alone it means Bare; a value needs "="
	Pair                     // two values, one behind the other; or one at a time with "="
)

// Flag is one option of a command.
type Flag struct {
	Name    string   // without dashes
	Aliases []string // other spellings, one letter or older names; accepted, and one-letter ones shown
	Type    FlagType
	Value   string   // what help calls the value: "FILE"
	Enum    []string // the values it takes; empty = any
	Default string   // "" = none
	Bare    string   // of an Optional: what the flag without a value means
	Env     string   // environment variable that gives the value where the flag is absent
	Setting string   // key of kdd.yaml that gives it where the environment does not
	Folder  bool     // the value is a folder that has to be there if the flag is given
	Help    string   // one line
}

// spelling returns the name with its dashes.
func (f *Flag) spelling() string { return "--" + f.Name }

// short returns the one-letter spelling, or "".
func (f *Flag) short() string {
	for _, a := range f.Aliases {
		if len(a) == 1 {
			return a
		}
	}
	return ""
}

// placeholder returns what help shows for the value, "" for a switch. "..." says that the flag may be repeated.
func (f *Flag) placeholder() string {
	if value := f.valueName(); f.Type == List && !strings.HasSuffix(value, "...") {
		return value + "..."
	} else {
		return value
	}
}

// valueName returns what a value is called, "" for a switch.
func (f *Flag) valueName() string {
	switch {
	case f.Type == Switch:
		return ""
	case f.Value != "":
		return f.Value
	case len(f.Enum) > 0 && f.Type != List:
		return strings.Join(f.Enum, "|")
	}
	return "VALUE"
}

// takes says that the flag takes all these values. kdd.yaml has one setting for all commands, and some commands take
// fewer values.
func (f *Flag) takes(values []string) bool {
	return len(f.Enum) == 0 || !slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(f.Enum, v) })
}

// findFlag returns the flag of that name or alias, or nil.
func findFlag(flags []Flag, name string) *Flag {
	for i := range flags {
		if flags[i].Name == name || slices.Contains(flags[i].Aliases, name) {
			return &flags[i]
		}
	}
	return nil
}

// origin says where the value of a flag comes from.
type origin uint8

const (
	absent      origin = iota // nowhere: the default counts
	commandLine               // the flag
	elsewhere                 // the environment or kdd.yaml
)

// flagValue holds the texts of one flag; the library's parser fills it. The string list of the library splits at
// commas, cannot tell the command line from another source, and has errors without a cure.
type flagValue struct {
	flag   *Flag
	texts  []string
	origin origin
	err    error // of the last Set: the library keeps its text only
}

// valueSeparator joins the values of a source, because the library takes one text from each. Neither the command line
// nor the environment can hold a NUL.
const valueSeparator = "\x00"

// Set takes a value from the command line, or from a source that Lookup has marked.
func (v *flagValue) Set(text string) error {
	if v.origin == elsewhere {
		v.texts = strings.Split(text, valueSeparator)
		return nil
	}
	text = strings.TrimPrefix(text, wordMark)
	f := v.flag
	switch {
	case f.Type == Switch && text != "true" && text != "false":
		v.err = usageError("%s takes no value, got %q", f.spelling(), text)
	case f.Type == Optional && text == "true":
		text = f.Bare
	case len(f.Enum) > 0 && f.Type != List && !slices.Contains(f.Enum, text):
		v.err = badValue(f.spelling(), text, f.Enum)
	}
	if f.Type != List && f.Type != Pair {
		v.texts = nil
	}
	v.texts, v.origin = append(v.texts, text), commandLine
	return v.err
}

// String shows the values.
func (v *flagValue) String() string { return strings.Join(v.texts, ", ") }

// Get returns the value itself.
func (v *flagValue) Get() any { return v }

// IsBoolFlag says that the flag takes a value only after "=".
func (v *flagValue) IsBoolFlag() bool { return v.flag.Type == Switch || v.flag.Type == Optional }

// valueSource gives the library the value of an absent flag from the environment or kdd.yaml. The library's EnvVar
// counts an empty variable as a value, and cannot mark the flag.
type valueSource struct {
	name  string
	look  func() ([]string, bool)
	value *flagValue
}

// Lookup returns the values of the source as one text.
func (s valueSource) Lookup() (string, bool) {
	values, found := s.look()
	text := strings.Join(values, valueSeparator)
	if !found || text == "" {
		return "", false
	}
	s.value.origin = elsewhere
	return text, true
}

// String names the source in errors.
func (s valueSource) String() string { return s.name }

// GoString names the source in debugging output.
func (s valueSource) GoString() string { return fmt.Sprintf("valueSource(%s)", s.name) }

// parsed returns the flag as the library parses it, and the value that it fills.
func (o *Options) parsed(f *Flag) (urfave.Flag, *flagValue) {
	v := &flagValue{flag: f}
	var sources []urfave.ValueSource
	if f.Env != "" {
		sources = append(sources, valueSource{"the environment", func() ([]string, bool) {
			text := o.getenv(f.Env)
			return []string{text}, text != ""
		}, v})
	}
	if f.Setting != "" {
		sources = append(sources, valueSource{configName, func() ([]string, bool) {
			values, found := o.Config().values[f.Setting]
			return values, found && f.takes(values)
		}, v})
	}
	return &urfave.GenericFlag{Name: f.Name, Aliases: f.Aliases, Usage: f.Help, Local: true, Value: v,
		Sources: urfave.ValueSourceChain{Chain: sources}}, v
}
