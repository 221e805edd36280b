/* The process that reads a repository: forked, with limits, and heard once it has ended.
 *
 * The child writes one record into a memfd and exits; nothing is read from it before it has ended,
 * so it can never block on us nor we on it, and a repository is read while another submission is
 * graded. The record is decoded by the caller as hostile bytes: a bug in libgit2 that a hostile
 * pack file triggers must end in the child. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_TIME_LIMIT_SECONDS 60.0
/* The child's alarm comes first; this is for a child that no signal can reach (a dead NFS server).
 */
#define GRACE_SECONDS              2.0
enum {
    MAX_MEMORY_BYTES = 1 << 30, /* of the child's heap; mapped packs do not count */
};

struct repo_child {
    pid_t pid;
    int record; /* memfd */
    double deadline;
    double time_limit;
};

/* ---- the child ---------------------------------------------------------------------------- */

static void limit(int resource, rlim_t value) {
    struct rlimit current;
    if (getrlimit((__rlimit_resource_t)resource, &current) != 0)
        return;
    if (current.rlim_max != RLIM_INFINITY && value > current.rlim_max)
        value = current.rlim_max;
    struct rlimit wanted = {value, value};
    setrlimit((__rlimit_resource_t)resource, &wanted);
}

static void limit_child(double time_limit) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGALRM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN); /* a server that hangs up is an error of the write */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    unsigned seconds = (unsigned)ceil(time_limit);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)seconds + 1);
    limit(RLIMIT_FSIZE, (rlim_t)REPO_MAX_FETCH_BYTES);
#ifndef __SANITIZE_ADDRESS__ /* its shadow memory counts as data */
    limit(RLIMIT_DATA, (rlim_t)MAX_MEMORY_BYTES);
#endif
    alarm(seconds);
}

static _Noreturn void run_child(repo_child_job *job, const void *context,
                                const struct repo_child *child) {
    limit_child(child->time_limit);
    struct text out = {0};
    job(context, child->time_limit, &out);
    _exit(file_write_all(child->record, text_string(&out), out.length) ? 0 : 1);
}

/* ---- the parent --------------------------------------------------------------------------- */

static void child_free(struct repo_child *child) {
    git_libgit2_shutdown();
    if (child->record >= 0)
        close(child->record);
    free(child);
}

enum status repo_child_start(repo_child_job *job, const void *context, double time_limit,
                             struct repo_child **out, struct error *error) {
    *out = NULL;
    struct repo_child *child = mem_zalloc(sizeof *child);
    /* Its start takes longer (4 ms, for the system's certificates) than reading a small repository:
     * the child inherits it. No byte of a repository is looked at in this process. */
    git_libgit2_init();
    child->time_limit = time_limit > 0 ? time_limit : DEFAULT_TIME_LIMIT_SECONDS;
    child->deadline = clock_ms() / 1e3 + ceil(child->time_limit) + GRACE_SECONDS;
    child->record = memfd_create("warpgrade-repository", MFD_CLOEXEC);
    enum status status = STATUS_OK;
    if (child->record < 0)
        status =
            error_set(error, STATUS_ENVIRONMENT, "no memory file can be made: %s", strerror(errno));
    if (status == STATUS_OK) {
        child->pid = fork();
        if (child->pid == 0)
            run_child(job, context, child);
        if (child->pid < 0)
            status = error_set(error, STATUS_ENVIRONMENT, "no process can be started: %s",
                               strerror(errno));
    }
    if (status != STATUS_OK) {
        child_free(child);
        return status;
    }
    *out = child;
    return STATUS_OK;
}

/* Waits for the child; false: it has not ended and cannot be ended. */
static bool wait_for(const struct repo_child *child, double deadline, int *wait_status) {
    struct timespec pause = {0, 200000};
    for (bool killed = false;;) {
        pid_t got = waitpid(child->pid, wait_status, WNOHANG);
        if (got == child->pid)
            return true;
        if (got < 0 && errno == ECHILD) { /* SIGCHLD is ignored: it ended, not known how */
            *wait_status = 0;
            return true;
        }
        if (clock_ms() / 1e3 > deadline) {
            if (killed)
                return false;
            kill(child->pid, SIGKILL);
            killed = true;
            deadline += GRACE_SECONDS;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 5000000)
            pause.tv_nsec *= 2;
    }
}

static enum status describe_end(const struct repo_child *child, bool ended, int wait_status,
                                struct error *error) {
    int number = ended && WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    if (!ended || number == SIGALRM || number == SIGXCPU)
        return error_set(error, STATUS_INVALID,
                         "reading the repository took longer than %s seconds",
                         decimal(child->time_limit, 6).text);
    if (number == SIGKILL) /* by us, by the CPU limit, or by the kernel for lack of memory */
        return error_set(error, STATUS_INVALID,
                         "reading the repository took longer than %s seconds, or too much memory",
                         decimal(child->time_limit, 6).text);
    if (number == SIGXFSZ)
        return error_set(error, STATUS_INVALID,
                         "the repository is too large to fetch: more than %d MiB",
                         REPO_MAX_FETCH_BYTES >> 20);
    if (number)
        return error_set(error, STATUS_INVALID, "reading the repository crashed: %s",
                         strsignal(number));
    enum status status = error_set(error, STATUS_INVALID, "the repository cannot be read");
    error_hint(error, "reading it took more than %d MiB of memory, or its files are too large",
               MAX_MEMORY_BYTES >> 20);
    return status;
}

static enum status read_record(const struct repo_child *child, repo_child_decoder *decode,
                               void *context, struct error *error) {
    struct stat info;
    if (fstat(child->record, &info) != 0 || info.st_size > REPO_MAX_RECORD_BYTES ||
        info.st_size <= 0)
        return error_set(error, STATUS_INVALID, "the repository cannot be read: no result");
    size_t length = (size_t)info.st_size;
    void *data = mmap(NULL, length, PROT_READ, MAP_PRIVATE, child->record, 0);
    if (data == MAP_FAILED)
        return error_set(error, STATUS_ENVIRONMENT, "no memory for a repository's files: %s",
                         strerror(errno));
    enum status status = STATUS_INVALID;
    bool good = decode(context, data, length, &status, error);
    munmap(data, length);
    if (good)
        return status;
    return error_set(error, STATUS_INVALID, "the repository cannot be read: a malformed result");
}

bool repo_child_ready(const struct repo_child *child) {
    siginfo_t info = {0};
    bool asked = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    return !asked || info.si_pid != 0 || clock_ms() / 1e3 > child->deadline;
}

enum status repo_child_finish(struct repo_child *child, repo_child_decoder *decode, void *context,
                              struct error *error) {
    int wait_status = 0;
    bool ended = wait_for(child, child->deadline, &wait_status);
    enum status status = ended && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0
                             ? read_record(child, decode, context, error)
                             : describe_end(child, ended, wait_status, error);
    child_free(child);
    return status;
}

void repo_child_cancel(struct repo_child *child) {
    int wait_status;
    kill(child->pid, SIGKILL);
    wait_for(child, clock_ms() / 1e3 + GRACE_SECONDS, &wait_status);
    child_free(child);
}
