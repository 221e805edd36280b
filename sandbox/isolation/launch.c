/* Between fork and exec. Several threads may do this at once, so that the child makes system calls
 * only and touches nothing that another thread may have held locked. It borrows the grader's memory
 * where it can (vfork): copying the page tables of a grader that holds expected results costs more
 * than all that the child does. When the child changes its user the kernel makes that memory
 * undumpable, so that no process of that user may look into it meanwhile; it stays so.
 *
 * The order matters. Files that the user could not reach are bound where it can, in a mount
 * namespace of the child's own, over a folder that holds nothing it needs. Cgroups are joined while
 * we may still write to them; the user is changed before bubblewrap runs, which as root would keep
 * every capability; the parent-death signal is asked for after that, because a change of user takes
 * it away; limits come last, because RLIMIT_NOFILE binds what is done here too. The program is
 * executed by descriptor: the user may not reach its folder.
 *
 * The second jail has no bubblewrap: here the child closes itself in, with rules and lists that
 * were made before the fork. Landlock comes while the rules' descriptor is open, the lists last,
 * because what they leave is hardly more than to execute the program. No new privileges before
 * both. */
#include "sandbox/isolation/jail_private.h"
#include "sandbox/isolation/landlock.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    DESCRIPTORS = 256,      /* RLIMIT_NOFILE */
    STACK_BYTES = 8 << 20,  /* of the main thread; the default of the others */
    FILE_BYTES = 256 << 20, /* of one file, where there is no place for any */
    SPARE_PROCESSES = 512,  /* of a run's user, beside what the run may have */
};

/* The last slashes are room for a number of at most four digits; several count as one. */
#define DESCRIPTOR_PATH "/proc/self/fd/////"

static const char *const steps[] = {
    "",          "setsid",    "prctl",     "dup2",  "cgroup.procs", "stage files",
    "setgroups", "setresgid", "setresuid", "chdir", "setrlimit",    "Landlock",
    "capset",    "seccomp",   "execve"};
enum step {
    STEP_NONE,
    STEP_SESSION,
    STEP_PRCTL,
    STEP_DUP,
    STEP_CGROUP,
    STEP_STAGE,
    STEP_GROUPS,
    STEP_GROUP,
    STEP_USER,
    STEP_FOLDER,
    STEP_LIMIT,
    STEP_LANDLOCK,
    STEP_CAPABILITIES,
    STEP_SECCOMP,
    STEP_EXECUTE
};

struct failure {
    enum step step;
    int cause;
};

void launch_add_descriptor(struct jail_launch_state *launch, int from, int to) {
    if (launch->descriptor_count < LAUNCH_MAX_DESCRIPTORS) {
        launch->descriptors[launch->descriptor_count].from = from;
        launch->descriptors[launch->descriptor_count++].to = to;
    }
}

static void add_limit(struct jail_launch_state *launch, int resource, rlim_t soft, rlim_t hard) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) == 0 && now.rlim_max != RLIM_INFINITY) {
        if (hard > now.rlim_max)
            hard = now.rlim_max; /* raising a hard limit needs privileges */
        if (soft > hard)
            soft = hard;
    }
    launch->limits[launch->limit_count].resource = resource;
    launch->limits[launch->limit_count++].limit = (struct rlimit){soft, hard};
}

void launch_set_limits(struct jail_launch_state *launch, const struct jail_limits *limits,
                       bool limit_data) {
    rlim_t cpu = (rlim_t)ceil(limits->cpu_seconds);
    rlim_t file = limits->file_bytes ? limits->file_bytes : FILE_BYTES;
    add_limit(launch, RLIMIT_CPU, cpu, cpu + 1); /* SIGXCPU, a second later SIGKILL */
    add_limit(launch, RLIMIT_CORE, 0, 0);
    add_limit(launch, RLIMIT_FSIZE, file, file);
    add_limit(launch, RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
    add_limit(launch, RLIMIT_STACK, STACK_BYTES, STACK_BYTES);
    if (limit_data)
        add_limit(launch, RLIMIT_DATA, limits->memory_bytes, limits->memory_bytes);
}

/* The kernel ends a fork bomb where only we would count, every 20 ms. The limit is no exact one:
 * ours has to be seen to be exceeded, and the kernel counts a user's processes on the whole
 * machine, where a grader in another container, with locks of its own, has users of the same ids.
 */
void launch_limit_user(struct jail_launch_state *launch, const struct jail_limits *limits,
                       unsigned others) {
    rlim_t most = (rlim_t)limits->processes + SPARE_PROCESSES + others;
    add_limit(launch, RLIMIT_NPROC, most, most);
}

/* --- in the child: async-signal-safe calls only --- */

static _Noreturn void child_fail(const struct jail_launch_state *launch, enum step step) {
    struct failure failure = {step, errno};
    ssize_t ignored = write(launch->failure, &failure, sizeof failure);
    (void)ignored;
    _exit(127);
}

/* The parent may have died before the signal was asked for. */
static void child_bind(const struct jail_launch_state *launch) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        child_fail(launch, STEP_PRCTL);
    if (getppid() != launch->supervisor)
        _exit(127);
}

static void child_reset_signals(void) {
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* an ignored SIGPIPE would survive exec */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Descriptors get their numbers in ascending order; all others are closed. The
 * failure pipe and the program stay after them and close themselves on exec. */
static void child_place_descriptors(struct jail_launch_state *launch) {
    int next = 0;
    for (size_t i = 0; i < launch->descriptor_count; i++) {
        int to = launch->descriptors[i].to;
        for (; next < to; next++)
            close(next);
        if (dup2(launch->descriptors[i].from, to) < 0)
            child_fail(launch, STEP_DUP);
        next = to + 1;
    }
    int failure = dup3(launch->failure, next, O_CLOEXEC);
    if (failure < 0)
        child_fail(launch, STEP_DUP);
    launch->failure = failure;
    launch->program = dup3(launch->program, next + 1, O_CLOEXEC);
    if (launch->program < 0)
        child_fail(launch, STEP_DUP);
    if (syscall(SYS_close_range, next + 2, ~0U, 0) != 0)
        for (int descriptor = next + 2; descriptor < 65536; descriptor++)
            close(descriptor);
}

static void child_stage(const struct jail_launch_state *launch) {
    if (launch->staged_count == 0)
        return;
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("stage", launch->stage, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0)
        child_fail(launch, STEP_STAGE);
    for (size_t i = 0; i < launch->staged_count; i++) {
        const char *to = launch->staged[i].to;
        int made = launch->staged[i].is_folder ? mkdir(to, 0755)
                                               : open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        if (made < 0 || mount(launch->staged[i].from, to, NULL, MS_BIND | MS_REC, NULL) != 0)
            child_fail(launch, STEP_STAGE);
    }
}

static void child_drop_user(const struct jail_launch_state *launch) {
    if (!launch->drops_user)
        return;
    if (syscall(SYS_setgroups, 0, NULL) != 0)
        child_fail(launch, STEP_GROUPS);
    if (syscall(SYS_setresgid, launch->user, launch->user, launch->user) != 0)
        child_fail(launch, STEP_GROUP);
    if (syscall(SYS_setresuid, launch->user, launch->user, launch->user) != 0)
        child_fail(launch, STEP_USER);
}

/* The number of this folder is known here only. */
static void child_allow_own_proc(const struct jail_launch_state *launch) {
    struct landlock_path rule = {.allowed = launch->own_proc};
    if (!launch->own_proc)
        return;
    rule.parent = open("/proc/self", O_PATH | O_CLOEXEC);
    if (rule.parent < 0 ||
        syscall(SYS_landlock_add_rule, launch->rules, LANDLOCK_PATH_BENEATH, &rule, 0) != 0)
        child_fail(launch, STEP_LANDLOCK);
}

/* Everything that only a namespace would keep from it: see shared.def. */
static void child_close_files(const struct jail_launch_state *launch) {
    if (!launch->closes_itself)
        return;
    for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++)
        ; /* as root; what is left of the bounding set cannot be gained any more */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        child_fail(launch, STEP_PRCTL);
    child_allow_own_proc(launch);
    if (syscall(SYS_landlock_restrict_self, launch->rules, 0) != 0)
        child_fail(launch, STEP_LANDLOCK);
}

static void child_filter(const struct jail_launch_state *launch, struct sock_fprog *filter) {
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) != 0)
        child_fail(launch, STEP_SECCOMP);
}

/* abort() and raise() send to their own process. A kernel whose Landlock knows no signals, and a
 * user who has other processes: then this number is the only one, for its children too. */
static void child_close_signals(const struct jail_launch_state *launch) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog filter = {.len = ARRAY_LENGTH(program), .filter = program};
    if (launch->signals_itself_only)
        child_filter(launch, &filter);
}

/* A plain user may have been given some (a service with ambient capabilities, a file's), and those
 * survive the start of a program. */
static void child_drop_capabilities(const struct jail_launch_state *launch) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 ||
        syscall(SYS_capset, &head, none) != 0)
        child_fail(launch, STEP_CAPABILITIES);
}

static void child_close_calls(struct jail_launch_state *launch) {
    if (!launch->closes_itself)
        return;
    child_drop_capabilities(launch);
    child_close_signals(launch);
    for (size_t i = 0; i < launch->filter_count; i++)
        child_filter(launch, &launch->filters[i]);
}

/* The lists of the second jail have execve() and not execveat(). No rule of Landlock's is needed
 * for /proc: they are asked about the file that the link leads to. */
static void child_write_path(char path[sizeof DESCRIPTOR_PATH], int descriptor) {
    memcpy(path, DESCRIPTOR_PATH, sizeof DESCRIPTOR_PATH);
    for (size_t at = sizeof DESCRIPTOR_PATH - 2; descriptor; descriptor /= 10)
        path[at--] = (char)('0' + descriptor % 10);
}

static _Noreturn void child_run(struct jail_launch_state *launch) {
    if (setsid() < 0)
        child_fail(launch, STEP_SESSION);
    keeper_tell(launch->keeper, getpid());
    child_bind(launch);
    child_reset_signals();
    for (size_t i = 0; i < launch->join_count; i++)
        if (write(launch->joins[i], "0", 1) != 1)
            child_fail(launch, STEP_CGROUP);
    child_stage(launch);
    child_close_files(launch);
    child_place_descriptors(launch);
    if (chdir(launch->folder) != 0)
        child_fail(launch, STEP_FOLDER);
    child_drop_user(launch);
    child_bind(launch);
    umask(077);
    for (size_t i = 0; i < launch->limit_count; i++)
        if (setrlimit((__rlimit_resource_t)launch->limits[i].resource, &launch->limits[i].limit))
            child_fail(launch, STEP_LIMIT);
    char by_descriptor[sizeof DESCRIPTOR_PATH];
    child_write_path(by_descriptor, launch->program);
    child_close_calls(launch);
    if (launch->path)
        execve(launch->is_closed ? by_descriptor : launch->path, launch->argv, launch->environment);
    else
        syscall(SYS_execveat, launch->program, "", launch->argv, launch->environment,
                AT_EMPTY_PATH);
    child_fail(launch, STEP_EXECUTE);
}

/* --- in the parent --- */

/* What the child, which has executed the program or has ended by now, wrote before. Its end of the
 * file is not waited for: a process that another thread forked meanwhile may hold the other end. */
static struct failure read_failure(int descriptor) {
    struct failure failure = {STEP_NONE, 0};
    ssize_t got;
    do
        got = read(descriptor, &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof failure || failure.step > STEP_EXECUTE)
        failure = (struct failure){STEP_NONE, 0};
    return failure;
}

/* Like vfork() with memory of the child's own, which starts in a cgroup of version 2 (to move there
 * afterwards means to wait for every processor). -1 where the kernel cannot, or that is no such
 * folder. */
static pid_t fork_into(struct jail_launch_state *launch) {
    struct clone_args arguments = {.flags = CLONE_INTO_CGROUP | CLONE_VFORK,
                                   .exit_signal = SIGCHLD,
                                   .cgroup = (unsigned)launch->cgroup};
    pid_t pid = launch->cgroup >= 0 ? (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments) : -1;
    if (pid == 0) {
        launch->join_count = 0;
        child_run(launch);
    }
    return pid;
}

static int child_main(void *launch) {
    child_run(launch);
}

/* Like vfork(), on a stack of the child's own. */
static pid_t fork_borrowing(struct jail_launch_state *launch) {
    enum { CHILD_STACK = 64 << 10 };
    cleanup_free char *stack = mem_aligned(16, CHILD_STACK);
    return clone(child_main, stack + CHILD_STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, launch);
}

/* The caller waits until the child has executed the program or has ended. No handler of ours may
 * run in the child, and none may stop it while it keeps us waiting, so that no signal reaches it
 * before it has reset them. */
static pid_t fork_waiting(struct jail_launch_state *launch) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork_into(launch);
    if (pid < 0)
        pid = fork_borrowing(launch);
    int cause = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = cause;
    return pid;
}

int launch_start(const struct jail_launch_state *launch, int failure_read, pid_t *pid,
                 const char **step) {
    struct jail_launch_state copy = *launch;
    *step = "fork";
    *pid = fork_waiting(&copy);
    int cause = errno;
    close(launch->failure);
    if (*pid < 0)
        return cause;
    struct failure failure = read_failure(failure_read);
    if (failure.step == STEP_NONE)
        return 0;
    while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
        ;
    *step = steps[failure.step];
    return failure.cause ? failure.cause : EIO;
}
