#!/bin/sh
# Builds a .kddx in continuous integration, judges it, says on the pull request what changed, and publishes it. The
# action beside this file and docs/deploy/ci-gitlab.yml run it; elsewhere it is run as it is. Guide: docs/ci.md.
#
#   kdd-ci.sh examine    takes the last artifact for its vectors, builds, checks, lints, asks the questions, compares
#   kdd-ci.sh comment    writes what examine found as the one comment on the pull request or merge request
#   kdd-ci.sh publish    signs, attests, pushes; does nothing for a pull request
#   kdd-ci.sh all        the three, and publishes only what examine passed
#   kdd-ci.sh sources DIR... [FLAG of kdd lint...]    lints folders without an artifact: the hook of pre-commit
#
# Exit codes are kdd's: 0 done; 1 something failed; 2 wrong settings; 3 a gate was not met.
#
# Settings, all of them variables; lists are parted by white space:
#   KDD_CI_DOCS (docs)           folders to compile
#   KDD_CI_OUTPUT (docs.kddx)    the artifact
#   KDD_CI_NAME (docs)           tells several artifacts of one repository apart: letters, digits, ".", "_", "-"
#   KDD_CI_FLAGS                 more flags of "kdd build"
#   KDD_CI_LAST                  the artifact to compare with and to take vectors of: file, https:// or oci://
#   KDD_CI_COMMITTED (auto)      true: the artifact in git has to be what the sources give; auto: if git has one
#   KDD_CI_FAIL_ON (error)       lint: note, warning, error or never
#   KDD_CI_GATES                 eval: nDCG@10=.76 ...
#   KDD_CI_QUESTIONS             files for eval (those that the artifact carries)
#   KDD_CI_DIFF_FAIL_ON          diff: broken-links lost-questions ...
#   KDD_CI_COMMENT (true)        write the comment
#   KDD_CI_TOKEN                 may write it: GitHub's token, or a project access token of GitLab
#   KDD_CI_PUBLISH (auto)        auto: not for pull requests; true, false
#   KDD_CI_SIGN_KEY              the text of a private key of "kdd keygen" or OpenSSH; KDD_KEY_PASSWORD is its password
#   KDD_CI_SIGNED_NAME           the name that readers know the artifact by
#   KDD_CI_ATTEST (false)        true: write OUTPUT.sigstore.json too
#   KDD_CI_PUSH                  oci://HOST/NAME:TAG ...
#   KDD_CI_WORK (.kdd-ci)        folder of this script; of it last.kddx and vectors are what the next run begins with
set -euf

docs=${KDD_CI_DOCS:-docs}
output=${KDD_CI_OUTPUT:-docs.kddx}
name=${KDD_CI_NAME:-docs}
fail_on=${KDD_CI_FAIL_ON:-error}
work=${KDD_CI_WORK:-.kdd-ci}
last=$work/last.kddx
marker="<!-- kdd-ci: $name -->"
limit=60000 # bytes of a comment; GitHub takes 65,536 characters
# Of the comments the first with the marker, by a program or by who may write to the repository: others could copy it.
# shellcheck disable=SC2016 # jq's variable
ours='[.[] | select((.body // "") | startswith($marker)) | select(.user == null or .user.type == "Bot" or
	(.author_association | IN("OWNER", "MEMBER", "COLLABORATOR"))) | .id][0] // empty'

github() { [ "${GITHUB_ACTIONS:-}" = true ]; }
say() { printf '%s\n' "$*"; }

# annotate LEVEL TEXT is a line of the log, which GitHub shows beside the run.
annotate() {
	if github; then
		text=$(printf '%s' "$2" | sed 's/%/%25/g; s/$/%0A/' | tr -d '\r\n')
		printf '::%s title=kdd::%s\n' "$1" "${text%\%0A}"
	else
		printf 'kdd-ci: %s: %s\n' "$1" "$2" >&2
	fi
}

# die CODE TEXT ends the run; what was found so far is reported.
die() {
	annotate error "$2"
	if [ -d "$work/examined" ]; then
		printf -- '- %s\n' "$2" >>"$work/examined/failed"
		report
	fi
	exit "$1"
}

# gate TEXT notes a gate that was not met: the run goes on, and fails at the end.
gate() {
	annotate error "$1"
	printf -- '- %s\n' "$1" >>"$work/examined/failed"
}

# shown COMMAND... runs it; on GitHub no line that it prints is a command to the runner.
shown() {
	if ! github; then "$@"; return; fi
	token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	printf '::stop-commands::%s\n' "$token"
	ended=0 # no other function's variable
	"$@" || ended=$?
	printf '::%s::\n' "$token"
	return $ended
}

# tracked: git has the artifact.
tracked() { git ls-files --error-unmatch -- "$output" >/dev/null 2>&1; }

# base prints the commit that this run is compared with, where git has it.
base() {
	for commit in "${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}" "${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}" 'HEAD^'; do
		if [ -n "$commit" ] && git rev-parse --quiet --verify "$commit^{commit}" 2>/dev/null; then return; fi
	done
	return 1
}

# restore brings the last artifact: the one that is named, the one of the commit before, or what a cache has put there.
restore() {
	got=$work/examined/last.part
	case ${KDD_CI_LAST:-} in
	"") if tracked && commit=$(base) && git show "$commit:./$output" >"$got" 2>/dev/null; then mv -f "$got" "$last"; fi ;;
	oci://*) if shown kdd pull "$KDD_CI_LAST" -o "$got" --progress never; then mv -f "$got" "$last"; fi ;;
	http://* | https://*) if download "$KDD_CI_LAST" "$got"; then mv -f "$got" "$last"; fi ;;
	*) if [ -f "$KDD_CI_LAST" ]; then cp "$KDD_CI_LAST" "$last"; fi ;;
	esac
	rm -f "$got"
	if [ ! -f "$last" ] && [ -f "$output" ]; then cp "$output" "$last"; fi
	if [ -f "$last" ] && ! shown kdd verify "$last"; then
		annotate warning "the last artifact is not whole and is left aside: all texts are embedded"
		rm -f "$last"
	fi
	if [ -f "$last" ]; then
		cp "$last" "$work/examined/before.kddx"
	elif [ -n "${KDD_CI_LAST:-}" ]; then
		annotate warning "$KDD_CI_LAST cannot be had: all texts are embedded, and there is nothing to compare with"
	fi
}

# download URL FILE fetches by https, from this machine by http too.
download() {
	case $1 in
	https://* | http://127.0.0.1:* | http://localhost:*) ;;
	*) die 2 "$1: want https://" ;;
	esac
	curl --fail --silent --show-error --location --proto '=http,https' --proto-redir '=https' --retry 3 --max-time 600 \
		--output "$2" -- "$1"
}

# check compares the artifact in the repository with the sources, before the build replaces it.
check() {
	case ${KDD_CI_COMMITTED:-auto} in
	auto) tracked || return 0 ;;
	true) ;;
	false) return 0 ;;
	*) die 2 "KDD_CI_COMMITTED is $KDD_CI_COMMITTED, want auto, true or false" ;;
	esac
	if [ ! -f "$output" ]; then
		gate "check: $output is not in the repository: run \"kdd build $docs -o $output\" and commit it"
		return
	fi
	code=0
	# shellcheck disable=SC2086 # a list
	shown kdd check $docs -i "$output" || code=$?
	case $code in
	0) ;;
	3) gate "check: $output is not what $docs compiles to: run \"kdd build $docs -o $output\" and commit it" ;;
	*) die 1 "kdd check ended with $code" ;;
	esac
}

# build compiles; vectors of texts that have not changed are those of the artifact that lies there, and for the encoder of
# queries those of the cache.
build() {
	if [ -f "$last" ] && ! tracked; then
		mkdir -p "$(dirname -- "$output")"
		cp "$last" "$output"
	fi
	commit=
	if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then commit=--source-commit; fi
	# shellcheck disable=SC2086 # lists
	set -- $docs -o "$output" $commit --cache "$work/vectors" ${KDD_CI_FLAGS:-} --progress never
	code=0
	shown kdd build "$@" --format json >"$work/examined/build.out" || code=$?
	grep '^{' "$work/examined/build.out" >"$work/examined/build.json" || true
	if [ $code = 3 ]; then shown kdd build "$@" --format text || true; fi # once more, to be read: nothing is embedded
	if [ $code != 0 ]; then die $code "kdd build ended with $code: see the log"; fi
	shown kdd verify "$output" || die 1 "$output is not whole after the build"
	root=$(root_of "$output")
	say "$output: root $root; vectors: $(figure reused) taken over, $(figure embedded) embedded"
}

# root_of FILE prints the root hash.
root_of() { kdd provenance "$1" | sed -n 's/^root *\([0-9a-f]\{64\}\).*/\1/p'; }

# figure NAME prints a number of the build's report.
figure() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/examined/build.json"; }

lint() {
	case $fail_on in
	never) level=error ;;
	note | warning | error) level=$fail_on ;;
	*) die 2 "KDD_CI_FAIL_ON is $fail_on, want note, warning, error or never" ;;
	esac
	code=0
	kdd lint -i "$output" --format sarif --fail-on "$level" --max-bytes 0 >"$work/lint.sarif" \
		2>"$work/examined/lint.err" || code=$?
	case $code in
	0 | 3) ;;
	*) cat "$work/examined/lint.err" >&2; die 1 "kdd lint ended with $code" ;;
	esac
	if github; then form=github; else form=text; fi
	kdd lint -i "$output" --format $form --limit 200 --max-bytes 0 2>/dev/null || true
	kdd lint -i "$output" --format md --max-bytes 8192 >"$work/examined/lint.md" 2>/dev/null || true
	if [ $code = 3 ] && [ "$fail_on" != never ]; then gate "lint: $(sed 's/^kdd: //' "$work/examined/lint.err")"; fi
}

# evaluate asks the questions whose answers are known.
evaluate() {
	if [ -z "${KDD_CI_GATES:-}" ]; then return; fi
	# shellcheck disable=SC2086 # a list
	set -- ${KDD_CI_QUESTIONS:-} -i "$output"
	for least in $KDD_CI_GATES; do set -- "$@" --gate "$least"; done
	code=0
	kdd eval "$@" --format md >"$work/examined/eval.md" 2>"$work/examined/eval.err" || code=$?
	shown cat "$work/examined/eval.md"
	case $code in
	0) ;;
	3) gate "eval: $(sed 's/^kdd: //' "$work/examined/eval.err")" ;;
	*) die "$code" "eval: $(sed 's/^kdd: //' "$work/examined/eval.err")" ;;
	esac
}

compare() {
	if [ ! -f "$work/examined/before.kddx" ]; then
		say "The first build: there is nothing to compare with." >"$work/examined/diff.md"
		cat "$work/examined/diff.md"
		return
	fi
	set -- "$work/examined/before.kddx" "$output" --format md
	for rule in ${KDD_CI_DIFF_FAIL_ON:-}; do set -- "$@" --fail-on "$rule"; done
	code=0
	kdd diff "$@" >"$work/examined/diff.md" 2>"$work/examined/diff.err" || code=$?
	shown cat "$work/examined/diff.md"
	case $code in
	0) ;;
	3) gate "diff: $(sed -n 's/^\*\*Failed: \(.*\)\*\*$/\1/p' "$work/examined/diff.md")" ;;
	*) die "$code" "diff: $(sed 's/^kdd: //' "$work/examined/diff.err")" ;;
	esac
}

# details TITLE FILE folds a part of the report.
details() {
	if [ -s "$2" ]; then printf '\n<details><summary>%s</summary>\n\n' "$1"; cat "$2"; printf '\n</details>\n'; fi
}

# report writes what was found, at most limit bytes of whole lines, for the summary of the run and for the comment.
report() {
	{
		say "$marker"
		cat "$work/examined/diff.md" 2>/dev/null || say "### kdd: \`$output\`"
		if [ -s "$work/examined/failed" ]; then printf '\n**Not met:**\n\n'; cat "$work/examined/failed"; fi
		if [ -n "${root:-}" ]; then
			printf '\n%s: root %s, %s bytes, %s documents, %s sections, ' "\`$output\`" "\`$root\`" "$(figure file_bytes)" \
				"$(figure documents)" "$(figure sections)"
			printf '%s vectors (%s taken over, %s embedded)\n' "$(figure vectors)" "$(figure reused)" "$(figure embedded)"
		fi
		details Lint "$work/examined/lint.md"
		details Questions "$work/examined/eval.md"
	} >"$work/examined/report.md"
	LC_ALL=C awk -v limit=$limit '
		{ size += length($0) + 1 }
		size > limit { print ""; cut = 1; exit }
		/^<details>/ { open++ }
		/^<\/details>/ { open-- }
		{ print }
		END { if (cut) { while (open-- > 0) print "</details>\n"; print "The rest is too long: see the log of the run." } }
	' "$work/examined/report.md" >"$work/comment.md"
	summarise <"$work/comment.md"
}

# tell NAME=VALUE... is for the steps that follow.
tell() { if [ -n "${GITHUB_OUTPUT:-}" ]; then printf '%s\n' "$@" >>"$GITHUB_OUTPUT"; fi; }

# summarise adds to the summary of the run, where there is one.
summarise() { if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat >>"$GITHUB_STEP_SUMMARY"; fi; }

# outputs says for the steps that follow what was made; GitLab reads outputs.env as a report of variables.
outputs() {
	id=$(printf '%.16s' "$root")
	changed=true
	before=$work/examined/before.kddx
	if [ -f "$before" ] && [ "$(root_of "$before")" = "$root" ]; then changed=false; fi
	tell "path=$output" "root=$root" "index-id=$id" "changed=$changed" "sarif=$work/lint.sarif"
	printf '%s\n' "KDD_PATH=$output" "KDD_ROOT_HASH=$root" "KDD_INDEX_ID=$id" "KDD_CHANGED=$changed" >"$work/outputs.env"
}

examine() {
	rm -rf "$work/examined" "$work/comment.md" "$work/lint.sarif"
	mkdir -p "$work/examined"
	restore
	check
	build
	lint
	evaluate
	compare
	report
	outputs
	if [ -s "$work/examined/failed" ]; then
		say "kdd-ci: not met:" >&2
		cat "$work/examined/failed" >&2
		return 3
	fi
}

# api METHOD PATH [FILE] asks GitHub or GitLab; the answer is in answer.json, its status in $status. The token is not on
# the command line, and no redirect takes it elsewhere.
api() {
	case $api in
	https://* | http://127.0.0.1:* | http://localhost:*) ;;
	*) die 2 "$api: want https://" ;;
	esac
	set -- "$1" "$2" ${3:+--data-binary "@$3"}
	method=$1 path=$2
	shift 2
	if [ "$method" = GET ]; then set -- --retry 3; fi
	status=$(printf 'header = "%s%s"\n' "$login" "$KDD_CI_TOKEN" | curl --config - --silent --show-error \
		--proto '=http,https' --max-time 60 --request "$method" --header 'Content-Type: application/json' \
		--header 'User-Agent: kdd-ci' "$@" --output "$work/answer.json" --write-out '%{http_code}' -- "$api$path") ||
		status=000
}

# thread sets where the comments are, or says that this is no pull request.
thread() {
	if [ -n "${GITHUB_EVENT_PATH:-}" ]; then
		number=$(jq -r '.pull_request.number // empty' "$GITHUB_EVENT_PATH")
		api=${GITHUB_API_URL:-https://api.github.com} login='Authorization: Bearer ' update=PATCH order=
		list=/repos/$GITHUB_REPOSITORY/issues/$number/comments one=/repos/$GITHUB_REPOSITORY/issues/comments
	else
		number=${CI_MERGE_REQUEST_IID:-}
		api=${CI_API_V4_URL:-} login='PRIVATE-TOKEN: ' update=PUT order='&sort=asc&order_by=created_at'
		list=/projects/${CI_PROJECT_ID:-}/merge_requests/$number/notes one=$list
	fi
	[ -n "$number" ]
}

# unsaid notes why there is no comment: that fails nothing.
unsaid() {
	annotate warning "no comment: $1"
	printf '\n> No comment on the pull request: %s\n' "$1" | summarise
}

# comment writes the report as the one comment that begins with the marker, and is written anew by each run.
comment() {
	if [ "${KDD_CI_COMMENT:-true}" != true ] || [ ! -f "$work/comment.md" ]; then return 0; fi
	for program in curl jq; do
		if ! command -v $program >/dev/null; then unsaid "it needs $program"; return; fi
	done
	if ! thread; then say "no pull request: no comment"; return; fi
	case ${KDD_CI_TOKEN:-} in
	"") unsaid "there is no token"; return ;;
	*[!A-Za-z0-9_.=+/~-]*) die 2 "KDD_CI_TOKEN has characters that no token has" ;;
	esac
	jq -Rs '{body: .}' "$work/comment.md" >"$work/body.json"
	id='' page=1
	while [ -z "$id" ] && [ $page -le 50 ]; do
		api GET "$list?per_page=100&page=$page$order"
		if [ "$status" != 200 ]; then unsaid "$(refusal)"; return; fi
		id=$(jq -r --arg marker "$marker" "$ours" "$work/answer.json")
		if [ "$(jq length "$work/answer.json")" -lt 100 ]; then break; fi
		page=$((page + 1))
	done
	if [ -n "$id" ]; then
		api $update "$one/$id" "$work/body.json"
		if [ "$status" = 200 ]; then say "comment $id updated"; return; fi
	fi
	# There is none yet, or the token may not change it.
	case $status in 200 | 403 | 404) api POST "$list" "$work/body.json" ;; esac
	if [ "$status" != 201 ]; then unsaid "$(refusal)"; return; fi
	say "comment $(jq -r .id "$work/answer.json") written"
}

# refusal says what an answer without success means.
refusal() {
	case $status in
	000) say "$api cannot be reached" ;;
	401 | 403 | 404) say "the token may not write it (HTTP $status). The job needs \"pull-requests: write\", on GitLab a" \
		"project access token with the scope api; a fork's pull request has neither, and this summary is what there is." ;;
	*) say "HTTP $status: $(jq -r '.message // empty' "$work/answer.json" 2>/dev/null | head -c 200 | tr -d '\r\n')" ;;
	esac
}

# requested: this run is for a pull request or merge request.
requested() {
	case ${GITHUB_EVENT_NAME:-}${CI_PIPELINE_SOURCE:-} in pull_request* | merge_request_event) return 0 ;; esac
	return 1
}

# sign puts the signature in, and the attestation beside.
sign() {
	if [ -z "${KDD_CI_SIGN_KEY:-}" ]; then
		if [ "${KDD_CI_ATTEST:-false}" != true ]; then return; fi
		die 2 "an attestation needs a key: set KDD_CI_SIGN_KEY"
	fi
	key=$work/sign.key
	trap 'rm -f "$key"' EXIT
	trap 'exit 130' INT TERM
	(umask 077 && printf '%s\n' "$KDD_CI_SIGN_KEY" >"$key")
	kdd sign "$output" --key "$key" ${KDD_CI_SIGNED_NAME:+--name "$KDD_CI_SIGNED_NAME"}
	if [ "${KDD_CI_ATTEST:-false}" = true ]; then kdd attest "$output" --key "$key"; fi
}

# publish signs and pushes, and keeps the artifact for the next run. A run for a pull request keeps none: what pull
# requests are compared with is the artifact of the branch that they go to.
publish() {
	case ${KDD_CI_PUBLISH:-auto} in
	auto) if requested; then say "a pull request: nothing is signed or pushed"; return; fi ;;
	true | false) ;;
	*) die 2 "KDD_CI_PUBLISH is $KDD_CI_PUBLISH, want auto, true or false" ;;
	esac
	if [ "${KDD_CI_PUBLISH:-auto}" != false ]; then
		sign
		for reference in ${KDD_CI_PUSH:-}; do
			kdd push "$reference" "$output" --progress never >"$work/push.txt"
			cat "$work/push.txt"
			tell "$(sed -n 's/^\(oci:.*@sha256:.*\)/reference=\1/p' "$work/push.txt")"
		done
	fi
	if ! requested; then
		cp "$output" "$last"
		tell kept=true
	fi
}

# sources compiles folders without vectors into a temporary file, and lints that.
sources() {
	folders=
	while [ $# -gt 0 ]; do
		case $1 in -*) break ;; esac
		folders="$folders$1
"
		shift
	done
	if [ -z "$folders" ]; then die 2 "no folder: usage: kdd-ci.sh sources DIR... [FLAG of kdd lint...]"; fi
	made=$(mktemp -d)
	trap 'rm -rf "$made"' EXIT
	IFS='
'
	# shellcheck disable=SC2086 # a list
	if ! kdd build $folders -o "$made/docs.kddx" --no-vectors --quiet 2>"$made/err"; then
		cat "$made/err" >&2
		return 1
	fi
	kdd lint -i "$made/docs.kddx" --limit 200 --max-bytes 0 "$@"
}

case $name in
*[!A-Za-z0-9._-]* | "") die 2 "KDD_CI_NAME is \"$name\", want letters, digits, \".\", \"_\" and \"-\"" ;;
esac
case $output in
*.kddx) ;;
*) die 2 "KDD_CI_OUTPUT is \"$output\", want a file that ends in .kddx" ;;
esac
case $output$work in *'
'*) die 2 "KDD_CI_OUTPUT or KDD_CI_WORK has a line end" ;; esac
command -v kdd >/dev/null || die 1 "kdd is not on the PATH: run setup-kdd.sh first"
case ${1:-} in
examine | comment | publish) "$1" ;;
sources)
	shift
	sources "$@" ;;
all)
	code=0
	sh "$0" examine || code=$? # a process of its own: "set -e" does not hold in a function before "||"
	comment
	if [ $code != 0 ]; then exit $code; fi
	publish ;;
*) die 2 "usage: kdd-ci.sh examine|comment|publish|all|sources" ;;
esac
