#!/bin/sh
# Copies numbers between device profiles: a line whose comment says `assumed as the H200's` gets the
# number that h200.yaml has. To be run when a card's number has changed.
set -eu
cd "$(dirname "$0")"
for profile in *.yaml; do
    awk '
        # "assumed as the RTX 3090'\''s, ..." -> rtx3090
        function card(line) {
            if (!match(line, /assumed as the [A-Za-z0-9 ]+/))
                return ""
            line = tolower(substr(line, RSTART + 15, RLENGTH - 15))
            gsub(/ /, "", line)
            return line
        }
        function number(id, key,    line, found) {
            while ((getline line < (id ".yaml")) > 0)
                if (index(line, key " ") == 1) {
                    split(line, words, " ")
                    found = words[2]
                }
            close(id ".yaml")
            return found
        }
        card($0) != "" {
            comment = substr($0, index($0, "#"))
            $0 = sprintf("%-33s %s", $1 " " number(card($0), $1), comment)
        }
        { print }' "$profile" >"$profile.new"
    mv "$profile.new" "$profile"
done
