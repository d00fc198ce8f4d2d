#!/bin/sh
# Checks that this kit is whole, and registers what it holds with an agent's host:
#
#   ./install.sh claude                  with Claude Code, for you, in all projects
#   ./install.sh all                     with every host that is on this machine
#   ./install.sh claude --scope project  for the project in whose folder you are
#   ./install.sh check                   check alone
#
# The registration names the files of this folder: leave it where it is, or run this again where you moved it.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

if command -v sha256sum >/dev/null 2>&1; then
	sums() { sha256sum -c SHA256SUMS 2>&1; }
elif command -v shasum >/dev/null 2>&1; then
	sums() { shasum -a 256 -c SHA256SUMS 2>&1; }
else
	echo "install.sh: neither sha256sum nor shasum is here: checksums are not compared" >&2
	sums() { :; }
fi
if ! report=$(cd "$here" && sums); then
	printf '%s\n' "$report" | grep -v ': OK$' >&2
	echo "install.sh: the kit is not what it was when it was packed; copy and unpack it again" >&2
	exit 1
fi

case ${1:-} in
check)
	echo "the kit is whole"
	exit ;;
'' | -*)
	sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
	exit 2 ;;
esac
chmod +x "$here"/kddq "$here"/bin/*/kddq 2>/dev/null || : # some programs unpack without modes

scoped=
for argument; do
	case $argument in --scope | --scope=*) scoped=yes ;; esac
done
[ "$scoped" ] || set -- "$@" --scope user
for file in "$here"/*.kddx; do
	set -- "$@" --index "$file"
done
exec "$here/kddq" install --self "$@"
