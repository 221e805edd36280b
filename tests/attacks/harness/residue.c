/* Before and after a run: see residue.h. */
#include "tests/attacks/harness/residue.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_MS = 300, STEP_MS = 5 };

/* A view of the mounts of our own, where that is allowed: what others mount meanwhile does not
 * reach it, and what gets out of a jail does, because it is shared with whatever starts here. */
static void part_from_other_mounts(void) {
    if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
        mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL);
}

bool residue_prepare(void) {
    part_from_other_mounts();
    setsid(); /* ours are told apart by it; a leader of a group is in one of its own already */
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

int32_t residue_key(const char *token) {
    uint32_t key = 2166136261u;
    for (; *token; token++)
        key = (key ^ (unsigned char)*token) * 16777619u;
    return (int32_t)(key | 1);
}

/* /proc's files have no size, so they are read until they end. */
static void read_proc(const char *path, struct text *out) {
    cleanup_file FILE *file = fopen(path, "re");
    char buffer[4096];
    for (size_t got; file && (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        text_append_bytes(out, buffer, got);
}

/* --- processes */

static void describe_process(long pid, struct text *found) {
    cleanup_text struct text line = {0};
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    read_proc(path, &line);
    for (size_t i = 0; i + 1 < line.length; i++)
        if (line.data[i] == '\0')
            line.data[i] = ' ';
    text_printf(found, "process %ld is left: %s\n", pid, text_string(&line));
}

static bool next_child(char **at, long *pid) {
    char *end;
    *pid = strtol(*at, &end, 10);
    bool more = end != *at;
    *at = end;
    return more && *pid > 0;
}

/* A process that is a child now was left, or started by one that was. */
static void find_processes(struct text *found) {
    struct timespec step = {0, STEP_MS * 1000000L};
    for (int waited = 0; waited < GRACE_MS; waited += STEP_MS) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
            return;
        nanosleep(&step, NULL);
    }
    for (int round = 0; round < 20; round++) { /* the children of who is killed come to us, too */
        cleanup_text struct text children = {0};
        char path[64];
        snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
        read_proc(path, &children);
        if (!children.length)
            break;
        char *at = children.data;
        for (long pid; next_child(&at, &pid);) {
            describe_process(pid, found);
            kill((pid_t)pid, SIGKILL);
            waitpid((pid_t)pid, NULL, 0);
        }
    }
}

/* --- files */

static int compare_entries(const FTSENT **left, const FTSENT **right) {
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static void list_folder(const char *folder, struct text *out) {
    char *roots[] = {(char *)(uintptr_t)folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, compare_entries);
    if (!walk)
        return;
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info != FTS_DP && entry->fts_level > 0)
            text_printf(out, "%s %o\n", entry->fts_path,
                        (unsigned)(entry->fts_statp->st_mode & (S_IFMT | 07777)));
    fts_close(walk);
}

/* Entries of a folder that everybody writes to, which an attack made: by name or by owner. */
static void list_shared(const char *folder, const char *token, struct text *out) {
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        struct stat info;
        if (!strstr(entry->d_name, token))
            continue;
        cleanup_free char *path = file_join(folder, entry->d_name);
        if (lstat(path, &info) == 0)
            text_printf(out, "%s\n", path);
    }
    closedir(directory);
}

static void list_segments(const char *token, struct text *out) {
    cleanup_text struct text all = {0};
    read_proc("/proc/sysvipc/shm", &all);
    char key[32];
    snprintf(key, sizeof key, "\n%10d ", (int)residue_key(token));
    if (strstr(text_string(&all), key))
        text_append(out, "a System V shared memory segment\n");
}

/* --- cgroups */

/* No process may have a cgroup that is named after a free lock: it is made and removed under
 * the lock. Names are warpgrade-USER-NUMBER-IDENTITY, and the lock's file says the last, and which
 * process had it, of which session: graders that are killed elsewhere leave theirs. */
static bool is_left(const char *name, const char *folder) {
    unsigned user, number;
    char identity[17] = "", kept[64] = "";
    long holder, session;
    if (sscanf(name, "warpgrade-%u-%u-%16[0-9a-f]", &user, &number, identity) != 3 ||
        user != geteuid())
        return false;
    cleanup_free char *path = user == 0 ? mem_printf("/run/warpgrade/slot-%u", number)
                                        : mem_printf("/tmp/warpgrade-%u/slot-%u", user, number);
    cleanup_fd int lock = open(path, O_RDWR | O_CLOEXEC);
    return lock >= 0 && pread(lock, kept, sizeof kept - 1, 0) > 16 &&
           strncmp(identity, kept, 16) == 0 &&
           sscanf(kept + 16, "%ld %ld", &holder, &session) == 2 && session == getsid(0) &&
           flock(lock, LOCK_EX | LOCK_NB) == 0 && access(folder, F_OK) == 0;
}

/* Before a run all count that are there: one that a killed grader left may be somebody else's slot
 * now, and no one's later. */
static void list_cgroups(bool only_left, struct text *out) {
    char root[] = "/sys/fs/cgroup", *roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
    if (!walk)
        return;
    for (FTSENT *entry; (entry = fts_read(walk));) {
        if (entry->fts_info != FTS_D || strncmp(entry->fts_name, "warpgrade-", 10) != 0)
            continue;
        if (!only_left || is_left(entry->fts_name, entry->fts_path))
            text_printf(out, "%s\n", entry->fts_path);
        fts_set(walk, entry, FTS_SKIP); /* with something in it, it cannot have gone away itself */
    }
    fts_close(walk);
}

void residue_look(struct residue *residue) {
    static const char *const shared[] = {"/tmp", "/var/tmp", "/dev/shm",   "/dev/mqueue",
                                         "/dev", "/run",     "/var/crash", "/"};
    for (size_t i = 0; i < ARRAY_LENGTH(residue->folders) && residue->folders[i]; i++)
        list_folder(residue->folders[i], &residue->files[i]);
    for (size_t i = 0; i < ARRAY_LENGTH(shared); i++)
        list_shared(shared[i], residue->token, &residue->shared);
    list_segments(residue->token, &residue->shared);
    list_cgroups(residue->only_left, &residue->cgroups);
    read_proc("/proc/self/mountinfo", &residue->mounts);
}

/* Lines of `after` that `before` does not have. */
static void add_new_lines(const struct text *before, const struct text *after, const char *what,
                          struct text *found) {
    for (const char *at = text_string(after); *at;) {
        size_t length = strcspn(at, "\n");
        cleanup_free char *line = mem_printf("%.*s\n", (int)length, at);
        const char *same = strstr(text_string(before), line);
        if (!same)
            text_printf(found, "%s: %s", what, line);
        at += length + (at[length] == '\n');
    }
}

void residue_compare(const struct residue *before, struct residue *after, struct text *found) {
    find_processes(found);
    after->only_left = true;
    residue_look(after);
    for (size_t i = 0; i < ARRAY_LENGTH(before->files); i++)
        add_new_lines(&before->files[i], &after->files[i], "left behind", found);
    add_new_lines(&before->shared, &after->shared, "left behind", found);
    add_new_lines(&before->cgroups, &after->cgroups, "left behind: the cgroup", found);
    add_new_lines(&before->mounts, &after->mounts, "left mounted", found);
}

void residue_free(struct residue *residue) {
    for (size_t i = 0; i < ARRAY_LENGTH(residue->files); i++)
        text_free(&residue->files[i]);
    text_free(&residue->shared);
    text_free(&residue->cgroups);
    text_free(&residue->mounts);
}
