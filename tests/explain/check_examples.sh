#!/bin/sh
# Runs the examples in the pages of `explain`: check_examples.sh WARPGRADE SOURCE FOLDER [programs].
#
# Whole programs (// run) are compiled for seconds each: they are run with that word, and the others without it.
# A block of code whose fence says what it shows (```cuda shared-race) is a file of its own. Its first line says
# how it is run (// sim ..., // profile ..., // grade ..., // run: a whole program), and the output must show
#     hazard/   that hazard and no other; where the word is "clean", none
#     counter/  that counter, not 0
#     limiter/  that limiter
#     verdict/  that verdict of a case
# A page without an example says why: "No example: ...".
# Pages in another language have the same code but for its comments, and are not run again.
export LC_ALL=C.UTF-8 # the marks that findings begin with are no ASCII
if [ "$1" = one ]; then
    shift
    set -f # f32*256=iota is no pattern of files
    warpgrade=$1 file=$2
    name=${file##*/}
    name=${name%.cu}
    kind=${name%%--*} word=${name##*--}
    eval "set -f -- $(sed -n '1s,^// ,,p' "$file")"
    command=$1
    shift
    [ "$command" = run ] && ! "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" --version >/dev/null 2>&1 && exit 0
    case $kind in
    verdict)
        "$warpgrade" "$command" --seed 1 "$@" --report json="$file.json" "$file" >"$file.out" 2>&1
        grep -q "\"verdict\": \"$word\"" "$file.json" && exit 0
        ;;
    hazard)
        "$warpgrade" "$command" "$file" "$@" >"$file.out" 2>&1
        found=$(sed -n -e 's/^[✗!] \([a-z-]*\) at .*/\1/p' -e 's/^[✗!] \([a-z-]*\)$/\1/p' "$file.out" | sort -u)
        [ "${found:-clean}" = "$word" ] && ! grep -q '^error' "$file.out" && exit 0
        ;;
    counter)
        if [ "$command" = grade ]; then # a metric of thresholds
            "$warpgrade" grade --seed 1 "$@" --report json="$file.json" "$file" >"$file.out" 2>&1
            grep -A 4 "\"metric\": \"$word\"" "$file.json" | grep -q '"value": [0-9.]*[1-9]' && exit 0
        fi
        "$warpgrade" "$command" "$file" "$@" >"$file.out" 2>&1
        grep -q "^  $word  *[1-9]" "$file.out" && exit 0
        [ "$command" = profile ] && grep -q "^  limiter    $word" "$file.out" && exit 0
        ;;
    limiter)
        "$warpgrade" "$command" "$file" "$@" >"$file.out" 2>&1
        grep -q "^  limiter    $word:" "$file.out" && exit 0
        ;;
    esac
    echo "$file does not show $word:" && cat "$file.out"
    exit 1
fi
warpgrade=$1 source=$2 folder=$3 which=${4:-kernels}
rm -rf "$folder" && mkdir -p "$folder" || exit 1
for page in "$source"/reports/explain/*/*.md; do
    id=$(basename "$page" .md) kind=$(basename "$(dirname "$page")")
    case $id in *.zh) continue ;; esac
    awk -v prefix="$folder/$kind--$id--" '
        /^```cuda ./ { number++; file = prefix number "--" $2 ".cu"; printf "" > file; next }
        /^```/ { file = ""; next }
        file { print > file }' "$page"
done
for page in "$source"/reports/explain/*/*.md; do
    grep -q '^```cuda .' "$page" || grep -q -e '^No example: ' -e '^没有例子：' "$page" || {
        echo "$page has no example, and does not say why"
        exit 1
    }
done
for file in "$folder"/*.cu; do
    kind=kernels
    grep -qx '// run' "$file" && kind=programs
    [ $kind = "$which" ] || rm "$file"
done
find "$folder" -name '*.cu' | sort | xargs -P 2 -n 1 sh "$0" one "$warpgrade" || exit 1
echo "$(find "$folder" -name '*.cu' | wc -l) examples show what they say"
