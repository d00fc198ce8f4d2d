package browser

import "embed"

// Files are the component and the reader as pages load them: kdd-search.js and what lies beside it.
//
//go:embed *.js stem/*.js texts/*.js
var Files embed.FS
