package browser

import "embed"

// Files are the component and the reader as pages load them: kdd-search.js and what lies beside it.
//
//go:embed kdd-search.js kdd-search.file.js start.js kddx.js question.js languages.js letters.js misspelling.js naming.js
//go:embed characters.js listing.js operators.js documents.js meaning.js parts.js trust.js zstd.js sha256.js licenses.txt
//go:embed api.js stem/*.js texts/*.js
var Files embed.FS

// Page is the page of kddq serve: page.js, which has the component in it, and what lies beside it.
//
//go:embed page.js markdown.js texts/*.js
var Page embed.FS
