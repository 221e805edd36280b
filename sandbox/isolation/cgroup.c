/* Limits and figures of a whole tree of processes, by cgroups of version 1 or 2.
 *
 * Version 1 has a hierarchy for each controller, and the folder is made below our own in each.
 * Version 2 has one, where a folder with processes cannot hand controllers on: we are in one, so
 * the nearest folder above ours that may have children with memory and pids is taken. As a plain
 * user that is one that was delegated to us; as root the machine's.
 *
 * Files are opened with O_CREAT: the real ones exist and cannot be created, and a plain folder of a
 * test is filled the same way. Where a write fails, the controller counts as missing; no part of
 * the jail trusts a limit that it did not see accepted. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VALUE_MAX = 4096, EMPTY_TRIES = 200, EMPTY_WAIT_US = 1000, LEFT_MAX = 4 };

static const char *const names_v1[] = {"memory", "pids", "cpuacct"};
static const char *const names_v2[] = {"memory", "pids", "cpu"};

static bool value_write(const char *folder, const char *file, const char *value) {
    cleanup_free char *path = file_join(folder, file);
    cleanup_fd int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t written;
    do /* a limit of version 1 is given up where a signal comes, a debugger's for instance */
        written = descriptor < 0 ? -1 : write(descriptor, value, strlen(value));
    while (descriptor >= 0 && written < 0 && errno == EINTR);
    return written == (ssize_t)strlen(value);
}

static bool number_write(const char *folder, const char *file, uint64_t number) {
    char value[32];
    snprintf(value, sizeof value, "%llu", (unsigned long long)number);
    return value_write(folder, file, value);
}

static bool value_read(const char *folder, const char *file, char value[VALUE_MAX]) {
    cleanup_free char *path = file_join(folder, file);
    cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor < 0 ? -1 : read(descriptor, value, VALUE_MAX - 1);
    value[got > 0 ? got : 0] = '\0';
    return got >= 0;
}

/* The number after a key at the start of a line ("oom_kill 3"), or of the file where key is "". */
static uint64_t number_read(const char *folder, const char *file, const char *key) {
    char value[VALUE_MAX];
    if (!value_read(folder, file, value))
        return 0;
    size_t length = strlen(key);
    for (const char *line = value; *line;) {
        if (length == 0 || (strncmp(line, key, length) == 0 && line[length] == ' '))
            return strtoull(line + length, NULL, 10);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return 0;
}

/* Is a word in a list that commas or spaces part? */
static bool has_word(const char *list, size_t length, const char *word) {
    size_t wanted = strlen(word);
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && list[end] != ',' && list[end] != ' ' && list[end] != '\n')
            end++;
        if (end - i == wanted && memcmp(list + i, word, wanted) == 0)
            return true;
        i = end + 1;
    }
    return false;
}

/* One mount of a hierarchy: "ID PARENT MAJ:MIN ROOT POINT OPTIONS ... - TYPE SOURCE SUPER". */
struct mount_line {
    char root[512], point[512], type[64], super[512];
};

static bool mount_line_read(const char *line, size_t length, struct mount_line *mount) {
    cleanup_free char *copy = mem_strndup(line, length);
    char *separator = strstr(copy, " - ");
    return sscanf(copy, "%*s %*s %*s %511s %511s", mount->root, mount->point) == 2 && separator &&
           sscanf(separator, " - %63s %*s %511s", mount->type, mount->super) == 2;
}

/* Our own folder in a hierarchy, from "ID:CONTROLLERS:PATH" lines. Caller frees; NULL: none. */
static char *own_path(const char *own, const char *controller) {
    for (const char *line = own; *line;) {
        size_t length = strcspn(line, "\n");
        const char *list = memchr(line, ':', length);
        const char *path = list ? memchr(list + 1, ':', length - (size_t)(list + 1 - line)) : NULL;
        if (path) {
            size_t list_length = (size_t)(path - list) - 1;
            bool found =
                controller ? has_word(list + 1, list_length, controller) : list_length == 0;
            if (found)
                return mem_strndup(path + 1, length - (size_t)(path + 1 - line));
        }
        line += length;
        line += *line == '\n';
    }
    return NULL;
}

/* A container sees a part of the hierarchy only: its mount's root stands in our path and not on
 * disk. */
static char *folder_of(const struct mount_line *mount, const char *path, const char *prefix) {
    size_t root = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);
    if (strncmp(path, mount->root, root) == 0 && (path[root] == '/' || path[root] == '\0'))
        path += root;
    else if (root)
        path = "";
    return mem_printf("%s%s%s", prefix, mount->point, strcmp(path, "/") == 0 ? "" : path);
}

static bool may_make_folders(const char *folder) {
    return access(folder, W_OK | X_OK) == 0;
}

static void find_v1(struct cgroup_place *place, const struct mount_line *mount, const char *own,
                    const char *prefix) {
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++) {
        if (place->folders[i] || !has_word(mount->super, strlen(mount->super), names_v1[i]))
            continue;
        cleanup_free char *path = own_path(own, names_v1[i]);
        cleanup_free char *folder = path ? folder_of(mount, path, prefix) : NULL;
        if (folder && may_make_folders(folder)) {
            place->folders[i] = steal_pointer(&folder);
            place->version = 1;
        }
    }
}

/* Do children of this folder have the controller? Asks for it where not. */
static bool hands_on(const char *folder, const char *controller) {
    char value[VALUE_MAX], wish[32];
    if (value_read(folder, "cgroup.subtree_control", value) &&
        has_word(value, strlen(value), controller))
        return true;
    if (!value_read(folder, "cgroup.controllers", value) ||
        !has_word(value, strlen(value), controller))
        return false;
    snprintf(wish, sizeof wish, "+%s", controller);
    return value_write(folder, "cgroup.subtree_control", wish);
}

static void find_v2(struct cgroup_place *place, const struct mount_line *mount, const char *own,
                    const char *prefix) {
    cleanup_free char *path = own_path(own, NULL);
    cleanup_free char *folder = path ? folder_of(mount, path, prefix) : NULL;
    if (!folder)
        return;
    size_t top = strlen(prefix) + strlen(mount->point);
    for (;;) {
        if (may_make_folders(folder) && hands_on(folder, "memory") && hands_on(folder, "pids")) {
            for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
                if (i != CGROUP_CPU || hands_on(folder, names_v2[i]))
                    place->folders[i] = mem_strdup(folder);
            place->version = 2;
            return;
        }
        char *slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= top)
            return;
        *slash = '\0';
    }
}

void cgroup_place_find(struct cgroup_place *place, const char *mounts, const char *own,
                       const char *prefix) {
    *place = (struct cgroup_place){0};
    for (int version = 2; version >= 1 && place->version == 0; version--)
        for (const char *line = mounts; *line;) {
            size_t length = strcspn(line, "\n");
            struct mount_line mount;
            if (mount_line_read(line, length, &mount)) {
                if (version == 2 && place->version == 0 && strcmp(mount.type, "cgroup2") == 0)
                    find_v2(place, &mount, own, prefix);
                if (version == 1 && strcmp(mount.type, "cgroup") == 0)
                    find_v1(place, &mount, own, prefix);
            }
            line += length;
            line += *line == '\n';
        }
}

void cgroup_place_free(struct cgroup_place *place) {
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        free(place->folders[i]);
    *place = (struct cgroup_place){0};
}

/* Kills what is in a folder. False where there is nothing that it can see. */
static bool folder_signal(const char *folder) {
    char value[VALUE_MAX];
    if (!value_read(folder, "cgroup.procs", value) || !value[0])
        return false;
    for (const char *at = value; *at;) {
        long pid = strtol(at, NULL, 10);
        if (pid > 1 && pid != getpid())
            kill((pid_t)pid, SIGKILL);
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return true;
}

/* Kills what is in a folder, and says whether nothing is left. A process that has been killed and
 * still gives its memory or a device back is in no list any more; version 2 knows of it. */
static bool folder_is_empty(const char *folder) {
    return !folder_signal(folder) && number_read(folder, "cgroup.events", "populated") == 0;
}

/* Ends everything in a folder. False, with EBUSY, where something does not end in time. */
static bool folder_empty(const char *folder) {
    for (int i = 0; i < EMPTY_TRIES; i++) {
        if (folder_is_empty(folder))
            return true;
        usleep(EMPTY_WAIT_US);
    }
    errno = EBUSY;
    return false;
}

/* A folder whose last process is gone may be busy for a moment. */
static bool folder_remove(const char *folder) {
    for (int i = 0; i < EMPTY_TRIES; i++) {
        if (rmdir(folder) == 0 || errno == ENOENT)
            return true;
        if (errno != EBUSY)
            return false;
        usleep(EMPTY_WAIT_US);
    }
    errno = EBUSY;
    return false;
}

static bool folder_make(const char *folder) {
    if (mkdir(folder, 0755) == 0)
        return true;
    return errno == EEXIST && folder_empty(folder);
}

/* Version 2 has the same folder for all controllers. */
static const char *next_folder(const struct cgroup *cgroup, int *at) {
    while (*at < CGROUP_CONTROLLER_COUNT) {
        int i = (*at)++;
        if (cgroup->folders[i] && (cgroup->version != 2 || i == 0))
            return cgroup->folders[i];
    }
    return NULL;
}

bool cgroup_is_empty(const struct cgroup *cgroup) {
    const char *folder;
    for (int at = 0; (folder = next_folder(cgroup, &at));)
        if (!folder_is_empty(folder))
            return false;
    return true;
}

static void tell_process(struct text *text, long pid) {
    char folder[64], status[VALUE_MAX], name[64] = "?", state = '?';
    snprintf(folder, sizeof folder, "/proc/%ld", pid);
    if (value_read(folder, "status", status)) {
        const char *line = strstr(status, "\nState:");
        sscanf(status, "Name: %63[^\n]", name);
        if (line)
            sscanf(line, "\nState: %c", &state);
    }
    for (char *at = name; *at; at++) /* a program names itself */
        *at = *at > ' ' && *at < 127 ? *at : '?';
    text_printf(text, "%s%ld (%s, state %c)", text->length ? ", " : "process ", pid, name, state);
}

char *cgroup_left(const struct cgroup *cgroup) {
    const char *folder, *first = NULL;
    struct text text = {0};
    for (int at = 0; !text.length && (folder = next_folder(cgroup, &at));) {
        char value[VALUE_MAX];
        int listed = 0;
        first = first ? first : folder;
        value_read(folder, "cgroup.procs", value);
        for (const char *pid = value; *pid && listed < LEFT_MAX; listed++) {
            first = folder;
            tell_process(&text, strtol(pid, NULL, 10));
            pid += strcspn(pid, "\n");
            pid += *pid == '\n';
        }
    }
    if (!text.length)
        text_printf(&text, "what is ending or has groups of its own");
    text_printf(&text, " in %s", first ? first : "no cgroup");
    return text_steal(&text);
}

bool cgroup_open(struct cgroup *cgroup, const struct cgroup_place *place, const char *name) {
    bool empty = true;
    *cgroup = (struct cgroup){.version = place->version};
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++) {
        if (!place->folders[i])
            continue;
        char *folder = file_join(place->folders[i], name);
        bool made = folder_make(folder), busy = !made && errno == EBUSY;
        empty &= !busy;
        if (made || busy)
            cgroup->folders[i] = folder;
        else
            free(folder);
    }
    return empty;
}

void cgroup_remove(const struct cgroup_place *place, const char *name) {
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++) {
        cleanup_free char *folder = place->folders[i] ? file_join(place->folders[i], name) : NULL;
        if (folder && access(folder, F_OK) == 0 && folder_empty(folder))
            folder_remove(folder);
    }
}

static bool prepare_v1(struct cgroup *cgroup, const struct jail_limits *limits) {
    const char *memory = cgroup->folders[CGROUP_MEMORY], *pids = cgroup->folders[CGROUP_PROCESSES];
    uint64_t bytes = limits->memory_bytes + MEMORY_SLACK_BYTES;
    const char *folder;
    for (int at = 0; (folder = next_folder(cgroup, &at));)
        if (!folder_empty(folder))
            return false;
    if (memory) {
        /* The sum with swap is never below the limit without it: it goes up first. Kernels that do
         * not count swap have no such file. */
        bool counts_swap = value_write(memory, "memory.memsw.limit_in_bytes", "-1");
        if (!number_write(memory, "memory.limit_in_bytes", bytes) ||
            (counts_swap && !number_write(memory, "memory.memsw.limit_in_bytes", bytes)) ||
            (!counts_swap && !value_write(memory, "memory.swappiness", "0")))
            return false;
        value_write(memory, "memory.max_usage_in_bytes", "0");
    }
    return !pids || number_write(pids, "pids.max", limits->processes);
}

/* Peaks of version 2 cannot be set back on most kernels: a new folder has new ones. */
static bool prepare_v2(struct cgroup *cgroup, const struct jail_limits *limits) {
    const char *folder = cgroup->folders[CGROUP_MEMORY];
    if (!folder_empty(folder) || (!folder_remove(folder) && errno == EBUSY) ||
        !folder_make(folder) ||
        !number_write(folder, "memory.max", limits->memory_bytes + MEMORY_SLACK_BYTES) ||
        !number_write(folder, "pids.max", limits->processes))
        return false;
    if (!value_write(folder, "memory.swap.max", "0"))
        return access("/proc/swaps", R_OK) != 0 || errno == ENOENT; /* built without swap */
    return true;
}

static void read_counts(const struct cgroup *cgroup, uint64_t *cpu_us, uint64_t *oom,
                        uint64_t *refused) {
    const char *memory = cgroup->folders[CGROUP_MEMORY], *pids = cgroup->folders[CGROUP_PROCESSES],
               *cpu = cgroup->folders[CGROUP_CPU];
    bool two = cgroup->version == 2;
    *oom =
        !memory ? 0 : number_read(memory, two ? "memory.events" : "memory.oom_control", "oom_kill");
    *refused = pids ? number_read(pids, "pids.events", "max") : 0;
    *cpu_us = !cpu  ? 0
              : two ? number_read(cpu, "cpu.stat", "usage_usec")
                    : number_read(cpu, "cpuacct.usage", "") / 1000;
}

bool cgroup_prepare(struct cgroup *cgroup, const struct jail_limits *limits) {
    if (cgroup->version == 0)
        return true;
    bool two = cgroup->version == 2 && cgroup->folders[CGROUP_MEMORY];
    if (two ? !prepare_v2(cgroup, limits) : !prepare_v1(cgroup, limits))
        return false;
    read_counts(cgroup, &cgroup->cpu_before_us, &cgroup->oom_before, &cgroup->refused_before);
    return true;
}

bool cgroup_join_files(const struct cgroup *cgroup, int files[CGROUP_CONTROLLER_COUNT],
                       size_t *count, int *folder) {
    *count = 0;
    *folder = -1;
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++) {
        if (!cgroup->folders[i] || (cgroup->version == 2 && i > 0))
            continue;
        cleanup_free char *path =
            file_join(cgroup->folders[i], cgroup->version == 2 ? "cgroup.procs" : "tasks");
        files[*count] = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (files[*count] < 0)
            return false;
        ++*count;
    }
    if (cgroup->version == 2 && cgroup->folders[CGROUP_MEMORY])
        *folder = open(cgroup->folders[CGROUP_MEMORY], O_PATH | O_DIRECTORY | O_CLOEXEC);
    return true;
}

void cgroup_read(const struct cgroup *cgroup, struct cgroup_usage *usage) {
    uint64_t cpu_us, oom, refused;
    read_counts(cgroup, &cpu_us, &oom, &refused);
    const char *memory = cgroup->folders[CGROUP_MEMORY];
    *usage = (struct cgroup_usage){
        .cpu_ms =
            cpu_us > cgroup->cpu_before_us ? (double)(cpu_us - cgroup->cpu_before_us) / 1e3 : 0,
        .oom_kills = oom > cgroup->oom_before ? oom - cgroup->oom_before : 0,
        .refused = refused > cgroup->refused_before ? refused - cgroup->refused_before : 0,
    };
    if (memory)
        usage->peak_memory_bytes = number_read(
            memory, cgroup->version == 2 ? "memory.peak" : "memory.max_usage_in_bytes", "");
}

void cgroup_kill(const struct cgroup *cgroup) {
    const char *folder = cgroup->folders[CGROUP_MEMORY] ? cgroup->folders[CGROUP_MEMORY]
                                                        : cgroup->folders[CGROUP_PROCESSES];
    if (folder && (cgroup->version != 2 || !value_write(folder, "cgroup.kill", "1")))
        folder_signal(folder);
}

void cgroup_close(struct cgroup *cgroup) {
    const char *folder;
    for (int at = 0; (folder = next_folder(cgroup, &at));)
        folder_remove(folder);
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        free(cgroup->folders[i]);
    *cgroup = (struct cgroup){0};
}
