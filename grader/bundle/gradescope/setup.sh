#!/usr/bin/env bash
# setup.sh of an autograder made by warpgrade @VERSION@ for the exercise @EXERCISE@. Gradescope runs it
# once, as root and with a network, while it builds the image; the zip file lies unpacked in
# /autograder/source. ./bootstrap knows the packages that warpgrade needs, and installs them.
set -eu
root=${AUTOGRADER_ROOT:-/autograder}
tree=$root/source/warpgrade
cd "$tree"

# Ubuntu 22.04 has an older compiler and an older CMake than warpgrade is built with.
release=$(sed -n 's/^VERSION_ID="\{0,1\}\([0-9.]*\).*/\1/p' "${OS_RELEASE:-/etc/os-release}")
if [ "$release" = 22.04 ]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y --no-install-recommends gcc-12 python3-pip
    python3 -m pip install 'cmake>=3.25,<4'
    export CC=gcc-12
fi

sh ./bootstrap build

# What this container allows shows now, and again where a grading fails: the image is built even so,
# because the container that grades may be another one.
build/warpgrade doctor || echo "setup.sh: warpgrade cannot grade in this container; its reasons stand above."
