package artifact

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/runtime/lock"
	"kdd/runtime/wire"
)

// indexVariables are the environment variables that name artifacts, strongest first. The last two come from an older
// system: if they name a folder without a .kddx file, the folders above it are searched too.
var indexVariables = []string{"KDD_INDEX", "KDD_INDEX_PATH", "KDD_SPECS_PATH"}

// FindSources returns the artifacts to answer from: as configured, else from the environment, else those of the lock or
// the only .kddx file from the working folder up to the top of the repository. It keeps the artifacts that it found. If
// it found none, it looks again at the next call, so that a server sees an index that is built after it started; and it
// reads a lock again that was changed.
func (s *Store) FindSources() ([]*Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Sources != nil {
		s.relock()
		return s.Sources, nil
	}
	list, err := s.find()
	if err != nil {
		return nil, err
	}
	s.Sources = list
	return list, nil
}

// find is FindSources, which keeps what this returns.
func (s *Store) find() ([]*Source, error) {
	s.locks = nil
	var list []*Source
	var err error
	switch variable := s.variable(); {
	case len(s.config.Index) > 0:
		for _, n := range s.config.Index {
			found, err := s.pattern(n)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
	case variable != "":
		list, err = s.fromVariable(variable)
	default:
		list, err = s.discover(s.config.Dir)
	}
	if err != nil {
		return nil, err
	}
	for i, src := range list {
		src.weights, src.policy, src.log = s.config.Weights, s.policy, s.config.Log
		if IsURL(src.Path) {
			if src.remote, err = s.remote(); err != nil {
				return nil, err
			}
		}
		for _, other := range list[:i] {
			if other.Name == src.Name {
				return nil, wire.NewError(wire.CodeInvalidInput,
					fmt.Sprintf("index: the name %s stands for %s and %s", wire.Quote(src.Name), other.label(), src.label()),
					"name them apart: -i NAME=FILE").With("field", "index")
			}
		}
	}
	return list, nil
}

// label says where a source is from, for messages.
func (s *Source) label() string {
	if s.pin != nil {
		return wire.Clean(s.pin.source) + " of " + s.pin.lock
	}
	return s.Path
}

// Paths returns the artifacts without opening them: FILE, or NAME=FILE where the name is not the file's own; and a lock in
// place of its artifacts.
func (s *Store) Paths() ([]string, error) {
	sources, err := s.FindSources()
	if err != nil {
		return nil, err
	}
	var list []string
	for _, src := range sources {
		switch {
		case src.pin != nil:
			if !slices.Contains(list, src.pin.lock) {
				list = append(list, src.pin.lock)
			}
		case src.Name != stem(src.Path):
			list = append(list, src.Name+"="+src.Path)
		default:
			list = append(list, src.Path)
		}
	}
	return list, nil
}

// Forget drops the artifacts that were found if src, which could not be opened, was found by looking into a folder.
// The next call looks into the folder again.
func (s *Store) Forget(src *Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if src.looked && slices.Contains(s.Sources, src) && len(s.Sources) == 1 {
		src.close()
		s.Sources = nil
	}
}

// variable returns the strongest environment variable that names artifacts, "" if none does.
func (s *Store) variable() string {
	for _, v := range indexVariables {
		if s.config.Environ[v] != "" {
			return v
		}
	}
	return ""
}

// abs joins a path with the working folder.
func (s *Store) abs(path string) string {
	if IsURL(path) {
		return path
	}
	if !filepath.IsAbs(path) && s.config.Dir != "" {
		return filepath.Join(s.config.Dir, path)
	}
	return path
}

// pattern reads what named does, or a pattern of file names, which the shell leaves to us where it is quoted or in a
// host's settings.
func (s *Store) pattern(text string) ([]*Source, error) {
	if strings.ContainsAny(text, "*?[") && !strings.Contains(text, "://") && !Exists(s.abs(text)) {
		paths, err := filepath.Glob(s.abs(text))
		if err != nil || len(paths) == 0 {
			return nil, wire.NewError(wire.CodeIndexNotFound, wire.Clean(text)+": no such file", `build it with "kdd build", or name another with -i`)
		}
		list := make([]*Source, len(paths))
		for i, path := range paths {
			list[i] = &Source{Name: stem(path), Path: path}
		}
		return list, nil
	}
	return s.named("index", text)
}

// named reads FILE or NAME=FILE; FILE may be a folder that holds one artifact. If a file is called NAME=FILE, it means
// that file. A lock stands for its artifacts. field is where the text is from, for messages.
func (s *Store) named(field, text string) ([]*Source, error) {
	if path := s.abs(text); lock.IsLock(path) && !IsURL(path) && (Exists(path) || !strings.Contains(text, "=")) {
		return s.locked(path)
	}
	src := &Source{Path: text}
	if name, path, ok := strings.Cut(text, "="); ok && name != "" && !strings.ContainsAny(name, `/\`) && !Exists(s.abs(text)) {
		if strings.ContainsAny(name, ":#,") {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("%s: the name %s", field, wire.Quote(name)), `a name may not hold ":", "#" or ","`).With("field", field)
		}
		src.Name, src.Path = name, path
	}
	if src.Path == "" {
		return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("%s: %s names no file", field, wire.Quote(text)), "give FILE or NAME=FILE").With("field", field)
	}
	src.Path = s.abs(src.Path)
	if info, err := os.Stat(src.Path); err == nil && info.IsDir() {
		switch found := artifactsIn(src.Path); {
		case len(found) == 1:
			src.Path, src.looked = found[0], true
		case field != "index": // a folder on the command line: opening it gives the error
			return nil, wire.NewError(wire.CodeIndexNotFound, fmt.Sprintf("%s=%s is a folder with %s", field, wire.Clean(text), countText(found)), "set it to the file itself").With("found", found)
		}
	}
	if src.Name == "" {
		src.Name = stem(src.Path)
	}
	if lock.IsLock(src.Path) && !IsURL(src.Path) {
		return nil, wire.NewError(wire.CodeInvalidInput,
			fmt.Sprintf("%s: %s names a lock, whose artifacts have names of their own", field, wire.Quote(text)),
			"leave the name out").With("field", field)
	}
	return []*Source{src}, nil
}

// fromVariable reads a list of FILE or NAME=FILE, separated by commas, or a folder.
func (s *Store) fromVariable(variable string) ([]*Source, error) {
	value := s.config.Environ[variable]
	if info, err := os.Stat(s.abs(value)); variable != indexVariables[0] && err == nil && info.IsDir() && len(artifactsIn(s.abs(value))) == 0 {
		list, err := s.discover(s.abs(value))
		if err != nil {
			return s.discover(s.config.Dir)
		}
		return list, nil
	}
	parts := []string{value}
	if _, path, ok := strings.Cut(value, "="); !Exists(s.abs(value)) && (!ok || !Exists(s.abs(path))) {
		parts = strings.Split(value, ",")
	}
	var list []*Source
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		found, err := s.named(variable, p)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		return nil, wire.NewError(wire.CodeInvalidInput, variable+" names no file", "set it to FILE or NAME=FILE").With("field", variable)
	}
	return list, nil
}

// discover looks for a lock or the only .kddx file in dir ("" = the process's own), then in the folders above it up to the
// top of the repository. In one folder a lock, which somebody has written, comes before files, which may lie there by
// chance.
func (s *Store) discover(dir string) ([]*Source, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, wire.NewError(wire.CodeIndexNotFound, "no index named, and the working folder cannot be read", "name one with -i FILE or KDD_INDEX").Because(err)
	}
	var looked []string
	for {
		looked = append(looked, dir)
		if path, ok := lockIn(dir); ok {
			return s.locked(path)
		}
		switch found := artifactsIn(dir); len(found) {
		case 0:
		case 1:
			return []*Source{{Name: stem(found[0]), Path: found[0], looked: true}}, nil
		default:
			return nil, wire.NewError(wire.CodeIndexNotFound, fmt.Sprintf("%d .kddx files in %s: %s", len(found), dir, strings.Join(bases(found), ", ")), "say which with -i FILE or KDD_INDEX").With("found", found)
		}
		parent := filepath.Dir(dir)
		if isTop(dir) || parent == dir {
			return nil, wire.NewError(wire.CodeIndexNotFound, "no .kddx file in "+between(looked), `build one with "kdd build FOLDER", or name one with -i FILE or KDD_INDEX`).With("looked", looked)
		}
		dir = parent
	}
}

// isTop says whether dir is the top of a repository.
func isTop(dir string) bool { return Exists(filepath.Join(dir, ".git")) }

// Exists says whether there is a file or folder of that path.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// artifactsIn returns the artifacts in a folder, without hidden files: these are still being written.
func artifactsIn(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	found := []string{}
	for _, e := range entries { // sorted by name
		if filepath.Ext(e.Name()) == ".kddx" && e.Name()[0] != '.' && !e.IsDir() {
			found = append(found, filepath.Join(dir, e.Name()))
		}
	}
	return found
}

// countText says how many artifacts a folder has, and their names.
func countText(found []string) string {
	if len(found) == 0 {
		return "no .kddx file"
	}
	return fmt.Sprintf("%d .kddx files: %s", len(found), strings.Join(bases(found), ", "))
}

func bases(paths []string) []string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = filepath.Base(p)
	}
	return list
}

// between names the folders from the first to the last of dirs.
func between(dirs []string) string {
	if len(dirs) == 1 {
		return dirs[0]
	}
	return dirs[0] + " or above it, up to " + dirs[len(dirs)-1]
}
