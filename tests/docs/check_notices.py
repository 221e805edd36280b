#!/usr/bin/env python3
"""run_page.py and check_names.py notice: each page in notices/ is wrong in one thing, which its name says. Those
that begin with `no-` name what does not exist, the others show what is not so.

    check_notices.py PROGRAM ROOT"""
import os
import sys

import check_names
import run_page


def main():
    program, root = (os.path.abspath(name) for name in sys.argv[1:])
    helps = check_names.Helps(program)
    folder = "tests/docs/notices"
    missed = []
    for file in sorted(os.listdir(os.path.join(root, folder))):
        name = f"{folder}/{file}"
        right = check_names.check(helps, root, name) if file.startswith("no-") \
            else run_page.run(program, root, name) == 0
        if right:
            missed.append(file)
    print("not noticed:", ", ".join(missed) if missed else "nothing")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
