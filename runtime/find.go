package runtime

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/runtime/shape"
)

// The environment variables that name an artifact, strongest first; the last two are those of an older system.
var indexVariables = []string{"KDD_INDEX", "KDD_INDEX_PATH", "KDD_SPECS_PATH"}

const extension = ".kddx"

// find returns the artifacts to answer from: as configured, else from the environment, else the only .kddx file found
// from the working folder up to the repository's top. What was found stays; what was not is looked for again at the next
// call, so that a server sees an index that is built after it started.
func (s *Service) find() ([]*source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sources != nil {
		return s.sources, nil
	}
	named := s.config.Index
	if len(named) == 0 {
		for _, v := range indexVariables {
			if value := s.config.Environ[v]; value != "" {
				path, err := s.fromVariable(v, value)
				if err != nil {
					return nil, err
				}
				named = []string{path}
				break
			}
		}
	}
	if len(named) == 0 {
		path, err := s.discover()
		if err != nil {
			return nil, err
		}
		named = []string{path}
	}
	var list []*source
	for _, n := range named {
		src := &source{path: n}
		if name, path, ok := strings.Cut(n, "="); ok && !strings.ContainsAny(name, `/\.`) && name != "" {
			src.name, src.path = name, path
		} else {
			src.name = stem(n)
		}
		if !filepath.IsAbs(src.path) && s.config.Dir != "" {
			src.path = filepath.Join(s.config.Dir, src.path)
		}
		for _, other := range list {
			if other.name == src.name {
				return nil, shape.NewError(shape.CodeInvalidInput, fmt.Sprintf("index: the name %q stands for %s and %s", src.name, other.path, src.path), "name them apart: -i NAME=FILE")
			}
		}
		list = append(list, src)
	}
	s.sources = list
	return list, nil
}

// fromVariable reads FILE, NAME=FILE or a folder that holds one artifact.
func (s *Service) fromVariable(variable, value string) (string, error) {
	path := value
	if !filepath.IsAbs(path) && s.config.Dir != "" {
		path = filepath.Join(s.config.Dir, path)
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return value, nil
	}
	found := artifactsIn(path)
	if len(found) == 1 {
		return found[0], nil
	}
	return "", shape.NewError(shape.CodeIndexNotFound, fmt.Sprintf("%s=%s is a folder with %d .kddx files", variable, value, len(found)), "set it to the file itself").With("found", found)
}

// discover looks for the only .kddx file in the working folder and above, up to the repository's top.
func (s *Service) discover() (string, error) {
	dir := s.config.Dir
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return "", shape.NewError(shape.CodeIndexNotFound, "no index named, and the working folder cannot be read", "name one with -i FILE or KDD_INDEX").Because(err)
		}
	}
	var looked []string
	for {
		looked = append(looked, dir)
		switch found := artifactsIn(dir); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return "", shape.NewError(shape.CodeIndexNotFound, fmt.Sprintf("%d .kddx files in %s: %s", len(found), dir, strings.Join(bases(found), ", ")), "say which with -i FILE or KDD_INDEX").With("found", found)
		}
		parent := filepath.Dir(dir)
		if isTop(dir) || parent == dir {
			return "", shape.NewError(shape.CodeIndexNotFound, "no .kddx file in "+between(looked), `build one with "kdd build FOLDER", or name one with -i FILE or KDD_INDEX`).With("looked", looked)
		}
		dir = parent
	}
}

// isTop says whether dir is the top of a repository.
func isTop(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

func artifactsIn(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var found []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == extension && e.Type()&os.ModeDir == 0 {
			found = append(found, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(found)
	return found
}

func bases(paths []string) []string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = filepath.Base(p)
	}
	return list
}

func between(dirs []string) string {
	if len(dirs) == 1 {
		return dirs[0]
	}
	return dirs[0] + " or above it, up to " + dirs[len(dirs)-1]
}
