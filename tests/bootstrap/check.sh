#!/bin/sh
# What ./bootstrap says and does on machines that lack something. The machine is a folder of programs,
# the only one in PATH: real text tools, and fakes for everything that installs, builds or compiles.
# The script runs as a copy in a tree of its own, so nothing here reaches apt, pip or a build folder.
# Usage: check.sh SOURCE_FOLDER
# shellcheck disable=SC2016 # the fakes' code is meant to be expanded later
set -u
source=$1
machine=$(mktemp -d) || exit 1
trap 'rm -rf "$machine"' EXIT
failures=0

fake() { # fake NAME SHELL_CODE
    printf '#!/bin/sh\n%s\n' "$2" >"$machine/bin/$1"
    chmod +x "$machine/bin/$1"
}

# A machine that has everything, a CUDA toolkit included.
new_machine() {
    rm -rf "${machine:?}"/*
    mkdir -p "$machine/bin" "$machine/tree/tests" "$machine/cuda/lib64" "$machine/cuda/include"
    cp "$source/bootstrap" "$machine/tree/"
    : >"$machine/cuda/lib64/libnvrtc.so.13"
    : >"$machine/cuda/include/cuda_fp16.h"
    for tool in sh dirname awk sed grep tr cat cmp ls rm mkdir mv ln find nproc env sort; do
        path=$(command -v $tool) && ln -s "$path" "$machine/bin/$tool"
    done
    fake cc 'cat >/dev/null'
    fake g++ 'cat >/dev/null'
    fake cmake 'echo cmake version 3.25.1'
    fake ninja "exit 7"
    fake bwrap 'exit 0'
    fake pkg-config 'exit 0'
    fake python3 'exit 1'
    fake id 'echo 1000'
    fake ldconfig 'exit 0'
}

bootstrap() { # bootstrap VERB ...; output and exit code in $machine
    env -i PATH="$machine/bin" WARPGRADE_CUDA_HOME="${cuda_home-$machine/cuda}" \
        WARPGRADE_PRESET="${preset-}" "$machine/tree/bootstrap" "$@" >"$machine/output" 2>&1 </dev/null
    code=$?
}

expect() { # expect WHAT EXIT_CODE [TEXT ...]
    what=$1
    if [ $code -ne "$2" ]; then
        echo "FAILED: $what: exit code $code, not $2"
        failures=$((failures + 1))
        cat "$machine/output"
    fi
    shift 2
    for text in "$@"; do
        if ! grep -qF -e "$text" "$machine/output"; then
            echo "FAILED: $what: not said: $text"
            failures=$((failures + 1))
            cat "$machine/output"
        fi
    done
}

new_machine
bootstrap nonsense
expect 'unknown verb' 2 'unknown verb nonsense' 'usage: ./bootstrap VERB'
bootstrap test slow
expect 'unknown tier' 2 'unknown tier slow; the tiers are quick and lab' 'usage: ./bootstrap VERB'
bootstrap test quick lab
expect 'two tiers' 2 'usage: ./bootstrap VERB'
bootstrap test ''
expect 'a tier without a name' 2 'unknown tier'
bootstrap build twice
expect 'too many words' 2 'usage: ./bootstrap VERB'
bootstrap
expect 'no verb' 2 'which verb?' './bootstrap build'
bootstrap help
expect 'help' 0 'usage: ./bootstrap VERB'

new_machine
rm "$machine/bin/ninja" "$machine/bin/bwrap"
fake pkg-config '[ "$2" != jansson ] && [ "$2" != cmocka ]'
fake cc 'if grep -q uthash; then exit 1; fi'
bootstrap build
expect 'no apt' 3 'not a Debian or Ubuntu system' '- ninja' '- bubblewrap' \
    '- uthash (header uthash.h)' \
    '(On Debian the packages are: ninja-build libjansson-dev bubblewrap uthash-dev)'
bootstrap test
expect 'cmocka is for tests' 3 '- cmocka' 'ninja-build libjansson-dev libcmocka-dev bubblewrap uthash-dev'

fake apt-get 'echo "apt-get ran" ; exit 1'
bootstrap build
expect 'no root, no sudo' 3 \
    '    sudo apt-get update && sudo apt-get install -y --no-install-recommends ninja-build libjansson-dev bubblewrap uthash-dev'
! grep -q 'apt-get ran' "$machine/output" || {
    echo 'FAILED: apt ran without root'
    failures=$((failures + 1))
}

fake sudo '[ "$1" = -n ] || exit 1; shift; "$@"'
fake apt-get "echo \"apt-get \$*\" >>$machine/apt.log; case \$* in *install*) exit 1 ;; esac"
bootstrap build
expect 'apt fails' 3 'apt could not install them'
[ "$(grep -c install "$machine/apt.log")" -eq 1 ] || {
    echo 'FAILED: not one installation for everything'
    failures=$((failures + 1))
}

fake apt-get 'exit 0'
bootstrap build
expect 'apt installs the wrong thing' 3 'still missing after the installation' '- jansson'

# What only tests use is installed where that can be, and missed where it cannot.
new_machine
fake sudo '[ "$1" = -n ] || exit 1; shift; "$@"'
fake apt-get "echo \"apt-get \$*\"; exit 1"
fake ninja 'exit 0'
fake ctest 'for argument; do results=$argument; done
mkdir -p "${results%/*}"
echo "<testsuite tests=\"1\" failures=\"0\"/>" >"$results"'
bootstrap test
expect 'tools of the tests' 0 'these are only for the tests' '- cmark-gfm' 'cmark-gfm' \
    'git sqlite3 openssl openssh-client' \
    'the tests that use them are skipped' '- Chromium' 'chromium fonts-dejavu-core' '1 passed, 0 failed'

# an autograder has the sources without their tests
new_machine
rm -r "$machine/tree/tests"
fake pkg-config '[ "$2" != jansson ] && [ "$2" != cmocka ]'
bootstrap build
expect 'no tests' 3 '(On Debian the packages are: libjansson-dev)'

new_machine
fake cmake 'echo cmake version 3.22.1'
bootstrap build
expect 'old cmake' 3 'cmake 3.25 or newer (found 3.22.1)'

new_machine
cuda_home=$machine/bin
bootstrap build
expect 'no NVRTC where it was ordered' 3 "WARPGRADE_CUDA_HOME is $machine/bin, where there is no NVRTC"
unset cuda_home

# Configuring happens once for a tree and a preset; a cache of another tree is thrown away.
tree=$(cd "$machine/tree" && pwd -P)
new_machine
fake cmake "case \$1 in
--version) echo cmake version 4.0.2 ;;
--preset)
    echo \"configured \$2\"
    mkdir -p build
    : >build/build.ninja
    printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\nWARPGRADE_PRESET:STRING=%s\n' $tree \$2 >build/CMakeCache.txt
    ;;
esac"
bootstrap build
expect 'first build' 1 'configured default' 'the build failed'
fake ninja 'exit 0'
bootstrap build
expect 'second build' 0
expect_silence() {
    if grep -q 'configured' "$machine/output"; then
        echo "FAILED: $1 configures again"
        failures=$((failures + 1))
    fi
}
expect_silence 'second build'
preset=ci
bootstrap build
expect 'another preset' 0 'configured ci'
bootstrap build
expect_silence 'the same preset'
preset=
bootstrap build
expect_silence 'no preset'
printf 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n' >"$machine/tree/build/CMakeCache.txt"
bootstrap build
expect 'a copied tree' 0 'configured default'

# Each tier chooses its tests by label, and fails where ctest does.
fake ctest 'echo "ctest $*"
for argument; do results=$argument; done
echo "<testsuite tests=\"3\" failures=\"0\"/>" >"$results"'
bootstrap test
expect 'test' 0 '--label-exclude ^lab$ ' '3 passed, 0 failed'
bootstrap test quick
expect 'test quick' 0 '--label-regex ^quick$ ' '3 passed, 0 failed'
bootstrap test lab
expect 'test lab' 0 '--label-regex ^lab$ ' '3 passed, 0 failed'
fake ctest 'for argument; do results=$argument; done
echo "<testsuite tests=\"3\" failures=\"1\"/>" >"$results"
exit 8'
bootstrap test quick
expect 'a failed test' 1 '2 passed, 1 failed'

[ $failures -eq 0 ] && echo 'bootstrap says what it should'
exit $failures
