"""Each error that a student's commands can end with has its Chinese: chinese_errors.py ROOT

Reads the sources of those commands for error_set(), error_hint(), yaml_error() and yaml.c's refuse(),
and looks for a row of reports/translate.def that has the form of what they say. chinese.py beside this
file sees only those errors that it makes; this one sees all. No row may have outlived its sentence.
"""
import glob
import os
import re
import sys

ROOT = sys.argv[1]
SOURCES = ("grader/learn/*.c", "grader/cli/learn/*.c", "grader/cli/cmd_grade.c", "grader/cli/cmd_new.c",
           "grader/cli/cmd_show.c", "grader/cli/cmd_list.c", "grader/cli/cmd_explain.c", "grader/cli/cmd_profile.c",
           "grader/cli/cmd_sim.c", "grader/cli/report_output.c", "grader/cli/kernel_*.c", "grader/cli/sim_*.c",
           "grader/exercise/yaml*.c", "grader/exercise/exercise.c", "grader/exercise/home.c", "grader/grade/grade*.c",
           "sandbox/base/file.c")
MACROS = {"LEARN_SETTINGS_FILE": '"warpgrade.yaml"', "PRId64": '"d"', "PRIu64": '"u"'}
ELSEWHERE = {  # parts of a sentence, and what only an instructor or a broken machine sees
    "a directory", "a device, socket or FIFO", "%s is %s, not a file", "`warpgrade explain %s`",
    "%s did not run to its end%s%s; there is nothing to profile", "libyaml cannot be started",
    "Remove the quotes: a quoted value is text.",
    "%s takes no kernel at all: it must be of a toolkit as new as NVRTC."}
STRING = r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*'
CONVERSION = re.compile(r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j)?[a-zA-Z]")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def value(literal):
    """Of adjacent C strings."""
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal))
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def forms():
    rows = re.findall(rf"TRANSLATION\(({STRING}),", read(os.path.join(ROOT, "reports/translate.def")))
    assert len(rows) > 300
    return [value(row) for row in rows]


def arguments(source, start):
    """The text between the parentheses of a call."""
    depth, at = 1, start
    while depth:
        string = re.compile(STRING).match(source, at)
        if string:
            at = string.end()
            continue
        depth += {"(": 1, ")": -1}.get(source[at], 0)
        at += 1
    return source[start:at - 1]


def sentences(path):
    source = re.sub(r"/\*.*?\*/", "", read(path), flags=re.DOTALL)
    for macro, text in MACROS.items():
        source = source.replace(macro, text)
    for call in re.finditer(r"\b(?:error_set|error_hint|yaml_error|refuse)\(", source):
        for literal in re.findall(STRING, arguments(source, call.end())):
            text = CONVERSION.sub("%s", value(literal))
            if re.search("[A-Za-z]{2}", text.replace("%s", "")):
                yield text


def pairs(text):
    words = re.findall(r"[A-Za-z_][\w']+|%s", text)
    return list(zip(words, words[1:]))


def outlived(rows):
    """Rows of whose pairs of words the sources do not say half any more: they say them in pieces."""
    said = set()
    for folder in ("grader", "sandbox", "reports"):
        for where, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.endswith((".c", ".h", ".def")) and name != "translate.def":
                    source = read(os.path.join(where, name))
                    for macro, text in MACROS.items():
                        source = source.replace(macro, text)
                    for literal in re.findall(STRING, source):
                        said.update(pairs(CONVERSION.sub("%s", value(literal))))
    return [row for row in rows if len(pairs(row)) > 3
            and sum(pair in said for pair in pairs(row)) * 2 < len(pairs(row))]


def main():
    english, faults, seen = forms(), 0, 0
    rows = [re.compile(".*".join(re.escape(part) for part in row.split("%s")), re.DOTALL) for row in english]
    paths = sorted(path for pattern in SOURCES for path in glob.glob(os.path.join(ROOT, pattern)))
    for path in paths:
        for text in sentences(path):
            seen += 1
            said = text[4:] if text.startswith("%s%s") else text  # two blanks that may be empty
            if text not in ELSEWHERE and not any(row.fullmatch(said.replace("%s", "\0")) for row in rows):
                print(f"{os.path.relpath(path, ROOT)}: reports/translate.def has no row for: {text}")
                faults += 1
    for row in outlived(english):
        print(f"reports/translate.def: no source says this any more: {row}")
        faults += 1
    assert seen > 80, seen  # the pattern above has found them
    return faults > 0


sys.exit(main())
