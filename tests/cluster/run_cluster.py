#!/usr/bin/env python3
"""A class judged by a real Slurm on this machine, with what goes wrong in one.

    run_cluster.py WARPGRADE [--students N] [--exercises A,B] [--only CASE]

    lost-node      a node is lost while it judges: the gradebook is that of a calm local run
    cancelled      Ctrl-C leaves no job, no process and no folder
    killed         a coordinator that was killed is gone on with; what had a result is not judged again,
                   and forged results are
    deadly         a submission that ends its task each time costs its own row
    blind-node     the node does not see the course's folder: a clear message, soon
    refused        what sbatch refuses is said
    no-card        --gres reaches Slurm; a node whose card cannot be used judges nothing without it
    no-slurm       without sbatch it says what to install

The cases run side by side. Exit code 0: all of that held; 77: there is no Slurm, and why.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "class"))
import gradebook_facts
import slurm

PATIENCE = 60.0
LOOK = 0.02  # much shorter than a submission is judged


class Case:
    def __init__(self, options, name, folder, cluster):
        self.options, self.name, self.cluster, self.complaints = options, name, cluster, []
        self.folder = os.path.join(folder, name)
        self.shared = os.path.join(self.folder, "gradebook.sqlite.cluster")

    def expect(self, held, complaint):
        if not held:
            self.complaints.append("%s: %s" % (self.name, complaint))

    def until(self, what, complaint):
        """What `what` gives, as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = what()
            if value:
                return value
            time.sleep(LOOK)
        self.expect(False, complaint)
        return None

    def start(self, *arguments, environment=None):
        return subprocess.Popen([self.options.warpgrade, "batch", "course.yaml", *arguments],
                                cwd=self.folder, env=environment or self.cluster.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def on(self, partition, *arguments):
        return self.start("--cluster", "slurm", "--cluster-option=--partition=" + partition,
                          *arguments)

    def end(self, batch, code):
        out = batch.communicate(timeout=PATIENCE)[0]
        self.expect(batch.returncode == code, "exit code %s: %s" % (batch.returncode, out))
        return out

    def facts(self):
        return gradebook_facts.facts(os.path.join(self.folder, "gradebook.sqlite"))

    def compare(self, other):
        self.complaints += ["%s: %s" % (self.name, line)
                            for line in gradebook_facts.differences(other, self.facts())]

    def results(self):
        """{name: which file it is} of the submissions that have been judged."""
        found = {}
        for folder, _, names in os.walk(self.shared):
            for name in names:
                if name.endswith(".report"):
                    try:
                        info = os.stat(os.path.join(folder, name))
                        found[name] = (info.st_ino, info.st_mtime_ns)
                    except FileNotFoundError:
                        pass
        return found

    def nothing_is_left(self, partition):
        self.expect(not self.cluster.jobs(partition), "jobs are left: %s" % self.cluster.jobs(partition))
        self.expect(not os.path.exists(self.shared), "its folder is left")


def lost_node(case, calm):
    batch = case.on("main")
    case.until(lambda: case.cluster.tasks_on("n1") and case.results(), "no task was started on n1")
    case.cluster.lose("n1")
    case.expect(len(case.results()) < calm["units"], "everything was judged before the node was lost")
    case.end(batch, calm["code"])
    case.compare(calm["facts"]())
    case.nothing_is_left("main")


def cancelled(case, calm):
    del calm
    batch = case.on("aside")
    case.until(lambda: case.cluster.tasks_on("n3"), "no task was started")
    batch.send_signal(signal.SIGINT)
    case.end(batch, 130)
    case.nothing_is_left("aside")
    case.until(lambda: not case.cluster.tasks_on("n3"), "processes of its tasks are left")


def forge(case, names):
    """The first becomes another submission's, the second one garbage."""
    folders = {name: folder for folder, _, files in os.walk(case.shared) for name in files}
    paths = [os.path.join(folders[name], name) for name in names]
    shutil.copyfile(paths[2], paths[0])
    with open(paths[1], "wb") as file:
        file.write(b"\0{}" * 1000)


def killed(case, calm):
    batch = case.on("other")
    case.until(case.results, "nothing was judged")
    batch.kill()
    batch.communicate()
    taken = case.results()
    # Its task goes on: what comes now is in no gradebook.
    case.until(lambda: len(case.results()) >= len(taken) + 3, "the task ended with the coordinator")
    before = {name: file for name, file in case.results().items() if name not in taken}
    forged = sorted(before)[:2]
    forge(case, sorted(before))
    batch = case.on("other")
    after = {}
    while batch.poll() is None:
        after.update(case.results())
        time.sleep(LOOK)
    case.end(batch, calm["code"])
    again = [name for name, file in before.items() if after.get(name, file) != file]
    case.expect(sorted(again) == forged, "judged again: %s; forged: %s" % (again, forged))
    case.compare(calm["facts"]())
    case.nothing_is_left("other")


def end_tasks_with(case, mark, newcomers):
    """Kills each task that has a submission with this text before it."""
    files = {os.path.join(folder, name): name for folder, _, names in os.walk(case.shared)
             for name in names}
    keys = [name[:-3].encode() for path, name in files.items()
            if name.endswith(".cu") and mark in slurm.read(path)]
    doomed = {name for path, name in files.items()
              if path.split("/")[-2] == "tasks" and any(key in slurm.read(path) for key in keys)}
    for pid in newcomers.look():
        words = slurm.read("/proc/%d/cmdline" % pid).split(b"\0")
        if b"batch-task" not in words:
            continue
        variables = slurm.read("/proc/%d/environ" % pid).split(b"\0")
        index = [int(v.split(b"=")[1]) for v in variables if v.startswith(b"SLURM_ARRAY_TASK_ID=")]
        if b"SLURMD_NODENAME=n7" in variables and index:
            number = int(words[words.index(b"batch-task") + 2]) + index[0]
            slurm.kill([pid] if str(number) in doomed else [])


def deadly(case, calm):
    newcomers = slurm.Newcomers()
    batch = case.on("deadly", *["--only=s000%d" % i for i in range(4)])
    while batch.poll() is None:
        end_tasks_with(case, b"student 3\n", newcomers)
        time.sleep(0.005)
    out = case.end(batch, 1)
    grades = case.facts()["grades"]
    wanted = [row for row in calm["facts"]()["grades"] if row[0] < "s0003"]
    case.expect([row for row in grades if row[0] < "s0003"] == wanted, "others' grades: %s" % grades)
    case.expect("s0003" in out and "3 times: FAILED" in out, "it says: " + out)
    case.expect(not case.cluster.jobs("deadly"), "jobs are left")


def blind_node(case, calm):
    del calm
    begun = time.monotonic()
    out = case.end(case.on("blind"), 3)
    case.expect("write nothing into" in out and "nodes share" in out, "it says: " + out)
    case.expect(time.monotonic() - begun < 30, "it took %.0f s" % (time.monotonic() - begun))
    case.expect(not case.cluster.jobs("blind"), "jobs are left")


def no_card(case, calm):
    del calm
    out = case.end(case.on("cards", "--gres", "gpu:1"), 3)
    case.expect("no GPU that can be used (on n6)" in out, "it says: " + out)
    out = case.end(case.on("aside", "--gres", "gpu:1"), 3)
    case.expect("Slurm takes no jobs" in out, "where there is none, it says: " + out)


def refused(case, calm):
    del calm
    out = case.end(case.on("nowhere"), 3)
    case.expect("Slurm takes no jobs" in out and "nvalid partition" in out, "it says: " + out)
    case.expect(not os.path.exists(case.shared), "its folder is left")


def no_slurm(case, calm):
    del calm
    empty = os.path.join(case.folder, "empty")
    os.mkdir(empty)
    out = case.end(case.start("--cluster", "slurm", environment=dict(os.environ, PATH=empty)), 3)
    case.expect("needs sbatch" in out and "slurm-client" in out, "it says: " + out)


CASES = {"lost-node": lost_node, "cancelled": cancelled, "killed": killed, "blind-node": blind_node,
         "deadly": deadly, "no-card": no_card, "refused": refused, "no-slurm": no_slurm}
PARTITIONS = {"main": ["n1", "n2"], "aside": ["n3"], "other": ["n4"], "blind": ["n5"],
              "cards": ["n6"], "deadly": ["n7"]}


def make_class(options, folder):
    subprocess.run([sys.executable, os.path.join(HERE, "..", "class", "make_class.py"), folder,
                    "--students", str(options.students), "--exercises", options.exercises,
                    "--seed", "11"], check=True)


def share_class(folder, name):
    """The same course once more; the repositories, which nothing writes, are there once."""
    os.mkdir(os.path.join(folder, name))
    for file in ["course.yaml", "roster.csv"]:
        shutil.copy(os.path.join(folder, "calm", file), os.path.join(folder, name))
    os.symlink("../calm/repositories", os.path.join(folder, name, "repositories"))


def run_calm(options, folder):
    begun = time.monotonic()
    code = subprocess.run([options.warpgrade, "batch", "course.yaml"], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    print("local: %.1f s" % (time.monotonic() - begun), flush=True)
    book = os.path.join(folder, "gradebook.sqlite")
    return {"code": code, "facts": lambda: gradebook_facts.facts(book),
            "units": gradebook_facts.count_submissions(book)}


def run_case(function, case, calm):
    begun = time.monotonic()
    try:
        function(case, calm)
    except Exception as problem:  # of a thread: shown with the others
        case.complaints.append("%s: %r" % (case.name, problem))
    print("%s: %.1f s" % (case.name, time.monotonic() - begun), flush=True)


def run_all(options, folder):
    names = options.only or list(CASES)
    make_class(options, os.path.join(folder, "calm"))
    for name in names:
        share_class(folder, name)
    cluster = slurm.Slurm(os.path.join(folder, "slurm"), PARTITIONS,
                          {"n5": os.path.join(folder, "blind-node")} if "blind-node" in names else {},
                          ["n6"])
    cases = [Case(options, name, folder, cluster) for name in names]
    try:
        calm = run_calm(options, os.path.join(folder, "calm"))
        threads = [threading.Thread(target=run_case, args=(CASES[case.name], case, calm))
                   for case in cases]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        cluster.stop()
    return [complaint for case in cases for complaint in case.complaints]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("warpgrade")
    parser.add_argument("--students", type=int, default=9)
    parser.add_argument("--exercises", default="saxpy")
    parser.add_argument("--only", action="append", choices=list(CASES))
    options = parser.parse_args()
    options.warpgrade = os.path.abspath(options.warpgrade)
    folder = tempfile.mkdtemp(prefix="warpgrade-cluster.")
    try:
        complaints = run_all(options, folder)
    except slurm.Unavailable as reason:
        print("skipped: %s" % reason)
        return 77
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for line in complaints[:20]:
        print(line)
    print("%d complaints" % len(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
