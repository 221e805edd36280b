#!/bin/sh
# The Markdown pages among the golden reports as GitHub's own renderer reads them: no element but those
# that we write, no link, no picture, no name that would be notified. 77: skipped.
if ! command -v cmark-gfm >/dev/null 2>&1; then
    echo "skipped: cmark-gfm is not installed"
    exit 77
fi
for page in "$1"/tests/golden/reports/*.md; do
    html=$(cmark-gfm --unsafe -e table -e strikethrough -e autolink -e tasklist "$page") || exit 1
    foreign=$(printf '%s\n' "$html" | sed 's/@&#8203;//g' | grep -oE '<[^>]*>|@[A-Za-z0-9]' |
        grep -vE '^</?(h[23]|p|strong|table|thead|tbody|tr|t[hd]( align="right")?|pre|code|ul|li|details|summary|blockquote)>$')
    if [ -n "$foreign" ]; then
        echo "$page: $foreign"
        exit 1
    fi
done
echo "every page is clean"
