#!/bin/bash
# The manual pages: without a warning of groff (or mandoc), and with what --help says.
# Usage: check_man-pages.sh PREFIX
set -u
prefix=$1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

groff=$(command -v groff) mandoc=$(command -v mandoc)
[ -n "$groff$mandoc" ] || {
    echo "neither groff nor mandoc is installed: the manual pages are not read"
    exit 77
}
for page in "$prefix"/share/man/man1/*.1; do
    said=''
    [ -z "$groff" ] || said=$("$groff" -man -Tutf8 -ww -z "$page" 2>&1)
    [ -z "$mandoc" ] || said+=$("$mandoc" -T lint -W error "$page" 2>&1)
    [ -z "$said" ] || fail "$(basename "$page"): $said"
done
# A page for each command that is listed, and a section for each subcommand.
for command in $("$prefix/bin/warpgrade" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    [ -s "$prefix/share/man/man1/warpgrade-$command.1" ] || fail "there is no page of $command"
done
for sub in $("$prefix/bin/warpgrade" gradebook --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    grep -q "^.SH warpgrade gradebook $sub$" "$prefix/share/man/man1/warpgrade-gradebook.1" ||
        fail "gradebook $sub has no section (subcommand.def)"
done
# Options with their values, arguments, exit codes.
page=$prefix/share/man/man1/warpgrade-grade.1
for line in '\\fB\\-e, \\-\\-exercise=EXERCISE\\fR' '^Exit status: 0 all passed' '\[FILE|DIR ...\]' '^.SS Trust:'; do
    grep -q "$line" "$page" || fail "warpgrade-grade.1 lacks $line"
done
exit $failed
