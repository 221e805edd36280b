#!/bin/sh
# The packages as CPack makes them: the tar file unpacked and run, the deb's fields and files.
# Usage: check_packages.sh CPACK BUILD FOLDER
# shellcheck disable=SC2153 # TREE and BUILD are test.cmake's
set -u
cpack=$1 build=$2 folder=$3
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

rm -rf "$folder"
mkdir -p "$folder/unpacked" || exit 1
generators=TGZ
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null && generators='TGZ;DEB'
"$cpack" --config "$build/CPackConfig.cmake" -G "$generators" -B "$folder" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
tar -xzf "$folder"/warpgrade-*.tar.gz -C "$folder/unpacked" || fail 'the tar file cannot be unpacked'
program=$(echo "$folder"/unpacked/*/bin/warpgrade)
cp "$TREE/tests/samples/saxpy/good.cu" "$folder/saxpy.cu"
(cd / && "$program" grade --no-record --seed 1 --cases one-block "$folder/saxpy.cu") >"$folder/graded" ||
    fail "the unpacked program: $(cat "$folder/graded")"

deb=$(echo "$folder"/warpgrade_*.deb)
if [ -f "$deb" ]; then
    dpkg-deb -I "$deb" >"$folder/fields"
    for field in 'Package: warpgrade' 'Recommends: bubblewrap' 'Depends: .*libgit2' 'Depends: .*libyaml' \
        'Depends: .*libsqlite3' 'Depends: .*libseccomp' 'Depends: .*libjansson'; do
        grep -q "$field" "$folder/fields" || fail "the deb has no $field: $(cat "$folder/fields")"
    done
    dpkg-deb -c "$deb" >"$folder/files"
    for file in ./usr/bin/warpgrade ./usr/libexec/warpgrade/warpgrade-worker \
        ./usr/share/warpgrade/reference/saxpy/reference.cu ./usr/share/doc/warpgrade/copyright; do
        grep -qF " $file" "$folder/files" || fail "the deb has no $file"
    done
    ! grep -v ' root/root ' "$folder/files" || fail 'files of others in the deb'
    dpkg-deb -x "$deb" "$folder/deb"
    ! grep -rlF -e "$TREE" -e "$BUILD" "$folder/deb" || fail 'a folder of this machine stands in them'
else
    echo 'no deb: dpkg-deb and dpkg-shlibdeps (Debian: dpkg-dev) are not installed'
fi
exit $failed
