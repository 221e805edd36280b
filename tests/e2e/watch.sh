#!/bin/sh
# Watches saxpy.cu in the working folder while this script saves it as editors do, and expects a report
# each time; ends it with Ctrl-C's signal. Usage: watch.sh WARPGRADE GOOD WRONG
set -eu
wait_for() { # wait_for COUNT TEXT: so often, in what has been printed
    tries=0
    until [ "$(grep -c "$2" said)" -ge "$1" ]; do
        tries=$((tries + 1))
        [ $tries -lt 400 ] || { cat said; echo "no \"$2\" for the time $1"; kill -KILL $watcher; exit 1; }
        sleep 0.05
    done
}
cp "$3" saxpy.cu
setsid "$1" grade --watch --cases one-block saxpy.cu >said 2>&1 &
watcher=$!
wait_for 1 'watching saxpy.cu'
grep -q 'not passed' said
cp "$2" next && mv next saxpy.cu # a new file in its place
wait_for 2 'watching saxpy.cu'
wait_for 1 '✓ saxpy.cu'
{ sleep 0.7; cat "$3"; } >saxpy.cu # the same file, empty for a while and written again
wait_for 3 'watching saxpy.cu'
cp saxpy.cu copy && cat copy >saxpy.cu && : >other.cu && sleep 0.3 # saved, and nothing new in it
cat "$2" >saxpy.cu
wait_for 2 '✓ saxpy.cu'
[ "$(grep -c 'watching saxpy.cu' said)" -eq 4 ]
if grep -q "$(printf '\033')" said; then
    echo 'not a terminal, and yet it moves a cursor'
    exit 1
fi
rm saxpy.cu
wait_for 1 'saxpy.cu is gone; it is graded again when it is back'
cp "$2" saxpy.cu # as it was
wait_for 3 '✓ saxpy.cu'
kill -CONT $watcher # no terminal came back: nothing is to be drawn again
kill -TERM $watcher
code=0
wait $watcher || code=$?
[ $code -eq 0 ]
[ "$(grep -c 'watching saxpy.cu' said)" -eq 5 ]

# On a terminal of 12 rows the report is cut, and the status stands in the last row.
command -v script >/dev/null || exit 0
cp "$3" saxpy.cu
echo "stty rows 12 cols 80; exec '$1' grade --watch saxpy.cu" >in_terminal
mkfifo keys
script -qefc 'sh in_terminal' /dev/null <keys >said 2>&1 &
watcher=$!
exec 3>keys
wait_for 1 'watching saxpy.cu'
wait_for 1 'more lines than this window shows'
printf q >&3
wait $watcher || [ $? -eq 1 ] # what the last grade was
exec 3>&-
rows=$(awk '/\033\[2J/ { rows = 0 } /watching saxpy.cu/ { print rows + 1 } { rows++ }' said | tail -n 1)
[ "$rows" -eq 12 ] || { cat said; echo "the status stands in row $rows"; exit 1; }
