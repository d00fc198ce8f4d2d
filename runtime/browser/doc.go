// Package browser has no code of Go: its folder is the reader of artifacts in TypeScript, written from FORMAT.md, that
// runs in browsers, workers, Node and Deno (docs/BROWSER.md). kddx.js is made of the sources by esbuild, and committed.
package browser

//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 src/index.ts --bundle --minify --format=esm --target=es2022 --external:./zstd.js --legal-comments=none --log-level=warning --outfile=kddx.js
