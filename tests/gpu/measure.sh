#!/bin/sh
# Measures everything on this machine's GPU: tests/gpu/measure.sh OUT [GPU_BENCH [PTX_FOLDER]]
#
# OUT receives times.json, micro.json, and for both sizes what Nsight Compute counts (ncu-SIZE.csv) in
# the order of the launches (order-SIZE.json). The card's clocks are left as they are. A metric that
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

step "times"
# shellcheck disable=SC2086
"$bench" $ptx --json "$out/times.json" || failed=1
step "microbenchmarks"
# shellcheck disable=SC2086
"$bench" $ptx --micro --json "$out/micro.json" || failed=1
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,temperature.gpu,power.draw \
    --format=csv > "$out/smi.csv" || failed=1

if ! command -v ncu > /dev/null; then
    echo "measure.sh: no ncu: no counters"
    exit $failed
fi
step "which metrics there are"
ncu --version | tail -1 > "$out/ncu-version.txt"
ncu --query-metrics 2> /dev/null | awk '{ print $1 }' | sort -u > "$out/ncu-metrics.txt"
metrics=
while read -r metric; do
    case $metric in
    launch__* | smsp__average_* | sm__maximum_* | *sass*) ;;
    *)
        if [ -s "$out/ncu-metrics.txt" ] && ! grep -qx "${metric%%.*}" "$out/ncu-metrics.txt"; then
            echo "measure.sh: no metric $metric"
            continue
        fi
        ;;
    esac
    metrics=$metrics${metrics:+,}$metric
done < "$here/metrics.txt"
for size in small large; do
    step "counters, $size"
    # shellcheck disable=SC2086
    ncu --profile-from-start off --clock-control none --print-units base --csv --page raw \
        --metrics "$metrics" --log-file "$out/ncu-$size.csv" \
        "$bench" $ptx --once --size $size --json "$out/order-$size.json" || failed=1
    grep -c '^"[0-9]' "$out/ncu-$size.csv"
    grep '^==ERROR\|^==WARN' "$out/ncu-$size.csv" | sort | uniq -c | head -20
done
step "done"
exit $failed
