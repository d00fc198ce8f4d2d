//go:build !unix

package source

import "os"

// openFlags: only Unix has pipes among the files of a folder.
const openFlags = os.O_RDONLY
