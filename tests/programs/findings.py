"""Runs the cases of a program of findings/ and compares: findings.py WARPGRADE FILE.cu PROGRAM"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

try:
    import jsonschema
except ImportError:
    jsonschema = None  # what is written is compared, its form is not

warpgrade, source, program = sys.argv[1:4]
SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../reports/run.schema.json")
LISTED = re.compile(r"// +(\d+) (right|wrong)(?: ([a-z-]+) (error|warning))?  ")
MARKED = re.compile(r"// @(\d+)(?: and ([a-z-]+))?$")


def read_cases():
    """Expected findings by number: a set of (hazard, severity, line)."""
    lines = open(source, encoding="utf-8").read().splitlines()
    listed = {int(m[1]): m for m in map(LISTED.match, lines) if m}
    expected = {number: set() for number in listed}
    for line, text in enumerate(lines, 1):
        mark = MARKED.search(text)
        if mark:
            number = int(mark[1])
            expected[number].add((listed[number][3], listed[number][4], line))
            if mark[2]:
                expected[number].add((mark[2], "warning", line))
    for number, match in listed.items():
        if (match[2] == "wrong") != bool(expected[number]):
            sys.exit(f"{source}: case {number} is {match[2]} and has {len(expected[number])} marks")
    return expected


def run(number):
    report = f"{program}.{number}.json"
    ended = subprocess.run([warpgrade, "run", "--json", report, program, str(number)],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=100)
    if not os.path.exists(report):
        return f"no report: {ended.stderr.decode(errors='replace')[:300]}"
    with open(report, encoding="utf-8") as file:
        said = json.load(file)
    for error in validator.iter_errors(said) if jsonschema else []:
        return f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
    found = {(h["kind"], h["severity"], h["line"]) for h in said["hazards"]}
    if not found and ended.returncode != 0:
        return f"exit code {ended.returncode}: {ended.stderr.decode(errors='replace')[:300]}"
    return found


def read_schema():
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    found = jsonschema.validators.validator_for(schema)
    found.check_schema(schema)
    return found(schema)


validator = read_schema() if jsonschema else None


def main():
    begun = time.monotonic()
    expected = read_cases()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(expected, pool.map(run, expected)))
    wrong = sum(bool(e) for e in expected.values())
    differs = [n for n in expected if found[n] != expected[n]]
    print("DIFFERS" if differs else "same", os.path.basename(source)[:-3],
          f"{len(expected) - wrong} right, {wrong} wrong", f"{time.monotonic() - begun:.1f} s")
    for number in differs:
        print(f"    case {number}: expected {sorted(expected[number]) or 'nothing'}, found {found[number] or 'nothing'}")
    return 1 if differs else 0


sys.exit(main())
