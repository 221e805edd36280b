#!/bin/sh
# Every call in the program that writes bytes out stands in sinks.tsv with what makes them safe; a new
# one fails here until somebody has said so. What sandbox/ hands from process to process (write() on
# pipes and memory files) is no output of the program; its streams are.
# Usage: check_sinks.sh SOURCE [TABLE]
set -eu
cd "$1"
table=${2:-tests/sinks/sinks.tsv}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

streams='v?f?printf|v?dprintf|f?puts|f?putc|fputc|putchar|fwrite|perror|psignal|syslog|warnx?|errx?'
streams="$streams|argp_parse|argp_help|argp_failure|system|popen|json_dump_?[fd]?[a-z]*"
files='p?write|pwritev?|writev|sendfile|file_write|file_write_all|file_write_at|fopencookie|fdopen'
files="$files|xmlSave[A-Za-z]*|xmlNewTextWriterFilename|sqlite3_bind_text(64)?"

# NAMES FOLDER ...: FILE<tab>FUNCTION<tab>COUNT of the calls. String literals and comments go first:
# they may name anything. sed writes a file's name before its first line.
calls() {
    names=$1
    shift
    find "$@" -name '*.c' -exec sed -s -e 1F -e 's/"\(\\.\|[^"\\]\)*"/""/g' \
        -e 's,/\*.*\*/,,' -e '/\/\*/,/\*\//d' {} + |
        awk -v "call=(^|[^A-Za-z0-9_>.])($names)[(]" '
            /^[a-z_\/]*\/[a-z0-9_]*\.c$/ { file = $0; next }
            {
                for (rest = $0; match(rest, call); rest = substr(rest, RSTART + RLENGTH)) {
                    name = substr(rest, RSTART, RLENGTH)
                    gsub(/[^a-zA-Z0-9_]/, "", name)
                    count[file "\t" name]++
                }
            }
            END { for (row in count) print row "\t" count[row] }'
}

{
    calls "$streams|$files" grader reports sandbox/base
    for room in sandbox/*/; do
        [ "$room" = sandbox/base/ ] || calls "$streams" "${room%/}"
    done
} | LC_ALL=C sort >"$scratch/found"
grep -v '^#' "$table" | cut -f 1-3 | LC_ALL=C sort >"$scratch/known"
if awk -F '\t' '!/^#/ && (NF != 4 || length($4) < 8) { print "no reason: " $0; bad = 1 } END { exit bad }' "$table" &&
    diff "$scratch/known" "$scratch/found" >"$scratch/diff"; then
    echo "$(wc -l <"$scratch/found") rows, all of them known"
    exit 0
fi
echo "$table does not say (>), or says of none that is there (<), FILE FUNCTION COUNT:"
grep '^[<>]' "$scratch/diff" || true
echo "Foreign text leaves through reports/escape.h; a row says how, for this call."
exit 1
