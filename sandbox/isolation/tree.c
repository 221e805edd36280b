/* What a tree of processes uses, where no cgroup counts it: a walk over /proc. Children that lose
 * their parent become children of the jail's process 1, so that no process leaves the tree.
 *
 * Between two walks a process may come and go unseen; RLIMIT_DATA and RLIMIT_CPU bound each of them
 * meanwhile, and the walk stops at a number of processes that no profile allows. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROC_TEXT_MAX = 8192, PROCESSES_MAX = 4096 };

static bool proc_read(pid_t pid, const char *file, char text[PROC_TEXT_MAX]) {
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor < 0 ? -1 : read(descriptor, text, PROC_TEXT_MAX - 1);
    text[got > 0 ? got : 0] = '\0';
    return got >= 0;
}

pid_t jail_process_parent(pid_t pid) {
    char text[PROC_TEXT_MAX];
    const char *rest = proc_read(pid, "stat", text) ? strrchr(text, ')') : NULL;
    pid_t parent;
    return rest && sscanf(rest + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

/* Kilobytes after "RssAnon:" and the like. */
static uint64_t status_bytes(const char *status, const char *key) {
    const char *at = strstr(status, key);
    return at ? strtoull(at + strlen(key), NULL, 10) * 1024 : 0;
}

static bool process_read(pid_t pid, struct tree_usage *usage) {
    char text[PROC_TEXT_MAX];
    if (!proc_read(pid, "status", text))
        return false;
    const char *threads = strstr(text, "\nThreads:");
    usage->processes += threads ? (unsigned)strtoul(threads + 9, NULL, 10) : 1;
    usage->memory_bytes += status_bytes(text, "\nRssAnon:") + status_bytes(text, "\nRssShmem:") +
                           status_bytes(text, "\nVmSwap:") + status_bytes(text, "\nVmPTE:");
    if (!proc_read(pid, "stat", text))
        return false;
    unsigned long long user = 0, system = 0, of_children[2] = {0, 0};
    const char *rest = strrchr(text, ')');
    if (rest && sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
                       &user, &system, &of_children[0], &of_children[1]) == 4)
        usage->cpu_ms += (double)(user + system + of_children[0] + of_children[1]) * 1e3 /
                         (double)sysconf(_SC_CLK_TCK);
    return true;
}

struct pids {
    pid_t *items;
    size_t count, capacity;
};

static void add_children(struct pids *pids, pid_t pid, const char *thread) {
    char text[PROC_TEXT_MAX], path[64];
    snprintf(path, sizeof path, "task/%.20s/children", thread);
    if (!proc_read(pid, path, text))
        return;
    for (char *at = text, *end; pids->count < PROCESSES_MAX; at = end) {
        long child = strtol(at, &end, 10);
        if (end == at || child <= 0)
            break;
        *mem_push(&pids->items, &pids->count, &pids->capacity) = (pid_t)child;
    }
}

/* Each thread has children of its own. */
static void add_all_children(struct pids *pids, pid_t pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    if (!threads)
        return;
    for (struct dirent *thread; (thread = readdir(threads));)
        if (thread->d_name[0] != '.')
            add_children(pids, pid, thread->d_name);
    closedir(threads);
}

bool tree_read(pid_t root, struct tree_usage *usage) {
    *usage = (struct tree_usage){0};
    struct pids pids = {0};
    *mem_push(&pids.items, &pids.count, &pids.capacity) = root;
    bool there = true;
    for (size_t i = 0; i < pids.count && there; i++) {
        there = process_read(pids.items[i], usage) || i > 0;
        add_all_children(&pids, pids.items[i]);
    }
    free(pids.items);
    return there;
}

unsigned tree_count_user(uid_t user) {
    unsigned count = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *process; processes && (process = readdir(processes));) {
        char path[64];
        struct stat info;
        if (process->d_name[0] < '1' || process->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%.20s/task", process->d_name);
        if (stat(path, &info) == 0 && info.st_uid == user)
            count += info.st_nlink > 2 ? (unsigned)info.st_nlink - 2 : 1;
    }
    if (processes)
        closedir(processes);
    return count;
}
