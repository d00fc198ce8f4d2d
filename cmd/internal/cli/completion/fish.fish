# completion of TOOL, which is asked what completes the line. Where it knows nothing, files complete it.
function __TOOL_candidates
    set -l words (commandline -opc)
    set -e words[1]
    set -l last (commandline -ct)
    set -l prefix ''
    if string match -q -- '--*=*' $last
        set prefix (string replace -r -- '=.*' '=' $last)
        set -a words (string replace -r -- '=.*' '' $last)
    else if string match -q -- '-*' $last
        set -a words $last
    end
    for line in (env KDD_TYPED=$last TOOL $words --generate-shell-completion 2>/dev/null)
        string match -q -- "$last*" $prefix$line; and echo $prefix$line
    end
end
complete -c TOOL -n 'test (count (__TOOL_candidates)) -gt 0' -f -a '(__TOOL_candidates)'
