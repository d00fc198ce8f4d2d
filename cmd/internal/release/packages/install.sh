#!/bin/sh
# Installs kddq, or kdd, of the release @VERSION@ for one user: downloads the archive and its checksums, compares, and
# unpacks nothing that differs. Needs a shell, tar, and curl or wget.
#
#   sh install.sh [kddq|kdd]... [--from ADDRESS] [--to FOLDER] [--key KEY]
#
# --from  the folder of the release: an https:// address or a folder here (or KDD_BASE; default "@BASE@")
# --to    where programs go (or KDD_INSTALL_DIR; default ~/.local/bin)
# --key   a minisign public key, or its file: SHA256SUMS has to be signed with it (or KDD_RELEASE_KEY; needs minisign)
#
# Exit codes: 0 done; 1 something else; 2 wrong arguments; 4 refused, since what came is not what the release says.
set -eu

version=@VERSION@
base=${KDD_BASE:-@BASE@}
to=${KDD_INSTALL_DIR:-}
key=${KDD_RELEASE_KEY:-}
programs=

say() { printf 'install: %s\n' "$1" >&2; }
die() { say "$2"; exit "$1"; }

while [ $# -gt 0 ]; do
	case $1 in
	kddq | kdd) programs="$programs $1" ;;
	--from | --to | --key)
		[ $# -gt 1 ] || die 2 "$1 needs a value"
		case $1 in
		--from) base=$2 ;;
		--to) to=$2 ;;
		--key) key=$2 ;;
		esac
		shift ;;
	*) die 2 "got \"$1\", want kddq, kdd, --from ADDRESS, --to FOLDER or --key KEY" ;;
	esac
	shift
done
programs=${programs:-kddq}
base=${base%/}
[ -n "$base" ] || die 2 "no address: name the folder of the release with --from or KDD_BASE"
case $base in
https://* | http://127.0.0.1[:/]* | http://localhost[:/]*) ;;
http://*) die 2 "$base: want https, a folder, or a server of this machine" ;;
*) [ -d "$base" ] || die 2 "$base: no such folder" ;;
esac
if [ -z "$to" ]; then
	[ -n "${HOME:-}" ] || die 2 "no HOME: name a folder with --to"
	to=$HOME/.local/bin
fi

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) die 1 "no build for $(uname -s); on Windows run install.ps1 in PowerShell" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) die 1 "no build for $(uname -m)" ;;
esac
# A shell for Intel on a Mac with an Apple processor says x86_64.
if [ $os = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then arch=arm64; fi

# musl says that the system has no glibc, which kdd needs to load ONNX Runtime.
musl() { [ $os = linux ] && ! [ -e /lib64/ld-linux-x86-64.so.2 ] && ! [ -e /lib/ld-linux-aarch64.so.1 ]; }

# get NAME brings a file of the release into the working folder of this script.
get() {
	case $base in
	http*)
		if command -v curl >/dev/null 2>&1; then
			curl -fsSL --retry 3 --proto-redir =https -o "$work/$1" "$base/$1"
		elif command -v wget >/dev/null 2>&1; then
			wget -q -O "$work/$1" "$base/$1"
		else
			die 1 "no curl and no wget"
		fi ;;
	*) cp "$base/$1" "$work/$1" 2>/dev/null ;;
	esac || die 1 "$base/$1 did not come"
}

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum "$1"
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 "$1"
	else
		openssl dgst -sha256 -r "$1"
	fi | cut -d ' ' -f 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
get SHA256SUMS
if [ -n "$key" ]; then
	command -v minisign >/dev/null 2>&1 || die 1 "--key needs minisign, which is not on PATH"
	get SHA256SUMS.minisig
	if [ -f "$key" ]; then set -- -p "$key"; else set -- -P "$key"; fi
	minisign -Vqm "$work/SHA256SUMS" "$@" >&2 || die 4 "SHA256SUMS is not signed with that key; nothing was installed"
fi

for program in $programs; do
	name=$program-$version-$os-$arch
	if [ "$program" = kdd ] && musl; then name=$name-static; fi
	archive=$name.tar.gz
	want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
	[ -n "$want" ] || die 4 "SHA256SUMS does not list $archive; nothing was installed"
	get "$archive"
	got=$(sha256 "$work/$archive")
	[ "$got" = "$want" ] || die 4 "$archive: sha256 $got, want $want; nothing was installed"
done
# All of it is as it should be: only now is anything unpacked.
mkdir -p "$to"
for program in $programs; do
	name=$program-$version-$os-$arch
	if [ "$program" = kdd ] && musl; then name=$name-static; fi
	mkdir "$work/$program"
	tar -xzf "$work/$name.tar.gz" -C "$work/$program"
	cp "$work/$program/$program" "$to/.$program.part"
	chmod 755 "$to/.$program.part"
	mv -f "$to/.$program.part" "$to/$program"
	say "$program $version is in $to"
done
case :${PATH:-}: in
*:"$to":*) ;;
*) say "$to is not on PATH: add it in your shell's profile" ;;
esac
