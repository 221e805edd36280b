#!/bin/sh
# Installs into a folder and moves it, for the tests beside this one. What is there, and that nothing in it
# names the folders of this machine: whoever can create such a folder elsewhere would supply references.
# Usage: check_prefix.sh CMAKE BUILD PREFIX
set -u
cmake=$1 build=$2 prefix=$3
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

rm -rf "$prefix"
DESTDIR='' "$cmake" --install "$build" --prefix "$prefix/first" >"$build/install.log" 2>&1 || {
    cat "$build/install.log"
    exit 1
}
mv "$prefix/first" "$prefix/moved"

for file in bin/warpgrade libexec/warpgrade/warpgrade-worker libexec/warpgrade/fetch-cuda \
    share/doc/warpgrade/copyright share/doc/warpgrade/docs/jail.md share/warpgrade/exercises/saxpy/exercise.yaml \
    share/warpgrade/reference/saxpy/reference.cu share/warpgrade/schemas/report.schema.json \
    share/warpgrade/devices/h200.yaml share/warpgrade/source/bootstrap share/man/man1/warpgrade.1 \
    share/man/man1/warpgrade-grade.1 share/bash-completion/completions/warpgrade \
    share/zsh/site-functions/_warpgrade share/fish/vendor_completions.d/warpgrade.fish; do
    [ -s "$prefix/moved/$file" ] || fail "$file is not installed"
done
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
found=$(grep -rlF -e "$source" -e "$build" -e "$prefix" "$prefix/moved")
[ -z "$found" ] || fail "a folder of this machine stands in $found"
if command -v python3 >/dev/null; then
    (cd "$prefix/moved/share/doc/warpgrade" &&
        PYTHONDONTWRITEBYTECODE=1 python3 "$source/tests/docs/check_names.py" "$prefix/moved/bin/warpgrade" . \
            --links README.md docs/*.md) || fail 'a link of an installed page leads nowhere'
fi
others=$(find "$prefix/moved" -perm /022 ! -type l)
[ -z "$others" ] || fail "others can write to $others"
exit $failed
