/* The parent's side of reading a repository: the forked child, its limits, and what it says.
 *
 * The child writes one record into a memfd and exits; nothing is read from it before it has ended,
 * so it can never block on us nor we on it, and a repository is read while another submission is
 * graded. The record is length-prefixed fields, decoded with every length checked: a bug in libgit2
 * that a hostile pack file triggers must end in the child. A clone goes to a scratch folder that
 * the parent removes, however the child ends. */
#include "grader/repo/repo.h"

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

struct repo_fetch {
    pid_t pid;
    int record; /* memfd */
    char *scratch;
    size_t want_count;
    double deadline;
    double time_limit;
    struct repo_secrets secrets; /* that no message may hold */
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

static _Noreturn void run_child(const struct repo_request *request, const char *scratch, int record,
                                double time_limit) {
    limit_child(time_limit);
    struct repo_snapshot snapshot = {0};
    struct error error = {0};
    enum status status = repo_read_here(request, scratch, time_limit, &snapshot, &error);
    struct text out = {0};
    repo_record_encode(status, &error, &snapshot, &out);
    _exit(file_write_all(record, text_string(&out), out.length) ? 0 : 1);
}

/* ---- the parent --------------------------------------------------------------------------- */

static void fetch_free(struct repo_fetch *fetch) {
    git_libgit2_shutdown();
    if (fetch->record >= 0)
        close(fetch->record);
    if (fetch->scratch)
        repo_scratch_remove(fetch->scratch);
    free(fetch->scratch);
    repo_secrets_free(&fetch->secrets);
    free(fetch);
}

enum status repo_fetch_start(const struct repo_request *request, struct repo_fetch **out,
                             struct error *error) {
    *out = NULL;
    struct repo_fetch *fetch = mem_zalloc(sizeof *fetch);
    /* Its start takes longer (4 ms, for the system's certificates) than reading a small repository:
     * the child inherits it. No byte of a repository is looked at in this process. */
    git_libgit2_init();
    fetch->want_count = request->want_count;
    repo_secrets_of(request->location, &fetch->secrets);
    fetch->time_limit =
        request->time_limit_seconds > 0 ? request->time_limit_seconds : DEFAULT_TIME_LIMIT_SECONDS;
    fetch->deadline = clock_ms() / 1e3 + ceil(fetch->time_limit) + GRACE_SECONDS;
    fetch->record = memfd_create("warpgrade-repository", MFD_CLOEXEC);
    enum status status = STATUS_OK;
    if (fetch->record < 0)
        status =
            error_set(error, STATUS_ENVIRONMENT, "no memory file can be made: %s", strerror(errno));
    if (status == STATUS_OK && !request->cache && repo_has_scheme(request->location))
        status = repo_scratch_make(&fetch->scratch, error);
    if (status == STATUS_OK) {
        fetch->pid = fork();
        if (fetch->pid == 0)
            run_child(request, fetch->scratch, fetch->record, fetch->time_limit);
        if (fetch->pid < 0)
            status = error_set(error, STATUS_ENVIRONMENT, "no process can be started: %s",
                               strerror(errno));
    }
    if (status != STATUS_OK) {
        fetch_free(fetch);
        return status;
    }
    *out = fetch;
    return STATUS_OK;
}

/* Waits for the child; false: it has not ended and cannot be ended. */
static bool wait_for(const struct repo_fetch *fetch, double deadline, int *wait_status) {
    struct timespec pause = {0, 200000};
    for (bool killed = false;;) {
        pid_t got = waitpid(fetch->pid, wait_status, WNOHANG);
        if (got == fetch->pid)
            return true;
        if (got < 0 && errno == ECHILD) { /* SIGCHLD is ignored: it ended, not known how */
            *wait_status = 0;
            return true;
        }
        if (clock_ms() / 1e3 > deadline) {
            if (killed)
                return false;
            kill(fetch->pid, SIGKILL);
            killed = true;
            deadline += GRACE_SECONDS;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 5000000)
            pause.tv_nsec *= 2;
    }
}

static enum status describe_end(const struct repo_fetch *fetch, bool ended, int wait_status,
                                struct error *error) {
    int number = ended && WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    if (!ended || number == SIGALRM || number == SIGXCPU)
        return error_set(error, STATUS_INVALID,
                         "reading the repository took longer than %s seconds",
                         decimal(fetch->time_limit, 6).text);
    if (number == SIGKILL) /* by us, by the CPU limit, or by the kernel for lack of memory */
        return error_set(error, STATUS_INVALID,
                         "reading the repository took longer than %s seconds, or too much memory",
                         decimal(fetch->time_limit, 6).text);
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

static enum status read_record(const struct repo_fetch *fetch, struct repo_snapshot *snapshot,
                               struct error *error) {
    struct stat info;
    if (fstat(fetch->record, &info) != 0 || info.st_size > REPO_MAX_RECORD_BYTES ||
        info.st_size <= 0)
        return error_set(error, STATUS_INVALID, "the repository cannot be read: no result");
    size_t length = (size_t)info.st_size;
    void *data = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fetch->record, 0);
    if (data == MAP_FAILED)
        return error_set(error, STATUS_ENVIRONMENT, "no memory for a repository's files: %s",
                         strerror(errno));
    enum status status = STATUS_INVALID;
    bool good = repo_record_decode(data, length, fetch->want_count, &status, snapshot, error);
    munmap(data, length);
    if (good)
        return status;
    repo_snapshot_free(snapshot);
    return error_set(error, STATUS_INVALID, "the repository cannot be read: a malformed result");
}

bool repo_fetch_ready(const struct repo_fetch *fetch) {
    siginfo_t info = {0};
    bool asked = waitid(P_PID, (id_t)fetch->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    return !asked || info.si_pid != 0 || clock_ms() / 1e3 > fetch->deadline;
}

enum status repo_fetch_finish(struct repo_fetch *fetch, struct repo_snapshot *snapshot,
                              struct error *error) {
    *snapshot = (struct repo_snapshot){0};
    struct error cause = {0};
    int wait_status = 0;
    bool ended = wait_for(fetch, fetch->deadline, &wait_status);
    enum status status = ended && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0
                             ? read_record(fetch, snapshot, &cause)
                             : describe_end(fetch, ended, wait_status, &cause);
    if (status != STATUS_OK) {
        cleanup_free char *message = repo_secrets_hide(&fetch->secrets, cause.message);
        cleanup_free char *hint = repo_secrets_hide(&fetch->secrets, cause.hint);
        error_set(error, status, "%s", message);
        error_hint(error, "%s", hint);
    }
    fetch_free(fetch);
    return status;
}

void repo_fetch_cancel(struct repo_fetch *fetch) {
    if (!fetch)
        return;
    int wait_status;
    kill(fetch->pid, SIGKILL);
    wait_for(fetch, clock_ms() / 1e3 + GRACE_SECONDS, &wait_status);
    fetch_free(fetch);
}

enum status repo_read(const struct repo_request *request, struct repo_snapshot *snapshot,
                      struct error *error) {
    struct repo_fetch *fetch;
    *snapshot = (struct repo_snapshot){0};
    enum status status = repo_fetch_start(request, &fetch, error);
    return status == STATUS_OK ? repo_fetch_finish(fetch, snapshot, error) : status;
}

const char *repo_flag_word(enum repo_flag_bit bit) {
    static const char *const words[] = {
#define REPO_FLAG(name, word, sentence) word,
#include "grader/repo/repo_flag.def"
#undef REPO_FLAG
    };
    return words[bit];
}

const char *repo_flag_sentence(enum repo_flag_bit bit) {
    static const char *const sentences[] = {
#define REPO_FLAG(name, word, sentence) sentence,
#include "grader/repo/repo_flag.def"
#undef REPO_FLAG
    };
    return sentences[bit];
}

void repo_snapshot_free(struct repo_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->file_count; i++) {
        free(snapshot->files[i].path);
        free(snapshot->files[i].data);
        free(snapshot->files[i].message);
        free(snapshot->files[i].hint);
    }
    free(snapshot->files);
    free(snapshot->branch);
    *snapshot = (struct repo_snapshot){0};
}
