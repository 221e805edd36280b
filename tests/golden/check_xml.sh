#!/bin/sh
# The JUnit files among the golden reports against the schema of Jenkins's xunit plugin, and what it does
# not say: no two test cases of a file have the same classname and name. 77: skipped.
golden=$1/tests/golden
if ! command -v xmllint >/dev/null 2>&1; then
    echo "skipped: xmllint is not installed"
    exit 77
fi
xmllint --noout --schema "$golden/schemas/junit-10.xsd" "$golden"/reports/*.xml 2>&1 |
    grep -v ' validates$' && exit 1
for file in "$golden"/reports/*.xml; do
    xmllint --xpath '//testcase/@classname | //testcase/@name' "$file" 2>/dev/null | tr -d '\n' |
        sed 's/ classname=/\n/g' | sort | uniq -d | sed "s|^|$file: twice: |" | { ! grep .; } || exit 1
done
