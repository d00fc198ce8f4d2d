#!/bin/sh
# Brings kdd out of the folder of a release by setup-kdd.sh, builds an artifact with it by kdd-ci.sh, and wants an archive
# with one byte more to be refused. No other kdd is on the PATH.
#
#   bench/interop/ci/setup.sh DIST CHECKOUT
set -eu
made=$1 actions=$2/.github/actions
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$2/testdata/corpora/handbook" "$work/docs"
cd "$work"
export PATH=/usr/local/bin:/usr/bin:/bin HOME="$work" KDD_SETUP_FROM="$work/release"
KDD_SETUP_VERSION=$(sed -n 's/.*kddq-\(.*\)-linux-amd64\.tar\.gz$/\1/p' "$made/SHA256SUMS" | head -n 1)
export KDD_SETUP_VERSION
archive=$(sh "$actions/setup-kdd/setup-kdd.sh" plan | sed -n 's/^archive=//p')
mkdir release
cp "$made/$archive" release/
KDD_SETUP_SHA256=$(awk -v name="$archive" '$2 == name { print $1 }' "$made/SHA256SUMS")
export KDD_SETUP_SHA256
sh "$actions/setup-kdd/setup-kdd.sh" install
PATH=$work/.kdd-setup/bin:$PATH
KDD_CI_FLAGS=--no-vectors sh "$actions/kdd/kdd-ci.sh" all
rm -rf .kdd-setup
printf x >>"release/$archive"
code=0
sh "$actions/setup-kdd/setup-kdd.sh" install || code=$?
if [ $code != 4 ] || [ -e .kdd-setup/bin/kdd ]; then echo "setup: exit $code for a changed archive, want 4"; exit 1; fi
