#!/bin/sh
# Headers follow the rooms, too: a file includes only headers of its own room and of those below it.
# Usage, in the source folder: check_includes.sh ROOMS.tsv (in the order of the link: lowest first)
set -eu
rooms=$1
find sandbox grader reports -name '*.[ch]' | sort | xargs grep -Hn '^#include "' |
    sed 's/:#include "\([^"]*\)".*/:\1/' | awk -F '\t' -v rooms="$rooms" '
    # The room of a path: the folder that holds it, by the name of its library.
    function room(path) {
        if (path ~ /^sandbox\/simgpu\/launch\//) return "warpgrade_simgpu"
        if (match(path, /^sandbox\/simgpu\/[a-z]+\//))
            return "warpgrade_" substr(path, 16, RLENGTH - 16)
        if (path ~ /^sandbox\/worker\//) return "warpgrade_worker_room"
        if (path ~ /^sandbox\/program\//) return "warpgrade_sandbox"
        if (path ~ /^grader\/cli\//) return "warpgrade_grader"
        if (path ~ /^reports\//) return "warpgrade_reports"
        split(path, part, "/")
        return "warpgrade_" part[2]
    }
    function links(line, below, other, name, n, i) { # below[room, other]: may be used
        n = split(line[3], name, " ")
        below[line[1], line[1]] = 1
        for (i = 1; i <= n; i++)
            for (other in known)
                if ((name[i], other) in below)
                    below[line[1], other] = 1
    }
    BEGIN {
        while ((getline text < rooms) > 0) {
            split(text, line, "\t")
            known[line[1]] = 1
            links(line, below)
        }
    }
    {
        split($0, place, ":")
        from = room(place[1]); to = room(place[3])
        seen++
        if (!(from in known) || !(to in known)) {
            printf "%s:%s: %s is in no room that is built\n", place[1], place[2], from in known ? place[3] : place[1]
            faults++
        } else if (!((from, to) in below)) {
            printf "%s:%s includes %s, of a room that %s does not link\n", place[1], place[2], place[3], from
            faults++
        }
    }
    END {
        printf "%d includes, %d faults\n", seen, faults
        exit faults > 0 || seen < 1000
    }'
