"""What README.md and docs/*.md are made of. A page is written for its reader, and a few conventions make it
a test as well:

    ```console          A line that begins with `$ ` is a command (`\\` at its end goes on with it), what
                        follows is what it prints on a terminal of 80 columns and 40 lines. A line `...` stands
                        for any lines. Where nothing is shown nothing may be printed, and there, as where all is
                        `...`, the command must end with 0; `$ echo $?` shows a code.
    $ command # needs X Not run, because it needs X: a card, a network, Slurm. Its command and its options
                        must exist all the same.
    ```cuda NAME        A file: the block is written to NAME before the commands that follow. Any word
                        may stand for `cuda`; a block without a name is for reading.
    <!-- run: ... -->   A command that prepares what a reader has and the page does not show; $SOURCE is
                        the tree.
    <!-- needs: ... --> Where this command fails, the page is skipped.

run_page.py runs one page, check_names.py looks at what all pages name."""
import re

FENCE = re.compile(r"^( *)```(\S*) ?(.*)$")
HIDDEN = re.compile(r"<!-- (run|needs): (.*) -->$")
NEEDS = re.compile(r"\s# needs \S")


class Block:
    """A fence of a page: its language (of a hidden command `run` or `needs`), the name after it, its
    lines, and the number of the line that it begins at."""

    def __init__(self, kind, name, line):
        self.kind, self.name, self.line, self.lines = kind, name, line, []

    def commands(self):
        """[line, command, lines shown] of each command of a console block."""
        found, goes_on = [], False
        for offset, text in enumerate(self.lines, 1):
            if goes_on:
                found[-1][1] += "\n" + text
            elif text.startswith("$ "):
                found.append([self.line + offset, text[2:], []])
            elif found:
                found[-1][2].append(text)
            else:
                raise SystemExit(f"line {self.line}: a console block begins with a command: $ ...")
            goes_on = (goes_on or text.startswith("$ ")) and text.endswith("\\")
        return found


def read(path):
    """The blocks of a page, in order, and its other text by paragraphs: (number of the first line, text)."""
    found, prose, block, indent = [], [], None, ""
    with open(path, encoding="utf-8") as page:
        for number, text in enumerate(page.read().split("\n"), 1):
            fence, hidden = FENCE.match(text), HIDDEN.match(text)
            if block and fence and not fence[2]:
                block = None
            elif block:
                block.lines.append(text.removeprefix(indent))
            elif fence:
                block, indent = Block(fence[2], fence[3].strip(), number), fence[1]
                found.append(block)
            elif hidden:
                found.append(Block(hidden[1], "", number))
                found[-1].lines.append(hidden[2])
            else:
                prose.append((number, text))
    return found, list(paragraphs(prose))


def paragraphs(lines):
    """Lines put together as far as a link or a code span can reach: to an empty line, a row of a table alone."""
    held = []
    for number, text in [*lines, (0, "")]:
        if held and (not text or text.startswith("|") or number != held[-1][0] + 1):
            yield held[0][0], " ".join(line for _, line in held)
            held = []
        if text:
            held.append((number, text))
