/* How runs end, many at once, and what is said where there is no jail: on purpose
 * (--unsafe-no-jail), or because bubblewrap is missing or broken. */
#include "jailed.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int do_signal(const char *argument) {
    signal(atoi(argument), SIG_DFL);
    return raise(atoi(argument));
}

static int do_where(const char *argument) {
    char folder[4096];
    return getcwd(folder, sizeof folder) && file_write_all(1, folder, strlen(folder)) ? 0
                                                                                      : *argument;
}

/* Without a jail there is nothing to close. */
static int do_enter(const char *argument) {
    jail_enter(JAIL_SIMULATOR);
    return *argument ? 64 : 63;
}

static const struct jailed programs[] = {
    {"signal", do_signal},
    {"where", do_where},
    {"enter", do_enter},
};

/* --- the tests --- */

static void test_ends(void **state) {
    (void)state;
    struct jail_result result = run_plainly(JAIL_SIMULATOR, "exit", "42");
    assert_int_equal(result.exit_code, 42);
    assert_int_equal(result.signal, 0);
    assert_int_equal(result.limit, JAIL_LIMIT_NONE);
    jail_result_free(&result);
    result = run_plainly(JAIL_SIMULATOR, "signal", "11");
    assert_int_equal(result.exit_code, -1);
    assert_int_equal(result.signal, SIGSEGV);
    assert_int_equal(result.limit, JAIL_LIMIT_NONE);
    jail_result_free(&result);
    result = run_plainly(JAIL_SIMULATOR, "signal", "6"); /* as process 1 it would not be SIGABRT */
    assert_int_equal(result.signal, SIGABRT);
    jail_result_free(&result);
}

/* What is hung up and what is written to end a run alike; what is neither lets it run. */
static void test_cancelled(void **state) {
    (void)state;
    static const char *const argv[] = {"jailed", "sleep", "", NULL};
    for (int i = 0; i < 3; i++) {
        int ends[2];
        struct jail_result result;
        struct error error;
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        if (i == 0)
            close(ends[1]);
        else if (i == 1)
            assert_int_equal(write(ends[1], "x", 1), 1);
        struct jail_spec spec = {.profile = JAIL_SIMULATOR,
                                 .program = "/proc/self/exe",
                                 .argv = argv,
                                 .data_fd = -1,
                                 .cancel_fd = ends[0],
                                 .limits.wall_seconds = i == 2 ? 0.3 : 60};
        assert_int_equal(jail_run(&spec, &result, &error), STATUS_OK);
        assert_int_equal(result.limit, i == 2 ? JAIL_LIMIT_WALL : JAIL_LIMIT_CANCELLED);
        assert_int_equal(result.signal, SIGKILL);
        jail_result_free(&result);
        close(ends[0]);
        if (i)
            close(ends[1]);
    }
}

/* bubblewrap does not say which it was. */
static void test_exit_codes_of_signals(void **state) {
    (void)state;
    struct jail_result result = run_plainly(JAIL_SIMULATOR, "exit", "128");
    assert_int_equal(result.exit_code, 128);
    jail_result_free(&result);
    result = run_plainly(JAIL_SIMULATOR, "exit", "159");
    assert_int_equal(result.exit_code, -1);
    assert_limit(&result, JAIL_LIMIT_SYSCALL, "forbidden system call");
}

static void *many(void *argument) {
    size_t *failures = argument;
    for (int i = 0; i < 12; i++) {
        char code[8];
        snprintf(code, sizeof code, "%d", 1 + i);
        struct jail_result result;
        if (jailed_try(i % 2 ? JAIL_TOOLS : JAIL_SIMULATOR, "exit", code, (struct jail_limits){0},
                       &result, NULL) != STATUS_OK ||
            result.exit_code != 1 + i)
            ++*failures;
        jail_result_free(&result);
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

/* Forks, all the time, children that have copies of whatever this process has open just then. */
struct forker {
    atomic_bool is_over;
    size_t count;
    pid_t children[300];
};

static void *fork_all_the_time(void *argument) {
    struct forker *forker = argument;
    while (!atomic_load(&forker->is_over)) {
        bool has_room = forker->count < ARRAY_LENGTH(forker->children);
        pid_t child = has_room ? fork() : -1;
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL); /* where the alarm ends us */
            _exit(do_sleep(""));
        }
        if (child > 0)
            forker->children[forker->count++] = child;
        usleep(200);
    }
    return NULL;
}

/* Nothing waits for the end of a file that a child of another thread keeps open. */
static void test_beside_children(void **state) {
    (void)state;
    static struct forker forker;
    pthread_t thread;
    forker = (struct forker){.count = 0};
    alarm(60); /* it would wait for ever */
    assert_int_equal(pthread_create(&thread, NULL, fork_all_the_time, &forker), 0);
    for (int i = 0; i < 20; i++) {
        struct jail_result result = run_plainly(JAIL_SIMULATOR, "exit", "42");
        assert_int_equal(result.exit_code, 42);
        jail_result_free(&result);
    }
    atomic_store(&forker.is_over, true);
    pthread_join(thread, NULL);
    alarm(0);
    assert_true(forker.count > 0);
    for (size_t i = 0; i < forker.count; i++) {
        kill(forker.children[i], SIGKILL);
        waitpid(forker.children[i], NULL, 0);
    }
}

/* --unsafe-no-jail: no walls, but every limit. */
static void test_without_a_jail(void **state) {
    (void)state;
    jail_set_unsafe(true);
    struct jail_result result = run_plainly(JAIL_TOOLS, "open", "/etc/passwd");
    assert_int_equal(result.exit_code, 0);
    assert_int_equal(result.guards & (1U << JAIL_GUARD_NAMESPACES | 1U << JAIL_GUARD_SECCOMP), 0);
    assert_true(result.guards & 1U << JAIL_GUARD_WALL_CLOCK);
    jail_result_free(&result);
    result = run_plainly(JAIL_SIMULATOR, "enter", "");
    assert_int_equal(result.exit_code, 63);
    jail_result_free(&result);
    result = run_plainly(JAIL_SIMULATOR, "descriptors", "");
    assert_string_equal(text_string(&result.response), "0 1 2 ");
    jail_result_free(&result);
    result = run(JAIL_SIMULATOR, "sleep", "", (struct jail_limits){.wall_seconds = 0.25});
    assert_limit(&result, JAIL_LIMIT_WALL, "wall clock limit: 0.25 s reached");
    result = run(JAIL_SIMULATOR, "flood", "1", (struct jail_limits){.output_bytes = 1 << 20});
    assert_limit(&result, JAIL_LIMIT_OUTPUT, "output limit: 1.0 MiB reached");
    result = run(JAIL_TOOLS, "memory-of-many", "", (struct jail_limits){.memory_bytes = 64 << 20});
    assert_memory_limit(&result, "memory limit: 64.0 MiB reached");
    result = run(JAIL_TOOLS, "where", "", (struct jail_limits){0});
    assert_true(strncmp(text_string(&result.response), "/tmp/warpgrade-", 15) == 0);
    assert_int_not_equal(access(text_string(&result.response), F_OK), 0); /* and is gone */
    jail_result_free(&result);
}

static int be_safe_again(void **state) {
    (void)state;
    jail_set_unsafe(false);
    return 0;
}

/* Runs `body` in a process of its own where another file stands in bubblewrap's place; the
 * process's exit code, or -1 where that cannot be arranged. */
static int with_bubblewrap(const char *replacement, int (*body)(void)) {
    pid_t child = fork();
    if (child == 0) {
        int flags = CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER);
        cleanup_free char *bubblewrap = command_find_bubblewrap();
        if (!bubblewrap || unshare(flags) != 0 ||
            mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount(replacement, bubblewrap, NULL, MS_BIND, NULL) != 0)
            _exit(99);
        _exit(body());
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) != 99 ? WEXITSTATUS(status) : -1;
}

static int refuses_without_bubblewrap(void) {
    struct jail_result result;
    struct error error = {0};
    enum status status =
        jailed_try(JAIL_SIMULATOR, "nothing", "", (struct jail_limits){0}, &result, &error);
    bool says_it = strstr(error.message, "bubblewrap is not installed") &&
                   strstr(error.hint, "apt install bubblewrap") &&
                   strstr(error.hint, "--unsafe-no-jail");
    return status == STATUS_ENVIRONMENT && says_it ? 0 : 1;
}

/* A bubblewrap that fails is not a submission that fails. */
static int refuses_a_broken_one(void) {
    struct jail_result result;
    struct error error = {0};
    enum status status =
        jailed_try(JAIL_SIMULATOR, "nothing", "", (struct jail_limits){0}, &result, &error);
    bool says_it =
        strstr(error.message, "cannot be jailed here: bubblewrap ended without a word") &&
        strstr(error.hint, "doctor");
    return status == STATUS_ENVIRONMENT && says_it ? 0 : 1;
}

static void test_refuses_without_a_jail(void **state) {
    (void)state;
    if (jail_kind() == JAIL_LANDLOCK)
        skip(); /* it needs none */
    int missing = with_bubblewrap("/dev/null", refuses_without_bubblewrap);
    if (missing < 0)
        skip();
    assert_int_equal(missing, 0);
    assert_int_equal(with_bubblewrap("/bin/false", refuses_a_broken_one), 0);
    assert_int_equal(with_bubblewrap("/bin/true", refuses_a_broken_one), 0);
}

/* Whichever run found it out. */
static void test_first_run_is_the_trial(void **state) {
    (void)state;
    static const enum jail_profile profiles[] = {JAIL_SIMULATOR, JAIL_TOOLS};
    uint32_t by_check = 0, by_run = 0;
    struct error error;
    enum jail_kind asked = jail_asked();
    jail_set_kind(asked); /* forgets what is known */
    assert_int_equal(jail_check(&by_check, &error), STATUS_OK);
    for (size_t i = 0; i < ARRAY_LENGTH(profiles); i++) {
        jail_set_kind(asked);
        struct jail_result result = run_plainly(profiles[i], "exit", "42");
        assert_int_equal(result.exit_code, 42);
        jail_result_free(&result);
        assert_int_equal(jail_check(&by_run, &error), STATUS_OK);
        assert_int_equal(by_run, by_check);
        assert_int_equal(jail_kind(), asked);
    }
}

static void test_check(void **state) {
    (void)state;
    uint32_t guards = 0;
    struct error error;
    assert_int_equal(jail_check(&guards, &error), STATUS_OK);
    for (unsigned i = 0; i < JAIL_GUARD_COUNT; i++)
        if (jail_guard_is_essential((enum jail_guard)i, jail_kind()))
            assert_true(guards & 1U << i);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_ends),
    cmocka_unit_test(test_cancelled),
    cmocka_unit_test(test_exit_codes_of_signals),
    cmocka_unit_test(test_many_at_once),
    cmocka_unit_test(test_beside_children),
    cmocka_unit_test_teardown(test_without_a_jail, be_safe_again),
    cmocka_unit_test(test_refuses_without_a_jail),
    cmocka_unit_test(test_first_run_is_the_trial),
    cmocka_unit_test(test_check),
};

int main(int argc, char **argv) {
    return jailed_test(
        &(struct jailed_tests){programs, ARRAY_LENGTH(programs), tests, ARRAY_LENGTH(tests)}, argc,
        argv);
}
