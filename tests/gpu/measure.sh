#!/bin/sh
# Measures everything on this machine's GPU: tests/gpu/measure.sh OUT [GPU_BENCH [PTX_FOLDER]]
# With EXERCISES_ONLY=1 only the exercises' kernels, after new ones have come.
#
# OUT receives times.json, micro.json, exercises.json (which of their mutants the hardware stops), and
# for both sizes, for some microbenchmarks and for the exercises' kernels what Nsight
# Compute counts (ncu-RUN.csv) in the order of the launches (order-RUN.json). gpu_collect makes one file
# of them. The card's clocks are left as they are. A metric that
# this Nsight Compute does not know is left out, and said so.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$1
bench=${2:-$here/../../build/tests/gpu_bench}
ptx=${3:+--ptx $3}
mkdir -p "$out"
failed=0

step() {
    echo "== $(date +%T) $1"
}

if [ -z "${EXERCISES_ONLY:-}" ]; then
    step "times"
    # shellcheck disable=SC2086
    "$bench" $ptx --json "$out/times.json" || failed=1
    step "microbenchmarks"
    # shellcheck disable=SC2086
    "$bench" $ptx --micro --json "$out/micro.json" || failed=1
fi
step "the exercises' kernels"
# shellcheck disable=SC2086
"$bench" $ptx --exercises --json "$out/exercises.json" || failed=1
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,temperature.gpu,power.draw \
    --format=csv > "$out/smi.csv" || failed=1

if ! command -v ncu > /dev/null; then
    echo "measure.sh: no ncu: no counters"
    exit $failed
fi
step "which metrics there are"
ncu --version | tail -1 > "$out/ncu-version.txt"
ncu --query-metrics 2> /dev/null | awk '{ print $1 }' | sort -u > "$out/ncu-metrics.txt"

# The metrics of a list that this Nsight Compute knows, separated by commas. Those that its query does
# not name are computed by itself.
known_metrics() {
    while read -r metric; do
        case $metric in
        launch__* | smsp__average_* | sm__maximum_* | *sass*) ;;
        *)
            if [ -s "$out/ncu-metrics.txt" ] && ! grep -qx "${metric%%.*}" "$out/ncu-metrics.txt"; then
                echo "measure.sh: no metric $metric" >&2
                continue
            fi
            ;;
        esac
        printf '%s,' "$metric"
    done < "$1"
}

# profile RUN METRICS ARGUMENTS...: ncu-RUN.csv and order-RUN.json
profile() {
    run=$1
    metrics=$(known_metrics "$2")
    shift 2
    step "counters, $run"
    # shellcheck disable=SC2086
    ncu --profile-from-start off --clock-control none --print-units base --csv --page raw \
        --metrics "${metrics%,}" --log-file "$out/ncu-$run.csv" \
        "$bench" $ptx "$@" --json "$out/order-$run.json" || failed=1
    grep '^==ERROR' "$out/ncu-$run.csv" | sort | uniq -c | head -20
}

if [ -z "${EXERCISES_ONLY:-}" ]; then
    profile small "$here/metrics.txt" --once --size small
    profile large "$here/metrics.txt" --once --size large
    profile micro "$here/metrics-micro.txt" --once --micro --kernel '@(l1*|barrier*)/*'
fi
profile exercises "$here/metrics-exercises.txt" --exercises --without-faults "$out/exercises.json"
step "done"
exit $failed
