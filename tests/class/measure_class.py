#!/usr/bin/env python3
"""How fast a class is graded, how fast it is looked at again, and in how much memory.

    measure_class.py WARPGRADE [--students N] [--exercises A,B,C] [--broken N] [--keep FOLDER]

Memory is what the batch and all processes below it hold for themselves (resident less shared), looked
at five times a second.
"""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import make_class

PAGE = os.sysconf("SC_PAGE_SIZE")


def own_memory(pid):
    """Bytes of pid and all below it."""
    total, children = 0, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = open("/proc/%s/stat" % entry).read().rsplit(")", 1)[1].split()
                children.setdefault(int(fields[1]), []).append(int(entry))
            except OSError:
                pass
    todo = [pid]
    while todo:
        one = todo.pop()
        todo += children.get(one, [])
        try:
            fields = open("/proc/%d/statm" % one).read().split()
            total += (int(fields[1]) - int(fields[2])) * PAGE
        except OSError:
            pass
    return total


def run(arguments, folder):
    """Seconds, peak bytes, the last lines."""
    begun, peak = time.monotonic(), 0
    out = open(os.path.join(folder, "said.txt"), "w+")
    batch = subprocess.Popen(arguments, cwd=folder, stdout=out, stderr=subprocess.DEVNULL)
    while batch.poll() is None:
        peak = max(peak, own_memory(batch.pid))
        try:
            batch.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            pass
    seconds = time.monotonic() - begun
    out.seek(0)
    said = [line for line in out.read().splitlines() if "submissions graded" in line]
    return seconds, peak, said[0] if said else "exit code %d" % batch.returncode


def attempts(course):
    """Some hand in more than once."""
    book = sqlite3.connect("file:%s?mode=ro" % os.path.join(course, "gradebook.sqlite"), uri=True)
    count = book.execute("SELECT count(*) FROM attempt").fetchone()[0]
    book.close()
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("warpgrade")
    parser.add_argument("--students", type=int, default=400)
    parser.add_argument("--exercises", default="saxpy,dot,matmul-tiled")
    parser.add_argument("--broken", type=int, default=24)
    parser.add_argument("--keep")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="warpgrade-class.")
    course = os.path.join(folder, "class")
    subprocess.run([sys.executable, os.path.join(HERE, "make_class.py"), course, "--students",
                    str(options.students), "--exercises", options.exercises, "--broken",
                    str(options.broken), "--seed", "5"], check=True)
    arguments = [os.path.abspath(options.warpgrade), "batch", "course.yaml"]
    for what in ["first run", "run without changes", "run with other terms"]:
        if what == "run with other terms":
            make_class.change_terms(course)
        seconds, peak, said = run(arguments, course)
        count = attempts(course)
        print("%-20s %7.1f s  %6.0f submissions a minute  %5.0f MiB  %s"
              % (what, seconds, 60 * count / seconds, peak / 2**20, said), flush=True)
    if not options.keep:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
