#!/usr/bin/env python3
"""Runs what a page shows, in order, in a scratch folder, and compares what is printed (page.py has the
conventions). What varies is masked on both sides (MASKS), and the scratch folder is called /home/ada.

    run_page.py PROGRAM ROOT PAGE"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

import page

ROWS, COLUMNS = 40, 80  # a report is shorter where the screen is
MASKS = [
    (r"\b([0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{10})\b", "ID"),  # of commits and files
    (r"^\d+ of \d+ \w+(, about [\d:]+ left)?(  .*)?\n", ""),  # how far it is, where it takes long
    (r"^  jail       .*\n( {13}\S.*\n)*", ""),  # in a report, where it is not the full one with cgroups
    (r"\b\d+ files, [\d.]+ MB\b", "FILES"),  # a bundle with the program's sources
    (r"(, seed \d+, )\d+\.\d+ s$", r"\1SECONDS"),  # the last lines of a report
]
# What would make a run here differ from a reader's: a CI system, a language, a card, another home.
NOT_PASSED_ON = re.compile(r"CI$|CI_|GITHUB_|GITLAB_|LC_|LANG|WARPGRADE_(?!CUDA)")


def steps_of(blocks):
    """What is run, in order: (line, command, lines shown; None where the page shows nothing of it)."""
    for block in blocks:
        if block.kind == "console":
            yield from (step for step in block.commands() if not page.NEEDS.search(step[1]))
        elif block.kind == "run":
            yield block.line, block.lines[0], None
        elif block.name:
            text = "\n".join(block.lines)
            yield block.line, f"cat >{block.name} <<'END OF FILE'\n{text}\nEND OF FILE", None


def script_of(steps):
    """One shell for all, so that `cd`, variables and `$?` stay; after each its code between marks."""
    return "code=0\n" + "".join(f"(exit $code)\n{{ {command}\n}}\ncode=$?; printf '\\036%d\\036' $code\n"
                                for _, command, _ in steps)


def on_terminal(script, folder, environment):
    """Runs a script on a terminal; (printed, exit code) of each step that ended."""
    ours, theirs = pty.openpty()
    mode = termios.tcgetattr(theirs)
    mode[1] &= ~termios.OPOST  # no carriage returns
    termios.tcsetattr(theirs, termios.TCSANOW, mode)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", ROWS, COLUMNS, 0, 0))
    printed = b""
    with subprocess.Popen(["bash", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=theirs, stderr=theirs):
        os.close(theirs)
        try:
            while piece := os.read(ours, 1 << 16):
                printed += piece
        except OSError:  # all of its processes have ended
            pass
    os.close(ours)
    parts = printed.decode("utf-8", "replace").split("\x1e")
    return [(parts[i], int(parts[i + 1])) for i in range(0, len(parts) - 1, 2)]


def masked(lines, scratch):
    """The lines without what varies, tabs, spaces at their ends and empty lines at the end."""
    text = "\n".join(line.expandtabs().rstrip() for line in lines).rstrip("\n").replace(scratch, "/home/ada")
    for pattern, name in MASKS:
        text = re.sub(pattern, name, text, flags=re.M)
    return text.split("\n") if text else []


def agrees(shown, printed):
    """Whether `printed` is `shown`, in which a line `...` stands for any lines."""
    parts = [[]]
    for line in shown:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    if len(parts) == 1:
        return shown == printed
    first, *middle, last = parts
    at, end = len(first), len(printed) - len(last)
    if printed[:at] != first or printed[max(end, 0):] != last:
        return False
    for part in middle:
        while at + len(part) <= end and printed[at:at + len(part)] != part:
            at += 1
        at += len(part)
    return at <= end


def is_right(shown, printed, code):
    if shown is None or all(line == "..." for line in shown):
        return code == 0 and (shown != [] or not printed)
    return code < 4 and agrees(shown, printed)


def run(program, root, name):
    """Runs a page and says what differs. 0: nothing, 1: something, 77: the page cannot be run here."""
    blocks, _ = page.read(os.path.join(root, name))
    for block in blocks:
        if block.kind == "needs" and subprocess.run(block.lines[0], shell=True, check=False).returncode:
            print(f"{name}: skipped: {block.lines[0]} fails here")
            return 77
    steps = list(steps_of(blocks))
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as beside:
        os.mkdir(beside + "/bin")
        os.symlink(program, beside + "/bin/warpgrade")
        environment = {key: value for key, value in os.environ.items() if not NOT_PASSED_ON.match(key)}
        environment |= {"PATH": f"{beside}/bin:{os.environ['PATH']}", "SOURCE": root, "HOME": scratch,
                        "XDG_DATA_HOME": beside + "/data", "CUDA_VISIBLE_DEVICES": "", "TERM": "dumb",
                        "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        ended = on_terminal(script_of(steps), scratch, environment)
    failures = 0 if steps else 1
    for (line, command, shown), (text, code) in zip(steps, ended):
        printed = masked(text.split("\n"), scratch)
        if not is_right(None if shown is None else masked(shown, scratch), printed, code):
            failures += 1
            print(f"{name}:{line}: $ {command}\nends with {code} and prints:\n" + "\n".join(printed) + "\n")
    if len(ended) < len(steps):
        failures += 1
        print("{}:{}: does not come to an end: $ {}".format(name, *steps[len(ended)]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(run(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]))
