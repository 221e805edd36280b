#!/bin/sh
# check_collect.sh GPU_COLLECT: times of two kernels, of which one is new and the other is there already,
# must change a copy of the stored measurements by these two rows and by nothing else.
set -eu
collect=$1
stored=$(cd "$(dirname "$0")" && pwd)/../bench/model/h200.json
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/measured"
cp "$stored" "$folder/file.json"
cat > "$folder/measured/times.json" << 'END'
{"rows": [
 {"family": "saxpy", "variant": "plain", "size": "small", "registers": 1, "time_us": {"median": 4321.5}},
 {"family": "new_family", "variant": "plain", "size": "large", "registers": 2, "time_us": {"median": 1234.5}}
]}
END
"$collect" "$folder/measured" "$folder/file.json"
# diff ends with 1 where there are differences, as there have to be.
diff "$stored" "$folder/file.json" > "$folder/changes" || true
expect() {
    found=$(grep -c "$2" "$folder/changes" || true)
    if [ "$found" != "$1" ]; then
        echo "check_collect.sh: $found lines with $2 among the changes, not $1" >&2
        cut -c1-200 "$folder/changes" >&2
        exit 1
    fi
}
expect 3 '^[<>]'
expect 1 '^<.*"family":"saxpy".*"size":"small".*"variant":"plain"'
expect 1 '^>.*"family":"saxpy".*"median":4321.5.*"variant":"plain"'
expect 1 '^>.*"family":"new_family".*"median":1234.5'
echo "two rows changed, the rest kept"
