"""What the catalogue promises of each exercise and `warpgrade validate` does not look at: a source, a
statement in both languages with a figure, a place in a track, a case (or the speed) without which the
lesson is missed, and a hint for every way in which a mutant fails.

    catalogue.py ROOT     each broken promise is a line, and the exit status is 1
"""

import glob
import os
import re
import sys

# A slow mutant is covered by the hints of the thresholds.
TOLD_ELSEWHERE = {("too-slow", None)}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def section(contract, key):
    """The lines of a top-level list, or of none."""
    found = re.search(rf"^{key}:\n((?:[ #].*\n|\n)+)", contract, re.M)
    return found[1] if found else ""


def endings(text):
    """The verdict and the hazard of each entry of a list of mutants or hints."""
    pairs = re.findall(r"verdict: ([a-z-]+)\n(?: +hazard: ([a-z-]+)\n)?", text)
    return {(verdict, hazard or None) for verdict, hazard in pairs}


def broken_promises(folder, steps):
    contract = read(os.path.join(folder, "exercise.yaml"))
    mutants, hints = section(contract, "mutants"), section(contract, "hints")
    if not re.search(r"^source: *\S", contract, re.M):
        yield "names no source"
    if "essential: true" not in contract and "{unless: speed," not in contract:
        yield "has no essential case, and no gate for its speed"
    for name in ("statement.md", "statement.zh.md"):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            yield f"has no {name}"
        elif not re.search(r"^```\n.*?\n```$", read(path), re.M | re.S):
            yield f"shows no figure in {name}"
    if os.path.basename(folder) not in steps:
        yield "stands in no track"
    told = endings(hints)
    for verdict, hazard in sorted(endings(mutants) - told - TOLD_ELSEWHERE, key=str):
        if (verdict, None) not in told:
            yield f"has no hint for {verdict}{', ' + hazard if hazard else ''}"


def main():
    root = os.path.join(sys.argv[1], "exercises")
    tracks = [read(path) for path in glob.glob(os.path.join(root, "courses/*.yaml"))]
    steps = {step for track in tracks for step in re.findall(r"^  - \{id: ([a-z0-9-]+)", track, re.M)}
    folders = sorted(os.path.dirname(path) for path in glob.glob(os.path.join(root, "*/exercise.yaml")))
    failed = 0
    for folder in folders:
        for message in broken_promises(folder, steps):
            failed += 1
            print(f"{os.path.basename(folder)}: {message}")
    print(f"{len(folders)} exercises, {failed} broken promises")
    return 1 if failed or not folders else 0


sys.exit(main())
