#!/bin/sh
# Gives the module another path, here and in every import: .ci/rename-module.sh example.com/you/kdd
#
# It changes go.mod and the lines of .go files, Markdown, the Makefile and this folder that name a package of the module.
# Other strings that begin with "kdd/" (the folder of models, fingerprints) stay. Then it formats, since imports sort anew,
# and lists the packages, which fails if an import leads nowhere.
set -eu
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "usage: .ci/rename-module.sh PATH" >&2; exit 2; }
new=$1
old=$(go list -m)
[ "$new" != "$old" ] || exit 0
go mod edit -module "$new"

# The top folders that hold packages, as an alternation: cmd|compiler|...
rooms=$(find . -name '*.go' -not -path './.*' | awk -F/ 'NF > 2 { print $2 }' | sort -u | paste -sd '|' -)
was=$(printf %s "$old" | sed 's/[.+]/\\&/g')
package="s#(^|[^A-Za-z0-9_./-])$was/($rooms)([^A-Za-z0-9_-]|\$)#\\1$new/\\2\\3#g"
root="s#^([[:space:]]*(import )?([A-Za-z]+ )?)\"$was\"\$#\\1\"$new\"#"
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
find . -type f \( -name '*.go' -o -name '*.md' -o -name Makefile -o -path './.ci/*' \) \
	-not -path './.git/*' -not -path './.cache/*' -not -path './bench/runs/*' -exec grep -lF "$old" {} + | while read -r file; do
	case $file in
	*/imports_test.go) sed -E "s#([^A-Za-z0-9_./-])$was/#\\1$new/#g; s#\"$was\"#\"$new\"#g" "$file" > "$tmp" ;; # prefixes too
	*) sed -E "$package; $root" "$file" > "$tmp" ;;
	esac
	cmp -s "$tmp" "$file" || cat "$tmp" > "$file"
done
# shellcheck disable=SC2046 # folders without spaces
gofmt -w $(find . -maxdepth 1 -name '*.go') $(echo "$rooms" | tr '|' ' ')
go list ./... > /dev/null
echo "the module is $new: run make test"
