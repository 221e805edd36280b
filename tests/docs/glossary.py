#!/usr/bin/env python3
"""The glossary, which is made of reports/terms.tsv: docs/glossary.md, and the page of `warpgrade explain
glossary` in both languages.

    glossary.py ROOT          says which of them differ from the table, or what is wrong with a row of it
    glossary.py --write ROOT  writes them (`ninja tables`)"""
import os
import sys
import textwrap

LONGEST = 130  # characters of a meaning: about a line
COLUMNS = 90  # of the English page: at most 108 bytes

DOCS = """# Glossary

The terms as the program, its exercises and its reports use them, with the Chinese word for each.
`ninja -C build tables` makes this page of [reports/terms.tsv](../reports/terms.tsv). On a terminal:

```console
$ warpgrade explain glossary
glossary (terms): the terms of the field as they are used here, and their
Chinese words
...
```

| term | 中文 | meaning | 含义 |
|---|---|---|---|
"""
HEAD = """summary: {}
see: shared-race, global_load_sectors, theoretical_occupancy
guide: Thread Hierarchy

"""
ENGLISH = HEAD.format("the terms of the field as they are used here, and their Chinese words")
CHINESE = HEAD.format("本程序所用的术语及其英文")
NO_EXAMPLE = "\nNo example: `docs/glossary.md` has the same words, both languages side by side.\n"
NO_EXAMPLE_ZH = "\n没有例子：`docs/glossary.md` 把同样的词汇按两种语言并排列出。\n"


def rows_of(table):
    """(English, Chinese, meaning, meaning in Chinese) of each row that has a meaning, as in the table."""
    for number, line in enumerate(table.split("\n"), 1):
        cells = line.split("\t")
        if not line or line.startswith("#") or len(cells) == 2:
            continue
        if len(cells) != 4 or not all(cells):
            raise SystemExit(f"reports/terms.tsv:{number}: a row has two columns, or four with both meanings")
        if "|" in line or max(map(len, cells)) > LONGEST:
            raise SystemExit(f"reports/terms.tsv:{number}: a cell has a | or more than {LONGEST} characters")
        yield cells


def pages(table):
    """The text of each file by its path."""
    rows = sorted(rows_of(table), key=lambda row: row[0].lower())
    words = [(english, chinese.split(" (")[0], *meanings) for english, chinese, *meanings in rows]
    return {
        "docs/glossary.md": DOCS + "".join(f"| {' | '.join(row)} |\n" for row in words),
        "reports/explain/glossary/glossary.md": ENGLISH + "".join(
            textwrap.fill(f"- **{english}** ({chinese}): {meaning}.", COLUMNS, subsequent_indent="  ",
                          break_on_hyphens=False) + "\n" for english, chinese, meaning, _ in words) + NO_EXAMPLE,
        "reports/explain/glossary/glossary.zh.md": CHINESE + "".join(
            f"- **{chinese}** ({english})：{meaning}。\n" for english, chinese, _, meaning in words) + NO_EXAMPLE_ZH,
    }


def main():
    write, root = sys.argv[1] == "--write", sys.argv[-1]
    with open(os.path.join(root, "reports/terms.tsv"), encoding="utf-8") as file:
        made = pages(file.read())
    wrong = 0
    for name, text in made.items():
        path = os.path.join(root, name)
        old = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        if old == text:
            continue
        if write:
            print(name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        else:
            wrong += 1
            print(f"{name} differs from reports/terms.tsv; run `ninja tables`")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
