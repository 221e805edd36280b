/* Nothing is left of a run: not of one that daemonises, not of one whose grader is killed, at
 * whatever moment of a launch, and not of one that could not be watched. */
#include "jailed.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Daemonises as thoroughly as it goes; the grandchild counts in the shared data while it lives. */
static int do_daemon(const char *argument) {
    (void)argument;
    volatile unsigned *beats =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, JAIL_DATA_FD, 0);
    if (beats == MAP_FAILED)
        return 1;
    if (fork() == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        for (int number = 1; number < NSIG; number++)
            signal(number, SIG_IGN);
        for (;;) {
            ++*beats;
            usleep(1000);
        }
    }
    while (*beats == 0)
        usleep(1000);
    return 0;
}

static const struct jailed programs[] = {
    {"daemon", do_daemon},
};

/* --- the tests --- */

static void test_daemons_die(void **state) {
    (void)state;
    cleanup_fd int data = memfd_create("data", MFD_CLOEXEC);
    assert_int_equal(ftruncate(data, 4096), 0);
    const char *argv[] = {"jailed", "daemon", NULL};
    struct jail_spec spec = {.profile = JAIL_TOOLS,
                             .program = "/proc/self/exe",
                             .argv = argv,
                             .data_fd = data,
                             .limits = {.wall_seconds = 60}};
    struct jail_result result;
    struct error error;
    assert_int_equal(jail_run(&spec, &result, &error), STATUS_OK);
    assert_int_equal(result.exit_code, 0);
    unsigned before = 0, after = 0;
    assert_int_equal(pread(data, &before, sizeof before, 0), sizeof before);
    usleep(50000);
    assert_int_equal(pread(data, &after, sizeof after, 0), sizeof after);
    assert_true(before > 0);
    assert_int_equal(before, after);
    jail_result_free(&result);
}

static size_t count_entries(const char *folder) {
    size_t count = 0;
    DIR *opened = opendir(folder);
    while (opened && readdir(opened))
        count++;
    if (opened)
        closedir(opened);
    return count;
}

static size_t count_children(void) {
    size_t count = 0;
    cleanup_free char *path = mem_printf("/proc/self/task/%d/children", (int)getpid());
    cleanup_file FILE *file = fopen(path, "re");
    for (int pid; file && fscanf(file, "%d", &pid) == 1;)
        count++;
    return count;
}

static void test_nothing_is_left(void **state) {
    (void)state;
    struct jail_result result = run_plainly(JAIL_SIMULATOR, "nothing", "");
    jail_result_free(&result);
    size_t descriptors = count_entries("/proc/self/fd"), children = count_children();
    struct slot *slot = slot_take(NULL);
    assert_non_null(slot);
    slot_give(slot);
    for (int i = 0; i < 20; i++) {
        result = i % 2 ? run_plainly(JAIL_TOOLS, "nothing", "")
                       : run(JAIL_TOOLS, "fork-bomb", "",
                             (struct jail_limits){.wall_seconds = 0.05, .processes = 30});
        jail_result_free(&result);
    }
    assert_int_equal(count_entries("/proc/self/fd"), descriptors);
    assert_int_equal(count_children(), children);
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++) {
        if (!slot->cgroup.folders[i])
            continue;
        cleanup_free char *path = file_join(slot->cgroup.folders[i], "cgroup.procs");
        cleanup_file FILE *file = fopen(path, "re");
        int pid;
        assert_int_equal(fscanf(file, "%d", &pid), EOF);
    }
}

/* The grader that is killed: says which slot it had and runs something that never ends. */
struct last_words {
    unsigned number;
    char cgroup[256]; /* a folder; "" where there are none */
};

static _Noreturn void be_killed(int data, struct last_words *said) {
    struct slot *slot = slot_take(NULL);
    said->number = slot->number;
    if (slot->cgroup.folders[CGROUP_MEMORY])
        snprintf(said->cgroup, sizeof said->cgroup, "%s", slot->cgroup.folders[CGROUP_MEMORY]);
    slot_give(slot);
    const char *argv[] = {"jailed", "beat", NULL};
    struct jail_spec spec = {.profile = JAIL_TOOLS,
                             .program = "/proc/self/exe",
                             .argv = argv,
                             .data_fd = data,
                             .limits = {.wall_seconds = 60}};
    struct jail_result result;
    jail_run(&spec, &result, NULL);
    _exit(0);
}

static unsigned beats(int data) {
    unsigned count = 0;
    assert_int_equal(pread(data, &count, sizeof count, 0), sizeof count);
    return count;
}

/* It takes its jails along and leaves no cgroup, and its slots can be had again. */
static void test_killed_grader(void **state) {
    (void)state;
    struct last_words *said =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cleanup_fd int data = memfd_create("data", MFD_CLOEXEC);
    assert_int_equal(ftruncate(data, 4096), 0);
    pid_t grader = fork();
    if (grader == 0)
        be_killed(data, said);
    for (int i = 0; i < 5000 && beats(data) == 0; i++)
        usleep(1000);
    assert_true(beats(data) > 0);
    kill(grader, SIGKILL);
    waitpid(grader, NULL, 0);
    usleep(200000);
    unsigned before = beats(data);
    usleep(50000);
    assert_int_equal(beats(data), before);
    for (int i = 0; i < 3000 && *said->cgroup && access(said->cgroup, F_OK) == 0; i++)
        usleep(1000);
    assert_true(!*said->cgroup || access(said->cgroup, F_OK) != 0);
    struct slot *taken[64];
    size_t count = 0;
    bool again = false;
    while (count < ARRAY_LENGTH(taken) && !again && (taken[count] = slot_take(NULL)))
        again = taken[count++]->number == said->number;
    while (count > 0)
        slot_give(taken[--count]);
    assert_true(again);
    munmap(said, 4096);
}

/* Something that cannot be killed is in the slot's cgroups: this process itself, moved by hand.
 * Exit code 0: the next run took another slot; 77: there are no cgroups. */
static int run_beside_what_stays(void) {
    struct slot *slot = slot_take(NULL);
    for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++) {
        if (!slot || !slot->cgroup.folders[i])
            return 77;
        cleanup_free char *path = file_join(slot->cgroup.folders[i], "cgroup.procs");
        cleanup_file FILE *file = fopen(path, "we");
        if (!file || fprintf(file, "%d", (int)getpid()) < 0 || fflush(file) != 0)
            return 77;
    }
    slot_give(slot);
    const char *argv[] = {"jailed", "nothing", NULL};
    struct jail_spec spec = {.profile = JAIL_TOOLS,
                             .program = "/proc/self/exe",
                             .argv = argv,
                             .data_fd = -1,
                             .limits = {.wall_seconds = 60}};
    struct jail_result result;
    struct error error = {0};
    if (jail_run(&spec, &result, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    jail_result_free(&result);
    return slot->aside ? 0 : 2;
}

static void test_what_cannot_be_killed(void **state) {
    (void)state;
    int status;
    pid_t grader = fork();
    if (grader == 0)
        _exit(run_beside_what_stays());
    assert_int_equal(waitpid(grader, &status, 0), grader);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* poll() fails where more is waited for than may be open. */
static void *forbid_poll(void *data) {
    for (int i = 0; i < 5000 && beats(*(int *)data) == 0; i++)
        usleep(1000);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = 4;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    return NULL;
}

static _Noreturn void be_unable_to_watch(int data) {
    pthread_t thread;
    alarm(30);
    const char *argv[] = {"jailed", "beat", NULL};
    struct jail_spec spec = {.profile = JAIL_TOOLS,
                             .program = "/proc/self/exe",
                             .argv = argv,
                             .data_fd = data,
                             .limits = {.wall_seconds = 20}};
    struct jail_result result;
    struct error error = {0};
    if (pthread_create(&thread, NULL, forbid_poll, &data) != 0)
        _exit(1);
    enum status status = jail_run(&spec, &result, &error);
    /* where the program beats before it is watched, no descriptor can be had to watch it with */
    static const char expected[] = "cannot wait for a worker process: ";
    bool same =
        status == STATUS_ENVIRONMENT &&
        strncmp(error.message, expected, sizeof expected - 1) == 0 &&
        (strstr(error.message, strerror(EINVAL)) || strstr(error.message, strerror(EMFILE)));
    if (!same)
        fprintf(stderr, "status %d: %s\n", (int)status, error.message);
    _exit(!same);
}

/* The loop went on for ever. */
static void test_ends_where_poll_fails(void **state) {
    (void)state;
    cleanup_fd int data = memfd_create("data", MFD_CLOEXEC);
    assert_int_equal(ftruncate(data, 4096), 0);
    pid_t grader = fork();
    if (grader == 0)
        be_unable_to_watch(data);
    int status = -1;
    waitpid(grader, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    unsigned before = beats(data);
    assert_true(before > 0);
    usleep(50000);
    assert_int_equal(beats(data), before);
}

/* How many processes have this word on their command line? */
static unsigned count_processes(const char *word) {
    unsigned count = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *process; (process = readdir(processes));) {
        char path[300], line[1024];
        snprintf(path, sizeof path, "/proc/%.20s/cmdline", process->d_name);
        cleanup_fd int file = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t got = file < 0 ? 0 : read(file, line, sizeof line);
        count += got > 0 && memmem(line, (size_t)got, word, strlen(word)) != NULL;
    }
    closedir(processes);
    return count;
}

/* The clock may end while process 1 is being born. */
static void test_ended_in_a_launch(void **state) {
    (void)state;
    char word[64];
    snprintf(word, sizeof word, "too-early-%d", (int)getpid());
    for (unsigned i = 0; i < 40; i++) {
        struct jail_result result;
        struct error error;
        struct jail_limits limits = {.wall_seconds = 0.0005 + i * 0.0001};
        if (jailed_try(JAIL_SIMULATOR, "sleep", word, limits, &result, &error) == STATUS_OK)
            assert_int_equal(result.limit, JAIL_LIMIT_WALL);
        jail_result_free(&result);
    }
    assert_int_equal(count_processes(word), 0);
}

/* Killed at any moment of a launch, when bubblewrap's process 1 is not yet bound to die with it. */
static void test_grader_killed_in_a_launch(void **state) {
    (void)state;
    char word[64];
    snprintf(word, sizeof word, "left-behind-%d", (int)getpid());
    for (unsigned i = 0; i < 40; i++) {
        struct jail_result result;
        struct error error;
        pid_t grader = fork();
        if (grader == 0)
            _exit(jailed_try(JAIL_SIMULATOR, "sleep", word, (struct jail_limits){0}, &result,
                             &error));
        usleep(1000 + i * 400);
        kill(grader, SIGKILL);
        waitpid(grader, NULL, 0);
    }
    for (int i = 0; i < 300 && count_processes(word) > 0; i++)
        usleep(10000);
    assert_int_equal(count_processes(word), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_daemons_die),
    cmocka_unit_test(test_nothing_is_left),
    cmocka_unit_test(test_killed_grader),
    cmocka_unit_test(test_what_cannot_be_killed),
    cmocka_unit_test(test_ends_where_poll_fails),
    cmocka_unit_test(test_ended_in_a_launch),
    cmocka_unit_test(test_grader_killed_in_a_launch),
};

int main(int argc, char **argv) {
    return jailed_test(&(struct jailed_tests){programs, ARRAY_LENGTH(programs), tests,
                                              ARRAY_LENGTH(tests), SECOND_PLAIN},
                       argc, argv);
}
