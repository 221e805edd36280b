"""Reads the golden reports as the programs do that they are made for. See check_readers.sh."""
import base64
import email
import email.policy
import glob
import json
import os
import re
import sys

REPORTS = os.path.join(sys.argv[1], "tests/golden/reports")
CLASS = os.path.join(sys.argv[1], "tests/golden/class")
faults = []


def expect(truth, path, what):
    if not truth:
        faults.append(f"{os.path.basename(path)}: {what}")


def each(ending):
    paths = sorted(glob.glob(os.path.join(REPORTS, "*." + ending)))
    expect(paths, ending, "there is none")
    for path in paths:
        with open(path, encoding="utf-8") as file:
            yield path, file.read()


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def fields(path, value, required, optional=None):
    """An object with these fields, of these types, and no others."""
    known = dict(required, **(optional or {}))
    expect(isinstance(value, dict), path, "no object")
    for name in required:
        expect(name in value, path, f"{name} is missing")
    for name, content in value.items():
        expect(name in known, path, f"{name} is not known")
        expected = known.get(name)
        right = expected(content) if callable(expected) else content in (expected or ())
        expect(right, path, f"{name}: {content!r}")


def is_text(value):
    return isinstance(value, str)


def is_name(value):
    return isinstance(value, str) and value.strip() != ""


def gradescope():
    """Gradescope's specification of results.json."""
    formats = ("text", "html", "simple_format", "md", "ansi")
    visibilities = ("hidden", "after_due_date", "after_published", "visible")
    for path, text in each("gradescope.json"):
        result = json.loads(text)
        fields(path, result, {"score": is_number, "tests": lambda v: isinstance(v, list)},
               {"output": is_text, "output_format": formats, "execution_time": is_number,
                "visibility": visibilities, "stdout_visibility": visibilities,
                "leaderboard": lambda v: isinstance(v, list), "extra_data": lambda v: True})
        for test in result["tests"]:
            fields(path, test, {"status": ("passed", "failed"), "name": is_name,
                                "score": is_number, "max_score": is_number},
                   {"output": is_text, "output_format": formats, "visibility": visibilities})
        for row in result.get("leaderboard", []):
            fields(path, row, {"name": is_name, "value": lambda v: is_number(v) or is_text(v)},
                   {"order": ("asc", "desc")})


def gitlab():
    """GitLab's page on code quality: what a custom tool has to write."""
    severities = ("info", "minor", "major", "critical", "blocker")
    for path, text in each("gitlab.json"):
        entries = json.loads(text)
        expect(isinstance(entries, list), path, "no array")
        for entry in entries:
            fields(path, entry, {"description": is_name, "check_name": is_name,
                                 "fingerprint": is_name, "severity": severities,
                                 "location": lambda v: isinstance(v, dict)})
            fields(path, entry["location"], {"path": is_name,
                                             "lines": lambda v: isinstance(v, dict)})
            fields(path, entry["location"]["lines"], {"begin": lambda v: v >= 1})
            expect(not entry["location"]["path"].startswith("./"), path, "a path with ./")
        prints = [entry["fingerprint"] for entry in entries]
        expect(len(set(prints)) == len(prints), path, "a fingerprint twice")


def github():
    """The runner's parser: a line is a command where it begins with ::, a name and its properties."""
    command = re.compile(r"^::(error|warning|notice)(?: ([^:]*))?::(.*)$")
    for path, text in each("github.txt"):
        lines = text.splitlines()
        expect(text.count("\n") == len(lines), path, "a line without an end, or one too many")
        expect(len(lines) <= 11, path, "more annotations than GitHub shows")
        for line in lines:
            match = command.match(line)
            expect(match, path, f"no command: {line}")
            properties = [pair.partition("=") for pair in (match.group(2) or "").split(",") if pair]
            for name, equals, value in properties:
                expect(name in ("file", "line", "col", "endLine", "endColumn", "title"), path, name)
                expect(equals and value, path, f"{name} is empty")
                if name in ("line", "col"):
                    expect(int(value) >= 1, path, f"{name} {value}")
            names = [name for name, _, _ in properties]
            expect(len(set(names)) == len(names), path, "a property twice")
            for stray in re.findall(r"%(?!25|0A|0D|3A|2C)..", line):
                faults.append(f"{path}: {stray} is no escape of GitHub's")


def classroom():
    """As the grading reporter of GitHub Classroom does it."""
    for path, text in each("classroom.txt"):
        expect(text.startswith("result=") and text.count("\n") == 1, path, "not one output")
        result = json.loads(base64.b64decode(text[len("result="):], validate=False))
        fields(path, result, {"version": (1,), "status": ("pass", "fail", "error"),
                              "max_score": is_number, "tests": lambda v: isinstance(v, list)})
        for test in result["tests"]:
            fields(path, test, {"name": is_name, "status": ("pass", "fail", "error"),
                                "score": is_number, "message": is_text, "test_code": is_text,
                                "filename": is_text, "line_no": lambda v: v >= 0,
                                "duration": is_number})
        total = sum(test["score"] for test in result["tests"])
        expect(-0.001 <= total <= result["max_score"] + 0.001, path, f"{total} points")


def autolab():
    """Autolab's saveAutograde and parseAutoresult: the last line, with quotes put around words."""
    for path, text in each("autolab.txt"):
        last = text.rstrip().splitlines()[-1]
        expect(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', last) == last, path, "a word before a colon")
        result = json.loads(last)
        fields(path, result, {"scores": lambda v: all(is_number(n) for n in v.values()),
                              "scoreboard": lambda v: isinstance(v, list)})
        if not path.endswith("none.autolab.txt"):
            expect(result["scores"], path, "no scores, which Autolab takes for an error")


def check50_fields():
    """check50's CheckResult and its renderers, from their code."""
    for path, text in each("check50.json"):
        report = json.loads(text)
        fields(path, report, {"slug": is_name, "results": lambda v: isinstance(v, list),
                              "version": is_name})
        for result in report["results"]:
            fields(path, result, {"name": is_name, "description": is_name,
                                  "passed": (True, False, None),
                                  "log": lambda v: all(is_text(line) for line in v),
                                  "cause": lambda v: v is None or isinstance(v, dict),
                                  "data": lambda v: isinstance(v, dict), "dependency": (None,)})
            if result["passed"] is not True:
                fields(path, result["cause"], {"rationale": is_name,
                                               "help": lambda v: v is None or is_text(v)},
                       {"expected": is_text, "actual": is_text})
            expect(re.fullmatch(r"\w+", result["name"], re.ASCII), path, result["name"])


def sarif():
    """What GitHub's upload asks for beyond the schema, and that indices agree."""
    for path, text in each("sarif"):
        runs = json.loads(text)["runs"]
        expect(len(runs) == 1, path, "not one run")
        rules = runs[0]["tool"]["driver"]["rules"]
        prints = set()
        for result in runs[0]["results"]:
            expect(rules[result["ruleIndex"]]["id"] == result["ruleId"], path, "ruleIndex")
            prints.add(result["partialFingerprints"]["primaryLocationLineHash"])
            for place in result["locations"] + result.get("relatedLocations", []):
                where = place["physicalLocation"]
                expect(where["region"]["startLine"] >= 1, path, "no line")
                expect(re.fullmatch(r"[!-~]+", where["artifactLocation"]["uri"]), path, "no URI")
        expect(len(prints) == len(runs[0]["results"]), path, "a fingerprint twice")
        for rule in rules:
            expect(rule["shortDescription"]["text"], path, f"{rule['id']} has no description")


def mail():
    """The class report's mails as a mail program reads them: one receiver, and the text beside them."""
    paths = sorted(glob.glob(os.path.join(CLASS, "*.eml")))
    expect(paths, CLASS, "there is no mail")
    for path in paths:
        with open(path, "rb") as file:
            message = email.message_from_binary_file(file, policy=email.policy.default)
        with open(path[:-len("eml")] + "txt", encoding="utf-8") as file:
            text = file.read()
        body = message.get_content().replace("\r\n", "\n")
        expect(not message.defects and body == text, path, "is not the text beside it")
        expect(set(message.keys()) <= {"From", "To", "Subject", "Date", "MIME-Version", "Content-Type",
                                       "Content-Transfer-Encoding", "X-Unsent"}, path, "another header")
        expect(not any(message[name].defects for name in message.keys()), path, "a header that is wrong")
        receivers = message["To"].addresses
        expect(len(receivers) == 1 and re.fullmatch(r"s\d+@example\.org", receivers[0].addr_spec), path,
               f"goes to {message['To']}")
        named = receivers[0].display_name
        expect(named in text, path, f"the receiver's name {named} is not that of the text")
        expect(text.split("\n")[0] in message["Subject"], path, f"the subject is {message['Subject']}")


def junitparser():
    """junitparser, a reader of others; its counts and those in the file agree."""
    from junitparser import Error, Failure, JUnitXml, Skipped
    for path, _ in each("xml"):
        document = JUnitXml.fromfile(path)
        kinds = {Error: 0, Failure: 0, Skipped: 0}
        for suite in document:
            for case in suite:
                for result in case.result:
                    kinds[type(result)] += 1
        expect(kinds[Error] == int(document.errors or 0), path, "errors")
        expect(kinds[Failure] == int(document.failures or 0), path, "failures")
        expect(kinds[Skipped] == sum(int(suite.skipped or 0) for suite in document), path, "skipped")


def check50():
    """check50 itself, of PyPI: its result and its two renderers, each of which shows every check. What
    it makes of hostile text is its markup and text, no element of the text's own."""
    from check50 import renderer
    from check50.runner import CheckResult
    for path, text in each("check50.json"):
        report = json.loads(text)
        for result in report["results"]:
            CheckResult.from_dict(result)
        faces = [r"\(", r"\|", r"\)"]
        for face, passed in zip(faces, (False, None, True)):
            count = sum(result["passed"] is passed for result in report["results"])
            shown = re.findall(rf"^(?:\x1b\[\d+m)?:{face} ", renderer.to_ansi(**report), re.MULTILINE)
            expect(len(shown) == count, path, f"shows {len(shown)} of {count} checks with {face}")
        page = renderer.to_html(**report)
        expect(page.count("<h3 ") == len(report["results"]), path, "a check is not on the page")
        elements = set(re.findall(r"<(\w+)", page))
        expect(elements <= {"html", "head", "link", "title", "body", "div", "h1", "h2", "h3", "hr", "p", "b", "br",
                            "samp"}, path, f"elements {elements}")


def gslocal():
    """gslocal, of PyPI, shows results.json on a terminal: every test, its points and their sum."""
    import contextlib
    import io
    from pathlib import Path
    from gslocal.results import format_results
    for path, text in each("gradescope.json"):
        tests = json.loads(text)["tests"]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            format_results(Path(path))
        shown = re.sub(r"\x1b\[\d+m", "", out.getvalue())
        lost = sum(test["status"] == "failed" or test["score"] < test["max_score"] for test in tests)
        expect(not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown), path, "a control character")
        for word, count in (("PASS", len(tests) - lost), ("FAIL", lost)):
            found = len(re.findall(rf"^  {word}  [\d.]+/[\d.]+ ", shown, re.MULTILINE))
            expect(found == count, path, f"shows {found} of {count} tests with {word}")
        if tests:
            points = [sum(test[name] for test in tests) for name in ("score", "max_score")]
            expect(f"Score: {points[0]:.2f} / {points[1]:.2f}" in shown, path, "another sum")


chosen = sys.argv[2:] or ["gradescope", "gitlab", "github", "classroom", "autolab", "check50_fields", "sarif",
                          "mail"]
for name in chosen:
    globals()[name]()
for fault in faults[:20]:
    print(fault)
print(f"{' '.join(chosen)}: {len(faults)} faults")
sys.exit(1 if faults else 0)
