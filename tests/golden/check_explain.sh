#!/bin/sh
# The command around the pages: what it prints, where, and with which exit code.
warpgrade=$1
fail() {
    echo "FAILED: $1"
    exit 1
}
"$warpgrade" explain | grep -q '^  barrier-divergence ' || fail "the list lacks barrier-divergence"
"$warpgrade" explain --list | grep -q '^  glossary ' || fail "the list lacks the glossary"
"$warpgrade" explain --list trap 2>/dev/null
[ $? -eq 2 ] || fail "a list of one page does not exit with 2"
"$warpgrade" explain --lang zh glossary | grep -q '线程束 *(warp)' || fail "the glossary lacks the warp"
"$warpgrade" explain | grep -q "$(printf '\033')" && fail "colours go into a pipe"
"$warpgrade" explain --color=always trap | grep -q "$(printf '\033')" || fail "no colours on demand"
for id in $("$warpgrade" explain | sed -n 's/^  \([A-Za-z0-9_-]*\) .*/\1/p'); do
    "$warpgrade" explain "$id" >/dev/null || fail "explain $id"
done
message=$("$warpgrade" explain bariers 2>&1)
[ $? -eq 2 ] || fail "an unknown id does not exit with 2"
echo "$message" | grep -q 'did you mean .*barriers' || fail "no suggestion: $message"
"$warpgrade" explain trap deadlock 2>/dev/null
[ $? -eq 2 ] || fail "two ids do not exit with 2"
"$warpgrade" explain --color=sometimes 2>/dev/null
[ $? -eq 2 ] || fail "a wrong option does not exit with 2"
echo "explain: everything passed"
