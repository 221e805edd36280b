/* What a worker may not do to its supervisor: run on, eat memory, flood, leave children, inherit
 * descriptors or secrets. Each misbehaviour is a role of this program. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/worker/worker.h"
#include "tests/support/namespaces.h"
#include "tests/support/stand_in.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

static int role_echo(void) {
    struct text request = {0};
    bool read_all = worker_read_request(64 << 20, &request);
    return read_all && file_write_all(1, request.data, request.length) ? 0 : 1;
}

static int role_code(void) {
    fputs("to the messages\n", stderr);
    return 42;
}

static int role_spin(void) {
    for (volatile unsigned i = 0; i < 2; i = !i)
        ;
    return 0;
}

static int role_sleep(void) {
    signal(SIGTERM, SIG_IGN);
    while (pause())
        ;
    return 0;
}

/* Touches memory until it is refused, as NVRTC and the simulated GPU would. */
static int role_memory(void) {
    while (memset(mem_alloc(16 << 20), 1, 16 << 20))
        ;
    return 0;
}

static int role_big_memory(void) {
    void *memory = malloc((size_t)300 << 20);
    if (memory)
        memset(memory, 1, (size_t)300 << 20);
    return memory ? 0 : WORKER_EXIT_MEMORY;
}

static int role_flood(void) {
    static const char block[65536] = "flood";
    while (file_write_all(1, block, sizeof block))
        ;
    return 0;
}

static int role_chatter(void) {
    static const char block[65536] = "chatter";
    for (int i = 0; i < 64; i++)
        file_write_all(2, block, sizeof block);
    return 0;
}

static int role_crash(void) {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return 0;
}

static int role_abort(void) {
    fputs("terminate called after throwing an instance of 'std::bad_alloc'\n", stderr);
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
    return 0;
}

/* Leaves a child running that holds the pipes and the shared data open, and counts there for as
 * long as it lives. */
static int role_orphan(void) {
    unsigned *beats = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_DATA_FD, 0);
    if (beats == MAP_FAILED)
        return 1;
    pid_t child = fork();
    while (child == 0) {
        ++*(volatile unsigned *)beats;
        usleep(1000);
    }
    while (*(volatile unsigned *)beats == 0)
        usleep(1000);
    return child > 0 ? 0 : 1;
}

/* Everything that was inherited: descriptors, environment, signals, folder. */
static int role_inherited(void) {
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(folder))
            dprintf(1, "fd%s ", entry->d_name);
    closedir(folder);
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "ASAN_OPTIONS=", 13) != 0)
            dprintf(1, "env:%s ", *variable);
    char directory[256];
    struct sigaction pipe_action;
    struct rlimit core;
    sigaction(SIGPIPE, NULL, &pipe_action);
    getrlimit(RLIMIT_CORE, &core);
    dprintf(1, "cwd:%s core:%d pipe:%d leader:%d", getcwd(directory, sizeof directory),
            (int)core.rlim_max, pipe_action.sa_handler == SIG_DFL, getsid(0) == getpid());
    return 0;
}

static int role_data(void) {
    char *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_DATA_FD, 0);
    if (data == MAP_FAILED)
        return 1;
    data[1] = (char)(data[0] + 1);
    return ftruncate(WORKER_DATA_FD, 8192) == 0 ? 2 : 0; /* sealed: must fail */
}

static int role_nested(void) {
    struct worker_spec spec = {.role = "echo", .data_fd = -1};
    struct worker_result result;
    struct error error;
    return worker_run(&spec, &result, &error) == STATUS_ENVIRONMENT ? 0 : 1;
}

static const struct stand_in roles[] = {
    {"echo", role_echo},   {"code", role_code},       {"spin", role_spin},
    {"sleep", role_sleep}, {"memory", role_memory},   {"big-memory", role_big_memory},
    {"flood", role_flood}, {"chatter", role_chatter}, {"crash", role_crash},
    {"abort", role_abort}, {"orphan", role_orphan},   {"inherited", role_inherited},
    {"data", role_data},   {"nested", role_nested},
};

static struct worker_result run(const char *role, const void *request, size_t length,
                                struct worker_limits limits) {
    struct worker_spec spec = {role, request, length, -1, limits, JAIL_TOOLS, NULL};
    struct worker_result result;
    struct error error;
    if (worker_run(&spec, &result, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return result;
}

static struct worker_result run_plain(const char *role) {
    return run(role, "", 0, (struct worker_limits){.wall_seconds = 60});
}

static void test_echo(void **state) {
    (void)state;
    struct worker_result result = run_plain("echo");
    assert_int_equal(result.end, WORKER_EXITED);
    assert_int_equal(result.response.length, 0);
    worker_result_free(&result);
    size_t length = 5000003;
    cleanup_free char *request = mem_alloc(length);
    for (size_t i = 0; i < length; i++)
        request[i] = (char)(i * 7);
    result = run("echo", request, length, (struct worker_limits){0});
    assert_int_equal(result.end, WORKER_EXITED);
    assert_int_equal(result.response.length, length);
    assert_memory_equal(result.response.data, request, length);
    assert_true(result.peak_memory_bytes > length);
    worker_result_free(&result);
}

static void test_early_exit_with_large_request(void **state) {
    (void)state;
    size_t length = 8 << 20; /* more than any pipe holds; no one reads it, no one gets SIGPIPE */
    cleanup_free char *request = mem_zalloc(length);
    struct worker_result result = run("code", request, length, (struct worker_limits){0});
    assert_int_equal(result.end, WORKER_FAILED);
    assert_int_equal(result.code, 42);
    assert_string_equal(text_string(&result.messages), "to the messages\n");
    worker_result_free(&result);
}

static void test_time_limits(void **state) {
    (void)state;
    struct worker_result result = run("sleep", "", 0, (struct worker_limits){.wall_seconds = 0.2});
    assert_int_equal(result.end, WORKER_TIME_LIMIT);
    assert_true(result.wall_ms >= 200 && result.wall_ms < 20000);
    worker_result_free(&result);
    result = run("spin", "", 0, (struct worker_limits){.wall_seconds = 60, .cpu_seconds = 0.5});
    assert_int_equal(result.end, WORKER_TIME_LIMIT);
    assert_true(result.wall_ms < 50000); /* this machine may be busy */
    assert_true(result.cpu_ms > 300);
    worker_result_free(&result);
}

static void test_memory_limit(void **state) {
    (void)state;
    struct worker_limits limits = {.wall_seconds = 60, .memory_bytes = 256 << 20};
    struct worker_result result = run("memory", "", 0, limits);
    assert_int_equal(result.end, WORKER_MEMORY_LIMIT);
    worker_result_free(&result);
#ifndef __SANITIZE_ADDRESS__ /* ASan looks at its limit ten times a second only */
    result = run("big-memory", "", 0, limits);
    assert_int_equal(result.end, WORKER_MEMORY_LIMIT);
    worker_result_free(&result);
#endif
    limits.memory_bytes = 1 << 30;
    result = run("big-memory", "", 0, limits);
    assert_int_equal(result.end, WORKER_EXITED);
    worker_result_free(&result);
    result = run_plain("abort"); /* what C++ says when new fails */
    assert_int_equal(result.end, WORKER_MEMORY_LIMIT);
    worker_result_free(&result);
}

static void test_output_limits(void **state) {
    (void)state;
    struct worker_limits limits = {.wall_seconds = 60, .output_bytes = 1 << 20};
    struct worker_result result = run("flood", "", 0, limits);
    assert_int_equal(result.end, WORKER_OUTPUT_LIMIT);
    assert_true(result.response.length <= 1 << 20);
    worker_result_free(&result);
    result = run_plain("chatter"); /* messages are cut, not punished */
    assert_int_equal(result.end, WORKER_EXITED);
    assert_int_equal(result.messages.length, 64 * 1024);
    worker_result_free(&result);
}

static void test_crash(void **state) {
    (void)state;
    struct worker_result result = run_plain("crash");
    assert_int_equal(result.end, WORKER_SIGNALLED);
    assert_int_equal(result.code, SIGSEGV);
    worker_result_free(&result);
    result = run_plain("no such role");
    assert_int_equal(result.end, WORKER_FAILED);
    assert_int_equal(result.code, WORKER_EXIT_UNKNOWN_ROLE);
    worker_result_free(&result);
}

static void test_no_child_survives(void **state) {
    (void)state;
    cleanup_fd int data = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(data, 4096), 0);
    struct worker_spec spec = {.role = "orphan", .data_fd = data, .profile = JAIL_TOOLS};
    struct worker_result result;
    struct error error;
    assert_int_equal(worker_run(&spec, &result, &error), STATUS_OK);
    assert_int_equal(result.end, WORKER_EXITED);
    assert_true(result.wall_ms < 5000); /* the orphan holds the pipes; no one waits for it */
    unsigned before = 0, after = 0;
    assert_int_equal(pread(data, &before, sizeof before, 0), sizeof before);
    usleep(50000);
    assert_int_equal(pread(data, &after, sizeof after, 0), sizeof after);
    assert_true(before > 0);
    assert_int_equal(before, after);
    worker_result_free(&result);
}

static void test_nothing_is_inherited(void **state) {
    (void)state;
    if (!has_namespaces())
        skip();
    setenv("WARPGRADE_SECRET", "seed", 1);
    cleanup_fd int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int leaked = fcntl(null, F_DUPFD, 50); /* without O_CLOEXEC, as a library might leave it */
    signal(SIGPIPE, SIG_IGN);
    struct worker_result result = run_plain("inherited");
    signal(SIGPIPE, SIG_DFL);
    close(leaked);
#ifdef __SANITIZE_ADDRESS__ /* without the second filter, which stands on descriptor 4 */
    static const char seal[] = "";
#else
    static const char seal[] = "fd4 ";
#endif
    cleanup_free char *expected =
        mem_printf("fd0 fd1 fd2 %senv:PWD=/scratch cwd:/scratch core:0 pipe:1 leader:0", seal);
    assert_string_equal(text_string(&result.response), expected);
    worker_result_free(&result);
}

static void test_shared_data(void **state) {
    (void)state;
    cleanup_fd int data = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(data, 4096), 0);
    assert_int_equal(pwrite(data, "A", 1, 0), 1);
    assert_int_equal(fcntl(data, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL), 0);
    struct worker_spec spec = {.role = "data", .data_fd = data};
    struct worker_result result;
    struct error error;
    assert_int_equal(worker_run(&spec, &result, &error), STATUS_OK);
    assert_int_equal(result.end, WORKER_EXITED);
    char bytes[2];
    assert_int_equal(pread(data, bytes, 2, 0), 2);
    assert_memory_equal(bytes, "AB", 2);
    worker_result_free(&result);
}

/* A test program without worker_main() would otherwise run itself again and again. */
static void test_workers_start_no_workers(void **state) {
    (void)state;
    struct worker_result result = run_plain("nested");
    assert_int_equal(result.end, WORKER_EXITED);
    worker_result_free(&result);
}

/* A parent that ignores SIGCHLD hands that on; waiting must not silently give "all was well". */
static void test_ignored_sigchld(void **state) {
    (void)state;
    signal(SIGCHLD, SIG_IGN);
    struct worker_spec spec = {.role = "code", .data_fd = -1};
    struct worker_result result;
    struct error error;
    enum status status = worker_run(&spec, &result, &error);
    assert_true(status == STATUS_ENVIRONMENT || result.end == WORKER_FAILED);
    worker_result_free(&result);
    int code;
    char *argv[] = {"test", NULL};
    assert_false(worker_main(1, argv, &code));
    result = run_plain("code");
    assert_int_equal(result.end, WORKER_FAILED);
    worker_result_free(&result);
}

static void *many(void *argument) {
    size_t *failures = argument;
    for (int i = 0; i < 10; i++) {
        char request[32];
        int length = snprintf(request, sizeof request, "%p %d", argument, i);
        struct worker_spec spec = {"echo", request, (size_t)length, -1, {0}, JAIL_TOOLS, NULL};
        struct worker_result result;
        struct error error;
        if (worker_run(&spec, &result, &error) != STATUS_OK || result.end != WORKER_EXITED ||
            strcmp(text_string(&result.response), request) != 0)
            ++*failures;
        worker_result_free(&result);
    }
    return NULL;
}

static void test_many_at_once(void **state) {
    (void)state;
    pthread_t threads[8];
    size_t failures[8] = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many, &failures[i]), 0);
    for (size_t i = 0; i < ARRAY_LENGTH(threads); i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failures[i], 0);
    }
}

int main(int argc, char **argv) {
    int code;
    if (stand_in_main(roles, ARRAY_LENGTH(roles), argc, argv, &code))
        return code;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_echo),
        cmocka_unit_test(test_early_exit_with_large_request),
        cmocka_unit_test(test_time_limits),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_output_limits),
        cmocka_unit_test(test_crash),
        cmocka_unit_test(test_no_child_survives),
        cmocka_unit_test(test_nothing_is_inherited),
        cmocka_unit_test(test_shared_data),
        cmocka_unit_test(test_workers_start_no_workers),
        cmocka_unit_test(test_ignored_sigchld),
        cmocka_unit_test(test_many_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
