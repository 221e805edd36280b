#!/bin/sh
# The golden reports as the programs read them that they are meant for. Each reader of readers.py is
# written from such a program's own code or page, apart from our writers; JUnit, check50 and
# Gradescope's results are also read with the Python modules junitparser, check50 and gslocal. 77: skipped. Usage: check_readers.sh SOURCE [MODULE]
. "$1/tests/support/python.sh"
if ! python=$(python_with "${2:-sys}"); then
    echo "skipped: there is no python3${2:+ with $2}"
    exit 77
fi
exec "$python" "$1/tests/golden/readers.py" "$@"
