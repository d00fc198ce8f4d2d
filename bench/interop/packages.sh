#!/bin/sh
# Installs what make dist made as people do, on Linux, with nothing of the checkout in reach: an environment without
# variables, a home of its own, an empty folder. Each way is asked the same question, and has to print what the program
# in DIST prints. A line for each: what was run, the seconds that it took, the bytes that it had to fetch.
#
#   packages.sh DIST INDEX DOCS MODELS TOOLS
#
# A release, an artifact, documents, a folder of models ("" where there is none), and where uv and pipx are installed,
# all absolute. The exit code is 1 if any way failed. Bytes are those of the release: uvx of kdd also fetches the package
# onnxruntime and what that needs from the registry.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dist=$1 index=$2 docs=$3 models=$4 tools=$5
case $(uname -m) in
aarch64 | arm64) arch=arm64 deb=arm64 rpm=aarch64 node=arm64 ;;
*) arch=amd64 deb=amd64 rpm=x86_64 node=x64 ;;
esac
set -- "$dist"/kddq-*-linux-$arch
version=${1#"$dist"/kddq-}
version=${version%-linux-"$arch"}
work=$(mktemp -d)
chmod 755 "$work"
server=
end() {
	[ -z "$server" ] || kill "$server"
	rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM
failed=0
path=$tools/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
for command in python3 node npm; do path=$path:$(dirname "$(command -v $command)"); done

# bare COMMAND... runs it in an empty folder with an empty home, knowing nothing but the folders of programs.
bare() {
	mkdir -p "$work/empty" "$work/home"
	(cd "$work/empty" && exec env -i HOME="$work/home" PATH="$path" npm_config_update_notifier=false "$@" </dev/null)
}

# shown COMMAND... is a command with short names of folders.
shown() {
	echo "$*" | sed "s|$work|TMP|g; s|$dist|DIST|g; s|$tools|TOOLS|g; s|$index|INDEX|g; s|$docs|DOCS|g; s|$here/||g
		s|http://127.0.0.1:[0-9]*|BASE|g"
}

# ends NAME CODE BYTES COMMAND... runs it, which has to end with that code.
ends() {
	name=$1 code=$2 bytes=$3
	shift 3
	begin=$(date +%s%3N)
	bare "$@" >"$work/out" 2>"$work/err"
	got=$?
	echo "packages: $name: $(($(date +%s%3N) - begin)) ms, $bytes bytes: $(shown "$@")"
	if [ $got -ne "$code" ]; then
		echo "packages: $name: FAILED: exit code $got, want $code"
		cat "$work/out" "$work/err"
		failed=1
	fi
}

# asks NAME BYTES COMMAND... asks kddq, which the command starts.
asks() {
	name=$1 bytes=$2
	shift 2
	ends "$name" 0 "$bytes" "$@" search authentication -i "$index" --limit 2
	if ! cmp -s "$work/out" "$work/want"; then
		echo "packages: $name: FAILED: it prints"
		cat "$work/out"
		failed=1
	fi
}

size() { cat "$@" | wc -c | tr -d ' '; }

"$dist/kddq-$version-linux-$arch" search authentication -i "$index" --limit 2 >"$work/want" || exit 1

# served starts a server of a copy of the release, and sets base to its address.
served() {
	cp -r "$dist" "$work/served" || exit 1
	python3 -m http.server --bind 127.0.0.1 --directory "$work/served" 0 >"$work/log" 2>&1 &
	server=$!
	base=
	until [ -n "$base" ]; do
		sleep 0.2
		base=$(sed -n 's|.*(\(http://127.0.0.1:[0-9]*\)/).*|\1|p' "$work/log")
		kill -0 $server || exit 1
	done
}

script() {
	archive=$work/served/kddq-$version-linux-$arch.tar.gz
	ends script 0 "$(size "$archive" "$work/served/SHA256SUMS")" sh -c "curl -fsS $base/install.sh | sh -s -- --from $base"
	shown "$(cat "$work/err")"
	asks "script's kddq" 0 "$work/home/.local/bin/kddq"
	ends "script, kdd" 0 "$(size "$work/served/kdd-$version-linux-$arch.tar.gz" "$work/served/SHA256SUMS")" \
		sh "$work/served/install.sh" kdd --from "$base" --to "$work/programs"
	ends "script's kdd" 0 0 "$work/programs/kdd" build "$docs" -o words.kddx --no-vectors --quiet
	printf 'x' | dd of="$archive" bs=1 seek=100000 conv=notrunc 2>/dev/null
	ends "script, a changed byte" 4 "$(size "$archive" "$work/served/SHA256SUMS")" \
		sh "$work/served/install.sh" --from "$base" --to "$work/refused"
	shown "$(cat "$work/err")"
	if [ -e "$work/refused" ]; then
		echo "packages: script: FAILED: it wrote $(ls -a "$work/refused")"
		failed=1
	fi
}

python() {
	wheel=$(ls "$dist"/kddq-*linux*_"$(uname -m)"*.whl)
	asks uvx "$(size "$wheel")" uvx --no-index --find-links "$dist" --prerelease allow kddq
	asks "uvx again, a version" 0 uvx --no-index --find-links "$dist" "kddq@$version"
	mkdir -p "$work/served/simple/kddq" && cp "$dist"/kddq-*.whl "$work/served/simple/kddq/" # an index, as the server lists it
	asks "pipx run" "$(size "$wheel")" env UV_DEFAULT_INDEX="$base/simple/" UV_PRERELEASE=allow pipx run kddq
	ends pip 0 "$(size "$wheel")" sh -c "python3 -m venv v && v/bin/pip install -q --no-index --find-links $dist --pre kddq"
	asks "pip's kddq" 0 v/bin/kddq
	ends "uvx kdd" 0 "$(size "$(ls "$dist"/kdd-*manylinux*_"$(uname -m)"*.whl | head -n 1)")" \
		uvx --system-certs --find-links "$dist" --prerelease allow kdd build "$docs" -o words.kddx --no-vectors --quiet
	if [ -n "$models" ]; then
		ends "uvx kdd, vectors" 0 0 env KDD_MODELS="$work/models" \
			uvx --system-certs --find-links "$dist" --prerelease allow kdd build "$docs" -o vectors.kddx --engine onnx --cache -
		tail -n 3 "$work/out"
	fi
}

npm_part() {
	package=$dist/kddq-linux-$node-$version.tgz
	ends npm 0 "$(size "$package" "$dist/kddq-$version.tgz")" npm install --offline --no-audit --no-fund "$package" "$dist/kddq-$version.tgz"
	asks npx 0 npx --offline -y "kddq@$version" # as install --via npx has it
}

system() {
	file=$(ls "$dist"/kddq_*_$deb.deb)
	if command -v dpkg >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
		ends deb 0 "$(size "$file")" dpkg -i "$file"
		asks "deb's kddq" 0 /usr/bin/kddq
		ends "deb, kdd" 0 "$(size "$(ls "$dist"/kdd_*_$deb.deb)")" dpkg -i "$(ls "$dist"/kdd_*_$deb.deb)"
		ends "deb's kdd" 0 0 /usr/bin/kdd build "$docs" -o words.kddx --no-vectors --quiet
		ends "deb, removed" 0 0 dpkg -r kddq kdd
	fi
	file=$(ls "$dist"/kddq-*.$rpm.rpm)
	if command -v rpm >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
		ends rpm 0 "$(size "$file")" rpm --root "$work/rpm" --dbpath /var/lib/rpm -i "$file"
		asks "rpm's kddq" 0 "$work/rpm/usr/bin/kddq"
	fi
}

# serves runs the image's command, on a root that cannot be written where that can be had, and asks it as a probe does and
# with the token.
serves() {
	root="mount --bind $work/root $work/root && mount -o remount,bind,ro $work/root && exec"
	if unshare -m sh -c "$root true" 2>/dev/null; then alone="unshare -m sh -c"; else alone="sh -c" root=exec; fi
	env -i KDD_TOKEN=secret-secret-secret HOME=/tmp PATH="$path" $alone "$root chroot --userspec=65532:65532 $work/root \
		/usr/bin/kddq serve --host 0.0.0.0 --port 0 --allow-host kdd -i /data/docs.kddx" 2>"$work/log" &
	container=$!
	port=
	until [ -n "$port" ]; do
		sleep 0.2
		port=$(sed -n 's|.*listening on http://.*:\([0-9]*\) .*|\1|p' "$work/log")
		kill -0 $container 2>/dev/null || { cat "$work/log"; failed=1; return; }
	done
	ends "image, readiness" 0 0 curl -fsS -H "Host: kdd" "http://127.0.0.1:$port/readyz"
	ends "image, asked without the token" 22 0 curl -fsS "http://127.0.0.1:$port/api/v1/search?query=authentication"
	ends "image, asked" 0 0 curl -fsS -H "Authorization: Bearer secret-secret-secret" "http://127.0.0.1:$port/api/v1/search?query=authentication"
	kill $container
	wait $container 2>/dev/null
}

image() {
	mkdir -p "$work/image" "$work/root"
	tar -xf "$dist/kddq-$version-image.tar" -C "$work/image"
	python3 - "$work/image" "$arch" >"$work/blob" <<'END' || return
import json, os, sys
def blob(d): return os.path.join(sys.argv[1], "blobs", *d["digest"].split(":"))
top = json.load(open(os.path.join(sys.argv[1], "index.json")))
index = json.load(open(blob(top["manifests"][0])))
one = next(m for m in index["manifests"] if m["platform"]["architecture"] == sys.argv[2])
print(blob(json.load(open(blob(one)))["layers"][0]))
END
	tar -xzf "$(cat "$work/blob")" -C "$work/root"
	mkdir -p "$work/root/data" && cp "$index" "$work/root/data/docs.kddx"
	if [ "$(id -u)" = 0 ]; then
		ends "image, its layer as the root" 0 "$(size "$(cat "$work/blob")")" chroot --userspec=65532:65532 "$work/root" \
			/usr/bin/kddq search authentication -i /data/docs.kddx --limit 2
		cmp "$work/out" "$work/want" || failed=1
		ends "image, no token" 2 0 chroot --userspec=65532:65532 "$work/root" /usr/bin/kddq serve --host 0.0.0.0 -i /data/docs.kddx
		shown "$(cat "$work/err")"
		serves
	fi
	if command -v skopeo >/dev/null 2>&1; then
		ends "image, skopeo" 0 "$(size "$dist/kddq-$version-image.tar")" skopeo copy -q --all \
			"oci-archive:$dist/kddq-$version-image.tar" "dir:$work/copied"
	fi
}

[ -z "$models" ] || { mkdir "$work/models" && ln -s "$models"/all-MiniLM-L6-v2 "$work/models/"; } # without its library
ends "syntax of install.ps1 and casks" 0 0 "$tools/bin/python" "$here/parse.py" "$dist"/install.ps1 $(ls "$dist"/*.rb 2>/dev/null)
served
script
python
npm_part
system
image
exit $failed
