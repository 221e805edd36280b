#!/bin/sh
# run.sh SECONDS [TARGET...]: fuzzes each target (ptx sim kernel yaml wire report course card) for SECONDS in build-fuzz/.
# New inputs stay in build-fuzz/corpus-TARGET, findings in build-fuzz/findings. 1 when there is one.
set -eu

[ $# -ge 1 ] || { echo "usage: $0 SECONDS [TARGET...]" >&2; exit 2; }
seconds=$1
shift
[ $# -gt 0 ] || set -- ptx sim kernel yaml wire report course card

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${WARPGRADE_FUZZ_BUILD:-$root/build-fuzz}

# _Float16 on x86 came with clang 15
find_clang() {
    for candidate in "${CC:-}" clang clang-22 clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 \
        clang-15; do
        [ -n "$candidate" ] || continue
        version=$("$candidate" -dumpversion 2>/dev/null) || continue
        case $("$candidate" --version 2>/dev/null) in *clang*) ;; *) continue ;; esac
        [ "${version%%.*}" -ge 15 ] && { echo "$candidate"; return; }
    done
    echo "$0: clang 15 or later is needed: apt-get install clang-16 libclang-rt-16-dev" >&2
    exit 3
}

mkdir -p "$build/findings"
if [ ! -e "$build/CMakeCache.txt" ]; then
    compiler=$(find_clang)
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DWARPGRADE_FUZZ=ON \
        -DWARPGRADE_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo >"$build/build.log" 2>&1 ||
        { cat "$build/build.log" >&2; exit 1; }
fi
programs=fuzz_dictionary
for target; do programs="$programs fuzz_$target"; done
# shellcheck disable=SC2086
ninja -C "$build" $programs >"$build/build.log" 2>&1 || { tail -n 40 "$build/build.log" >&2; exit 1; }
"$build/tests/fuzz_dictionary" >"$build/ptx.dict"

found=0
for target; do
    inputs=ptx
    more=$root/tests/ptx/hostile
    dictionary=-dict=$build/ptx.dict
    case $target in
    kernel)
        inputs=kernel
        more=
        dictionary=-entropic=0
        ;;
    yaml | wire | course | card)
        inputs=$target
        more=
        dictionary=-use_value_profile=0
        ;;
    report)
        inputs=$target
        more=$root/tests/golden/reports
        dictionary=-use_value_profile=0
        ;;
    esac
    mkdir -p "$build/corpus-$target"
    echo "== fuzz_$target, $seconds s"
    "$build/tests/fuzz_$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3072 \
        -malloc_limit_mb=1100 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$build/findings/$target-" "$dictionary" \
        "$build/corpus-$target" "$here/corpus/$inputs" "$here/regressions/$inputs" \
        ${more:+"$more"} \
        >"$build/fuzz_$target.log" 2>&1 || { found=1; grep -E "ERROR|SUMMARY|fuzz_|Test unit" \
        "$build/fuzz_$target.log" >&2; }
    grep -E "number_of_executed_units|new_units_added|peak_rss" "$build/fuzz_$target.log" || true
done
exit $found
