#!/usr/bin/env python3
"""Kills a batch at random moments, goes on, and compares with a run that was left alone.

    kill_and_resume.py WARPGRADE [--kills N] [--students N] [--exercises A,B] [--folder FOLDER]

The two gradebooks must say the same; after each kill no process, cgroup, mount or scratch file of the
killed run may be left. Then the course gets other terms for late work, and the same is asked once more.
Exit code 0: all of that held.
"""
import argparse
import fcntl
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gradebook_facts
import make_class

WAIT = 20.0  # until nothing is left of a killed run, on a machine where other graders run, too
LOOK = 0.05


def make(options, folder):
    command = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "make_class.py"),
               folder, "--students", str(options.students), "--exercises", options.exercises,
               "--broken", str(min(12, options.students // 3)), "--seed", "11"]
    subprocess.run(command, check=True)


def start(options, folder):
    environment = dict(os.environ, TMPDIR=os.path.join(folder, "tmp"))
    os.makedirs(environment["TMPDIR"], exist_ok=True)
    return subprocess.Popen([options.warpgrade, "batch", "course.yaml"], cwd=folder, env=environment,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            start_new_session=True)


def descendants(pid):
    """Processes below pid, by /proc, with their start times: a number is used again."""
    parents, found = {}, set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = open("/proc/%s/stat" % entry).read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry)] = (int(fields[1]), fields[19])
    todo = [pid]
    while todo:
        above = todo.pop()
        for child, (parent, started) in parents.items():
            if parent == above and (child, started) not in found:
                found.add((child, started))
                todo.append(child)
    return found


def is_there(process):
    try:
        fields = open("/proc/%d/stat" % process[0]).read().rsplit(")", 1)[1].split()
        return fields[19] == process[1] and fields[0] != "Z"
    except OSError:
        return False


def cgroups_of(processes):
    out = set()
    for pid, _ in processes:
        try:
            for line in open("/proc/%d/cgroup" % pid):
                _, controllers, path = line.rstrip("\n").split(":", 2)
                if "warpgrade-" in path:
                    out.add((controllers, path))
        except OSError:
            pass
    return out


def is_claimed(path):
    """Another grader has taken the slot of the one that was killed."""
    number = os.path.basename(path).split("-")[2]
    for folder in ["/run/warpgrade", "/tmp/warpgrade-%d" % os.geteuid()]:
        try:
            with open(os.path.join(folder, "slot-" + number)) as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            pass
    return False


def folders_of(cgroups):
    return [folder for controllers, path in cgroups
            for folder in ["/sys/fs/cgroup" + path, "/sys/fs/cgroup/%s%s" % (controllers, path)]
            if os.path.isdir(folder) and not is_claimed(path)]


def left(processes, cgroups):
    return [p for p in processes if is_there(p)] + folders_of(cgroups)


def kill_once(options, folder, after, complaints):
    """True: it ended by itself before."""
    batch = start(options, folder)
    try:
        batch.wait(timeout=after)
        return True
    except subprocess.TimeoutExpired:
        pass
    processes = descendants(batch.pid)
    cgroups = cgroups_of(processes)
    os.kill(batch.pid, signal.SIGKILL)
    batch.wait()
    end = time.monotonic() + WAIT
    while left(processes, cgroups) and time.monotonic() < end:
        time.sleep(LOOK)
    complaints += ["left after a kill: %s" % (what,) for what in left(processes, cgroups)]
    return False


def finish(options, folder, complaints):
    if start(options, folder).wait() not in (0, 1):
        complaints.append("a run that was left alone failed")


def compare(calm, rough, complaints):
    complaints += gradebook_facts.differences(
        gradebook_facts.facts(os.path.join(calm, "gradebook.sqlite")),
        gradebook_facts.facts(os.path.join(rough, "gradebook.sqlite")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("warpgrade")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--students", type=int, default=24)
    parser.add_argument("--exercises", default="saxpy,dot")
    parser.add_argument("--longest", type=float, default=3.0, help="seconds until a kill, at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.warpgrade = os.path.abspath(options.warpgrade)
    folder = tempfile.mkdtemp(prefix="warpgrade-kills.")
    complaints, kills = [], 0
    try:
        calm, rough = os.path.join(folder, "calm"), os.path.join(folder, "rough")
        make(options, calm)
        shutil.copytree(calm, rough, symlinks=True)
        finish(options, calm, complaints)
        moments = random.Random(options.seed)
        while kills < options.kills:
            if kill_once(options, rough, moments.uniform(0.05, options.longest), complaints):
                # Everything is graded: from the beginning, but for the last moments of a run.
                compare(calm, rough, complaints)
                for path in glob.glob(os.path.join(rough, "gradebook.sqlite*")):
                    shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
            else:
                kills += 1
        finish(options, rough, complaints)
        compare(calm, rough, complaints)
        for folder_of_class in [calm, rough]:
            make_class.change_terms(folder_of_class)
        finish(options, calm, complaints)
        kill_once(options, rough, moments.uniform(0.05, options.longest / 2), complaints)
        finish(options, rough, complaints)
        compare(calm, rough, complaints)
        scratch = os.listdir(os.path.join(rough, "tmp"))
        if scratch:
            complaints.append("scratch files are left: %s" % scratch)
        for name in ["grades.csv", "totals.csv", "junit.xml"]:
            if not os.path.exists(os.path.join(rough, "reports", name)):
                complaints.append("there is no %s" % name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for line in complaints[:20]:
        print(line)
    print("%d kills, %d complaints" % (kills, len(complaints)))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
