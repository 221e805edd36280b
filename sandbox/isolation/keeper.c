/* Ends what a grader leaves running that is killed in the middle of a launch.
 *
 * bubblewrap dies with us, and its process 1 with bubblewrap, once that has asked for it: between
 * its birth and that moment no process would end it, and what it starts would run for ever. So
 * every process that jails programs has a keeper: a fork of it that holds one end of a socket and
 * nothing else, is informed of every session that a launch opens and of its end, and at the end of
 * file kills what is left of those that are still open, and removes their cgroups. Until the
 * program itself runs nothing in a jail leaves its session; when process 1 dies, all of its jail
 * does. */
#include "sandbox/isolation/jail_private.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SESSIONS_MAX = 1024, ROUNDS = 200, QUIET_ROUNDS = 5, ROUND_US = 10000 };
enum { SWEEPS = 20, SWEEP_US = 100000 };

struct sessions {
    pid_t items[SESSIONS_MAX];
    size_t count;
};

/* What a grader says that ends in good order: it has removed its cgroups itself. */
enum { GOOD_BYE = 0 };

static bool has_session(const struct sessions *sessions, pid_t session) {
    for (size_t i = 0; i < sessions->count; i++)
        if (sessions->items[i] == session)
            return true;
    return false;
}

static void hear(struct sessions *sessions, pid_t said) {
    if (said > 1 && sessions->count < SESSIONS_MAX)
        sessions->items[sessions->count++] = said;
    for (size_t i = 0; said < 0 && i < sessions->count; i++)
        if (sessions->items[i] == -said) {
            sessions->items[i] = sessions->items[--sessions->count];
            return;
        }
}

/* System calls only: the keeper has no other thread's locks. getsid() costs a tenth of reading
 * /proc/PID/stat, and whoever waits for this may not be alone on the machine. */
static bool kill_sessions(const struct sessions *sessions) {
    bool found = false;
    DIR *processes = opendir("/proc");
    if (!processes)
        return false;
    for (struct dirent *process; (process = readdir(processes));) {
        pid_t pid = (pid_t)strtol(process->d_name, NULL, 10);
        if (pid > 1 && has_session(sessions, getsid(pid)))
            found |= kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, WNOHANG) <= 0; /* if ours */
    }
    closedir(processes);
    return found;
}

static void end_sessions(const struct sessions *sessions) {
    for (int round = 0, quiet = 0; sessions->count && round < ROUNDS && quiet < QUIET_ROUNDS;
         round++) {
        quiet = kill_sessions(sessions) ? 0 : quiet + 1;
        usleep(ROUND_US);
    }
}

void keeper_end_session(pid_t session) {
    const struct sessions sessions = {.items = {session}, .count = 1};
    end_sessions(&sessions);
}

static _Noreturn void keep(int from) {
    struct sessions sessions = {.count = 0};
    bool orderly = false;
    pid_t said;
    ssize_t got;
    setsid(); /* Ctrl-C is for the grader */
    if (dup2(from, 0) != 0 || syscall(SYS_close_range, 1, ~0U, 0) != 0)
        _exit(1);
    while ((got = read(0, &said, sizeof said)) == (ssize_t)sizeof said ||
           (got < 0 && errno == EINTR))
        if (got > 0) {
            orderly |= said == GOOD_BYE;
            hear(&sessions, said);
        }
    end_sessions(&sessions);
    /* What was being launched holds the grader's locks until it dies with it. */
    for (int round = 0; !orderly && round < SWEEPS && !slots_sweep(); round++)
        usleep(SWEEP_US);
    _exit(0);
}

static struct {
    pthread_mutex_t mutex;
    pid_t owner, keeper;
    int control_fd; /* our end */
} one = {.mutex = PTHREAD_MUTEX_INITIALIZER, .control_fd = -1};

static void dismiss(void) {
    if (one.owner != getpid() || one.control_fd < 0)
        return;
    keeper_tell(one.control_fd, GOOD_BYE);
    close(one.control_fd);
    one.control_fd = -1;
    while (waitpid(one.keeper, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void hire(void) {
    int ends[2];
    if (one.owner == 0)
        atexit(dismiss);
    if (one.control_fd >= 0)
        close(one.control_fd); /* of the process that we are a fork of */
    one.owner = getpid();
    one.control_fd = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    one.keeper = fork();
    if (one.keeper == 0)
        keep(ends[0]);
    close(ends[0]);
    one.control_fd = ends[1];
    if (one.keeper < 0) {
        close(one.control_fd);
        one.control_fd = -1;
    }
}

int keeper_open(void) {
    pthread_mutex_lock(&one.mutex);
    if (one.owner != getpid())
        hire();
    int control_fd = one.control_fd;
    pthread_mutex_unlock(&one.mutex);
    return control_fd;
}

void keeper_tell(int keeper, pid_t said) {
    if (keeper >= 0)
        send(keeper, &said, sizeof said,
             MSG_NOSIGNAL | MSG_DONTWAIT); /* one that is dead is no news */
}
