"""Both languages of an exercise say the same numbers, and the points of its exercise.yaml.

Compared is paragraph by paragraph (an item of a list is one, a fenced block is one): the numbers in
digits, the code between backticks, and in fenced CUDA everything but the comments. English likes
words where Chinese has digits ("one more", 多 1 个): a number that only the Chinese text has in
digits must stand in the English one as a word. The texts of exercise.yaml and of the tracks are
compared in the same way, and in these and the pages of `explain` terms are Chinese; a histogram's bin
is never called a counter. What is not compared: numbers that both languages write as words.

    languages.py ROOT            compares; each difference is a line, and the exit status is 1
    languages.py ROOT --change   changes every number of the Chinese texts in turn, in memory, and
                                 demands that the comparison complains
"""

import functools
import glob
import os
import re
import sys
from collections import Counter

WORDS = {word: str(value) for value, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve".split())}
WORDS.update({"first": "1", "once": "1", "twice": "2", "sixteen": "16"})
GROUPS = {"correctness": "正确性", "boundary": "边界", "generated": "随机生成", "speed": "速度"}
TERMS = ["warps?", "lanes?", "tiles?", "blocks?", "threads?", "barriers?", "kernels?", "grids?", "registers?",
         "索引", "瓦片", "竞态", "内核", "栅格"]
BIN = re.compile(r"\bbins?\b")
COUNTER = re.compile("(?<!程序)计数器")  # a program counter is another thing
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@functools.cache  # with --change, all paragraphs but one are compared again
def paragraphs(text):
    """Tuples of lines: up to an empty line or the next item; a fenced block with all of its lines."""
    found, current, fenced = [], [], False
    for line in text.split("\n") + [""]:
        item = re.match(r"- |\d+\. ", line)
        if not fenced and (not line.strip() or item or line.startswith("```")) and current:
            found.append(tuple(current))
            current = []
        if fenced or line.strip():
            current.append(line)
        if line.startswith("```"):
            fenced = not fenced
    return found


def numbers(text):
    return Counter(NUMBER.findall(text))


def spans(text):
    """Code between backticks, which may be broken into lines."""
    return Counter(" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text))


@functools.cache
def difference(english, chinese):
    """What the numbers of two texts differ in: a line, or None."""
    words = Counter(WORDS.get(word) for word in re.findall("[a-z]+", english.lower()))
    missing = numbers(english) - numbers(chinese)
    surplus = numbers(chinese) - numbers(english) - words
    if missing or surplus:
        return (f"numbers: only the English text has {sorted(missing.elements())}, "
                f"only the Chinese one {sorted(surplus.elements())}")
    return None


@functools.cache
def compare_paragraph(english, chinese):
    here, there = "\n".join(english), "\n".join(chinese)
    if english[0].startswith("```"):
        if english[0] != chinese[0]:
            return "another kind of block"
        bare = [[re.sub(r"\s*//.*", "", line) for line in lines] for lines in (english, chinese)]
        if english[0].startswith("```cuda") and bare[0] != bare[1]:
            return "code"
    elif spans(here) != spans(there):
        return (f"code: only the English text has {sorted(spans(here) - spans(there))}, "
                f"only the Chinese one {sorted(spans(there) - spans(here))}")
    return difference(here, there)


def compare_statements(english, chinese):
    """Yields the differences of two statements."""
    here, there = paragraphs(english), paragraphs(chinese)
    if len(here) != len(there):
        yield f"{len(here)} paragraphs in English, {len(there)} in Chinese"
        return
    for one, other in zip(here, there):
        message = compare_paragraph(one, other)
        if message:
            yield "\n    ".join([message, *one[:2], *other[:2]])


def compare_points(contract, statements):
    """Yields the groups whose points a statement does not say. Several may stand together."""
    groups = re.search(r"^  groups: \{(.*)\}", contract, re.M)
    points = {name: float(value) for name, value in re.findall(r"(\w+): ([\d.]+)", groups[1])}
    for language, text in statements:
        named = set()
        for names, value in re.findall(r"\*\*([^*]+)\*\* ?[(（]共? ?([\d.]+) ?(?:points|分)", text):
            of = [name for name in points
                  if (name if language == "en" else GROUPS[name]) in names.lower()]
            named.update(of)
            if not of or sum(points[name] for name in of) != float(value):
                yield f"{language}: {names} has other points than {value}"
        if named != {name for name in points if points[name]}:
            yield f"{language}: points are said of {sorted(named)} only"


def texts(contract):
    """Yields the English and the Chinese text of each title, name and hint; and None for one that
    this simple reading of YAML does not understand."""
    lines = contract.split("\n")
    waiting = None
    for at, line in enumerate(lines):
        if re.search(r"\{en: ", line):
            pair = re.search(r"\{en: (.*), zh: (.*?)\}", line)
            yield (pair[1], pair[2]) if pair else None
            continue
        key = re.match(r"( *)(en|zh): (.*)", line)
        if not key:
            continue
        end = at + 1
        while end < len(lines) and re.match(key[1] + " ", lines[end]):
            end += 1
        text = "\n".join([key[3]] + lines[at + 1:end])
        if key[2] == "en":
            if waiting is not None:
                yield None
            waiting = text
        else:
            yield (waiting, text) if waiting is not None else None
            waiting = None
    if waiting is not None:
        yield None


def compare_texts(contract):
    for pair in texts(contract):
        if not pair:
            yield "a text without its Chinese counterpart"
            continue
        message = difference(*pair)
        if message:
            yield f"{message}\n    {pair[0]}\n    {pair[1]}"


def english_terms(chinese):
    """Yields the words of reports/terms.tsv that stand in English in a Chinese text. Code, quoted
    reports, drawings and a word in parentheses beside the Chinese one are none."""
    text = re.sub(r"(?ms)^```.*?^```|^(?:see|guide):[^\n]*|^    [^\n]*", "", chinese)
    text = re.sub(r"`[^`]*`|“[^”]*”|[(（][^)）]*[)）]|，tile）", "", text)
    for match in re.finditer(r"(?a)(?<![-\w.:\[])(?:" + "|".join(TERMS) + r")(?![-\w.(\[])", text):
        yield f"{match[0]} is a term of the table: {text[max(0, match.start() - 20):match.end() + 20]!r}"


def mixed_words(files):
    """Yields the places where a bin of a histogram has the word of a counter, which a report shows."""
    if not any(BIN.search(files[of]) for of in ("en", "contract") if of in files):
        return
    for text in [files.get("zh", "")] + [pair[1] for pair in texts(files["contract"]) if pair]:
        for match in COUNTER.finditer(text):
            yield f"a bin is 桶 in the table of terms: {text[max(0, match.start() - 20):match.end() + 20]!r}"


def compare(files):
    """Yields all differences of the files of one exercise (a track has its contract alone)."""
    if "en" in files:
        yield from compare_statements(files["en"], files["zh"])
        yield from compare_points(files["contract"], [(of, files[of]) for of in ("en", "zh")])
        yield from english_terms(files["zh"])
    yield from compare_texts(files["contract"])
    yield from mixed_words(files)
    for pair in texts(files["contract"]):
        yield from english_terms(pair[1] if pair else "")


def changed(files):
    """Yields copies of the files in which one number of a Chinese text is another, and its place."""
    if "zh" in files:
        for match in NUMBER.finditer(files["zh"]):
            yield dict(files, zh=replaced(files["zh"], match.span())), files["zh"][:match.end()]
    for pair in texts(files["contract"]):
        for match in NUMBER.finditer(pair[1]):
            begin = files["contract"].index(pair[1])
            span = (begin + match.start(), begin + match.end())
            yield (dict(files, contract=replaced(files["contract"], span)), pair[1][:match.end()])


def replaced(text, span):
    digits = text[slice(*span)]
    return text[:span[0]] + digits[:-1] + str((int(digits[-1]) + 1) % 10) + text[span[1]:]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    root = sys.argv[1]
    failed = seen = 0
    pages = sorted(glob.glob(os.path.join(root, "reports/explain/*/*.zh.md")))
    for path in pages if "--change" not in sys.argv else []:
        for message in english_terms(read(path)):
            failed += 1
            print(f"{path}: {message}")
    for path in sorted(glob.glob(os.path.join(root, "exercises/*/exercise.yaml"))
                       + glob.glob(os.path.join(root, "exercises/courses/*.yaml"))):
        files = {"contract": read(path)}
        if path.endswith("/exercise.yaml"):
            files["en"] = read(os.path.join(os.path.dirname(path), "statement.md"))
            files["zh"] = read(os.path.join(os.path.dirname(path), "statement.zh.md"))
        if "--change" in sys.argv:
            for copy, place in changed(files):
                seen += 1
                if not any(True for _ in compare(copy)):
                    failed += 1
                    print(f"{path}: no test notices another number at the end of\n    {place[-60:]}")
            continue
        seen += 1
        for message in compare(files):
            failed += 1
            print(f"{path}: {message}")
    print(f"{seen} {'numbers changed' if '--change' in sys.argv else 'files'}, {failed} complaints")
    return 1 if failed or not seen else 0


sys.exit(main())
