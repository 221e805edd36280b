/* Finding and using cgroups of both versions, on folders that look like them. What a kernel does
 * with the values is test_limits', where the machine has the controllers; being born into a folder
 * of version 2 is tried on the real hierarchy where one can be written to. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];

static void put(const char *path, const char *text) {
    cleanup_free char *whole = mem_printf("%s%s", root, path);
    cleanup_free char *folder = mem_strndup(whole, (size_t)(file_base_name(whole) - whole));
    struct error error;
    assert_int_equal(file_make_directories(folder, &error), STATUS_OK);
    assert_int_equal(file_write(whole, text, strlen(text), &error), STATUS_OK);
}

static void assert_file(const char *path, const char *expected) {
    cleanup_free char *whole = mem_printf("%s%s", root, path);
    cleanup_free char *text = NULL;
    size_t length;
    struct error error = {0};
    if (file_read(whole, 4096, &text, &length, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_string_equal(text, expected);
}

static void assert_place(const char *mounts, const char *own, int version, const char *memory,
                         const char *processes, const char *cpu) {
    const char *const expected[] = {memory, processes, cpu};
    struct cgroup_place place;
    cgroup_place_find(&place, mounts, own, root);
    assert_int_equal(place.version, version);
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++) {
        if (!expected[i]) {
            assert_null(place.folders[i]);
            continue;
        }
        assert_non_null(place.folders[i]);
        cleanup_free char *whole = mem_printf("%s%s", root, expected[i]);
        assert_string_equal(place.folders[i], whole);
    }
    cgroup_place_free(&place);
}

static const char mounts_v1[] =
    "30 25 0:27 / /cg/memory rw,relatime - cgroup cgroup rw,memory\n"
    "31 25 0:28 / /cg/pids rw,relatime shared:9 - cgroup cgroup rw,pids\n"
    "32 25 0:29 / /cg/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
    "33 25 0:30 / /cg/unified rw,relatime - cgroup2 cgroup2 rw\n";

static void test_finds_v1(void **state) {
    (void)state;
    static const char own[] = "9:memory:/a/b\n8:pids:/\n7:cpu,cpuacct:/c\n0::/\n";
    put("/cg/memory/a/b/tasks", "");
    put("/cg/pids/tasks", "");
    put("/cg/cpu,cpuacct/c/tasks", "");
    put("/cg/unified/cgroup.controllers", "");
    assert_place(mounts_v1, own, 1, "/cg/memory/a/b", "/cg/pids", "/cg/cpu,cpuacct/c");
    assert_place(mounts_v1, "8:pids:/\n", 1, NULL, "/cg/pids", NULL);
    assert_place(mounts_v1, "", 0, NULL, NULL, NULL);
    assert_place("", own, 0, NULL, NULL, NULL);
}

/* A container's mount shows its own part only, and the path is still the machine's. */
static void test_finds_a_containers_part(void **state) {
    (void)state;
    put("/cg/memory/tasks", "");
    assert_place("30 25 0:27 /docker/1f /cg/memory rw - cgroup cgroup rw,memory\n",
                 "9:memory:/docker/1f\n", 1, "/cg/memory", NULL, NULL);
    put("/cg/memory/inner/tasks", "");
    assert_place("30 25 0:27 /docker/1f /cg/memory rw - cgroup cgroup rw,memory\n",
                 "9:memory:/docker/1f/inner\n", 1, "/cg/memory/inner", NULL, NULL);
}

static const char mounts_v2[] = "30 25 0:27 / /cg2 rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n";

/* Ours has processes and may not hand controllers on; the one above does. */
static void test_finds_v2(void **state) {
    (void)state;
    put("/cg2/cgroup.controllers", "cpu memory pids\n");
    put("/cg2/cgroup.subtree_control", "\n");
    put("/cg2/user/cgroup.controllers", "cpu memory pids\n");
    put("/cg2/user/cgroup.subtree_control", "memory pids\n");
    put("/cg2/user/us/cgroup.controllers", "memory\n");
    put("/cg2/user/us/cgroup.subtree_control", "\n");
    assert_place(mounts_v2, "0::/user/us\n", 2, "/cg2/user", "/cg2/user", "/cg2/user");
    assert_file("/cg2/user/cgroup.subtree_control", "+cpu"); /* asked for; the kernel merges */
    put("/cg2/user/cgroup.controllers", "memory pids\n");
    put("/cg2/user/cgroup.subtree_control", "memory pids\n");
    assert_place(mounts_v2, "0::/user/us\n", 2, "/cg2/user", "/cg2/user", NULL);
    put("/cg2/user/cgroup.controllers", "cpu\n");
    put("/cg2/user/cgroup.subtree_control", "cpu\n");
    put("/cg2/cgroup.controllers", "\n");
    assert_place(mounts_v2, "0::/user/us\n", 0, NULL, NULL, NULL);
}

static struct cgroup open_fake(int version) {
    struct cgroup_place place = {.version = version};
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        place.folders[i] = mem_printf("%s/fake%d", root, version == 2 ? 0 : i);
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        mkdir(place.folders[i], 0755);
    struct cgroup cgroup;
    assert_true(cgroup_open(&cgroup, &place, "slot"));
    cgroup_place_free(&place);
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
        assert_non_null(cgroup.folders[i]);
    return cgroup;
}

static const struct jail_limits limits = {.memory_bytes = 100 << 20, .processes = 33};

static void test_limits_of_v2(void **state) {
    (void)state;
    struct cgroup cgroup = open_fake(2);
    assert_true(cgroup_prepare(&cgroup, &limits));
    assert_file("/fake0/slot/memory.max", "171966464"); /* with the slack */
    assert_file("/fake0/slot/memory.swap.max", "0");
    assert_file("/fake0/slot/pids.max", "33");
    put("/fake0/slot/memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 4\noom_group_kill 0\n");
    put("/fake0/slot/memory.peak", "123456789\n");
    put("/fake0/slot/pids.events", "max 7\n");
    put("/fake0/slot/cpu.stat", "usage_usec 2500000\nuser_usec 1\nsystem_usec 2\n");
    struct cgroup_usage usage;
    cgroup_read(&cgroup, &usage);
    assert_int_equal(usage.oom_kills, 4);
    assert_int_equal(usage.refused, 7);
    assert_int_equal(usage.peak_memory_bytes, 123456789);
    assert_true(usage.cpu_ms == 2500);
    assert_true(cgroup_prepare(&cgroup, &limits)); /* figures of the run before do not count */
    put("/fake0/slot/memory.events", "oom_kill 5\n");
    cgroup_read(&cgroup, &usage);
    assert_int_equal(usage.oom_kills, 1);
    assert_int_equal(usage.refused, 0);
    assert_true(usage.cpu_ms == 0);
    cgroup_kill(&cgroup);
    assert_file("/fake0/slot/cgroup.kill", "1");
    cgroup_close(&cgroup);
}

static void test_limits_of_v1(void **state) {
    (void)state;
    struct cgroup cgroup = open_fake(1);
    assert_true(cgroup_prepare(&cgroup, &limits));
    assert_file("/fake0/slot/memory.limit_in_bytes", "171966464");
    assert_file("/fake0/slot/memory.memsw.limit_in_bytes", "171966464");
    assert_file("/fake0/slot/memory.max_usage_in_bytes", "0");
    assert_file("/fake1/slot/pids.max", "33");
    put("/fake0/slot/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    put("/fake0/slot/memory.max_usage_in_bytes", "777\n");
    put("/fake2/slot/cpuacct.usage", "3000000000\n");
    struct cgroup_usage usage;
    cgroup_read(&cgroup, &usage);
    assert_int_equal(usage.oom_kills, 2);
    assert_int_equal(usage.peak_memory_bytes, 777);
    assert_true(usage.cpu_ms == 3000);
    cgroup_close(&cgroup);
}

/* A limit that is not accepted is no limit. */
static void test_refused_limits(void **state) {
    (void)state;
    struct cgroup cgroup = open_fake(2);
    cleanup_free char *file = mem_printf("%s/pids.max", cgroup.folders[CGROUP_MEMORY]);
    unlink(file);
    assert_int_equal(mkdir(file, 0755), 0);
    assert_false(cgroup_prepare(&cgroup, &limits));
    assert_int_equal(rmdir(file), 0);
    cgroup_close(&cgroup);
}

/* This process is never killed, like one that waits for a device. */
static void test_what_does_not_end(void **state) {
    (void)state;
    cleanup_free char *own = mem_printf("%d\n", (int)getpid());
    cleanup_free char *wanted = mem_printf("process %d (", (int)getpid());
    for (int version = 1; version <= 2; version++) {
        struct cgroup cgroup = open_fake(version);
        put("/fake0/slot/cgroup.procs", own);
        assert_false(cgroup_is_empty(&cgroup));
        errno = 0;
        assert_false(cgroup_prepare(&cgroup, &limits));
        assert_int_equal(errno, EBUSY);
        cleanup_free char *left = cgroup_left(&cgroup);
        assert_non_null(strstr(left, wanted));
        assert_non_null(strstr(left, cgroup.folders[CGROUP_MEMORY]));
        put("/fake0/slot/cgroup.procs", "");
        assert_true(cgroup_is_empty(&cgroup));
        assert_true(cgroup_prepare(&cgroup, &limits));
        cgroup_close(&cgroup);
    }
}

/* A process that gives its memory back is in no list, and counts nevertheless. */
static void test_what_is_ending(void **state) {
    (void)state;
    struct cgroup cgroup = open_fake(2);
    put("/fake0/slot/cgroup.events", "populated 1\nfrozen 0\n");
    assert_false(cgroup_prepare(&cgroup, &limits));
    assert_int_equal(errno, EBUSY);
    cleanup_free char *left = cgroup_left(&cgroup);
    assert_non_null(strstr(left, "what is ending"));
    put("/fake0/slot/cgroup.events", "populated 0\nfrozen 0\n");
    assert_true(cgroup_prepare(&cgroup, &limits));
    cgroup_close(&cgroup);
}

/* A process that is born into a folder of the real version 2, without ever having been elsewhere.
 */
static void test_born_in_v2(void **state) {
    (void)state;
    static const char *const places[] = {"/sys/fs/cgroup/unified", "/sys/fs/cgroup"};
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        cleanup_free char *file = file_join(places[i], "cgroup.subtree_control");
        cleanup_free char *folder = mem_printf("%s/warpgrade-test-%d", places[i], (int)getpid());
        if (access(file, W_OK) != 0 || mkdir(folder, 0755) != 0)
            continue;
        int response[2], failure[2];
        assert_int_equal(pipe2(response, O_CLOEXEC) | pipe2(failure, O_CLOEXEC), 0);
        char *argv[] = {"grep", "^0:", "/proc/self/cgroup", NULL}, *environment[] = {NULL};
        struct jail_launch_state launch = {.program = open("/bin/grep", O_PATH | O_CLOEXEC),
                                           .argv = argv,
                                           .environment = environment,
                                           .folder = "/",
                                           .failure = fcntl(failure[1], F_DUPFD_CLOEXEC, 20),
                                           .cgroup = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC),
                                           .joins = {-1}, /* would fail */
                                           .join_count = 1,
                                           .supervisor = getpid()};
        launch.program = fcntl(launch.program, F_DUPFD_CLOEXEC, 20);
        close(failure[1]);
        launch_add_descriptor(&launch, fcntl(response[1], F_DUPFD_CLOEXEC, 20), 1);
        pid_t pid;
        const char *step;
        int cause = launch_start(&launch, failure[0], &pid, &step);
        int status = -1;
        char text[256] = "";
        if (cause == 0) {
            waitpid(pid, &status, 0);
            assert_true(read(response[0], text, sizeof text - 1) > 0);
        }
        for (int tries = 0; rmdir(folder) != 0 && tries < 200; tries++)
            usleep(1000);
        assert_int_equal(cause, 0);
        assert_int_equal(status, 0);
        assert_non_null(strstr(text, "warpgrade-test-"));
        return;
    }
    skip(); /* no hierarchy of version 2 that may be written to */
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk) {
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

static int make_root(void **state) {
    (void)state;
    strcpy(root, "/tmp/warpgrade-cgroup-XXXXXX");
    return mkdtemp(root) ? 0 : 1;
}

static int remove_root(void **state) {
    (void)state;
    return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_finds_v1, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_finds_a_containers_part, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_finds_v2, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_limits_of_v2, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_limits_of_v1, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_refused_limits, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_what_does_not_end, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_what_is_ending, make_root, remove_root),
        cmocka_unit_test(test_born_in_v2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
