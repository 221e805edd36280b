"""Reads the exports of test_export.c as a stranger does: with Python's csv and json, and with what
Canvas and Moodle ask of a file. Usage: read_exports.py FOLDER"""
import csv
import json
import sys

folder = sys.argv[1]


def table(name):
    with open(f"{folder}/{name}", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    assert len({len(row) for row in rows}) == 1, f"{name}: rows of different lengths"
    for row in rows:
        for cell in row:
            assert not cell or cell[0] not in "=+-@\t\r" , f"{name}: a formula: {cell!r}"
            assert not any(ord(c) < 32 or c in "\u202e\u200f" for c in cell), f"{name}: {cell!r}"
    return rows


def dicts(name):
    head, *rows = table(name)
    assert len(set(head)) == len(head), f"{name}: a column twice"
    return [dict(zip(head, row)) for row in rows]


def document(name):
    with open(f"{folder}/{name}", encoding="utf-8") as file:
        return json.load(file)


# csv: a row for each student and exercise, with the roster's columns.
rows = dicts("csv")
assert len(rows) == 6
grade = {(row["student"], row["exercise"]): row for row in rows}
ada = grade["ada", "dot"]
assert (ada["points"], ada["penalty"], ada["final"], ada["max_score"]) == ("8", "2", "6", "10")
assert ada["state"] == "graded" and ada["SIS User ID"] == "0017" and ada["e-mail"] == "ada@example.org"
assert ada["name"].endswith('=HYPERLINK("http://x","y")')
zoe = grade["zoe", "sum"]
assert zoe["state"] == "override" and zoe["final"] == "12.25" and zoe["points"] == "" and zoe["passed"] == ""
assert grade["idle", "dot"]["state"] == "not-graded" and grade["idle", "dot"]["final"] == "0"

# totals: a row a student; its exercises add up to its points.
totals = {row["student"]: row for row in dicts("totals")}
assert list(totals) == ["ada", "zoe", "idle"]
for row in totals.values():
    assert float(row["dot"]) + float(row["sum"]) == float(row["points"])
assert totals["zoe"]["points"] == "19.75" and totals["zoe"]["percent"] == "68.12"
assert totals["idle"]["missing"] == "2"

# Canvas: five columns in this order, "name (number)", the second row with the points possible.
head, possible, *students = table("canvas")
assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "dot", "sum (4711)"]
assert possible[0].strip() == "Points Possible" and possible[5:] == ["10", "20"] and not any(possible[1:5])
assert students[0][2:4] == ["0017", "ada@example.org"] and students[0][5:] == ["6", ""]
assert students[1][5:] == ["7.5", "12.25"] and students[2][5:] == ["", ""]

# Moodle: columns that say who it is, a column an item.
rows = dicts("moodle")
assert list(rows[0]) == ["ID number", "Email address", "Full name", "dot", "sum"]
assert rows[0]["ID number"] == "0017" and rows[0]["dot"] == "6" and rows[2]["dot"] == ""

book = document("json")
assert [exercise["exercise"] for exercise in book["exercises"]] == ["dot", "sum"]
names = {student["student"]: student for student in book["students"]}
assert names["ada"]["name"] == '=HYPERLINK("http://x","y")'
assert names["zoe"]["name"] == 'Zoë "Z", the\nsecond \u202e;+1'
assert names["ada"]["columns"][0] == {"name": "SIS User ID", "value": "0017"}
assert names["zoe"]["grades"][1]["final"] == 12.25 and names["zoe"]["points"] == 19.75

# Gradescope: results.json of one student; score and tests in the ranges that it takes.
results = document("gradescope")
assert results["score"] == 19.75 == sum(test["score"] for test in results["tests"])
assert {test.get("status", "passed") for test in results["tests"]} <= {"passed", "failed"}
assert {test["visibility"] for test in results["tests"]} == {"visible"}
assert "=me" not in json.dumps(results), "a student need not see who set it"
