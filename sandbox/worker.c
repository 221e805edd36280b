/* The supervisor of workers: fork, exec the worker's program, wait with limits, collect.
 *
 * The request is a sealed memfd that becomes descriptor 0, so nothing has to be fed while the
 * worker runs and a worker that dies early cannot raise SIGPIPE here. Response and messages come
 * back over two pipes, each with a cap; the end of the process is awaited through a pidfd. Whatever
 * happens, the whole process group is killed before the leader is reaped: until then its number
 * cannot be given to anybody else.
 *
 * Several threads may call worker_run() at once. Between fork and exec the child therefore makes
 * system calls only and touches nothing that another thread may have held locked.
 *
 * Memory is limited by RLIMIT_DATA, which counts what can be written: heap, thread stacks, private
 * mappings; not the 110 MB of NVRTC's own text, and not the address space that malloc's arenas
 * reserve for each thread. AddressSanitizer reserves terabytes of it, so builds with ASan use its
 * own limit of resident memory. A worker counts as out of memory when it says so
 * (WORKER_EXIT_MEMORY, std::bad_alloc, ASan's message) or when it ends badly with nearly all of its
 * memory in use. */
#include "sandbox/worker.h"

#include "grader/base/clock.h"
#include "grader/base/file.h"
#include "grader/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define WORKER_ASAN 1
#else
#define WORKER_ASAN 0
#endif

enum {
    LOWEST_FREE_FD = 10,      /* above the numbers that the child hands out */
    MESSAGES_MAX = 64 * 1024, /* of descriptor 2 */
    PIPE_BYTES = 1024 * 1024, /* asked for; fewer wake-ups for large responses */
    FILE_BYTES = 256 << 20,   /* largest file a worker may write (nvcc's intermediates) */
    DESCRIPTORS = 256,        /* RLIMIT_NOFILE */
    STACK_BYTES = 8 << 20,    /* of the main thread; the default of the others */
    TICK_MS = 5,              /* how often to look where the kernel has no pidfd */
    DRAIN_MS = 200,           /* how long to wait for a dead worker's last bytes */
};

static const char worker_argv0[] = "warpgrade-worker";

struct worker_limits worker_limits_resolve(const struct worker_limits *limits) {
    struct worker_limits full = limits ? *limits : (struct worker_limits){0};
    if (!(full.wall_seconds > 0))
        full.wall_seconds = 10;
    if (full.wall_seconds > 1e6)
        full.wall_seconds = 1e6;
    if (!(full.cpu_seconds > 0)) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        full.cpu_seconds = full.wall_seconds * (processors > 1 ? (double)processors : 1) + 1;
    }
    if (full.memory_bytes == 0)
        full.memory_bytes = 2ULL << 30;
    if (full.output_bytes == 0)
        full.output_bytes = 16ULL << 20;
    return full;
}

char *worker_program(void) {
    static const char itself[] = "/proc/self/exe";
    char path[PATH_MAX];
    ssize_t length = readlink(itself, path, sizeof path - 1);
    if (length <= 0)
        return mem_strdup(itself);
    path[length] = '\0';
    size_t folder = (size_t)(file_base_name(path) - path);
    cleanup_free char *beside = mem_printf("%.*s%s", (int)folder, path, worker_argv0);
    return access(beside, X_OK) == 0 ? steal_pointer(&beside) : mem_strdup(itself);
}

/* Everything the child needs, made ready before the fork. */
struct launch {
    const char *path;
    char *const *argv;
    char *const *environment;
    int request_fd, response_fd, messages_fd, data_fd, status_fd;
    struct {
        int resource;
        struct rlimit limit;
    } limits[8];
    size_t limit_count;
    pid_t supervisor;
};

static void launch_add_limit(struct launch *launch, int resource, rlim_t soft, rlim_t hard) {
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

static void launch_set_limits(struct launch *launch, const struct worker_limits *limits) {
    rlim_t cpu = (rlim_t)ceil(limits->cpu_seconds);
    launch_add_limit(launch, RLIMIT_CPU, cpu, cpu + 1); /* SIGXCPU, a second later SIGKILL */
    launch_add_limit(launch, RLIMIT_CORE, 0, 0);
    launch_add_limit(launch, RLIMIT_FSIZE, FILE_BYTES, FILE_BYTES);
    launch_add_limit(launch, RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
    launch_add_limit(launch, RLIMIT_STACK, STACK_BYTES, STACK_BYTES);
    if (!WORKER_ASAN)
        launch_add_limit(launch, RLIMIT_DATA, limits->memory_bytes, limits->memory_bytes);
}

/* In the child, before exec: async-signal-safe calls only. */
static _Noreturn void child_fail(const struct launch *launch) {
    int cause = errno;
    ssize_t ignored = write(launch->status_fd, &cause, sizeof cause);
    (void)ignored;
    _exit(127);
}

static _Noreturn void child_run(const struct launch *launch) {
    if (setsid() < 0)
        child_fail(launch);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the thread that waits is the one that forked */
    if (getppid() != launch->supervisor)
        _exit(127); /* it died before the line above */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* an ignored SIGPIPE would survive exec */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(launch->request_fd, 0) < 0 || dup2(launch->response_fd, 1) < 0 ||
        dup2(launch->messages_fd, 2) < 0)
        child_fail(launch);
    if (launch->data_fd >= 0) {
        if (dup2(launch->data_fd, WORKER_DATA_FD) < 0)
            child_fail(launch);
    } else {
        close(WORKER_DATA_FD);
    }
    /* status_fd closes itself on exec; everything else from WORKER_DATA_FD + 1 on goes now. */
    if (dup2(launch->status_fd, WORKER_DATA_FD + 1) < 0 ||
        fcntl(WORKER_DATA_FD + 1, F_SETFD, FD_CLOEXEC) < 0)
        child_fail(launch);
    if (syscall(SYS_close_range, WORKER_DATA_FD + 2, ~0U, 0) != 0)
        for (int descriptor = WORKER_DATA_FD + 2; descriptor < 65536; descriptor++)
            close(descriptor);
    struct launch inherited = *launch;
    inherited.status_fd = WORKER_DATA_FD + 1;
    if (chdir("/") != 0)
        child_fail(&inherited);
    umask(077);
    for (size_t i = 0; i < launch->limit_count; i++)
        if (setrlimit((__rlimit_resource_t)launch->limits[i].resource, &launch->limits[i].limit))
            child_fail(&inherited);
    execve(launch->path, launch->argv, launch->environment);
    child_fail(&inherited);
}

/* A descriptor of the same file with a number that the child's dup2 calls do not overwrite. */
static bool move_up(int *descriptor) {
    if (*descriptor < 0 || *descriptor >= LOWEST_FREE_FD)
        return true;
    int moved = fcntl(*descriptor, F_DUPFD_CLOEXEC, LOWEST_FREE_FD);
    if (moved < 0)
        return false;
    close(*descriptor);
    *descriptor = moved;
    return true;
}

static bool make_pipe(int *read_end, int *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *read_end = ends[0];
    *write_end = ends[1];
    fcntl(*read_end, F_SETPIPE_SZ, PIPE_BYTES);
    return move_up(read_end) && move_up(write_end) && fcntl(*read_end, F_SETFL, O_NONBLOCK) == 0;
}

static int make_request(const void *request, size_t length) {
    cleanup_fd int descriptor = memfd_create("warpgrade-request", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || !move_up(&descriptor) || !file_write_all(descriptor, request, length) ||
        lseek(descriptor, 0, SEEK_SET) != 0 ||
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL))
        return -1;
    return steal_fd(&descriptor);
}

/* One supervised process while it runs. */
struct watch {
    pid_t pid;
    int pidfd; /* -1: the kernel has none */
    int response_fd, messages_fd;
    double started_ms, deadline_ms;
    const struct worker_limits *limits;
    struct worker_result *result;
    bool killed;
};

static void watch_kill(struct watch *watch, enum worker_end end) {
    if (watch->killed)
        return;
    watch->killed = true;
    watch->result->end = end;
    kill(-watch->pid, SIGKILL);
    kill(watch->pid, SIGKILL); /* it may not have become a group leader yet */
}

/* Reads what is there. Returns false at end of file or error. */
static bool watch_read(struct watch *watch, int descriptor, struct text *into, size_t cap,
                       bool keep_first) {
    char buffer[65536];
    for (;;) {
        ssize_t got = read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EAGAIN;
        if (got == 0)
            return false;
        size_t room = cap - into->length;
        text_append_bytes(into, buffer, (size_t)got < room ? (size_t)got : room);
        if ((size_t)got > room && !keep_first) {
            watch_kill(watch, WORKER_OUTPUT_LIMIT);
            return false;
        }
        if (clock_ms() > watch->deadline_ms)
            return true; /* a flood must not keep the clock from being looked at */
    }
}

static void watch_pump(struct watch *watch, struct pollfd *response, struct pollfd *messages) {
    if (response->revents && !watch_read(watch, watch->response_fd, &watch->result->response,
                                         (size_t)watch->limits->output_bytes, false))
        response->fd = -1;
    if (messages->revents &&
        !watch_read(watch, watch->messages_fd, &watch->result->messages, MESSAGES_MAX, true))
        messages->fd = -1;
}

/* Without a pidfd: has the leader ended? It is left to be reaped. */
static bool watch_ended(const struct watch *watch) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)watch->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == watch->pid;
}

static void watch_run(struct watch *watch) {
    struct pollfd polled[3] = {
        {.fd = watch->response_fd, .events = POLLIN},
        {.fd = watch->messages_fd, .events = POLLIN},
        {.fd = watch->pidfd, .events = POLLIN},
    };
    bool ended = false;
    while (!ended) {
        double left = watch->deadline_ms - clock_ms();
        if (left <= 0) {
            if (watch->killed)
                break; /* SIGKILL was sent: wait4 below returns as soon as the kernel is done */
            watch_kill(watch, WORKER_TIME_LIMIT);
            watch->deadline_ms = clock_ms() + DRAIN_MS;
            continue;
        }
        int timeout = left > INT_MAX ? INT_MAX : (int)ceil(left);
        if (watch->pidfd < 0 && timeout > TICK_MS)
            timeout = TICK_MS;
        int ready = poll(polled, ARRAY_LENGTH(polled), timeout);
        if (ready < 0 && errno != EINTR)
            watch_kill(watch, WORKER_TIME_LIMIT);
        if (ready > 0)
            watch_pump(watch, &polled[0], &polled[1]);
        ended = watch->pidfd >= 0 ? ready > 0 && polled[2].revents : watch_ended(watch);
    }
    /* Grandchildren go before the leader's number is free; what the leader wrote is in the pipes.
     */
    kill(-watch->pid, SIGKILL);
    polled[0].revents = polled[1].revents = POLLIN;
    if (polled[0].fd < 0)
        polled[0].revents = 0;
    if (polled[1].fd < 0)
        polled[1].revents = 0;
    watch->deadline_ms = clock_ms() + DRAIN_MS;
    watch_pump(watch, &polled[0], &polled[1]);
}

/* Did it end because memory ran out? See the top of the file. */
static bool out_of_memory(const struct worker_result *result, const struct worker_limits *limits) {
    if (result->end == WORKER_FAILED && result->code == WORKER_EXIT_MEMORY)
        return true;
    static const char *const signs[] = {"std::bad_alloc", "hard rss limit exhausted",
                                        "allocator is out of memory", "warpgrade: out of memory"};
    const char *messages = text_string(&result->messages);
    for (size_t i = 0; i < ARRAY_LENGTH(signs); i++)
        if (strstr(messages, signs[i]))
            return true;
    return (double)result->peak_memory_bytes > 0.9 * (double)limits->memory_bytes;
}

/* False where the kernel does not tell how the worker ended: then nothing is known about it. */
static bool watch_reap(struct watch *watch) {
    struct worker_result *result = watch->result;
    int status = 0;
    struct rusage usage = {0};
    while (wait4(watch->pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return false;
    result->wall_ms = clock_ms() - watch->started_ms;
    result->cpu_ms = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
    result->peak_memory_bytes = (uint64_t)usage.ru_maxrss * 1024;
    result->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (watch->killed)
        return true;
    if (WIFSIGNALED(status))
        result->end = WORKER_SIGNALLED;
    else
        result->end = result->code == 0 ? WORKER_EXITED : WORKER_FAILED;
    if (result->end == WORKER_SIGNALLED &&
        (result->code == SIGXCPU || result->cpu_ms >= watch->limits->cpu_seconds * 1e3))
        result->end = WORKER_TIME_LIMIT;
    else if (result->end != WORKER_EXITED && out_of_memory(result, watch->limits))
        result->end = WORKER_MEMORY_LIMIT;
    return true;
}

/* Waits until the child has executed the program; the errno of its failure, 0 on success. */
static int await_exec(int status_fd) {
    int cause = 0;
    ssize_t got;
    do
        got = read(status_fd, &cause, sizeof cause);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof cause ? cause : 0;
}

static enum status start_failed(struct error *error, int cause) {
    enum status status =
        error_set(error, STATUS_ENVIRONMENT, "cannot start a worker process: %s", strerror(cause));
    error_hint(
        error, "%s",
        cause == EAGAIN || cause == ENOMEM
            ? "The machine is out of processes or memory; try again with fewer --jobs."
            : "A worker is the program warpgrade-worker beside warpgrade, else warpgrade itself.");
    return status;
}

static enum status supervise(struct launch *launch, struct watch *watch, int *status_read_fd,
                             int *child_ends[4], struct error *error) {
    watch->started_ms = clock_ms();
    watch->deadline_ms = watch->started_ms + watch->limits->wall_seconds * 1e3;
    watch->pid = fork();
    if (watch->pid == 0)
        child_run(launch);
    int cause = errno;
    for (size_t i = 0; i < 4; i++)
        if (*child_ends[i] >= 0)
            close(steal_fd(child_ends[i]));
    if (watch->pid < 0)
        return start_failed(error, cause);
    cause = await_exec(*status_read_fd);
    if (cause != 0) {
        waitpid(watch->pid, NULL, 0);
        return start_failed(error, cause);
    }
    watch->pidfd = (int)syscall(SYS_pidfd_open, watch->pid, 0);
    watch_run(watch);
    bool reaped = watch_reap(watch);
    if (watch->pidfd >= 0)
        close(watch->pidfd);
    if (!reaped)
        return error_set(error, STATUS_ENVIRONMENT, "cannot wait for a worker process: %s",
                         strerror(errno));
    return STATUS_OK;
}

enum status worker_run(const struct worker_spec *spec, struct worker_result *result,
                       struct error *error) {
    *result = (struct worker_result){0};
    if (strcmp(program_invocation_name, worker_argv0) == 0)
        return error_set(error, STATUS_ENVIRONMENT,
                         "a worker may not start workers: main() must call worker_main() first");
    struct worker_limits limits = worker_limits_resolve(&spec->limits);
    struct watch watch = {.pidfd = -1, .limits = &limits, .result = result};
    cleanup_fd int request = make_request(spec->request, spec->request_length);
    cleanup_fd int data =
        spec->data_fd >= 0 ? fcntl(spec->data_fd, F_DUPFD_CLOEXEC, LOWEST_FREE_FD) : -1;
    cleanup_fd int response_read = -1, response_write = -1, messages_read = -1;
    cleanup_fd int messages_write = -1, status_read = -1, status_write = -1;
    if (request < 0 || (spec->data_fd >= 0 && data < 0) ||
        !make_pipe(&response_read, &response_write) ||
        !make_pipe(&messages_read, &messages_write) || !make_pipe(&status_read, &status_write) ||
        fcntl(status_read, F_SETFL, 0) != 0)
        return start_failed(error, errno);

    cleanup_free char *path = worker_program();
    char role[64];
    snprintf(role, sizeof role, "%s", spec->role);
    char program[sizeof worker_argv0];
    memcpy(program, worker_argv0, sizeof program);
    char *argv[] = {program, role, NULL};
    char asan[128];
    snprintf(asan, sizeof asan,
             "ASAN_OPTIONS=hard_rss_limit_mb=%llu:allocator_may_return_null=1:"
             "handle_abort=0:handle_segv=0:detect_leaks=0",
             (unsigned long long)(limits.memory_bytes >> 20));
    char *environment[] = {WORKER_ASAN ? asan : NULL, NULL};
    struct launch launch = {
        .path = path,
        .argv = argv,
        .environment = environment,
        .request_fd = request,
        .response_fd = response_write,
        .messages_fd = messages_write,
        .data_fd = data,
        .status_fd = status_write,
        .supervisor = getpid(),
    };
    launch_set_limits(&launch, &limits);
    watch.response_fd = response_read;
    watch.messages_fd = messages_read;
    int *child_ends[4] = {&response_write, &messages_write, &status_write, &request};
    return supervise(&launch, &watch, &status_read, child_ends, error);
}

void worker_result_free(struct worker_result *result) {
    text_free(&result->response);
    text_free(&result->messages);
}
