/* Slots of graders that know nothing of one another. */
#include "sandbox/isolation/jail_private.h"

#include "grader/base/file.h"
#include "grader/base/memory.h"

#include <errno.h>
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

/* Another grader, with a /run of its own and the same cgroups, takes slots until it has the number.
 */
static int take_elsewhere(unsigned number) {
    if (number >= SLOTS || unshare(CLONE_NEWNS) != 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("run", "/run", "tmpfs", 0, "size=1m") != 0 || mkdir("/run/warpgrade", 0700) != 0)
        return NOT_ALLOWED;
    struct slot *taken[SLOTS];
    for (unsigned i = 0; i <= number; i++)
        if (!(taken[i] = slot_take(NULL)))
            return NOT_ALLOWED;
    for (unsigned i = 0; i <= number; i++)
        slot_give(taken[i]);
    exit(DONE); /* which removes them */
}

/* Both once had a cgroup of the same name, and the second one killed what it found there. */
static void test_other_lock_folders_have_other_cgroups(void **state) {
    (void)state;
    struct slot *slot = geteuid() == 0 ? slot_take(NULL) : NULL;
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        if (!slot || !slot->cgroup.folders[i])
            skip(); /* a user's cgroups are nobody else's; without any there is nothing to share */
    pid_t sleeper = start_sleeper(slot), other = fork();
    if (other == 0)
        _exit(take_elsewhere(slot->number));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_lock_folders_have_other_cgroups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
