// Package browser has the reader of artifacts in TypeScript, written from FORMAT.md, that runs in browsers, workers, Node
// and Deno, and <kdd-search>, a web component over it (docs/BROWSER.md). What is beside src and ui is made of them by
// esbuild, of the word lists of kdd and of its stemmers, and committed.
package browser

//go:generate go run kdd/runtime/browser/languages ../../format/text/data src stem
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 stem/*.js --minify --format=esm --target=es2022 --allow-overwrite --outdir=stem --legal-comments=none --log-level=warning
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 src/question.ts src/characters.ts src/languages.ts src/letters.ts src/listing.ts src/misspelling.ts src/naming.ts src/operators.ts src/documents.ts src/meaning.ts src/parts.ts src/trust.ts --bundle --minify --format=esm --target=es2022 --alias:#core=./kddx.js --external:./kddx.js --alias:#question=./question.js --external:./question.js --charset=utf8 --legal-comments=none --log-level=warning --outdir=.
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 src/kddx.ts --bundle --minify --format=esm --target=es2022 --external:./zstd.js --charset=utf8 --legal-comments=none --log-level=warning --outfile=kddx.js
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 ui/texts/ar.ts ui/texts/de.ts ui/texts/es.ts ui/texts/fa.ts ui/texts/fr.ts ui/texts/he.ts ui/texts/ja.ts ui/texts/ko.ts ui/texts/pt.ts ui/texts/zh.ts --minify --format=esm --target=es2022 --charset=utf8 --log-level=warning --outdir=texts
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 ui/style.css --minify --log-level=warning --outfile=ui/style.min.css
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 ui/element.ts --bundle --minify --loader:.css=text --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --outfile=kdd-search.js
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 ui/api.ts --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --outfile=api.js
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 ui/whole.js --bundle --minify --loader:.css=text --format=iife --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --log-override:empty-import-meta=silent --outfile=kdd-search.file.js
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 ui/start.ts --bundle --minify --format=iife --target=es2022 --charset=utf8 --log-level=warning --outfile=start.js
//go:generate go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 ui/page.ts --bundle --minify --loader:.css=text --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=warning --outfile=page.js
