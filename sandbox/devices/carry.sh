#!/bin/sh
# Copies numbers between device profiles: `KEY: {value: N, assumed: "as the H200's..."}` gets the
# number that h200.yaml has. To be run when a card's number has changed.
set -eu
cd "$(dirname "$0")"
for profile in *.yaml; do
    awk '
        # assumed: "as the RTX 3090'\''s, ..." -> rtx3090
        function card(line) {
            if (!match(line, /assumed: "as the [A-Za-z0-9 ]+/))
                return ""
            line = tolower(substr(line, RSTART + 17, RLENGTH - 17))
            gsub(/ /, "", line)
            return line
        }
        function number(id, key,    line, found) {
            while ((getline line < (id ".yaml")) > 0)
                if (index(line, key " {value: ") == 1) {
                    split(line, words, /[ ,}]+/)
                    found = words[3]
                }
            close(id ".yaml")
            if (found == "") {
                print FILENAME ":" FNR ": " id ".yaml has no value for " key >"/dev/stderr"
                exit 1
            }
            return found
        }
        card($0) != "" { sub(/value: [^,}]+/, "value: " number(card($0), $1)) }
        { print }' "$profile" >"$profile.new" || { rm "$profile.new"; exit 1; }
    mv "$profile.new" "$profile"
done
