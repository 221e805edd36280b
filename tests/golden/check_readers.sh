#!/bin/sh
# The golden reports as the programs read them that they are meant for. Each reader here is written from
# that program's own code or page, apart from our writers; JUnit is read with junitparser as well, where
# a Python here has it. 77: skipped.
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: python3 is not installed"
    exit 77
fi
python3 "$1/tests/golden/readers.py" "$1" || exit 1
for python in python3 /usr/bin/python3; do
    if $python -c 'import junitparser' 2>/dev/null; then
        exec $python "$1/tests/golden/readers.py" "$1" junitparser
    fi
done
echo "junitparser is not installed: JUnit was not read with it"
