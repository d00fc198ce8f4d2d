#!/bin/sh
# Builds kdd of a release for each platform: with cgo, so that it can load ONNX Runtime, where Zig compiles C for it.
# Everything else gets a build without cgo, which embeds with the Go engine: macOS, whose frameworks Zig lacks, and all
# of them where Zig cannot be had (it comes from a Python package, checked by sha256). Linux gets such a one besides,
# which needs no C library. Called by make dist.
#
#   cmd/internal/release/kdd.sh VERSION DIR
set -eu
version=$1 dir=$2
root=$(pwd)
go=${GO:-go}
zig=

say() { printf 'dist: %s\n' "$1" >&2; }

# find_zig sets zig to the program, which it fetches once.
find_zig() {
	folder=$root/.cache/zig/$(cksum <.ci/zig.txt | cut -d ' ' -f 1)
	if [ ! -x "$folder/ziglang/zig" ]; then
		command -v python3 >/dev/null 2>&1 || return 1
		rm -rf "$folder"
		python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
			--only-binary=:all: --require-hashes --target "$folder" -r .ci/zig.txt >&2 || return 1
	fi
	zig=$folder/ziglang/zig
	export ZIG_GLOBAL_CACHE_DIR="$root/.cache/zig/cache" ZIG_LOCAL_CACHE_DIR="$root/.cache/zig/cache"
}

# What C compiles to has no debug information, which would name the folders of Zig and of its cache.
export CGO_CFLAGS="-O2 -g0" CGO_CXXFLAGS="-O2 -g0"

# build OS ARCH NAME [TARGET OF ZIG]
build() {
	echo "dist/$3 $([ -n "${4:-}" ] || echo "without cgo")"
	if [ -n "${4:-}" ]; then
		export CGO_ENABLED=1 CC="$zig cc -target $4" CXX="$zig c++ -target $4"
	else
		export CGO_ENABLED=0
	fi
	GOOS=$1 GOARCH=$2 $go build -trimpath -ldflags "-s -w -buildid= -extldflags=-s" -o "$dir/$3" ./cmd/kdd
}

if ! find_zig; then
	say "no Zig (.ci/zig.txt): kdd is built without cgo, and embeds with the Go engine alone"
fi
c=${zig:+yes} # with a C compiler
build linux amd64 "kdd-$version-linux-amd64" ${c:+x86_64-linux-gnu.2.28}
build linux arm64 "kdd-$version-linux-arm64" ${c:+aarch64-linux-gnu.2.28}
build windows amd64 "kdd-$version-windows-amd64.exe" ${c:+x86_64-windows-gnu}
build windows arm64 "kdd-$version-windows-arm64.exe" ${c:+aarch64-windows-gnu}
build darwin amd64 "kdd-$version-darwin-amd64"
build darwin arm64 "kdd-$version-darwin-arm64"
build linux amd64 "kdd-$version-linux-amd64-static"
build linux arm64 "kdd-$version-linux-arm64-static"
