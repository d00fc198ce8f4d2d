package cli

import (
	"flag"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
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

// placeholder returns what help shows for the value, "" for a switch.
func (f *Flag) placeholder() string {
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

// find returns the flag of that name or alias, or nil.
func find(flags []Flag, name string) *Flag {
	for i := range flags {
		if flags[i].Name == name || slices.Contains(flags[i].Aliases, name) {
			return &flags[i]
		}
	}
	return nil
}

// parserFlags returns the flags as the command-line parser takes them. Aliases are left out: arrange has already
// replaced them by the name.
func parserFlags(flags []Flag) []urfave.Flag {
	out := make([]urfave.Flag, 0, len(flags))
	for _, f := range flags {
		switch f.Type {
		case Switch:
			out = append(out, &urfave.BoolFlag{Name: f.Name})
		case List, Pair:
			out = append(out, &urfave.GenericFlag{Name: f.Name, Value: new(repeated)})
		default:
			out = append(out, &urfave.StringFlag{Name: f.Name})
		}
	}
	return out
}

// repeated has the values of a flag that may be repeated, commas and all: the library's own list splits at them unless its App runs.
type repeated []string

// Set adds a value.
func (v *repeated) Set(value string) error {
	*v = append(*v, value)
	return nil
}

// String shows the values.
func (v *repeated) String() string { return strings.Join(*v, ", ") }

// parse reads argv as arrange left it.
//
// The library's flags and context do it, its App does not: that would run its own help, whose templates may call any method
// by name, so that the linker could leave none out; the tools would be 2 MB larger.
func parse(name string, flags []Flag, argv []string) (*urfave.Context, error) {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range parserFlags(flags) {
		if err := f.Apply(set); err != nil {
			return nil, err
		}
	}
	if err := set.Parse(argv); err != nil {
		return nil, err
	}
	return urfave.NewContext(nil, set, nil), nil
}
