# completion of TOOL, which is asked what completes the line. Other words are file names: the shell completes those.
_TOOL() {
  local word=${COMP_WORDS[COMP_CWORD]} prefix='' words=() i line
  for ((i = 1; i < COMP_CWORD; i++)); do
    [ "${COMP_WORDS[i]}" = '=' ] || words+=("${COMP_WORDS[i]}") # bash parts "--flag=value" into three words
  done
  case $word in
  '=') word='' ;;
  --*=*) words+=("${word%%=*}") prefix=${word%%=*}= word=${word#*=} ;;
  -*) words+=("$word") ;;
  esac
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    case $line in
    "$word"*) COMPREPLY+=("$prefix$(printf '%q' "$line")") ;; # paths may hold what a shell would run
    esac
  done < <(KDD_TYPED=$word TOOL "${words[@]}" --generate-shell-completion 2>/dev/null)
  case ${COMPREPLY[0]-} in
  */) [ ${#COMPREPLY[@]} -gt 1 ] || ! type compopt >/dev/null 2>&1 || compopt -o nospace ;;
  esac
}
complete -o default -F _TOOL TOOL
