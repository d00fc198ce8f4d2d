// Package artifact opens .kddx files for queries: it finds them, keeps them mapped while calls run, takes a file that
// was put in the place of another, and gives each document its address.
//
//	store := artifact.NewStore(artifact.StoreOptions{Index: []string{"docs.kddx"}})
//	set, err := store.Acquire() // the artifacts of one call
//	defer set.Release()
//
// It knows nothing of scores and of requests.
package artifact
