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
kill -CONT $watcher # no terminal came back: nothing is to be drawn again
kill -TERM $watcher
code=0
wait $watcher || code=$?
[ $code -eq 0 ]
[ "$(grep -c 'watching saxpy.cu' said)" -eq 4 ]
