#!/bin/sh
# Whole programs and host code on this machine's card: tests/gpu/programs.sh [PROGRAMS]
#
# The sample programs as nvcc builds them and as `warpgrade run --engine cuda` runs them, beside what is
# stored of a card; and what both engines say of exercises with host code, of their points for speed, too.
# PROGRAMS is a folder with the programs of a build that was made elsewhere. Exit code: 0 all the same, 1 not,
# 77 there is no card.
set -u
here=$(cd "$(dirname "$0")" && pwd)
warpgrade=${1:-$here/../../build}/warpgrade
tests=${1:-$here/../../build/tests}
nvidia-smi -L > /dev/null 2>&1 || { echo "there is no card"; exit 77; }
failed=0
sh "$here/../programs/samples.sh" card || failed=1
sh "$here/../programs/samples.sh" "$warpgrade" --engine cuda || failed=1
# Every mode, format, level and layer of textures.
if sh "$here/programs/compare.sh" "$warpgrade" "$here/programs/texture.cu" "$here/programs/texture.txt" cuda; then
    echo "texture.cu: the same"
else
    echo "texture.cu: DIFFERS" && failed=1
fi
cd "$here/../.." && WARPGRADE_HOME=$PWD && export WARPGRADE_HOME || exit 1
"$tests/gpu_engines" --kind host || failed=1
"$tests/gpu_agreement" --kind host || failed=1
[ $failed -eq 0 ] && echo "== passed" || echo "== FAILED"
exit $failed
