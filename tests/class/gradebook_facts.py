"""What a gradebook says, without what differs from run to run: ids, and when something was done."""
import hashlib
import sqlite3
import zlib

QUERIES = {
    "grades": "SELECT student, exercise, state, points, penalty, final, max_score, percent, attempts,"
              " submissions, verdict, message, commit_id, penalty_reason FROM grades",
    "attempts": "SELECT student, exercise, exercise_version, commit_id, path, submission_sha256,"
                " branch, date_flags FROM attempt",
    "gradings": "SELECT a.student, a.exercise, a.commit_id, g.score, g.max_score, g.verdict, g.seed,"
                " g.engine, g.jail, g.message, g.report FROM grading g JOIN attempt a"
                " ON a.id = g.attempt",
    "cases": "SELECT a.student, a.exercise, a.commit_id, c.name, c.verdict, c.score, c.message"
             " FROM case_result c JOIN grading g ON g.id = c.grading"
             " JOIN attempt a ON a.id = g.attempt",
    "penalties": "SELECT a.student, a.exercise, a.commit_id, p.percent, p.days_late, p.too_late,"
                 " p.reason FROM penalty p JOIN attempt a ON a.id = p.attempt",
    "standings": "SELECT student, exercise, commit_id, path, number, score, points, penalty_percent,"
                 " penalty, final, days_late, penalty_reason, pinned, excluded FROM standing",
    "absences": "SELECT student, exercise, state, message FROM absence",
    "students": "SELECT id, name, repository, branch, section, team, position FROM student",
    "fields": "SELECT student, name, value FROM student_field",
    "totals": "SELECT * FROM totals",
}


def facts(path):
    """{query: sorted rows}; reports as hashes of their text."""
    book = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    result = {}
    for name, query in QUERIES.items():
        rows = []
        for row in book.execute(query):
            rows.append(tuple(hashlib.sha256(zlib.decompress(value)).hexdigest()
                              if isinstance(value, bytes) else value for value in row))
        result[name] = sorted(rows, key=repr)
    assert book.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert not book.execute("PRAGMA foreign_key_check").fetchall()
    book.close()
    return result


def count_submissions(path):
    """Different files, each of which is judged once."""
    book = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    rows = book.execute("SELECT DISTINCT exercise, submission_sha256 FROM attempt").fetchall()
    book.close()
    return len(rows)


def differences(one, other):
    """Sentences; [] where they say the same."""
    out = []
    for name in QUERIES:
        gone = [row for row in one[name] if row not in other[name]]
        new = [row for row in other[name] if row not in one[name]]
        out += ["%s: only the first has %s" % (name, row) for row in gone[:5]]
        out += ["%s: only the second has %s" % (name, row) for row in new[:5]]
        if len(one[name]) != len(other[name]):
            out.append("%s: %d and %d rows" % (name, len(one[name]), len(other[name])))
    return out
