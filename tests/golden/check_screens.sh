#!/bin/sh
# How pages of the HTML report look in a browser: screens.py. 77: skipped.
for browser in chromium chromium-browser google-chrome; do
    command -v $browser >/dev/null 2>&1 && break
    browser=
done
skip() {
    echo "skipped: $1"
    exit 77
}
[ -n "$browser" ] || skip 'Chromium is not installed (apt-get install chromium fonts-dejavu-core)'
command -v python3 >/dev/null 2>&1 || skip 'python3 is not installed'
fc-list 2>/dev/null | grep -q 'DejaVuSans\.ttf' || skip 'the font DejaVu Sans is not installed'
"$browser" --version >/dev/null 2>&1 || skip "$browser does not start"
exec python3 "$1/tests/golden/screens.py" "$1" "$browser"
