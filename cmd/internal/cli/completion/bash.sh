# completion of TOOL, which is asked what completes the line. Other words are file names: the shell completes those.
_TOOL() {
  local word=${COMP_WORDS[COMP_CWORD]} prefix='' words=() i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [ "${COMP_WORDS[i]}" = '=' ] || words+=("${COMP_WORDS[i]}") # bash parts "--flag=value" into three words
  done
  case $word in
  '=') word='' ;;
  --*=*) words+=("${word%%=*}") prefix=${word%%=*}= word=${word#*=} ;;
  -*) words+=("$word") ;;
  esac
  COMPREPLY=($(compgen -P "$prefix" -W "$(TOOL "${words[@]}" --generate-shell-completion 2>/dev/null | cut -f1)" -- "$word"))
}
complete -o default -F _TOOL TOOL
