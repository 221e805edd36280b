#!/bin/sh
# The colours of the HTML report: contrast.py. 77: skipped.
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: python3 is not installed"
    exit 77
fi
exec python3 "$1/tests/golden/contrast.py" "$1/reports/html/style.css"
