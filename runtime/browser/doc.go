// Package browser has no code of Go: its folder is the reader of artifacts in TypeScript, written from FORMAT.md, that
// runs in browsers, workers, Node and Deno (docs/BROWSER.md). What is beside src is made of it by esbuild, of the word
// lists of kdd and of its stemmers, and committed.
package browser

//go:generate go run kdd/runtime/browser/languages ../../format/text/data src/lists.ts stem
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 stem/*.js --minify --format=esm --target=es2022 --allow-overwrite --outdir=stem --legal-comments=none --log-level=warning
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 src/language.ts src/shown.ts src/operators.ts src/meaning.ts src/trust.ts --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --outdir=.
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 src/index.ts --bundle --minify --format=esm --target=es2022 --external:./zstd.js --charset=utf8 --legal-comments=none --log-level=warning --outfile=kddx.js
