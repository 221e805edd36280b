#!/bin/sh
# A kernel that the driver refuses to launch, and one that the hardware stops, each have a fault, and
# every other launch is made all the same: check_refused.sh GPU_BENCH FOLDER, with a fake driver in
# the folder.
set -eu
bench=$1
folder=$2
LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
FAKE_REFUSE=too-many-registers.cu
FAKE_FAULT=no-store-check.cu
export LD_LIBRARY_PATH FAKE_REFUSE FAKE_FAULT
kernels='matmul-boundary/*'
all=$folder/all.json
rest=$folder/rest.json

fail() {
    echo "check_refused: $*" >&2
    exit 1
}

# rows FILE PATTERN: how many launches' lines hold it; jansson writes a member a line
rows() {
    grep -c "$2" "$1" || true
}

"$bench" --exercises -k "$kernels" --json "$all" || fail "the refused kernel ended the run"
cases=$(rows "$all" '"variant": "too-many-registers"')
[ "$cases" -gt 0 ] || fail "the refused kernel has no row"
[ "$(rows "$all" CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)" = "$cases" ] || fail "its fault is not reported"
[ "$(rows "$all" '"registers": 96')" = "$cases" ] || fail "its registers are not reported"
[ "$(rows "$all" CUDA_ERROR_ILLEGAL_ADDRESS)" = "$cases" ] || fail "the stopped kernel's fault is not reported"
[ "$(rows "$all" '"variant": "writes-input"')" = "$cases" ] || fail "the launches after it are not made"

"$bench" --exercises -k "$kernels" --without-faults "$all" --json "$rest" ||
    fail "the kernels without a fault do not run"
[ "$(rows "$rest" '"fault"')" = 0 ] || fail "a launch with a fault is repeated"
faults=$((2 * cases))
[ "$(rows "$rest" '"variant"')" = $(($(rows "$all" '"variant"') - faults)) ] ||
    fail "a launch without a fault is left out"
