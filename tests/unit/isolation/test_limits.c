/* What ends a jailed program that takes too much: of the clock, of processor time, memory,
 * processes, output and files. The result names the limit and what was seen. */
#include "jailed.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int do_spin(const char *argument) {
    (void)argument;
    for (volatile unsigned i = 0; i < 2; i = !i)
        ;
    return 0;
}

static int do_work_and_wait(const char *argument) {
    (void)argument;
    for (int i = 1; i <= 3; i++) {
        while (clock() < i * CLOCKS_PER_SEC / 20)
            ;
        usleep(300000);
    }
    return 0;
}

/* Too little to be done before the last moment. */
static int do_work_a_little(const char *argument) {
    (void)argument;
    for (int i = 1; i <= 60; i++) {
        while (clock() < i * CLOCKS_PER_SEC / 20)
            ;
        usleep(900000);
    }
    return 0;
}

/* Four processes together, each below the limit of one. */
static int do_spin_together(const char *argument) {
    fork();
    fork();
    return do_spin(argument);
}

/* malloc() fails at the limit, and an honest program says so. */
static int do_malloc(const char *argument) {
    (void)argument;
    for (void *block; (block = malloc(4 << 20));)
        memset(block, 1, 4 << 20);
    return 77;
}

/* Memory that no page of the process shows: the supervisor could not count it. */
static int do_hidden_memory(const char *argument) {
    if (strcmp(argument, "memory-file") == 0)
        return memfd_create("hidden", 0) >= 0 ? 1 : 70;
    if (strcmp(argument, "device") == 0)
        return open("/dev/zero", O_RDONLY) >= 0 ? 1 : 70;
    int flags = strcmp(argument, "shared") == 0 ? MAP_SHARED : MAP_SHARED_VALIDATE;
    char *block = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    return block != MAP_FAILED ? 1 : 70;
}

/* Each of its processes goes on forking; those that came to be are counted in the shared data. */
static int do_many_fork_bombs(const char *argument) {
    unsigned *born = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, JAIL_DATA_FD, 0);
    while (born != MAP_FAILED) {
        pid_t child = fork();
        if (child == 0)
            __atomic_add_fetch(born, 1, __ATOMIC_RELAXED);
        else if (child < 0)
            usleep(1000);
    }
    return *argument;
}

static int do_user_limit(const char *argument) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) != 0)
        return *argument;
    return limit.rlim_max == limit.rlim_cur && limit.rlim_cur == 40 + 512 ? 0 : 80;
}

static void *wait_for_ever(void *argument) {
    for (;;)
        sleep(1000);
    return argument;
}

static int do_thread_bomb(const char *argument) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    for (;;) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, wait_for_ever, NULL) != 0 && usleep(1000) != 0)
            return *argument;
    }
}

/* Hardly any of it is written, so that the folder is not full first. */
static int do_big_file(const char *argument) {
    int file = open("big", O_WRONLY | O_CREAT, 0600);
    if (file < 0)
        return 79;
    return pwrite(file, "big", 3, 64 << 20) == 3 ? 78 : *argument;
}

/* Many files, none of them large: the folder's size is what stops them. */
static int do_full_folder(const char *argument) {
    static const char block[65536] = "full";
    (void)argument;
    for (int i = 0;; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%d", i);
        cleanup_fd int file = open(name, O_WRONLY | O_CREAT, 0600);
        if (file < 0 || write(file, block, sizeof block) <= 0)
            return errno == ENOSPC && i > 10 ? 78 : 79;
    }
}

static int do_many_files(const char *argument) {
    for (int i = 0;; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%d", i);
        cleanup_fd int file = open(name, O_WRONLY | O_CREAT, 0600);
        if (file < 0 && usleep(1000) != 0)
            return *argument;
    }
}

static const struct jailed programs[] = {
    {"spin", do_spin},
    {"spin-together", do_spin_together},
    {"work-and-wait", do_work_and_wait},
    {"work-a-little", do_work_a_little},
    {"malloc", do_malloc},
    {"hidden-memory", do_hidden_memory},
    {"many-fork-bombs", do_many_fork_bombs},
    {"user-limit", do_user_limit},
    {"thread-bomb", do_thread_bomb},
    {"big-file", do_big_file},
    {"full-folder", do_full_folder},
    {"many-files", do_many_files},
};

/* --- the tests --- */

static void test_wall_clock(void **state) {
    (void)state;
    struct jail_result result =
        run(JAIL_SIMULATOR, "sleep", "", (struct jail_limits){.wall_seconds = 0.25});
    assert_true(result.wall_ms >= 250 && result.wall_ms < 10000);
    assert_limit(&result, JAIL_LIMIT_WALL, "wall clock limit: 0.25 s reached");
}

/* What others keep from the processors goes on; what sleeps has no right to. */
static void test_wall_clock_of_a_busy_machine(void **state) {
    (void)state;
    struct jail_limits limits = {.wall_seconds = 0.4, .most_seconds = 30};
    struct jail_result result = run(JAIL_SIMULATOR, "work-and-wait", "", limits);
    assert_int_equal(result.limit, JAIL_LIMIT_NONE);
    assert_int_equal(result.exit_code, 0);
    jail_result_free(&result);
    result = run(JAIL_SIMULATOR, "sleep", "", limits);
    assert_true(result.wall_ms < 10000);
    assert_limit(&result, JAIL_LIMIT_WALL, "wall clock limit: 0.4 s reached");
    struct jail_limits of_six = {.wall_seconds = 1, .most_seconds = 6};
    result = run(JAIL_SIMULATOR, "work-a-little", "", of_six);
    assert_true(result.wall_ms < 4000);
    assert_limit(&result, JAIL_LIMIT_WALL, "wall clock limit: 1 s reached");
    limits.most_seconds = 0;
    result = run(JAIL_SIMULATOR, "work-and-wait", "", limits);
    assert_limit(&result, JAIL_LIMIT_WALL, "wall clock limit: 0.4 s reached");
}

static void test_cpu_time(void **state) {
    (void)state;
    struct jail_result result =
        run(JAIL_SIMULATOR, "spin", "", (struct jail_limits){.cpu_seconds = 0.5});
    assert_limit(&result, JAIL_LIMIT_CPU, "CPU time limit: 0.5 s reached");
    result = run(JAIL_COMPILER, "spin-together", "", (struct jail_limits){.cpu_seconds = 1});
    assert_true(result.seen_value < 2); /* all together, not each */
    assert_limit(&result, JAIL_LIMIT_CPU, "CPU time limit: 1 s reached");
}

static void test_memory(void **state) {
    (void)state;
    struct jail_limits limits = {.memory_bytes = 128 << 20};
#ifndef __SANITIZE_ADDRESS__
    struct jail_result result = run(JAIL_SIMULATOR, "malloc", "", limits);
    assert_int_equal(result.exit_code, 77); /* it heard of it */
    assert_true(result.peak_memory_bytes > 100 << 20 && result.peak_memory_bytes < 200 << 20);
    jail_result_free(&result);
#else
    struct jail_result result;
#endif
    result = run(JAIL_TOOLS, "memory-of-many", "", limits);
    assert_memory_limit(&result, "memory limit: 128.0 MiB reached");
}

/* Without a memory cgroup nothing would count it. */
static void test_no_hidden_memory(void **state) {
    (void)state;
#ifndef __SANITIZE_ADDRESS__
    static const enum jail_profile profiles[] = {JAIL_SIMULATOR, JAIL_COMPILER, JAIL_TOOLS};
    static const char *const ways[] = {"memory-file", "device", "shared", "shared-validate"};
    for (size_t i = 0; i < ARRAY_LENGTH(profiles); i++)
        for (size_t way = 0; way < ARRAY_LENGTH(ways); way++) {
            struct jail_result result = run_plainly(profiles[i], "hidden-memory", ways[way]);
            assert_int_equal(result.exit_code, 70);
            jail_result_free(&result);
        }
#endif
}

static void test_processes(void **state) {
    (void)state;
    struct jail_limits limits = {.processes = 40};
    struct jail_result result = run(JAIL_TOOLS, "fork-bomb", "", limits);
    assert_limit(&result, JAIL_LIMIT_PROCESSES, "process limit: 40 processes and threads reached");
    result = run(JAIL_SIMULATOR, "thread-bomb", "", limits);
    assert_limit(&result, JAIL_LIMIT_PROCESSES, "process limit: 40 processes and threads reached");
}

static bool only_we_count(void) {
    struct slot *slot = slot_take(NULL);
    assert_non_null(slot);
    bool result = slot->own_user && !slot->cgroup.folders[CGROUP_PROCESSES];
    slot_give(slot);
    return result;
}

/* Between two looks of the supervisor a bomb had 5,000 processes. */
static void test_a_fork_bomb_stays_small(void **state) {
    (void)state;
    if (!only_we_count())
        skip();
    cleanup_fd int data = memfd_create("data", MFD_CLOEXEC);
    assert_int_equal(ftruncate(data, 4096), 0);
    const char *argv[] = {"jailed", "many-fork-bombs", NULL};
    struct jail_spec spec = {.profile = JAIL_TOOLS,
                             .program = "/proc/self/exe",
                             .argv = argv,
                             .data_fd = data,
                             .limits = {.wall_seconds = 60, .processes = 40}};
    struct jail_result result;
    assert_int_equal(jail_run(&spec, &result, NULL), STATUS_OK);
    assert_limit(&result, JAIL_LIMIT_PROCESSES, "process limit: 40 processes and threads reached");
    unsigned born = 0;
    assert_int_equal(pread(data, &born, sizeof born, 0), sizeof born);
    assert_in_range(born, 1, 40 + 512);
    result = run(JAIL_TOOLS, "user-limit", "", (struct jail_limits){.processes = 40});
    assert_int_equal(result.exit_code, 0);
    jail_result_free(&result);
}

static void test_output(void **state) {
    (void)state;
    struct jail_limits limits = {.output_bytes = 1 << 20};
    struct jail_result result = run(JAIL_SIMULATOR, "flood", "1", limits);
    assert_int_equal(result.response.length, 1 << 20);
    assert_limit(&result, JAIL_LIMIT_OUTPUT, "output limit: 1.0 MiB reached");
    limits.wall_seconds = 0.5;
    result = run(JAIL_SIMULATOR, "flood", "2", limits); /* messages are cut, not punished */
    assert_int_equal(result.messages.length, 64 << 10);
    assert_limit(&result, JAIL_LIMIT_WALL, "wall clock limit: 0.5 s reached");
}

static void test_files(void **state) {
    (void)state;
    struct jail_limits limits = {.file_bytes = 8 << 20};
    struct jail_result result = run(JAIL_TOOLS, "big-file", "", limits);
    assert_limit(&result, JAIL_LIMIT_FILE_SIZE, "file size limit: 8.0 MiB reached");
    result = run(JAIL_TOOLS, "full-folder", "", limits);
    if (jail_kind() == JAIL_LANDLOCK) { /* on the disk: the supervisor looks */
        assert_limit(&result, JAIL_LIMIT_FILE_SIZE, "file size limit: 8.0 MiB reached");
    } else {
        assert_int_equal(result.exit_code, 78);
        jail_result_free(&result);
    }
    result = run_plainly(JAIL_TOOLS, "many-files", "");
    assert_limit(&result, JAIL_LIMIT_FILE_COUNT,
                 jail_kind() == JAIL_LANDLOCK ? "file count limit: 1024 files reached"
                                              : "file count limit: 65536 files reached");
    result = run_plainly(JAIL_COMPILER, "big-file", "");
    assert_int_equal(result.exit_code, 79); /* it has no place for one */
    jail_result_free(&result);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_wall_clock),
    cmocka_unit_test(test_wall_clock_of_a_busy_machine),
    cmocka_unit_test(test_cpu_time),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_no_hidden_memory),
    cmocka_unit_test(test_processes),
    cmocka_unit_test(test_a_fork_bomb_stays_small),
    cmocka_unit_test(test_output),
    cmocka_unit_test(test_files),
};

int main(int argc, char **argv) {
    return jailed_test(&(struct jailed_tests){programs, ARRAY_LENGTH(programs), tests,
                                              ARRAY_LENGTH(tests), SECOND_PLAIN},
                       argc, argv);
}
