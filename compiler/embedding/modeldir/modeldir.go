// Package modeldir says where models and ONNX Runtime lie on this machine, whatever the working folder is.
//
// A folder of models holds a folder for each model, by its name, and ONNX Runtime's library in onnxruntime/VERSION.
// Imports write to Home; All is where kdd looks, in order.
package modeldir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
)

// Variable is the environment variable that names the folder of models.
const Variable = "KDD_MODELS"

// LibraryFolder is the folder in a folder of models that has ONNX Runtime, by version.
const LibraryFolder = "onnxruntime"

// LibraryVersion is the release of ONNX Runtime whose libraries kdd knows.
const LibraryVersion = "1.31.1"

// The values of Folder.From, for messages.
const (
	FromVariable   = Variable
	FromUser       = "data folder"
	FromExecutable = "beside the program"
)

// Folder is a folder of models; it need not exist.
type Folder struct {
	Path string // absolute
	From string
}

// All returns the folders in which models and ONNX Runtime are looked for: Home, then "models" beside the program.
func All() []Folder {
	var all []Folder
	if home, err := home(); err == nil {
		all = append(all, home)
	}
	if program, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(program); err == nil {
			program = real
		}
		all = append(all, Folder{filepath.Join(filepath.Dir(program), "models"), FromExecutable})
	}
	return all
}

// Home returns the folder that models are imported into: $KDD_MODELS, else kdd/models in the user's data folder, which
// is $XDG_DATA_HOME or ~/.local/share, on macOS ~/Library/Application Support, on Windows %LocalAppData%.
func Home() (string, error) {
	f, err := home()
	return f.Path, err
}

func home() (Folder, error) {
	if dir := os.Getenv(Variable); dir != "" {
		abs, err := filepath.Abs(dir)
		return Folder{abs, FromVariable}, err
	}
	data, err := userData()
	if err != nil {
		return Folder{}, fmt.Errorf("no folder for models: %w; set %s", err, Variable)
	}
	return Folder{filepath.Join(data, "kdd", "models"), FromUser}, nil
}

// userData returns the folder for the data of the user's programs.
func userData() (string, error) {
	switch goruntime.GOOS {
	case "windows":
		return os.UserCacheDir() // %LocalAppData%, which is data's place too
	case "darwin", "ios":
		return os.UserConfigDir() // ~/Library/Application Support, likewise
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // else to be passed over, as the specification says
		return dir, nil
	}
	if dir := os.Getenv("HOME"); dir != "" {
		return filepath.Join(dir, ".local", "share"), nil
	}
	return "", errors.New("neither $XDG_DATA_HOME nor $HOME is set")
}
