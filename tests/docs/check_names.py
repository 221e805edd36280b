#!/usr/bin/env python3
"""What pages name exists: files and headings behind relative links, commands with their options (also of
commands that run_page.py does not run), verbs of ./bootstrap, and files of the tree. Of the pages after --links
only the links are looked at: they are for developers, and name options of other programs.

    check_names.py PROGRAM ROOT PAGE... [--links PAGE...]"""
import os
import re
import subprocess
import sys

import page

WITH_SUBCOMMANDS = {"author": ("new", "mutate"), "course": ("check",), "report": ("bundle",), "gradebook": (
    "show", "why", "history", "override", "export", "verify")}
NOT_OURS = {"-G"}  # nvcc's
ONE_SCREEN = 80
TREE = re.compile(r"(grader|exercises|reference|sandbox|reports|tests|share|docs)/[\w./-]*$")


class Helps:
    """What `--help` says of each command of the program."""

    def __init__(self, program):
        self.program, self.texts = program, {}
        self.names = re.findall(r"^  ([a-z-]+) ", self.of(()), re.M)
        all_words = [(name,) for name in self.names]
        all_words += [(name, sub) for name, subs in WITH_SUBCOMMANDS.items() for sub in subs]
        self.options = set().union(*(self.options_of(words) for words in all_words))

    def of(self, words):
        """The text of `warpgrade WORDS --help`; empty where there is no such command."""
        if words not in self.texts:
            ended = subprocess.run([self.program, *words, "--help"], capture_output=True, text=True,
                                   stdin=subprocess.DEVNULL, check=False)
            self.texts[words] = "" if ended.returncode else ended.stdout
        return self.texts[words]

    def options_of(self, words):
        return {"--help", "--version"} | set(re.findall(r"(?<![\w-])--?[A-Za-z][a-z-]*", self.of(words)))

    def fault(self, command):
        """What is wrong with a command line without its first word `warpgrade`; None if nothing is."""
        words = re.split(r"\s+", command.strip())
        if not re.match(r"[a-z]", words[0]):  # COMMAND, ..., an option of the program itself
            return None
        names = (words[0],)
        if words[0] not in self.names:
            return f"there is no command {words[0]}"
        subs = WITH_SUBCOMMANDS.get(words[0], ())
        if subs and len(words) > 1 and re.match("[a-z]", words[1]):
            if words[1] in subs:
                names = tuple(words[:2])
            elif words[0] != "report":  # whose next word is a format
                return f"{words[0]} has no {words[1]}"
        for word in words:
            option = re.match(r"--[a-z][a-z-]*|-[A-Za-z]", word)
            if word == "--":
                break
            if option and option[0] not in self.options_of(names):
                return f"{' '.join(names)} has no option {option[0]}"
        return None


def anchors(path):
    """The headings of a page as a link names them."""
    with open(path, encoding="utf-8") as text:
        return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
                for title in re.findall(r"^#+ (.*)$", text.read(), re.M)}


def link_faults(path, prose):
    for number, text in prose:
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
            name, _, heading = target.partition("#")
            file = os.path.join(os.path.dirname(path), name) if name else path
            if re.match(r"[a-z]+:", target):
                continue
            if not os.path.exists(file):
                yield number, f"no file {target}"
            elif heading and heading not in anchors(file):
                yield number, f"no heading for {target}"


def name_faults(root, blocks, prose, helps):
    with open(os.path.join(root, "bootstrap"), encoding="utf-8") as script:
        verbs = re.findall(r"^  ([a-z]+)  ", script.read(), re.M)
    shown = "\n".join(line for block in blocks for line in block.lines)
    mentioned = [(number, span) for number, text in prose for span in re.findall(r"`([^`]+)`", text)]
    for block in blocks:
        if block.kind == "console":
            mentioned += [(line, command) for line, command, _ in block.commands()]
        elif any(line.startswith("$ ") for line in block.lines):
            yield block.line, "a command outside of a console block is not tried"
    for number, span in mentioned:
        plain = re.sub(r"\s# needs .*|\\\n|'[^']*'", " ", span)
        words = plain.split() or [""]
        lines = re.findall(r"(?<![\w-])warpgrade( [^|;&>]*)", plain)
        if len(words) > 1 and words[0] in helps.names:  # `grade --watch`
            lines.append(plain)
        faults = [helps.fault(line) for line in lines]
        faults += [f"bootstrap has no {verb}" for verb in re.findall(r"\./bootstrap ([a-z]+)", plain)
                   if verb not in verbs]
        option = re.match(r"--[a-z][a-z-]*|-[A-Za-z]$", words[0])
        if option and option[0] not in helps.options | NOT_OURS:
            faults.append(f"no command has {option[0]}")
        # what a command of the page has made, is shown there
        if TREE.match(plain) and not os.path.exists(os.path.join(root, plain)) \
                and plain.rstrip("/") not in shown:
            faults.append("there is no such file")
        yield from ((number, f"`{span}`: {fault}") for fault in faults if fault)


def check(helps, root, name, links_only=False):
    """Names what a page names and is not there; whether all is there."""
    path = os.path.join(root, name)
    blocks, prose = page.read(path)
    faults = list(link_faults(path, prose))
    if not links_only:
        faults += name_faults(root, blocks, prose, helps)
    if name == "README.md" and prose[-1][0] > ONE_SCREEN:
        faults.append((ONE_SCREEN, "the README is one screen: what is longer belongs into docs/"))
    for number, fault in faults:
        print(f"{name}:{number}: {fault}")
    return not faults


def main():
    program, root, *names = sys.argv[1:]
    helps, root = Helps(os.path.abspath(program)), os.path.abspath(root)
    whole = names.index("--links") if "--links" in names else len(names)
    right = [check(helps, root, name) for name in names[:whole]]
    right += [check(helps, root, name, links_only=True) for name in names[whole + 1:]]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
