#!/bin/sh
# Draws the pictures of the README and of docs/SITE.md from what the programs really print: terminal.svg, and page.png where npm is.
#
#   docs/pictures/make.sh BIN       BIN: the folder of kdd and kddq
set -eu
cd "$(dirname "$0")/../.."
bin=$(cd "$1" && pwd) out=$PWD/docs/pictures work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bin/kdd" build testdata/corpora/handbook -o "$work/demo.kddx" --title "Trackwell Handbook" --no-vectors --quiet
(
	cd "$work"
	PATH=$bin:$PATH
	say() { printf '\033[32m$\033[0m %s\n' "$1"; script -qec "stty cols 96; $1" /dev/null; echo; }
	say 'kddq search "rotate signing keys" --limit 2'
	say 'kddq ask "how long are access tokens valid"'
) | tr -d '\r' > "$work/said"
"${GO:-go}" run github.com/charmbracelet/freeze@v0.2.2 --language ansi --font.family monospace --padding 20 \
	-o "$out/terminal.svg" "$work/said"
if command -v npm >/dev/null 2>&1; then
	OUT="$work/page" make --no-print-directory interop PARTS=browser
	cp "$work/page/answer-wide-light.png" "$out/page.png"
	for name in search-light search-dark search-phone page-1280-light page-320-dark; do
		cp "$work/page/site-$name.webp" "$out/"
	done
fi
