#!/bin/sh
# The golden pages as a strict reader sees them: page.py. 77: skipped.
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: python3 is not installed"
    exit 77
fi
exec python3 "$1/tests/golden/page.py" "$1"
