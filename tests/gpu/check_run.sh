#!/bin/sh
# What run.sh makes of its programs, with others in their place: check_run.sh RUN_SH. It passes where all
# end well, and fails where one fails, is skipped although there is a card, or is not there.
set -eu
run=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
programs='gpu_session warpgrade run_ptx random_arithmetic gpu_approximate gpu_products gpu_bench gpu_engines gpu_agreement gpu_ratios gpu_table run_cheats'

fail() {
    echo "check_run: $*" >&2
    cat "$folder/said" >&2
    exit 1
}

# program NAME CODE WORDS
program() {
    printf '#!/bin/sh\necho "%s"; echo in all\nexit %s\n' "$3" "$2" > "$folder/$1"
    chmod +x "$folder/$1"
}

# ends CODE WORDS [OPTION]...: how run.sh ends, and something that it says
ends() {
    wanted=$1 words=$2 code=0
    shift 2
    "$run" "$@" "$folder" > "$folder/said" || code=$?
    [ $code = "$wanted" ] || fail "exit code $code, not $wanted"
    grep -q "$words" "$folder/said" || fail "it does not say: $words"
}

for name in $programs; do
    program "$name" 0 "all is well"
done
ends 0 '^== passed'
for name in $programs; do
    others=
    for other in $programs; do
        [ "$other" = "$name" ] || others="$others --without $other"
    done
    program "$name" 1 "case 7: wrong"
    # shellcheck disable=SC2086 # a list of words
    ends 1 '^== FAILED' $others
    grep -q 'case 7' "$folder/said" || fail "what $name said is lost"
    program "$name" 77 "skipped: out of memory"
    [ "$name" = gpu_session ] && wanted=77 || wanted=1
    # shellcheck disable=SC2086
    ends $wanted 'skipped' $others
    rm "$folder/$name"
    ends 1 "== $name: FAILED"
    ends 0 'left out' --without "$name"
    program "$name" 0 "all is well"
done
