/* Supervision of one run, from exec until nothing of it is left.
 *
 * Four things are waited for: output, the end of our child (a pidfd), the wall clock (a timerfd),
 * and the caller's wish to end it.
 * At every tick the figures of the tree are compared with its limits.
 *
 * Our child is bubblewrap, which stays outside the jail and says on a pipe of its own which process
 * is number 1 inside and, once the program has really been executed, how that ended. Nothing inside
 * can write there. Killing number 1 ends everything inside, however it daemonised; bubblewrap does
 * not wait for it, so that it becomes our child (we are a subreaper) and is waited for here: its
 * usage is the sum over all that lived in the jail.
 *
 * In the second jail our child is the program. It leads a process group that nothing in it can
 * leave (shared.def), so that one kill() ends all of it: the kernel lets no fork slip through a
 * signal to a group. What it leaves behind becomes our child, and is waited for by the group's
 * number, which is nobody else's while any of it is there. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MESSAGES_MAX = 64 * 1024, /* of descriptor 2 */
    REPORTED_MAX = 8192,      /* by bubblewrap */
    TICK_MS = 20,
    AGAIN_MS = 1000,    /* from one look at the wall clock to the next, when its limit is over */
    LEAST_WORK_MS = 30, /* of a run that works, in that time */
    SCRATCH_TICKS = 3,
    DRAIN_MS = 200,       /* for the last bytes of what is dead */
    ORPHAN_MS = 5000,     /* for the kernel to end process 1 */
    FILES_MAX = 65536,    /* in the scratch folder */
    DISK_FILES_MAX = 1024 /* of one that stands on the disk, which lasts */
};

static const double nearly = 0.9; /* of the limit in processor time is as good as all of it */

static void pidfd_kill(int pidfd) {
    if (pidfd >= 0)
        syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
}

static void watch_kill_all(struct watch *watch) {
    pidfd_kill(watch->init_pidfd);
    cgroup_kill(watch->cgroup);
    if (watch->kind != JAIL_NAMESPACES)
        kill(-watch->pid, SIGKILL);
    pidfd_kill(watch->pidfd);
}

/* Only the first limit counts: what happens afterwards is the kill's. */
static void watch_stop(struct watch *watch, enum jail_limit limit, double value, double seen) {
    struct jail_result *result = watch->result;
    if (result->limit != JAIL_LIMIT_NONE)
        return;
    result->limit = limit;
    result->limit_value = value;
    result->seen_value = seen;
    watch_kill_all(watch);
}

/* Reads what is there, at most one pipe full at a time, so that a flood does not keep the clock
 * from being looked at. False at end of file or error. *excess: bytes that did not fit. */
static bool watch_read(int descriptor, struct text *into, size_t cap, size_t *excess) {
    char buffer[65536];
    for (int i = 0; i < 16; i++) {
        ssize_t got = read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EAGAIN;
        if (got == 0)
            return false;
        size_t room = cap - into->length;
        size_t taken = (size_t)got < room ? (size_t)got : room;
        text_append_bytes(into, buffer, taken);
        *excess += (size_t)got - taken;
    }
    return true;
}

/* Hands on what comes from descriptor 1 or 2. Of the second the beginning is kept all the same:
 * where the jail cannot be made, bubblewrap says there why. */
static bool watch_pass_on(struct watch *watch, int descriptor, int pipe, size_t *excess) {
    cleanup_text struct text part = {0};
    struct text *kept = &watch->result->messages;
    size_t *taken = &watch->taken[descriptor - 1];
    bool more = watch_read(pipe, &part, (size_t)watch->limits->output_bytes - *taken, excess);
    *taken += part.length;
    if (part.length)
        watch->take(watch->take_context, descriptor, part.data, part.length);
    size_t room = MESSAGES_MAX - kept->length;
    if (descriptor == 2)
        text_append_bytes(kept, text_string(&part), part.length < room ? part.length : room);
    return more;
}

/* --- what bubblewrap tells --- */

static bool reported_number(const struct watch *watch, const char *key, long *number) {
    const char *at = strstr(text_string(&watch->reported), key);
    if (!at)
        return false;
    char *end;
    *number = strtol(at + strlen(key), &end, 10);
    return end > at + strlen(key) && strpbrk(end, "\n,}") == end + strspn(end, " ");
}

/* A number may have been given to another process if bubblewrap ended meanwhile and the machine is
 * very busy: its parent is bubblewrap or us. */
static bool is_descendant(const struct watch *watch, pid_t pid) {
    pid_t parent = jail_process_parent(pid);
    return parent > 0 && (parent == watch->pid || parent == getpid());
}

static void watch_listen(struct watch *watch) {
    long number;
    if (watch->init == 0 && reported_number(watch, "\"child-pid\": ", &number) && number > 1) {
        int pidfd = (int)syscall(SYS_pidfd_open, (pid_t)number, 0);
        if (pidfd >= 0 && is_descendant(watch, (pid_t)number)) {
            watch->init = (pid_t)number;
            watch->init_pidfd = pidfd;
            if (watch->result->limit != JAIL_LIMIT_NONE)
                pidfd_kill(pidfd);
        } else if (pidfd >= 0) {
            close(pidfd);
        }
    }
    if (!watch->finished && reported_number(watch, "\"exit-code\": ", &number)) {
        watch->finished = true;
        watch->code = (int)number;
    }
}

/* --- the limits that are looked at --- */

static void check_scratch(struct watch *watch) {
    char path[64];
    struct statfs info;
    snprintf(path, sizeof path, "/proc/%d/root/scratch", (int)watch->init);
    if (watch->has_scratch && watch->init && statfs(path, &info) == 0 &&
        info.f_files - info.f_ffree > FILES_MAX)
        watch_stop(watch, JAIL_LIMIT_FILE_COUNT, FILES_MAX, (double)(info.f_files - info.f_ffree));
}

/* On the disk nothing limits the folder as a whole: it is walked, for a tenth of the time at most.
 */
static void measure_scratch(struct watch *watch) {
    uint64_t files, bytes, most_files = DISK_FILES_MAX + watch->filled_files;
    uint64_t most = watch->limits->file_bytes + watch->filled_bytes;
    double began = clock_ms();
    if (!watch->scratch || began < watch->next_measure_ms)
        return;
    scratch_measure(watch->scratch, most_files, most, &files, &bytes);
    double took = clock_ms() - began;
    watch->next_measure_ms = began + fmax(SCRATCH_TICKS * TICK_MS, 10 * took);
    if (files > most_files)
        watch_stop(watch, JAIL_LIMIT_FILE_COUNT, DISK_FILES_MAX,
                   (double)(files - watch->filled_files));
    if (bytes > most)
        watch_stop(watch, JAIL_LIMIT_FILE_SIZE, (double)watch->limits->file_bytes,
                   (double)(bytes - watch->filled_bytes));
}

static void check_tree(struct watch *watch) {
    const struct jail_limits *limits = watch->limits;
    struct tree_usage usage;
    if (!tree_read(watch->init ? watch->init : watch->pid, &usage))
        return;
    if (usage.cpu_ms > watch->cpu_ms)
        watch->cpu_ms = usage.cpu_ms;
    if (usage.memory_bytes > watch->peak_bytes)
        watch->peak_bytes = usage.memory_bytes;
    if (!watch->cgroup->folders[CGROUP_MEMORY] &&
        usage.memory_bytes > limits->memory_bytes + watch->data_bytes + MEMORY_SLACK_BYTES)
        watch_stop(watch, JAIL_LIMIT_MEMORY, (double)limits->memory_bytes,
                   (double)(usage.memory_bytes - watch->data_bytes));
    if (!watch->cgroup->folders[CGROUP_PROCESSES] && usage.processes > limits->processes)
        watch_stop(watch, JAIL_LIMIT_PROCESSES, limits->processes, usage.processes);
}

static void watch_check(struct watch *watch) {
    const struct cgroup *cgroup = watch->cgroup;
    struct cgroup_usage usage = {0};
    cgroup_read(cgroup, &usage);
    if (usage.cpu_ms > watch->cpu_ms)
        watch->cpu_ms = usage.cpu_ms;
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        if (!cgroup->folders[i]) {
            check_tree(watch);
            break;
        }
    if (watch->meter)
        atomic_store(&watch->meter->used_ms, (uint64_t)watch->cpu_ms);
    if (watch->cpu_ms > watch->limits->cpu_seconds * 1e3)
        watch_stop(watch, JAIL_LIMIT_CPU, watch->limits->cpu_seconds, watch->cpu_ms / 1e3);
    if (usage.oom_kills) /* of one process: the others would go on without it */
        watch_stop(watch, JAIL_LIMIT_MEMORY, (double)watch->limits->memory_bytes,
                   (double)usage.peak_memory_bytes);
    if (usage.refused)
        watch_stop(watch, JAIL_LIMIT_PROCESSES, watch->limits->processes,
                   (double)watch->limits->processes + 1);
    check_scratch(watch);
    measure_scratch(watch);
}

/* --- the loop --- */

enum { POLL_RESPONSE, POLL_MESSAGES, POLL_STATUS, POLL_END, POLL_CLOCK, POLL_CANCEL, POLL_COUNT };

static void watch_pump(struct watch *watch, struct pollfd polled[POLL_COUNT]) {
    struct jail_result *result = watch->result;
    size_t excess = 0, ignored = 0;
    if (polled[POLL_RESPONSE].revents &&
        !(watch->take ? watch_pass_on(watch, 1, watch->response, &excess)
                      : watch_read(watch->response, &result->response,
                                   (size_t)watch->limits->output_bytes, &excess)))
        polled[POLL_RESPONSE].fd = -1;
    if (polled[POLL_MESSAGES].revents &&
        !(watch->take ? watch_pass_on(watch, 2, watch->messages, &excess)
                      : watch_read(watch->messages, &result->messages, MESSAGES_MAX, &ignored)))
        polled[POLL_MESSAGES].fd = -1;
    if (excess)
        watch_stop(watch, JAIL_LIMIT_OUTPUT, (double)watch->limits->output_bytes,
                   (double)(watch->limits->output_bytes + excess));
    if (polled[POLL_STATUS].revents) {
        if (!watch_read(watch->status, &watch->reported, REPORTED_MAX, &ignored))
            polled[POLL_STATUS].fd = -1;
        watch_listen(watch);
    }
}

static bool clock_set(int timer, double seconds) {
    struct itimerspec when = {.it_value = {.tv_sec = (time_t)seconds}};
    when.it_value.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    if (when.it_value.tv_sec == 0 && when.it_value.tv_nsec < 1000)
        when.it_value.tv_nsec = 1000;
    return timerfd_settime(timer, 0, &when, NULL) == 0;
}

static int clock_open(double seconds) {
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer >= 0 && !clock_set(timer, seconds)) {
        close(timer);
        return -1;
    }
    return timer;
}

/* The wall clock's limit is over: whether the run goes on, because others had the processors. What
 * sleeps or hangs is seen from that it has used next to nothing since the last time. */
static bool clock_postpone(struct watch *watch, int timer) {
    const struct jail_limits *limits = watch->limits;
    double passed_ms = clock_ms() - watch->started_ms;
    double least_ms = watch->overdue ? watch->worked_ms + LEAST_WORK_MS : 0;
    if (passed_ms + AGAIN_MS > limits->most_seconds * 1e3)
        return false;
    watch_check(watch);
    watch->overdue = true;
    watch->worked_ms =
        watch->cpu_ms + (watch->beside ? (double)atomic_load(&watch->beside->used_ms) : 0);
    /* At this pace it has had its processor time before the last moment. */
    bool keeps_pace =
        watch->worked_ms * limits->most_seconds >= nearly * limits->wall_seconds * passed_ms;
    return watch->worked_ms < nearly * limits->wall_seconds * 1e3 && keeps_pace &&
           watch->worked_ms >= least_ms && clock_set(timer, AGAIN_MS * 1e-3);
}

/* False where poll() fails: then it would fail for ever. */
static bool watch_loop(struct watch *watch, struct pollfd polled[POLL_COUNT]) {
    double next_check = clock_ms() + TICK_MS;
    for (;;) {
        int ready = poll(polled, POLL_COUNT, TICK_MS);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready > 0)
            watch_pump(watch, polled);
        if (ready > 0 && polled[POLL_END].revents)
            return true;
        if (ready > 0 && polled[POLL_CLOCK].revents &&
            !clock_postpone(watch, polled[POLL_CLOCK].fd)) {
            watch_stop(watch, JAIL_LIMIT_WALL, watch->limits->wall_seconds,
                       (clock_ms() - watch->started_ms) / 1e3);
            polled[POLL_CLOCK].fd = -1;
        }
        if (ready > 0 && polled[POLL_CANCEL].revents) {
            watch_stop(watch, JAIL_LIMIT_CANCELLED, 0, 0);
            polled[POLL_CANCEL].fd = -1;
        }
        double now = clock_ms();
        if (now >= next_check) {
            watch_check(watch);
            next_check = clock_ms() + TICK_MS;
        }
    }
}

/* What was written before the end is still in the pipes; another process may hold their other ends.
 */
static void watch_drain(struct watch *watch, struct pollfd polled[POLL_COUNT]) {
    double until = clock_ms() + DRAIN_MS;
    do {
        for (int i = 0; i <= POLL_STATUS; i++)
            polled[i].revents = polled[i].fd >= 0 ? POLLIN : 0;
        watch_pump(watch, polled);
    } while (clock_ms() < until && poll(polled, POLL_STATUS + 1, 0) > 0);
}

static void add_usage(struct watch *watch, const struct rusage *usage, double *cpu_ms) {
    *cpu_ms += (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1e3 +
               (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e3;
    uint64_t resident = (uint64_t)usage->ru_maxrss * 1024;
    if (resident > watch->result->peak_memory_bytes)
        watch->result->peak_memory_bytes = resident;
}

/* Process 1 was bubblewrap's child, who did not wait for it: it is ours now. The kernel ends it
 * once all that it held are gone. */
static void reap_init(struct watch *watch, double *cpu_ms) {
    if (watch->init == 0)
        return;
    pidfd_kill(watch->init_pidfd);
    struct rusage usage = {0};
    for (double until = clock_ms() + ORPHAN_MS; clock_ms() < until;) {
        pid_t reaped = wait4(watch->init, NULL, WNOHANG, &usage);
        if (reaped == watch->init)
            add_usage(watch, &usage, cpu_ms);
        if (reaped == watch->init || (reaped < 0 && errno != EINTR))
            break; /* or bubblewrap did wait, and its figures have it */
        struct pollfd ended = {.fd = watch->init_pidfd, .events = POLLIN};
        poll(&ended, 1, TICK_MS);
    }
    close(watch->init_pidfd);
}

/* What the program has left behind, all of it killed. */
static void reap_group(struct watch *watch, double *cpu_ms) {
    for (double until = clock_ms() + ORPHAN_MS; clock_ms() < until;) {
        struct rusage usage = {0};
        pid_t reaped = wait4(-watch->pid, NULL, WNOHANG, &usage);
        if (reaped > 0)
            add_usage(watch, &usage, cpu_ms);
        else if (reaped == 0)
            usleep(1000);
        else if (errno != EINTR)
            return;
    }
}

/* False where the kernel does not tell how the child ended: then nothing is known about it. */
static bool watch_reap(struct watch *watch) {
    struct rusage usage = {0};
    double cpu_ms = 0;
    int status = 0;
    pid_t reaped;
    do
        reaped = wait4(watch->pid, &status, 0, &usage);
    while (reaped < 0 && errno == EINTR);
    if (reaped == watch->pid)
        add_usage(watch, &usage, &cpu_ms);
    reap_init(watch, &cpu_ms);
    if (watch->kind != JAIL_NAMESPACES)
        reap_group(watch, &cpu_ms);
    if (cpu_ms > watch->cpu_ms)
        watch->cpu_ms = cpu_ms;
    if (reaped != watch->pid) {
        watch->trouble = watch->trouble ? watch->trouble : ECHILD;
        return false;
    }
    watch->outer_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (watch->kind != JAIL_NAMESPACES) {
        watch->finished = true;
        watch->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return true;
}

bool watch_run(struct watch *watch) {
    watch->init_pidfd = -1;
    watch->pidfd = (int)syscall(SYS_pidfd_open, watch->pid, 0);
    cleanup_fd int timer = clock_open(watch->limits->wall_seconds);
    struct pollfd polled[POLL_COUNT] = {
        [POLL_RESPONSE] = {.fd = watch->response, .events = POLLIN},
        [POLL_MESSAGES] = {.fd = watch->messages, .events = POLLIN},
        [POLL_STATUS] = {.fd = watch->status, .events = POLLIN},
        [POLL_END] = {.fd = watch->pidfd, .events = POLLIN},
        [POLL_CLOCK] = {.fd = timer, .events = POLLIN},
        [POLL_CANCEL] = {.fd = watch->cancel, .events = POLLIN},
    };
    if (watch->pidfd < 0 || timer < 0 || !watch_loop(watch, polled))
        watch->trouble = errno ? errno : EIO;
    watch_kill_all(watch);
    if (watch->trouble)
        kill(watch->pid, SIGKILL);
    watch_drain(watch, polled); /* before reaping: the last report of bubblewrap names process 1 */
    bool reaped = watch_reap(watch);
    if (watch->pidfd >= 0)
        close(watch->pidfd);
    text_free(&watch->reported);
    watch->result->wall_ms = clock_ms() - watch->started_ms;
    return !watch->trouble && reaped;
}
