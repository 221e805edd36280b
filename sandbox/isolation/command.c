/* bubblewrap's command line, as data. It goes through a sealed memory file (--args), because the
 * command line of a process is readable by everyone, and that of the jail must stay private.
 *
 * Every namespace, by name: --unshare-all would go on without some. The root is a tmpfs without a
 * size, so that it is read-only once everything is in place. Never --dev: what it mounts is
 * writable and unsized. The reaper stays process 1, because a program as process 1 cannot be ended
 * by its own abort(). No --disable-userns: it fails at times under a limit of processes, and the
 * filter refuses unshare() and clone() with a namespace anyhow. --die-with-parent is a second net.
 */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "nobody" inside, whoever it is outside. */
#define INSIDE_USER "65534"

enum { EMPTY_BYTES = 4096 }; /* of a folder that stays empty */

static char *find_beside(void) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    return mem_printf("%.*sbwrap", (int)(file_base_name(path) - path), path);
}

char *command_find_bubblewrap(void) {
    const char *search = getenv("PATH");
    cleanup_free char *folders =
        mem_printf("/usr/bin:/bin:/usr/local/bin:%s", search ? search : "");
    char *found = file_find_program(folders, "bwrap");
    if (found)
        return found;
    cleanup_free char *beside = find_beside();
    return beside && access(beside, X_OK) == 0 ? steal_pointer(&beside) : NULL;
}

static void add(struct text *options, const char *word) {
    text_append_bytes(options, word, strlen(word) + 1);
}

static void add2(struct text *options, const char *option, const char *value) {
    add(options, option);
    add(options, value);
}

static void add3(struct text *options, const char *option, const char *from, const char *to) {
    add2(options, option, from);
    add(options, to);
}

static void add_number(struct text *options, const char *option, uint64_t number) {
    char value[32];
    snprintf(value, sizeof value, "%llu", (unsigned long long)number);
    add2(options, option, value);
}

static void add_namespaces(struct text *options) {
    static const char *const words[] = {
        "--unshare-user",   "--unshare-ipc",     "--unshare-pid", "--unshare-net", "--unshare-uts",
        "--unshare-cgroup", "--die-with-parent", "--uid",         INSIDE_USER,     "--gid",
        INSIDE_USER,        "--hostname",        "jail"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add(options, words[i]);
}

/* /lib and its like are links into /usr on merged systems, and folders on others. */
static void add_system(struct text *options) {
    static const char *const folders[] = {"/usr/bin",   "/usr/lib",     "/usr/lib32",
                                          "/usr/lib64", "/usr/libexec", "/usr/include"};
    static const char *const merged[] = {"/bin", "/lib", "/lib32", "/lib64"};
    for (size_t i = 0; i < ARRAY_LENGTH(folders); i++)
        add3(options, "--ro-bind-try", folders[i], folders[i]);
    for (size_t i = 0; i < ARRAY_LENGTH(merged); i++) {
        char target[PATH_MAX];
        ssize_t length = readlink(merged[i], target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            add3(options, "--symlink", target, merged[i]);
        } else {
            add3(options, "--ro-bind-try", merged[i], merged[i]);
        }
    }
    add3(options, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache");
    add3(options, "--ro-bind-try", "/etc/alternatives", "/etc/alternatives");
}

static void add_gpu(struct text *options) {
    glob_t found = {0};
    if (glob("/dev/nvidia*", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct stat info;
            if (stat(found.gl_pathv[i], &info) == 0 && S_ISCHR(info.st_mode))
                add3(options, "--dev-bind", found.gl_pathv[i], found.gl_pathv[i]);
        }
    globfree(&found);
    add3(options, "--dev-bind", "/dev/zero", "/dev/zero");
    add3(options, "--ro-bind-try", "/sys", "/sys");
}

static void add_scratch(struct text *options, const char *scratch, uint64_t bytes) {
    if (scratch) {
        add3(options, "--bind", scratch, "/scratch");
        return;
    }
    add2(options, "--perms", "0700");
    add_number(options, "--size", bytes);
    add2(options, "--tmpfs", "/scratch");
}

static void add_view(struct text *options, unsigned sees) {
    static const char *const nodes[] = {"/dev/null", "/dev/urandom"};
    if (sees & SEES_SYSTEM)
        add_system(options);
    if (sees & SEES_PROC)
        add2(options, "--proc", "/proc");
    if (sees & HIDES_REAPER) { /* what calls jail_enter() is kept from it by Landlock */
        add2(options, "--perms", "0555");
        add_number(options, "--size", EMPTY_BYTES);
        add2(options, "--tmpfs", "/proc/1");
        add2(options, "--remount-ro", "/proc/1");
    }
    for (size_t i = 0; i < ARRAY_LENGTH(nodes) && sees & SEES_NULL; i++)
        add3(options, "--dev-bind", nodes[i], nodes[i]);
    if (sees & SEES_GPU)
        add_gpu(options);
}

static void add_files(struct text *options, const struct shown_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        const struct shown_file *file = &files->items[i];
        add3(options, "--ro-bind", file->staged ? file->staged : file->outside, file->inside);
    }
}

void command_write(struct text *options, const struct jail_spec *spec,
                   const struct jail_limits *limits, const struct shown_files *files,
                   const char *scratch) {
    unsigned sees = jail_profiles[spec->profile].sees | (JAIL_ASAN ? SEES_PROC : 0);
    add_namespaces(options);
    add_view(options, sees);
    if (sees & SEES_SCRATCH)
        add_scratch(options, scratch, limits->file_bytes);
    add_files(options, files);
    add2(options, "--remount-ro", "/");
    add2(options, "--chdir", sees & SEES_SCRATCH ? "/scratch" : "/");
    if (files->has_libraries)
        add3(options, "--setenv", "LD_LIBRARY_PATH", JAIL_LIBRARIES);
    else
        add2(options, "--unsetenv", "LD_LIBRARY_PATH");
    if (JAIL_ASAN) {
        cleanup_free char *asan = jail_asan_options(limits);
        add3(options, "--setenv", "ASAN_OPTIONS", asan);
    }
    add_number(options, "--seccomp", CHILD_FILTER);
    add_number(options, "--json-status-fd", CHILD_STATUS);
}
