#!/bin/sh
# Has pre-commit run the hooks of a commit of this repository in a scratch repository: what is as it should be passes, an
# edit without a build and a broken link do not, and what they are not about runs neither.
#
#   PATH=bin:$PATH bench/interop/ci/hooks.sh PRECOMMIT CHECKOUT
set -eu
precommit=$1 checkout=$2
commit=$(git -C "$checkout" rev-parse HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRE_COMMIT_HOME="$work/home" GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_NOSYSTEM=1
printf '[user]\n\tname = you\n\temail = you@example.com\n[init]\n\tdefaultBranch = main\n' >"$work/gitconfig"
printf '[safe]\n\tdirectory = *\n' >>"$work/gitconfig"
mkdir -p "$work/repository/docs"
cd "$work/repository"
cat >.pre-commit-config.yaml <<end
repos:
  - repo: $checkout
    rev: $commit
    hooks:
      - id: kdd-check
        args: [docs, -i, docs.kddx]
      - id: kdd-lint
        args: [docs, --fail-on, warning]
end
printf '# Walrus\n\nWalruses live in cold water.\n' >docs/walrus.md
kdd build docs -o docs.kddx --no-vectors --quiet
git init -q
git add .
"$precommit" validate-manifest "$checkout/.pre-commit-hooks.yaml"
"$precommit" install

# says WANT COMMAND... ends the script if the exit code is not WANT.
says() {
	want=$1
	shift
	code=0
	"$@" >"$work/log" 2>&1 || code=$?
	if [ $code != "$want" ]; then cat "$work/log"; echo "hooks: $*: exit $code, want $want"; exit 1; fi
}
# logged TEXT ends it if the command did not print a line that begins so.
logged() { grep -q "^$1" "$work/log" || { cat "$work/log"; echo "hooks: no line \"$1\""; exit 1; }; }

says 0 git commit -m 'what is as it should be'
logged 'kdd check\.*Passed$'
logged 'kdd lint\.*Passed$'
echo 'They eat [clams](clams.md).' >>docs/walrus.md
git add docs
says 1 git commit -m 'an edit without a build, with a broken link'
logged 'kdd check\.*Failed$'
logged 'kdd lint\.*Failed$'
logged 'walrus.md:4:10: warning: link "clams.md"'
printf '# Clams\n\nThey live in sand.\n' >docs/clams.md
kdd build docs -o docs.kddx --quiet --like docs.kddx
git add docs docs.kddx
says 0 git commit -m 'mended and built'
echo 'int main(void) { return 0; }' >main.c
git add main.c
says 0 git commit -m 'nothing of documents'
logged 'kdd check\.*(no files to check)Skipped$'
echo "hooks: pre-commit has passed 2 commits, stopped 1, and not run for 1"
