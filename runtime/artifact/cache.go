package artifact

import (
	"os"
	"path/filepath"

	"kdd/runtime/wire"
)

// cacheFolder returns the folder that keeps what was read of artifacts that lie elsewhere, "" for none.
func cacheFolder(environ map[string]string) string {
	switch dir := environ[cacheVariable]; dir {
	case "off":
		return ""
	case "":
		base, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(base, "kdd")
	default:
		return dir
	}
}

// PinnedFolder returns the folder of the artifacts that locks pin. Each file is called by its root hash and was
// verified before it got that name.
func PinnedFolder(environ map[string]string) (string, error) {
	dir := cacheFolder(environ)
	if dir == "" {
		return "", wire.NewError(wire.CodeIO, "there is no folder for the artifacts of a lock",
			"set "+cacheVariable+" to a folder").With("field", cacheVariable)
	}
	return filepath.Join(dir, "artifacts"), nil
}

// PinnedFile returns the path of an artifact in such a folder.
func PinnedFile(folder, root string) string { return filepath.Join(folder, root+".kddx") }
