// Package artifact opens .kddx files for queries. It finds the files, keeps them mapped while calls run, opens the new
// file after one was replaced, and gives each document its address.
//
//	store := artifact.NewStore(artifact.StoreOptions{Index: []string{"docs.kddx"}})
//	set, err := store.Open(ctx, true, func() {}) // the artifacts of one call
//	defer set.Done(ctx, &err)
//
// It knows nothing of scores and of requests.
package artifact
