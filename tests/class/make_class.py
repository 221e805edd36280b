#!/usr/bin/env python3
"""A class for measurements and tests: bare git repositories with submissions, and course.yaml.

    make_class.py FOLDER [--students N] [--exercises A,B,C] [--broken N] [--home SOURCES]

Each student hands in, for each exercise, the tuned kernel or one of the mutants of the catalogue,
each with a line of its own, so that no two submissions are the same bytes; one in sixteen copies the
student before. Some hand in more than once, some late, as HABITS says; one has an extension. With --broken N, N students have a repository that is broken in one of the ways of
BREAKS, in turn. Everything follows from the students' numbers: the same arguments give the same class.
"""
import argparse
import os
import subprocess
import sys

TIME = 1790000000      # of the first commits: 2026-09-21
DEADLINE = 1790978340  # 2026-10-02T23:59:00+02:00
DAY = 86400
TERMS = """late: {percent_a_day: 10, grace: 30m}
attempts: {limit: 1}
extensions: [{student: s0000, by: 1d, reason: ill}]
"""
# The same course a week later: the extension is taken back, the price and the limit are others.
OTHER_TERMS = """late: {percent_a_day: 15, grace: 5m, max_days: 2}
attempts: {limit: 2}
"""


def run(folder, *arguments, data=None):
    environment = dict(os.environ, GIT_CONFIG_NOSYSTEM="1", HOME=folder)
    subprocess.run(["git", "-C", folder, *arguments], input=data, check=True, env=environment,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def commit(files, when, mark=b""):
    """A fast-import command that commits these (path, mode, bytes)."""
    out = [b"commit refs/heads/main\ncommitter S <s@example.org> %d +0000\ndata 4\nwork\n%s"
           % (when, mark)]
    for path, mode, data in files:
        out.append(b"M %s inline %s\ndata %d\n%s\n" % (mode, path.encode(), len(data), data))
    return b"".join(out)


def sources(home, exercise):
    """Texts of the kernels that are handed in, right ones first."""
    tuned = os.path.join(home, "reference", exercise, "tuned.cu")
    mutants = os.path.join(home, "exercises", exercise, "mutants")
    paths = [tuned] + [os.path.join(mutants, name) for name in sorted(os.listdir(mutants))]
    return [open(path, "rb").read() for path in paths]


def submission(texts, student, exercise_number, version=0):
    owner = student - 1 if student % 16 == 15 else student  # a copy
    text = texts[(owner * 7 + exercise_number * 3 + version) % len(texts)]
    return b"// handed in by student %d\n" % owner + text


# When a student commits, by the number modulo 16; the others do once. Each commit changes all files.
HABITS = {
    0: [TIME, DEADLINE + DAY, DEADLINE + 2 * DAY],      # in time for the one who has an extension
    1: [TIME, DEADLINE + 600],                          # the second one within the time of grace
    3: [TIME, DEADLINE + 2 * DAY],                      # ... two days late
    4: [TIME, TIME + DAY, DEADLINE, DEADLINE + DAY],    # several times
    6: [DEADLINE + DAY],                                # nothing in time
    9: [TIME, DEADLINE + 9 * DAY, DEADLINE + 30 * DAY], # and too late to count
}


class Class:
    def __init__(self, options):
        self.options = options
        self.names = options.exercises.split(",")
        self.texts = [sources(options.home, name) for name in self.names]

    def files(self, student, version=0):
        return [(name + ".cu", b"100644", submission(self.texts[i], student, i, version))
                for i, name in enumerate(self.names)]

    def commits(self, student):
        times = HABITS.get(student % 16, [TIME])
        return [commit(self.files(student, len(times) - 1 - i), when)
                for i, when in enumerate(times)]

    def repository(self, student, commits=None):
        folder = os.path.join(self.options.folder, "repositories", "s%04d" % student)
        os.makedirs(folder)
        run(folder, "init", "-q", "--bare", "--initial-branch=main")
        if commits is None:
            commits = self.commits(student)
        if commits:
            run(folder, "fast-import", "--quiet", data=b"".join(commits))
        return folder

    # --- the ways in which a repository is broken -------------------------------------------------

    def missing(self, student):
        pass

    def empty(self, student):
        self.repository(student, [])

    def plain_file(self, student):
        open(os.path.join(self.options.folder, "repositories", "s%04d" % student), "w").write("x")

    def damaged(self, student):
        folder = self.repository(student)
        run(folder, "repack", "-adq")
        packs = os.path.join(folder, "objects", "pack")
        for name in os.listdir(packs):
            if name.endswith(".pack"):
                path = os.path.join(packs, name)
                os.chmod(path, 0o600)
                os.truncate(path, os.path.getsize(path) // 2)

    def no_branch(self, student):
        folder = self.repository(student)
        run(folder, "symbolic-ref", "HEAD", "refs/heads/gone")

    def dangling(self, student):
        folder = self.repository(student)
        os.makedirs(os.path.join(folder, "refs", "heads"), exist_ok=True)
        open(os.path.join(folder, "refs", "heads", "main"), "w").write("1" * 40 + "\n")

    def link(self, student):
        self.repository(student, [commit([(self.names[0] + ".cu", b"120000", b"/etc/passwd")]
                                         + self.files(student)[1:], TIME)])

    def folder_in_place(self, student):
        files = [(self.names[0] + ".cu/kernel.cu", b"100644", self.files(student)[0][2])]
        self.repository(student, [commit(files + self.files(student)[1:], TIME)])

    def too_large(self, student):
        files = [(self.names[0] + ".cu", b"100644", b"/" * (2 << 20))]
        self.repository(student, [commit(files + self.files(student)[1:], TIME)])

    def lfs_pointer(self, student):
        pointer = (b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64
                   + b"\nsize 1234\n")
        self.repository(student, [commit([(self.names[0] + ".cu", b"100644", pointer)]
                                         + self.files(student)[1:], TIME)])

    def only_late(self, student):
        self.repository(student, [commit(self.files(student), TIME + 40 * 86400)])

    def nothing_handed_in(self, student):
        self.repository(student, [commit([("README.md", b"100644", b"later\n")], TIME)])


BREAKS = [Class.missing, Class.empty, Class.plain_file, Class.damaged, Class.no_branch,
          Class.dangling, Class.link, Class.folder_in_place, Class.too_large, Class.lfs_pointer,
          Class.only_late, Class.nothing_handed_in]


def change_terms(folder):
    """Another late policy, another limit, no extension."""
    path = os.path.join(folder, "course.yaml")
    text = open(path).read()
    begin = text.index("late:")
    end = text.find("seed:")
    with open(path, "w") as course:
        course.write(text[:begin] + OTHER_TERMS + (text[end:] if end > 0 else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--students", type=int, default=400)
    parser.add_argument("--exercises", default="saxpy,dot,matmul-tiled")
    parser.add_argument("--broken", type=int, default=0)
    parser.add_argument("--seed", type=int, help="of the course; without one it is secret")
    parser.add_argument("--home", default=os.path.join(os.path.dirname(__file__), "..", ".."))
    options = parser.parse_args()
    os.makedirs(options.folder)
    made = Class(options)
    every = options.students // options.broken if options.broken else 0
    for student in range(options.students):
        number = student // every if every else 0
        if every and student % every == every - 1 and number < options.broken:
            BREAKS[number % len(BREAKS)](made, student)
        else:
            made.repository(student)
    with open(os.path.join(options.folder, "roster.csv"), "w") as roster:
        roster.write("id,name,repository,mail,SIS User ID\n")
        for s in range(options.students):
            roster.write("s%04d,Student %d,repositories/s%04d,s%04d@example.org,%d\n"
                         % (s, s, s, s, 70000 + s))
    with open(os.path.join(options.folder, "course.yaml"), "w") as course:
        course.write("course: A class\nexercises: [%s]\nroster: roster.csv\n"
                     "deadline: 2026-10-02T23:59:00+02:00\n" % ", ".join(made.names))
        course.write(TERMS)
        if options.seed is not None:
            course.write("seed: %d\n" % options.seed)


if __name__ == "__main__":
    sys.exit(main())
