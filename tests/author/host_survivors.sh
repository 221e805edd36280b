#!/bin/sh
# Usage: host_survivors.sh WARPGRADE. A solution with host code, broken at every place of its kernels and of its
# host code: what is made of it are other programs, and most are caught. 77: skipped, there is no nvcc.
"$1" nvcc --version >/dev/null 2>&1 && command -v g++ >/dev/null || exit 77
printed=$("$1" author mutate -e host-reduction --tuned --seed 1 2>/dev/null) || exit 1
echo "$printed"
echo "$printed" | awk '
    $1 == "all" { made = $2; equal = $4; caught = $5 }
    $1 == "drop-barrier" { of_kernels = $5 }
    $1 == "drop-guard" { of_host = $5 }
    END { exit made < 30 || equal > made / 10 || caught < made * 3 / 4 || !of_kernels || !of_host }'
