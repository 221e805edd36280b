#!/bin/sh
# ./bootstrap demo with the program as it was built, on two samples in a tree of their own: where
# neither jail can be made it grades them all the same and says so; where one can, it does not.
# Nothing is installed or built: what would do that is a fake, first in PATH.
# Usage: demo.sh SOURCE_FOLDER WARPGRADE WITHOUT_JAILS
set -eu
source=$1
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
chmod 755 "$machine" # workers of root are other users
tree=$machine/tree
command -v bwrap >/dev/null || exit 77

mkdir -p "$machine/bin" "$tree/build" "$tree/tests"
for tool in ninja cc pkg-config; do
    printf '#!/bin/sh\nexit 0\n' >"$machine/bin/$tool"
done
printf '#!/bin/sh\necho cmake version 3.25.1\n' >"$machine/bin/cmake"
chmod +x "$machine"/bin/*
cp "$source/bootstrap" "$tree/"
[ ! -e "$source/.cuda" ] || ln -s "$source/.cuda" "$tree/.cuda"
ln -s "$2" "$tree/build/warpgrade"
: >"$tree/build/build.ninja"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$(cd "$tree" && pwd -P)" >"$tree/build/CMakeCache.txt"
cp -r "$source/tests/samples" "$tree/tests/"
grep -E '^saxpy/(good|broken)' "$source/tests/samples/expected.tsv" >"$tree/tests/samples/expected.tsv"

demo() { # demo COMMAND ...: runs it under that command
    code=0
    env PATH="$machine/bin:$PATH" "$@" "$tree/bootstrap" demo >"$machine/output" 2>&1 </dev/null || code=$?
    [ $code -eq 0 ] || failed "exit code $code"
}

failed() { # failed WHAT
    echo "FAILED: $1"
    cat "$machine/output"
    exit 1
}

says() { # says TEXT
    grep -qF -e "$1" "$machine/output" || failed "not said: $1"
}

note='no jail can be made on this machine'
demo "$3"
says "$note"
says 'graded with --unsafe-no-jail; do not do so with the code of others'
says 'All 2 samples ended as they must'
for sample in good broken; do
    grep -q '"kind": *"none"' "$tree/build/demo/saxpy-$sample.json" || failed "$sample was jailed"
    grep -q '</html>' "$tree/build/demo/saxpy-$sample.html" || failed "$sample has no page"
done
grep -q 'jail  *failed' "$tree/build/demo/doctor.txt" || failed 'doctor does not say why'

demo env
if grep -qF "$note" "$machine/output"; then
    grep -q 'jail  *failed' "$tree/build/demo/doctor.txt" || failed 'a jail can be made, and was not'
else
    ! grep -q '"kind": *"none"' "$tree/build/demo/saxpy-good.json" || failed 'no jail, and no note'
fi
