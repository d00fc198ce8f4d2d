#!/bin/sh
# Brings a released kdd: downloads the archive for this machine, and runs nothing of it before it is known to be the
# one that was released. The action beside this file runs it, docs/deploy/ci-gitlab.yml too. Guide: docs/ci.md.
#
#   setup-kdd.sh plan       says which archive, and the folder that keeps it (outputs "archive" and "folder")
#   setup-kdd.sh install    downloads what the folder lacks, verifies all of it, unpacks, and puts it on the PATH
#
# Settings, all of them variables:
#   KDD_SETUP_VERSION     as 0.1.0; by default that of the checkout in which this file lies
#   KDD_SETUP_FROM        https:// address or folder of the archives and of SHA256SUMS, with {version} for the version;
#                         by default the releases of KDD_SETUP_REPOSITORY (OWNER/NAME), which for the action is its own
#   KDD_SETUP_PROGRAM     kdd (default) or kddq
#   KDD_SETUP_FOLDER      where archives are kept, by version (.kdd-setup)
#   KDD_SETUP_BIN         where the program goes (bin in that folder)
#   KDD_SETUP_MODEL       OWNER/NAME[@REVISION] on the hub: an embedding model that kdd pulls too, into KDD_MODELS
# and what the archive has to agree with, at least one of them:
#   KDD_SETUP_SHA256      the SHA-256 of the archive; several, one for each platform, are parted by white space
#   KDD_SETUP_KEY         the public key of minisign that has signed SHA256SUMS (SHA256SUMS.minisig), or its file's text
#   KDD_SETUP_ATTESTED    the repository OWNER/NAME whose workflow has attested the archive: "gh attestation verify"
# Exit codes: 0 done; 1 something failed; 2 wrong settings; 4 refused, since what came is not what was released.
set -euf

here=$(dirname -- "$0")
program=${KDD_SETUP_PROGRAM:-kdd}
version=${KDD_SETUP_VERSION:-}
folder=${KDD_SETUP_FOLDER:-.kdd-setup}
bin=${KDD_SETUP_BIN:-$folder/bin}
from=${KDD_SETUP_FROM:-}

say() { printf '%s\n' "$*"; }
die() {
	if [ "${GITHUB_ACTIONS:-}" = true ]; then printf '::error title=setup-kdd::%s\n' "$2"; fi
	printf 'setup-kdd: %s\n' "$2" >&2
	exit "$1"
}
output() { if [ -n "${GITHUB_OUTPUT:-}" ]; then printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; else say "$1=$2"; fi; }

# releases prints where the releases of the repository are whose action this is.
releases() {
	repository=${KDD_SETUP_REPOSITORY:-}
	case $repository${GITHUB_ACTION_PATH:-} in
	*/_actions/*/*/*) repository=$(printf '%s' "$GITHUB_ACTION_PATH" | sed 's|.*/_actions/\([^/]*/[^/]*\)/.*|\1|') ;;
	esac
	if [ -z "$repository" ]; then return; fi
	say "${GITHUB_SERVER_URL:-https://github.com}/$repository/releases/download/v{version}"
}

# plan sets archive, exe, folder and from for this machine.
plan() {
	case $program in kdd | kddq) ;; *) die 2 "KDD_SETUP_PROGRAM is \"$program\", want kdd or kddq" ;; esac
	sources=$here/../../../cmd/internal/cli/tool.go
	if [ -z "$version" ] && [ -f "$sources" ]; then version=$(sed -n 's/^var Version = "\(.*\)"/\1/p' "$sources"); fi
	version=${version#v}
	case $version in
	"") die 2 "no version: set KDD_SETUP_VERSION" ;;
	*[!0-9A-Za-z.+-]*) die 2 "KDD_SETUP_VERSION is \"$version\", want one as 0.1.0" ;;
	esac
	suffix=.tar.gz exe=
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	MINGW* | MSYS* | CYGWIN*) os=windows suffix=.zip exe=.exe ;;
	*) die 1 "there is no release for $(uname -s): build kdd from its sources" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) die 1 "there is no release for $(uname -m): build kdd from its sources" ;;
	esac
	# A shell for Intel on a Mac with an Apple processor says x86_64.
	if [ $os = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then arch=arm64; fi
	archive=$program-$version-$os-$arch
	# Where there is no glibc, as on Alpine, kdd is the build that needs none.
	if [ "$os$program" = linuxkdd ] && ! [ -e /lib64/ld-linux-x86-64.so.2 ] && ! [ -e /lib/ld-linux-aarch64.so.1 ]; then
		archive=$archive-static
	fi
	folder=$folder/$archive
	archive=$archive$suffix
	from=$(printf '%s' "${from:-$(releases)}" | sed "s/{version}/$version/g")
	from=${from%/}
}

# fetch NAME copies or downloads a file into the folder, unless it is there.
fetch() {
	if [ -f "$folder/$1" ]; then return; fi
	case $from in
	"") die 2 "KDD_SETUP_FROM is empty: name the address or folder of the release" ;;
	https://* | http://127.0.0.1:* | http://localhost:*)
		if ! curl --fail --silent --show-error --location --proto '=http,https' --proto-redir '=https' --retry 3 \
			--max-time 600 --max-filesize 1000000000 --output "$folder/$1.$$" -- "$from/$1"; then
			rm -f "$folder/$1.$$"
			die 1 "$from/$1 cannot be had"
		fi ;;
	*://*) die 2 "KDD_SETUP_FROM is $from, want https:// or a folder" ;;
	*)
		if [ ! -f "$from/$1" ]; then die 1 "$from/$1 is not there"; fi
		cp -- "$from/$1" "$folder/$1.$$" ;;
	esac
	mv -f "$folder/$1.$$" "$folder/$1"
}

# refuse TEXT takes what was fetched out of the folder, so that no later run finds it there. What a cache brought is
# fetched once more.
refuse() {
	rm -f "$folder/$archive" "$folder/SHA256SUMS" "$folder/SHA256SUMS.minisig"
	if [ "$cached" = false ]; then die 4 "$1: nothing of it was run"; fi
	say "setup-kdd: $1: this is what the cache has, fetching it" >&2
	exec sh "$0" install
}

sha256() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1; }

# signed checks SHA256SUMS against the key with OpenSSL 3, which runners have, or with minisign.
signed() {
	public=$(printf '%s\n' "$KDD_SETUP_KEY" | tr -d '\r' | grep -v '^ *$' | tail -n 1) # a key's file has a line before it
	case $(openssl version 2>/dev/null) in
	"OpenSSL "[3-9].*)
		tmp=$(mktemp -d)
		openssl_signed "$tmp" && code=0 || code=$?
		rm -rf "$tmp"
		return "$code" ;;
	esac
	command -v minisign >/dev/null || die 1 "a signature is checked by OpenSSL 3 or minisign, and neither is here"
	minisign -Vqm "$folder/SHA256SUMS" -P "$public"
}

# openssl_signed TMP does what minisign does: the key's number, the signature of the file or of its BLAKE2b-512, and the
# one of that and the trusted comment. It is called before "||", where "set -e" does not hold.
openssl_signed() {
	printf '%s' "$public" | openssl base64 -d -A >"$1/key" || return 1
	sed -n 2p "$folder/SHA256SUMS.minisig" | tr -d '\r\n' | openssl base64 -d -A >"$1/both" || return 1
	sed -n 4p "$folder/SHA256SUMS.minisig" | tr -d '\r\n' | openssl base64 -d -A >"$1/global" || return 1
	[ "$(wc -c <"$1/key")" -eq 42 ] && [ "$(wc -c <"$1/both")" -eq 74 ] && [ "$(wc -c <"$1/global")" -eq 64 ] || return 1
	if [ "$(bytes "$1/key" 3 8)" != "$(bytes "$1/both" 3 8)" ]; then
		say "setup-kdd: SHA256SUMS.minisig is of another key" >&2
		return 1
	fi
	case $(head -c 2 "$1/both") in
	ED) openssl dgst -blake2b512 -binary "$folder/SHA256SUMS" >"$1/signed" || return 1 ;;
	Ed) cp "$folder/SHA256SUMS" "$1/signed" || return 1 ;;
	*) return 1 ;;
	esac
	tail -c 64 "$1/both" >"$1/signature"
	{ cat "$1/signature"; sed -n 's/^trusted comment: //p' "$folder/SHA256SUMS.minisig" | tr -d '\r\n'; } >"$1/commented"
	# The DER of an Ed25519 key is these twelve bytes and the key.
	{ printf '\060\052\060\005\006\003\053\145\160\003\041\000'; tail -c 32 "$1/key"; } >"$1/key.der"
	ed25519 "$1" signed signature && ed25519 "$1" commented global
}

# ed25519 TMP FILE SIGNATURE
ed25519() {
	openssl pkeyutl -verify -pubin -keyform DER -inkey "$1/key.der" -rawin -in "$1/$2" -sigfile "$1/$3" >/dev/null
}

# bytes FILE FIRST N prints bytes in hexadecimal.
bytes() { tail -c "+$2" "$1" | head -c "$3" | od -An -v -tx1; }

# verify refuses the archive unless all that it was to agree with does.
verify() {
	if [ -z "${KDD_SETUP_SHA256:-}${KDD_SETUP_KEY:-}${KDD_SETUP_ATTESTED:-}" ]; then
		die 2 "nothing says which archive is the right one: set KDD_SETUP_SHA256, KDD_SETUP_KEY or KDD_SETUP_ATTESTED"
	fi
	got=$(sha256 "$folder/$archive")
	if [ -n "${KDD_SETUP_SHA256:-}" ]; then
		case " $(printf '%s' "$KDD_SETUP_SHA256" | tr '\t\r\n' '   ') " in
		*" $got "*) say "$archive: sha256 $got, as asked for" ;;
		*) refuse "$archive has the sha256 $got, want $(printf '%s' "$KDD_SETUP_SHA256" | tr -s '\t\r\n' ' ')" ;;
		esac
	fi
	if [ -n "${KDD_SETUP_KEY:-}" ]; then
		fetch SHA256SUMS
		fetch SHA256SUMS.minisig
		signed || refuse "SHA256SUMS is not signed by the key $public"
		want=$(awk -v name="$archive" '{ file = $2; sub(/^\*/, "", file) } file == name { print $1 }' "$folder/SHA256SUMS")
		if [ "$want" != "$got" ]; then refuse "$archive has the sha256 $got, SHA256SUMS says ${want:-nothing of it}"; fi
		say "$archive: sha256 $got, as the signed SHA256SUMS says"
	fi
	if [ -n "${KDD_SETUP_ATTESTED:-}" ]; then
		command -v gh >/dev/null ||
			die 1 "an attestation is checked by gh, which is not here: set KDD_SETUP_SHA256 or KDD_SETUP_KEY"
		gh attestation verify "$folder/$archive" --repo "$KDD_SETUP_ATTESTED" ||
			refuse "$archive has no attestation of $KDD_SETUP_ATTESTED that holds"
	fi
}

# install leaves the one program: nothing else of the archive, and none of an earlier run.
install() {
	mkdir -p "$folder" "$bin"
	rm -f "${bin:?}/$program$exe"
	cached=false
	for name in "$archive" SHA256SUMS SHA256SUMS.minisig; do if [ -f "$folder/$name" ]; then cached=true; fi; done
	fetch "$archive"
	verify
	unpacked=$(mktemp -d)
	trap 'rm -rf "$unpacked"' EXIT
	case $archive in
	*.zip) unzip -q "$folder/$archive" -d "$unpacked" ;;
	*) tar -xzf "$folder/$archive" -C "$unpacked" ;;
	esac
	found=$(find "$unpacked" -type f -name "$program$exe")
	if [ ! -f "$found" ]; then refuse "$archive has not exactly one $program$exe"; fi
	cp "$found" "$bin/$program$exe"
	chmod 755 "$bin/$program$exe"
	bin=$(cd "$bin" && pwd)
	"$bin/$program$exe" version
	if [ -n "${GITHUB_PATH:-}" ]; then
		if command -v cygpath >/dev/null; then cygpath -w "$bin"; else say "$bin"; fi >>"$GITHUB_PATH"
	fi
	output path "$bin/$program$exe"
	output version "$version"
	if [ -n "${KDD_SETUP_MODEL:-}" ]; then model; fi
}

# model pulls the model, or checks the one that a cache has brought.
model() {
	if [ -n "${GITHUB_ENV:-}" ] && [ -n "${KDD_MODELS:-}" ]; then say "KDD_MODELS=$KDD_MODELS" >>"$GITHUB_ENV"; fi
	name=${KDD_SETUP_MODEL%@*}
	name=${name##*/}
	if "$bin/$program$exe" model list | grep -q "^$name:"; then
		"$bin/$program$exe" model verify "$name"
	else
		"$bin/$program$exe" model pull "$KDD_SETUP_MODEL" --progress never
	fi
}

case ${1:-} in
plan)
	plan
	output archive "$archive"
	output folder "$folder" ;;
install)
	plan
	install ;;
*) die 2 "usage: setup-kdd.sh plan|install" ;;
esac
