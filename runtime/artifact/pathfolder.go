package artifact

import (
	"path"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format/index"
)

// pathFolders are the folders of documents, each once.
type pathFolders struct {
	names []string
	of    []uint32 // by document
}

// newPathFolders reads the paths of all documents. Cost: some microsecond a document.
func newPathFolders(x *index.Index) *pathFolders {
	f := &pathFolders{of: make([]uint32, x.Docs())}
	seen := map[string]uint32{}
	for d := range f.of {
		dir := path.Dir(x.DocPath(index.DocID(d)))
		n, ok := seen[dir]
		if !ok {
			n = uint32(len(f.names))
			seen[dir] = n
			f.names = append(f.names, dir)
		}
		f.of[d] = n
	}
	return f
}

// fewDocuments is the share of the documents up to which their paths are read one by one.
const fewDocuments = 8

// CountFolders adds to counts how many of some documents each folder has. Cost: for few documents their paths; else one
// pass, after the folders of all have been found once.
func (a *Artifact) CountFolders(docs *roaring.Bitmap, counts map[string]int) {
	many := docs.GetCardinality() > uint64(a.Docs()/fewDocuments)
	if !many && !a.foldersKnown.Load() {
		for it := docs.Iterator(); it.HasNext(); {
			counts[path.Dir(a.DocPath(index.DocID(it.Next())))]++
		}
		return
	}
	f := a.paths()
	a.foldersKnown.Store(true)
	n := make([]int, len(f.names))
	for it := docs.Iterator(); it.HasNext(); {
		n[f.of[it.Next()]]++
	}
	for i, count := range n {
		if count > 0 {
			counts[f.names[i]] += count
		}
	}
}
