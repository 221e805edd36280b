"""A small Slurm on this machine: munged, slurmctld and several slurmd, all below this process.

Nothing is installed, configured or left: sockets, keys, logs and state are in one folder, and stop()
ends every process, also the jobs'. Unavailable says why there is none here.
"""
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36
START_SECONDS = 20
NEW_SECONDS = 5.0  # in which a process has become the program that it is for
PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo"]

CONFIGURATION = """\
ClusterName=grade
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmdSpoolDir={folder}/spool-%n
SlurmdPidFile={folder}/%n.pid
SlurmdLogFile={folder}/%n.log
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
StateSaveLocation={folder}/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
"""


class Unavailable(Exception):
    pass


def processes():
    """{pid: parent}, without zombies."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = open("/proc/%s/stat" % entry).read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(entry)] = int(fields[1])
    return parents


def descendants(pid):
    parents, found, todo = processes(), [], [pid]
    while todo:
        above = todo.pop()
        below = [child for child, parent in parents.items() if parent == above]
        found += below
        todo += below
    return found


class Newcomers:
    """Processes that began lately: a look costs what is new, not what is there."""

    def __init__(self):
        self.since = {entry: 0.0 for entry in os.listdir("/proc") if entry.isdigit()}

    def look(self):
        now, there = time.monotonic(), {entry for entry in os.listdir("/proc") if entry.isdigit()}
        self.since = {entry: self.since.get(entry, now) for entry in there}
        return [int(entry) for entry in there if now - self.since[entry] < NEW_SECONDS]


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """partitions: {name: [node]}; blind: {node: folder that it does not see}; cards: nodes that say
    they have a GPU. A node has one processor."""

    def __init__(self, folder, partitions, blind, cards=()):
        os.environ["PATH"] += ":/usr/sbin"  # Debian's root has it, not everybody's
        missing = [name for name in PROGRAMS if not shutil.which(name)]
        if missing:
            raise Unavailable("Slurm or munge is not installed: no " + ", ".join(missing))
        if os.geteuid() != 0:
            raise Unavailable("slurmd runs as root")
        self.folder, self.blind, self.daemons, self.nodes = folder, blind, [], {}
        self.environment = dict(os.environ, SLURM_CONF=os.path.join(folder, "slurm.conf"))
        # What a daemon or a job leaves behind becomes a child of this process.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        try:
            self.start(partitions, cards)
        except Exception:
            self.stop()
            raise

    def start(self, partitions, cards):
        names = [node for nodes in partitions.values() for node in nodes]
        ports = free_ports(len(names) + 1)
        host = socket.gethostname().split(".")[0]
        os.makedirs(os.path.join(self.folder, "state"))
        text = CONFIGURATION.format(host=host, port=ports[0], folder=self.folder)
        for name, port in zip(names, ports[1:]):
            text += "NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=1%s\n" % (
                name, host, port, " Gres=gpu:1" if name in cards else "")
        for partition, nodes in partitions.items():
            text += "PartitionName=%s Nodes=%s Default=%s State=UP\n" % (
                partition, ",".join(nodes), "YES" if partition == list(partitions)[0] else "NO")
        with open(self.environment["SLURM_CONF"], "w") as file:
            file.write(text)
        with open(os.path.join(self.folder, "gres.conf"), "w") as file:
            for name in cards:
                file.write("NodeName=%s Name=gpu File=/dev/null\n" % name)
        self.start_munge()
        self.daemon(["slurmctld", "-c", "-D"])
        for name in names:
            self.start_node(name)
        end = time.monotonic() + START_SECONDS
        while self.states() != {"idle"}:
            if time.monotonic() > end:
                log = read(os.path.join(self.folder, names[0] + ".log"))
                raise Unavailable("Slurm does not start here: %s" % log[-300:].decode("utf8", "replace"))
            time.sleep(0.05)

    def start_munge(self):
        folder = os.path.join(self.folder, "munge")
        os.mkdir(folder, 0o755)
        with open(os.path.join(folder, "key"), "wb") as file:
            os.fchmod(file.fileno(), 0o400)
            file.write(os.urandom(128))
        self.daemon(["munged", "--foreground", "--force", "--socket", folder + "/socket",
                     "--key-file", folder + "/key", "--pid-file", folder + "/pid",
                     "--seed-file", folder + "/seed", "--log-file", folder + "/log"])
        end = time.monotonic() + START_SECONDS
        while not os.path.exists(folder + "/socket"):
            if time.monotonic() > end or self.daemons[-1].poll() is not None:
                raise Unavailable("munged does not start here")
            time.sleep(0.02)

    def daemon(self, command):
        self.daemons.append(subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL))
        return self.daemons[-1]

    def start_node(self, name):
        command = ["slurmd", "-D", "-N", name]
        if name in self.blind:
            command = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"',
                       self.blind[name]] + command
        self.nodes[name] = self.daemon(command)

    def run(self, *command):
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=60).stdout

    def states(self):
        return set(self.run("sinfo", "--noheader", "--Node", "--format=%T").split())

    def jobs(self, partition=None):
        command = ["squeue", "--noheader", "--array", "--format=%T %N"]
        return self.run(*command, *(["--partition=" + partition] if partition else [])).split("\n")[:-1]

    def tasks_on(self, node):
        """Processes of jobs on this node."""
        mark = b"SLURMD_NODENAME=" + node.encode() + b"\0"
        return [pid for pid in descendants(os.getpid()) if mark in read("/proc/%d/environ" % pid)]

    def lose(self, node):
        """The node's power is cut; an administrator, or Slurm after a while, says that it is down."""
        parents, tasks = processes(), self.tasks_on(node)
        stepds = [parents.get(pid) for pid in tasks
                  if read("/proc/%s/comm" % parents.get(pid)).startswith(b"slurmstepd")]
        kill([self.nodes[node].pid] + stepds + tasks)
        self.run("scontrol", "update", "NodeName=" + node, "State=DOWN", "Reason=lost")

    def stop(self):
        while descendants(os.getpid()):
            kill(descendants(os.getpid()))
            self.reap()
            time.sleep(0.01)
        self.reap()

    def reap(self):
        for daemon in self.daemons:
            daemon.poll()
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
