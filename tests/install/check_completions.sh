#!/bin/bash
# The completion of bash in bash: what is offered after these words. Those of zsh and fish are read by them,
# where they are installed.
# Usage: check_completions.sh PREFIX
set -u
prefix=$1
failed=0
PATH="$prefix/bin:$PATH"
# shellcheck disable=SC1091
. "$prefix/share/bash-completion/completions/warpgrade"
# shellcheck disable=SC2317 # the completion calls it
compopt() { :; } # works only while bash completes

offers() { # offers "WORDS" WANTED ...: the last word is being typed
    read -ra COMP_WORDS <<<"${1%_}"
    [[ $1 != *_ ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    words=$1
    shift
    _warpgrade
    for wanted in "$@"; do
        case $wanted in
        -:*) [[ " ${COMPREPLY[*]} " != *" ${wanted#-:} "* ]] && continue ;;
        *) [[ " ${COMPREPLY[*]} " == *" $wanted "* ]] && continue ;;
        esac
        echo "FAILED: after \"$words\": $wanted, in ${COMPREPLY[*]}"
        failed=1
    done
}

offers 'warpgrade gr' grade -:list
offers 'warpgrade _' list grade doctor -:batch-task -:install-pages
offers 'warpgrade show matmul-b' matmul-boundary -:saxpy
offers 'warpgrade new _' saxpy dot
offers 'warpgrade grade --ex' --exercise=
offers 'warpgrade grade -e sax' saxpy saxpy-grid-stride -:dot
offers 'warpgrade grade --exercise = sax' saxpy
offers 'warpgrade grade --exercise sax' saxpy
offers 'warpgrade show --lang _' en zh
offers 'warpgrade show --lang = z' zh -:en
offers 'warpgrade grade --color a' auto always -:never
offers 'warpgrade grade --report = j' json= junit=
offers 'warpgrade report j' json junit
offers 'warpgrade report b' bundle
offers 'warpgrade report bundle --ou' --output=
offers 'warpgrade gradebook _' show why verify
offers 'warpgrade gradebook show --st' --student= -:--zeros
offers 'warpgrade completions _' bash zsh fish

# Every option of --help is offered.
for command in grade sim batch; do
    for option in $("$prefix/bin/warpgrade" "$command" --help | sed -n 's/^ \{2,6\}\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
        case $option in --usage | --version | --help) continue ;; esac
        read -ra COMP_WORDS <<<"warpgrade $command $option"
        COMP_CWORD=2
        _warpgrade
        case " ${COMPREPLY[*]}" in
        *" $option" | *" $option "* | *" $option="*) ;;
        *)
            echo "FAILED: $command $option is not offered: ${COMPREPLY[*]}"
            failed=1
            ;;
        esac
    done
done

reads() { # reads SHELL FILE
    if ! command -v "$1" >/dev/null; then
        echo "$1 is not installed: its completion is not read here"
    elif ! "$1" -n "$2"; then
        echo "FAILED: $1 cannot read $2"
        failed=1
    fi
}
reads zsh "$prefix/share/zsh/site-functions/_warpgrade"
reads fish "$prefix/share/fish/vendor_completions.d/warpgrade.fish"
exit $failed
