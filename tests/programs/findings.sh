#!/bin/sh
# What is found of host code in small programs: tests/programs/findings.sh WARPGRADE [NAME]...
#
# `WARPGRADE nvcc` builds each findings/NAME.cu once, `WARPGRADE run` runs each of the cases that its first
# comment lists. A case that is right has no finding; one that is wrong has those of the lines that are
# marked `// @CASE`, with the hazard and the severity of the list, and no other. A line is a hazard:
#
#     same | DIFFERS    NAME    cases right, cases wrong    seconds
#
# Exit code: 0 all as they should be, 1 not, 77 there is no nvcc.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/python.sh"
python=$(python_with jsonschema) || python=python3
[ $# -ge 1 ] || { sed -n '2p' "$0" >&2; exit 2; }
warpgrade=$1
shift
command -v nvcc > /dev/null 2>&1 || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] || { echo "there is no nvcc"; exit 77; }
if [ $# -eq 0 ]; then
    for file in "$here"/findings/*.cu; do
        set -- "$@" "$(basename "$file" .cu)"
    done
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for name; do
    "$warpgrade" nvcc -std=c++17 -o "$work/$name" "$here/findings/$name.cu" &&
        "$python" "$here/findings.py" "$warpgrade" "$here/findings/$name.cu" "$work/$name" || failed=1
done
exit "$failed"
