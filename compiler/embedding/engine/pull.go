package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"kdd/compiler/embedding/modeldir"
	"kdd/compiler/stall"
)

// wheelTags end the names of the Python packages whose libraries are pinned.
var wheelTags = map[string]string{
	"linux/amd64":   "manylinux_2_28_x86_64",
	"linux/arm64":   "manylinux_2_28_aarch64",
	"darwin/arm64":  "macosx_14_0_arm64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

// stallLimit is what tests shorten.
var stallLimit = stall.Limit

// PullLibrary brings ONNX Runtime's library from where its user says, and keeps it as ImportLibrary does: from its
// Python package, a folder in which that lies, or the address of one of them, which ends in "/" if it is a folder's.
// The library is one that kdd knows by its sha256, so that it does not matter whose server it comes from.
func PullLibrary(ctx context.Context, from, models string) (string, error) {
	if u, err := url.Parse(from); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		return downloadLibrary(ctx, u, models)
	}
	info, err := os.Stat(from)
	if err != nil {
		return "", &LibraryError{Path: from, Reason: "no such file",
			Do: "name ONNX Runtime's Python package, its folder, or its address"}
	}
	if !info.IsDir() {
		return ImportLibrary(from, models)
	}
	wheels, err := filepath.Glob(filepath.Join(escapeGlob(from), "onnxruntime-"+modeldir.LibraryVersion+"-*.whl"))
	if err != nil {
		return "", err
	}
	var refused error
	for _, wheel := range wheels {
		path, err := ImportLibrary(wheel, models)
		if err == nil {
			return path, nil
		}
		refused = errors.Join(refused, err)
	}
	if refused == nil {
		refused = &LibraryError{Path: from, Reason: "folder without ONNX Runtime's Python package",
			Do: "want onnxruntime-" + modeldir.LibraryVersion + "-….whl in it, by " + pipDownload}
	}
	return "", refused
}

// escapeGlob makes a path a pattern that matches it alone.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // there is no way to escape there
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// downloadLibrary fetches the package into the folder of models, imports it and removes it.
func downloadLibrary(ctx context.Context, u *url.URL, models string) (string, error) {
	if strings.HasSuffix(u.Path, "/") || u.Path == "" {
		platform := goruntime.GOOS + "/" + goruntime.GOARCH
		tag := wheelTags[platform]
		if tag == "" {
			return "", &LibraryError{Path: u.Redacted(), Reason: "ONNX Runtime has no package for " + platform,
				Do: "use --engine go"}
		}
		u = u.JoinPath("onnxruntime-" + modeldir.LibraryVersion + "-cp311-cp311-" + tag + ".whl")
	}
	failed := func(reason string) error {
		return &LibraryError{Path: u.Redacted(), Reason: reason,
			Do: "name another address, or get it with " + pipDownload + " and name that file"}
	}
	ctx, watch := stall.Start(ctx, stallLimit, func() error { return fmt.Errorf("no data for %v", stallLimit) })
	defer watch.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", failed(err.Error())
	}
	why := func(err error) error {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return failed(err.Error())
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", why(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", failed(response.Status)
	}
	if err := os.MkdirAll(models, 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(models, ".runtime-*.whl")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	n, err := io.Copy(f, watch.Reader(io.LimitReader(response.Body, maxLibraryBytes+1), nil))
	if err != nil {
		return "", why(err)
	}
	if n > maxLibraryBytes {
		return "", failed(fmt.Sprintf("more than %d bytes", int64(maxLibraryBytes)))
	}
	path, err := ImportLibrary(f.Name(), models)
	if wrong := new(LibraryError); errors.As(err, &wrong) {
		wrong.Path = u.Redacted()
	} else if err != nil {
		err = failed(strings.TrimPrefix(err.Error(), filepath.Base(f.Name())+": "))
	}
	return path, err
}
