#!/bin/sh
# Usage: survivors.sh WARPGRADE HOME. The tuned kernel of the fixture, broken at every place: what is made is
# what the operators find, and the table adds up.
printed=$(WARPGRADE_HOME=$2 "$1" author mutate -e block-sums --tuned --seed 1 2>/dev/null) || exit 1
echo "$printed"
echo "$printed" | awk '
    $1 == "operator" { table = 1; next }
    table && $1 == "all" { total = $2; all = $3 + $4 + $5 + $6; caught = $5; next }
    table { made += $2 }
    $1 == "drop-barrier" && ($2 != 2 || $5 != 2) { bad = 1 }
    $1 == "plain-for-atomic" && ($2 != 1 || $5 != 1) { bad = 1 }
    END { exit bad || !total || made != total || all != total || caught < total / 2 }'
