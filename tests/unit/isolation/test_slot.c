/* Slots of graders that know nothing of each other. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { DONE = 0, NOT_ALLOWED = 77, SLOTS = 512 };

static pid_t start_sleeper(const struct slot *slot) {
    pid_t sleeper = fork();
    if (sleeper == 0)
        for (;;)
            pause();
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++) {
        cleanup_free char *path = mem_printf("%s/cgroup.procs", slot->cgroup.folders[i]);
        cleanup_file FILE *file = fopen(path, "we");
        if (!file || fprintf(file, "%d", (int)sleeper) < 0)
            fail_msg("cannot write %s", path);
    }
    return sleeper;
}

static void read_identity(unsigned number, char identity[17]) {
    cleanup_free char *path = mem_printf("%s/slot-%u", slot_folder(), number);
    cleanup_file FILE *file = fopen(path, "re");
    identity[file ? fread(identity, 1, 16, file) : 0] = '\0';
}

/* Another grader, with a /run of its own and the same cgroups, takes slots until it has the number.
 * Device and inode of its lock say nothing of whose it is: in containers they may be the same. */
static int take_elsewhere(unsigned number, const char *identity) {
    if (number >= SLOTS || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("run", "/run", "tmpfs", 0, "size=1m") != 0 || mkdir("/run/warpgrade", 0700) != 0)
        return NOT_ALLOWED;
    struct slot *taken[SLOTS];
    for (unsigned i = 0; i <= number; i++)
        if (!(taken[i] = slot_take(NULL)))
            return NOT_ALLOWED;
    char own[17];
    read_identity(number, own);
    for (unsigned i = 0; i <= number; i++)
        slot_give(taken[i]);
    exit(strlen(own) == 16 && strcmp(own, identity) != 0 ? DONE : 1); /* which removes them */
}

/* Both once had a cgroup of the same name, and the second one killed what it found there. */
static void test_other_lock_folders_have_other_cgroups(void **state) {
    (void)state;
    struct slot *slot = geteuid() == 0 ? slot_take(NULL) : NULL;
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        if (!slot || !slot->cgroup.folders[i])
            skip(); /* a user's cgroups are not shared; without any there is nothing to share */
    char identity[17];
    read_identity(slot->number, identity);
    assert_int_equal(strlen(identity), 16);
    assert_non_null(strstr(slot->cgroup.folders[CGROUP_MEMORY], identity));
    pid_t sleeper = start_sleeper(slot), other = fork();
    if (other == 0)
        _exit(take_elsewhere(slot->number, identity));
    int status, ended;
    assert_int_equal(waitpid(other, &status, 0), other);
    ended = (int)waitpid(sleeper, NULL, WNOHANG);
    kill(sleeper, SIGKILL);
    if (ended == 0)
        waitpid(sleeper, NULL, 0);
    slot_give(slot);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NOT_ALLOWED)
        skip();
    assert_int_equal(WEXITSTATUS(status), DONE);
    assert_int_equal(ended, 0);
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        assert_true(file_exists(slot->cgroup.folders[i]));
}

enum { NAMES = 16 }; /* that a user has in /tmp */

/* A plain user of whose names in /tmp another one has taken the first `count`, with a place in the
 * cache or without: the folder that it gets, or NULL for none. */
static int take_squatted(int count, const char *home, const char *expected) {
    static const uid_t user = 65534;
    struct error error;
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmp", "/tmp", "tmpfs", 0, "size=1m,mode=1777") != 0 ||
        mkdir("/tmp/home", 0700) != 0 || chown("/tmp/home", user, user) != 0)
        return NOT_ALLOWED;
    for (int i = 0; i < count; i++) {
        cleanup_free char *name =
            i == 0 ? mem_strdup("/tmp/warpgrade-65534") : mem_printf("/tmp/warpgrade-65534.%d", i);
        if (mkdir(name, 0755) != 0)
            return NOT_ALLOWED;
    }
    if (setresuid(user, user, user) != 0)
        return NOT_ALLOWED;
    unsetenv("XDG_RUNTIME_DIR");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", home, 1);
    bool taken = slot_take(&error) != NULL;
    if (expected)
        return taken && strcmp(slot_folder(), expected) == 0 ? DONE : 1;
    return !taken && strstr(error.message, "no place for a jail") ? DONE : 1;
}

static void test_taken_name(void **state) {
    static const struct {
        int count;
        const char *home, *expected;
    } cases[] = {{0, "/nowhere", "/tmp/warpgrade-65534"},
                 {1, "/nowhere", "/tmp/warpgrade-65534.1"},
                 {NAMES, "/tmp/home", "/tmp/home/.cache/warpgrade"},
                 {NAMES, "/nowhere", NULL}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        int status;
        pid_t other = fork();
        if (other == 0)
            _exit(take_squatted(cases[i].count, cases[i].home, cases[i].expected));
        assert_int_equal(waitpid(other, &status, 0), other);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == NOT_ALLOWED)
            skip();
        assert_int_equal(WEXITSTATUS(status), DONE);
    }
}

/* ---- what does not end ------------------------------------------------------------------------
 */

enum { ASIDE = 16 };

/* Says that this process, which is never killed, is in the slot's cgroup; or that none is. */
static void occupy(const struct slot *slot, bool occupied) {
    cleanup_free char *path = file_join(slot->cgroup.folders[CGROUP_MEMORY], "cgroup.procs");
    cleanup_file FILE *file = fopen(path, "we");
    assert_non_null(file);
    if (occupied)
        fprintf(file, "%d\n", (int)getpid());
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk) {
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

/* Once the same slot came again and again: "cannot start a worker process: cgroup: File exists". */
static void test_slots_are_set_aside(void **state) {
    (void)state;
    char root[] = "/tmp/warpgrade-slot-XXXXXX";
    assert_non_null(mkdtemp(root));
    struct cgroup_place place = {.version = 2, .folders = {root, root, root}};
    const struct jail_limits limits = {.memory_bytes = 100 << 20, .processes = 33};
    struct slot *slots[ASIDE];
    struct error error = {0};
    slots_reset(&place);
    for (int i = 0; i < ASIDE; i++) {
        slots[i] = slot_take(&error);
        assert_non_null(slots[i]);
        for (int j = 0; j < i; j++)
            assert_ptr_not_equal(slots[i], slots[j]);
        occupy(slots[i], true);
        if (i == 0)
            assert_false(cgroup_prepare(&slots[i]->cgroup, &limits));
        slot_set_aside(slots[i]);
    }
    assert_null(slot_take(&error)); /* after some seconds */
    cleanup_free char *wanted = mem_printf("16 wait for processes that were killed and do not end, "
                                           "the first for process %d (",
                                           (int)getpid());
    if (!strstr(error.message, wanted) || !strstr(error.message, root))
        fail_msg("%s", error.message);
    occupy(slots[7], false);
    assert_ptr_equal(slot_take(&error), slots[7]);
    assert_true(cgroup_prepare(&slots[7]->cgroup, &limits));
    slot_give(slots[7]);
    for (int i = 0; i < ASIDE; i++)
        occupy(slots[i], false);
    slots_reset(NULL);
    assert_int_equal(nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken_name), /* first: the folder is found once */
        cmocka_unit_test(test_other_lock_folders_have_other_cgroups),
        cmocka_unit_test(test_slots_are_set_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
