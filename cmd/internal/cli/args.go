package cli

import (
	"slices"
	"strings"
	"unicode"

	"kdd/runtime/wire"
)

// foreign maps spellings that other tools have taught people to the ones of this tool.
var foreign = [...][2]string{
	{"json", "--format json"},
	{"md", "--format md"},
	{"csv", "--format csv"},
	{"n", "--limit"},
	{"top", "--limit"},
	{"top-k", "--limit"},
	{"no-color", "--color never"},
	{"no-colour", "--color never"},
	{"colour", "--color"},
	{"out", "--output"},
	{"verbose", "--format json"},
}

// arrange puts the flags of argv first, each as --name=value under its full name, then "--", then the arguments.
//
// The parser of the command-line library stops at the first argument; people write flags last. Everything after a "--"
// is an argument, and so is "-" alone and whatever has a space before its first "=", which no flag has. The error is a
// usage error that names the flag and the nearest one that exists.
func arrange(flags []Flag, argv []string) ([]string, error) {
	var options, arguments []string
	for i := 0; i < len(argv); i++ {
		arg := argv[i]
		if arg == "--" {
			arguments = append(arguments, argv[i+1:]...)
			break
		}
		name, value, assigned := splitFlag(arg)
		if name == "" {
			arguments = append(arguments, arg)
			continue
		}
		f := find(flags, name)
		if f == nil {
			return nil, unknownFlag(flags, arg, name)
		}
		switch {
		case f.Type == Switch && !assigned:
			value = "true"
		case f.Type == Switch:
			if value != "true" && value != "false" {
				return nil, usageError("%s takes no value, got %q", f.spelling(), value)
			}
		case f.Type == Optional && !assigned:
			value = f.Bare
		case !assigned:
			if i+1 == len(argv) {
				return nil, usageError("%s needs a value: %s %s", f.spelling(), f.spelling(), f.placeholder())
			}
			i++
			value = argv[i]
			if f.Type == Pair {
				if i+1 == len(argv) {
					return nil, usageError("%s needs two values: %s %s", f.spelling(), f.spelling(), f.placeholder())
				}
				options = append(options, f.spelling()+"="+value)
				i++
				value = argv[i]
			}
		}
		if len(f.Enum) > 0 && f.Type != List && !slices.Contains(f.Enum, value) {
			return nil, badValue(f.spelling(), value, f.Enum)
		}
		options = append(options, f.spelling()+"="+value)
	}
	return append(append(options, "--"), arguments...), nil
}

// splitFlag takes "--name=value" apart. The name is "" where arg is no flag.
func splitFlag(arg string) (name, value string, assigned bool) {
	if len(arg) < 2 || arg[0] != '-' || arg == "--" {
		return "", "", false
	}
	name, value, assigned = strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	if name == "" || strings.ContainsFunc(name, unicode.IsSpace) {
		return "", "", false
	}
	return name, value, assigned
}

func unknownFlag(flags []Flag, arg, name string) *wire.Error {
	shown := arg
	if i := strings.IndexByte(arg, '='); i > 0 {
		shown = arg[:i]
	}
	e := usageError("unknown flag %s", wire.Clean(shown))
	cure := ""
	for _, pair := range foreign {
		to, _, _ := strings.Cut(strings.TrimPrefix(pair[1], "--"), " ")
		if pair[0] == name && find(flags, to) != nil {
			cure = pair[1]
		}
	}
	if cure == "" {
		var names []string
		for _, f := range flags {
			names = append(names, f.Name)
			names = append(names, f.Aliases...)
		}
		if near := wire.Nearest(name, names); near != "" {
			cure = find(flags, near).spelling()
		}
	}
	if cure != "" {
		e.Hint = "did you mean " + cure + "?"
		return e.With("suggestions", []string{cure})
	}
	if !strings.HasPrefix(arg, "--") {
		e.Hint = `a word that begins with "-" goes behind "--"`
	}
	return e
}

// leading cuts argv before the command's name: the flags that stand there move behind it.
//
// Only flags that every query command has are known here, so that "kddq -i docs.kddx search x" works.
func leading(common []Flag, argv []string) (moved, rest []string, err error) {
	for len(argv) > 0 {
		name, _, assigned := splitFlag(argv[0])
		if name == "" {
			break
		}
		f := find(common, name)
		if f == nil {
			e := unknownFlag(common, argv[0], name)
			if e.Details == nil {
				e.Hint = "flags of one command go behind its name"
			}
			return nil, nil, e
		}
		n := 1
		if !assigned && f.Type != Switch && f.Type != Optional {
			if n = 2; len(argv) < 2 {
				return nil, nil, usageError("%s needs a value: %s %s", f.spelling(), f.spelling(), f.placeholder())
			}
		}
		moved, argv = append(moved, argv[:n]...), argv[n:]
	}
	return moved, argv, nil
}
