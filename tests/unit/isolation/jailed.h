/* Programs for the jail's tests: this program executed again, with the name of what it shall do;
 * and the three times that all tests run: with what the machine has, without cgroups, and, where we
 * are root and the program can be reached by everybody, as a plain user. */
#ifndef WARPGRADE_TESTS_UNIT_ISOLATION_JAILED_H
#define WARPGRADE_TESTS_UNIT_ISOLATION_JAILED_H

#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "tests/support/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct jailed {
    const char *name;
    int (*run)(const char *argument);
};

/* --- what jailed programs do, in several tests --- */

static inline int do_nothing(const char *argument) {
    (void)argument;
    return 0;
}

static inline int do_exit(const char *argument) {
    return atoi(argument);
}

static inline int do_sleep(const char *argument) {
    while (sleep(1000) == 0)
        ;
    return *argument;
}

/* Counts in the shared data while it lives. */
static inline int do_beat(const char *argument) {
    volatile unsigned *count =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, JAIL_DATA_FD, 0);
    while (count != MAP_FAILED && usleep(1000) == 0)
        ++*count;
    return *argument;
}

static inline int do_open(const char *argument) {
    return open(argument, O_RDONLY) >= 0 ? 0 : 40;
}

static inline int do_descriptors(const char *argument) {
    (void)argument;
    for (int descriptor = 0; descriptor < 4096; descriptor++)
        if (fcntl(descriptor, F_GETFD) >= 0)
            dprintf(1, "%d ", descriptor);
    return 0;
}

static inline int do_fork_bomb(const char *argument) {
    for (;;)
        if (fork() == 0)
            return do_sleep(argument);
}

static inline int do_flood(const char *argument) {
    static const char block[65536] = "flood";
    while (file_write_all(atoi(argument), block, sizeof block))
        ;
    return 0;
}

/* Each process stays below RLIMIT_DATA. */
static inline int do_memory_of_many(const char *argument) {
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            volatile char *block = malloc(32 << 20);
            for (size_t at = 0; block && at < 32 << 20; at += 4096)
                block[at] = 1;
            return do_sleep(argument);
        }
    return do_sleep(argument);
}

static const struct jailed jailed_common[] = {
    {"nothing", do_nothing},     {"exit", do_exit},   {"sleep", do_sleep},
    {"beat", do_beat},           {"open", do_open},   {"descriptors", do_descriptors},
    {"fork-bomb", do_fork_bomb}, {"flood", do_flood}, {"memory-of-many", do_memory_of_many},
};

static inline const struct jailed *jailed_find(const struct jailed *all, size_t count,
                                               const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}

/* For main(): true where the process is a jailed one, with its exit code. */
static inline bool jailed_main(const struct jailed *all, size_t count, int argc, char **argv,
                               int *code) {
    if (argc < 2 || (strcmp(argv[0], JAIL_PROGRAM) != 0 && strcmp(argv[0], "jailed") != 0))
        return false;
    const struct jailed *found = jailed_find(all, count, argv[1]);
    if (!found)
        found = jailed_find(jailed_common, ARRAY_LENGTH(jailed_common), argv[1]);
    *code = found ? found->run(argc > 2 ? argv[2] : "") : 120;
    return true;
}

/* --- running them --- */

/* Runs one; the caller frees the result. */
static inline enum status jailed_try(enum jail_profile profile, const char *name,
                                     const char *argument, struct jail_limits limits,
                                     struct jail_result *result, struct error *error) {
    const char *argv[] = {"jailed", name, argument, NULL};
    struct jail_spec spec = {.profile = profile,
                             .program = "/proc/self/exe",
                             .argv = argv,
                             .data_fd = -1,
                             .limits = limits};
    if (!(limits.wall_seconds > 0))
        spec.limits.wall_seconds = 60;
    return jail_run(&spec, result, error);
}

static inline struct jail_result run(enum jail_profile profile, const char *name,
                                     const char *argument, struct jail_limits limits) {
    struct jail_result result;
    struct error error = {0};
    if (jailed_try(profile, name, argument, limits, &result, &error) != STATUS_OK)
        fail_msg("%s %s: %s", name, argument, error.message);
    return result;
}

static inline struct jail_result run_plainly(enum jail_profile profile, const char *name,
                                             const char *argument) {
    return run(profile, name, argument, (struct jail_limits){0});
}

static inline void assert_limit(struct jail_result *result, enum jail_limit limit,
                                const char *described) {
    char text[128];
    jail_limit_describe(result, text, sizeof text);
    if (result->limit != limit || strcmp(text, described) != 0)
        fail_msg("limit %d (%s), exit %d, signal %d, messages \"%s\"; expected %s", result->limit,
                 text, result->exit_code, result->signal, text_string(&result->messages),
                 described);
    assert_int_equal(result->signal, limit == JAIL_LIMIT_SYSCALL ? SIGSYS : result->signal);
    assert_true(result->seen_value >= result->limit_value * 0.99);
    jail_result_free(result);
}

/* AddressSanitizer may end the program before the kernel does. */
static inline void assert_memory_limit(struct jail_result *result, const char *described) {
    if (!JAIL_ASAN || result->limit != JAIL_LIMIT_NONE) {
        assert_limit(result, JAIL_LIMIT_MEMORY, described);
        return;
    }
    assert_non_null(strstr(text_string(&result->messages), "hard rss limit exhausted"));
    jail_result_free(result);
}

/* --- the three times --- */

struct jailed_tests {
    const struct jailed *programs;
    size_t program_count;
    const struct CMUnitTest *tests;
    size_t test_count;
    /* Of the second jail: how it is closed does not depend on the user, how it is ended and counted
     * depends on the user and on cgroups, so that the hardest case is enough. */
    enum { SECOND_BOTH, SECOND_PLAIN, SECOND_NONE, SECOND_ONLY } second;
};

/* Bombs fill what one user id may have, so these tests stay away from the ids of graders that run
 * beside them: a plain user and slots that nobody else has. Debian leaves these ids unassigned.
 * Where only the supervisor counts, which on a busy machine looks late, that user has a limit. */
enum { CANNOT_BE_REACHED = 77, PLAIN_USER = 61183, PLAIN_PROCESSES = 2000, OWN_SLOTS = 256 };

/* A mode's words: which jail, and who runs it. */
static inline bool is_second(const char *mode) {
    return strstr(mode, "Landlock") != NULL;
}

static inline bool is_plain(const char *mode) {
    return strstr(mode, "a plain user") != NULL;
}

static inline int run_all(const struct jailed_tests *all, const char *mode) {
    static const struct cgroup_place none;
    if (!is_second(mode) && !has_namespaces()) {
        fprintf(stderr, "not run %s: there are no user namespaces here\n", mode);
        return 0;
    }
    slots_begin_at(OWN_SLOTS);
    jail_set_kind(is_second(mode) ? JAIL_LANDLOCK : JAIL_NAMESPACES);
    if (strcmp(mode, "without cgroups") == 0)
        slots_reset(&none);
    return _cmocka_run_group_tests(mode, all->tests, all->test_count, NULL, NULL);
}

/* A folder of locks of its own: other graders of this machine take and give slots all the time. */
static inline void have_own_slots(const char *folder) {
    setenv("XDG_RUNTIME_DIR", folder, 1);
    if (geteuid() == 0 &&
        (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
         mount("test", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0))
        fprintf(stderr, "the slots are those of the machine: %s\n", strerror(errno));
}

static inline _Noreturn void be_again(const char *path, const char *mode, const char *folder) {
    have_own_slots(folder);
    if (is_plain(mode)) {
        struct rlimit most = {PLAIN_PROCESSES, PLAIN_PROCESSES};
        setrlimit(RLIMIT_NPROC, &most);
        if (syscall(SYS_setgroups, 0, NULL) != 0 ||
            setresgid(PLAIN_USER, PLAIN_USER, PLAIN_USER) != 0 ||
            setresuid(PLAIN_USER, PLAIN_USER, PLAIN_USER) != 0)
            _exit(1);
        if (access(path, X_OK) != 0)
            _exit(CANNOT_BE_REACHED);
    }
    execl(path, path, mode, NULL);
    _exit(1);
}

static inline int start_again(const char *mode) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char folder[] = "/tmp/warpgrade-slots-XXXXXX";
    if (!mkdtemp(folder) || (geteuid() == 0 && chown(folder, PLAIN_USER, PLAIN_USER) != 0))
        return 1;
    pid_t child = fork();
    if (child == 0)
        be_again(path, mode, folder);
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    scratch_remove(folder);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (code == CANNOT_BE_REACHED)
        fprintf(stderr, "not run %s: %s is closed to others\n", mode, path);
    return code == CANNOT_BE_REACHED ? 0 : code;
}

static inline int jailed_test(const struct jailed_tests *all, int argc, char **argv) {
    int code = 0;
    bool is_root = geteuid() == 0;
    if (jailed_main(all->programs, all->program_count, argc, argv, &code))
        return code;
    if (argc > 1)
        return run_all(all, argv[1]);
    if (all->second != SECOND_ONLY)
        code |= start_again("with what there is") | start_again("without cgroups") |
                (is_root ? start_again("as a plain user") : 0);
    if (landlock_version() >= 1 && all->second != SECOND_NONE) {
        if (all->second != SECOND_PLAIN || !is_root)
            code |= start_again("with Landlock alone");
        code |= is_root ? start_again("with Landlock alone, as a plain user") : 0;
    }
    return code;
}

#endif
