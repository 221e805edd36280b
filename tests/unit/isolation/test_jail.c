/* What the jail promises, tried by programs that try to break it: each is this program, executed
 * again in the jail, and does one thing. All tests run three times: with what the machine has,
 * without cgroups, and, where we are root and the program can be reached by everybody, as a plain
 * user. */
#include "jailed.h"

#include "grader/base/file.h"
#include "grader/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

/* --- what jailed programs do --- */

static int do_nothing(const char *argument) {
    (void)argument;
    return 0;
}

static int do_exit(const char *argument) {
    return atoi(argument);
}

static int do_signal(const char *argument) {
    signal(atoi(argument), SIG_DFL);
    return raise(atoi(argument));
}

static int do_sleep(const char *argument) {
    while (sleep(1000) == 0)
        ;
    return *argument;
}

static int do_spin(const char *argument) {
    (void)argument;
    for (volatile unsigned i = 0; i < 2; i = !i)
        ;
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

/* Each process stays below RLIMIT_DATA. */
static int do_memory_of_many(const char *argument) {
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            volatile char *block = malloc(32 << 20);
            for (size_t at = 0; block && at < 32 << 20; at += 4096)
                block[at] = 1;
            return do_sleep(argument);
        }
    return do_sleep(argument);
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

static int do_fork_bomb(const char *argument) {
    for (;;)
        if (fork() == 0)
            return do_sleep(argument);
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

static int do_flood(const char *argument) {
    static const char block[65536] = "flood";
    while (file_write_all(atoi(argument), block, sizeof block))
        ;
    return 0;
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

/* Counts in the shared data while it lives. */
static int do_beat(const char *argument) {
    volatile unsigned *count =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, JAIL_DATA_FD, 0);
    while (count != MAP_FAILED && usleep(1000) == 0)
        ++*count;
    return *argument;
}

static int do_where(const char *argument) {
    char folder[4096];
    return getcwd(folder, sizeof folder) && file_write_all(1, folder, strlen(folder)) ? 0
                                                                                      : *argument;
}

static int do_descriptors(const char *argument) {
    (void)argument;
    for (int descriptor = 0; descriptor < 4096; descriptor++)
        if (fcntl(descriptor, F_GETFD) >= 0)
            dprintf(1, "%d ", descriptor);
    return 0;
}

static int do_environment(const char *argument) {
    (void)argument;
    for (char **variable = environ; *variable; variable++)
        dprintf(1, "%s\n", *variable);
    cleanup_fd int init = open("/proc/1/environ", O_RDONLY);
    char text[4096];
    ssize_t got = init >= 0 ? read(init, text, sizeof text) : 0;
    file_write_all(1, text, got > 0 ? (size_t)got : 0);
    return 0;
}

static void list(const char *folder, int depth) {
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; open_folder && (entry = readdir(open_folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        cleanup_free char *path =
            mem_printf("%s/%s", strcmp(folder, "/") == 0 ? "" : folder, entry->d_name);
        struct stat info;
        if (lstat(path, &info) != 0)
            continue;
        if (!S_ISDIR(info.st_mode))
            dprintf(1, "%s\n", path);
        else if (depth > 0)
            list(path, depth - 1);
    }
    if (open_folder)
        closedir(open_folder);
}

static int do_list(const char *argument) {
    list(argument, 8);
    return 0;
}

static int do_open(const char *argument) {
    return open(argument, O_RDONLY) >= 0 ? 0 : 40;
}

/* Tries to make a file anywhere. */
static int do_write_anywhere(const char *argument) {
    static const char *const folders[] = {"/",        "/tmp",       "/dev",  "/dev/shm", "/run",
                                          "/usr/lib", "/libraries", "/proc", "/etc",     "/lib64"};
    (void)argument;
    for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
        cleanup_free char *path = file_join(folders[i], "made");
        if (open(path, O_WRONLY | O_CREAT, 0600) >= 0 || mkdir(path, 0700) == 0)
            return 1;
    }
    cleanup_fd int itself = open(JAIL_PROGRAM, O_WRONLY);
    return itself >= 0 ? 1 : 0;
}

/* Who it is: user, group, other groups, whether it has any capability, how many processes it sees.
 */
static int do_identity(const char *argument) {
    (void)argument;
    char status[8192] = "";
    cleanup_fd int file = open("/proc/self/status", O_RDONLY);
    ssize_t got = read(file, status, sizeof status - 1);
    status[got > 0 ? got : 0] = '\0';
    const char *capabilities = strstr(status, "CapEff:");
    const char *bounding = strstr(status, "CapBnd:");
    const char *privileges = strstr(status, "NoNewPrivs:");
    char host[64] = "";
    gethostname(host, sizeof host);
    unsigned processes = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));)
        processes += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
    dprintf(1, "uid %d gid %d caps %llx bounding %llx nnp %d host %s processes %u kill %d",
            (int)getuid(), (int)getgid(), capabilities ? strtoull(capabilities + 7, NULL, 16) : 99,
            bounding ? strtoull(bounding + 7, NULL, 16) : 99,
            privileges ? atoi(privileges + 11) : 99, host, processes,
            kill((pid_t)atoi(argument), 0) == 0);
    return 0;
}

/* One system call by number, with arguments that do nothing where it is not refused. */
static int do_call(const char *argument) {
    long result = syscall(atoi(argument), 0, 0, 0, 0, 0, 0);
    return result < 0 && errno == ENOSYS ? 50 : 51;
}

static int do_tiocsti(const char *argument) {
    ioctl(0, strtoul(argument, NULL, 0), "x");
    return 0;
}

static int do_user_namespace(const char *argument) {
    (void)argument;
    return (int)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL) >= 0 ? 1 : 2;
}

static int do_setuid_program(const char *argument) {
    (void)argument;
    return setuid(0) == 0 || setgid(0) == 0 ? 1 : 0;
}

static void *allocate(void *argument) {
    (void)argument;
    return malloc(8 << 20);
}

/* After jail_enter(): one thing that must end it, named by the argument, or "work". */
static int sealed(enum jail_profile profile, const char *argument) {
    jail_enter(profile);
    if (strcmp(argument, "work") == 0) {
        pthread_t threads[24]; /* more than malloc() has arenas for without counting processors */
        for (size_t i = 0; i < ARRAY_LENGTH(threads); i++)
            if (pthread_create(&threads[i], NULL, allocate, NULL) != 0)
                return 60;
        for (size_t i = 0; i < ARRAY_LENGTH(threads); i++) {
            void *block;
            pthread_join(threads[i], &block);
            if (!block)
                return 61;
            memset(block, 1, 8 << 20);
            free(realloc(block, 64 << 20));
        }
        return file_write_all(1, "done", 4) ? 0 : 62;
    }
    if (strcmp(argument, "open") == 0)
        return open("/warpgrade-worker", O_RDONLY) >= 0 ? 1 : 70;
    if (strcmp(argument, "executable") == 0)
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(argument, "protect") == 0)
        mprotect(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096, PROT_EXEC);
    if (strcmp(argument, "shared") == 0)
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (strcmp(argument, "fork") == 0)
        fork();
    if (strcmp(argument, "socket") == 0)
        socket(AF_UNIX, SOCK_STREAM, 0);
    if (strcmp(argument, "execute") == 0)
        execl("/warpgrade-worker", "x", NULL);
    if (strcmp(argument, "write-file") == 0)
        return open("/made", O_WRONLY | O_CREAT, 0600) >= 0 ? 1 : 70;
    if (strcmp(argument, "handler") == 0)
        signal(SIGSYS, SIG_IGN);
    if (strcmp(argument, "limit") == 0)
        return getrlimit(RLIMIT_NPROC, &(struct rlimit){0}) == 0 ? 71 : 72;
    return 63;
}

static int do_sealed_simulator(const char *argument) {
    return sealed(JAIL_SIMULATOR, argument);
}

static int do_sealed_compiler(const char *argument) {
    return sealed(JAIL_COMPILER, argument);
}

static const struct jailed programs[] = {
    {"nothing", do_nothing},
    {"exit", do_exit},
    {"signal", do_signal},
    {"sleep", do_sleep},
    {"spin", do_spin},
    {"spin-together", do_spin_together},
    {"malloc", do_malloc},
    {"memory-of-many", do_memory_of_many},
    {"hidden-memory", do_hidden_memory},
    {"fork-bomb", do_fork_bomb},
    {"many-fork-bombs", do_many_fork_bombs},
    {"user-limit", do_user_limit},
    {"thread-bomb", do_thread_bomb},
    {"flood", do_flood},
    {"big-file", do_big_file},
    {"full-folder", do_full_folder},
    {"many-files", do_many_files},
    {"daemon", do_daemon},
    {"beat", do_beat},
    {"where", do_where},
    {"descriptors", do_descriptors},
    {"environment", do_environment},
    {"list", do_list},
    {"open", do_open},
    {"write-anywhere", do_write_anywhere},
    {"identity", do_identity},
    {"call", do_call},
    {"tiocsti", do_tiocsti},
    {"user-namespace", do_user_namespace},
    {"setuid", do_setuid_program},
    {"sealed-simulator", do_sealed_simulator},
    {"sealed-compiler", do_sealed_compiler},
};

/* --- the tests --- */

static struct jail_result run(enum jail_profile profile, const char *name, const char *argument,
                              struct jail_limits limits) {
    struct jail_result result;
    struct error error = {0};
    if (jailed_try(profile, name, argument, limits, &result, &error) != STATUS_OK)
        fail_msg("%s %s: %s", name, argument, error.message);
    return result;
}

static struct jail_result run_plainly(enum jail_profile profile, const char *name,
                                      const char *argument) {
    return run(profile, name, argument, (struct jail_limits){0});
}

static void assert_limit(struct jail_result *result, enum jail_limit limit, const char *described) {
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
static void assert_memory_limit(struct jail_result *result, const char *described) {
    if (!JAIL_ASAN || result->limit != JAIL_LIMIT_NONE) {
        assert_limit(result, JAIL_LIMIT_MEMORY, described);
        return;
    }
    assert_non_null(strstr(text_string(&result->messages), "hard rss limit exhausted"));
    jail_result_free(result);
}

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

static void test_wall_clock(void **state) {
    (void)state;
    struct jail_result result =
        run(JAIL_SIMULATOR, "sleep", "", (struct jail_limits){.wall_seconds = 0.25});
    assert_true(result.wall_ms >= 250 && result.wall_ms < 10000);
    assert_limit(&result, JAIL_LIMIT_WALL, "wall clock limit: 0.25 s reached");
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
    assert_int_equal(result.exit_code, 78);
    jail_result_free(&result);
    result = run_plainly(JAIL_TOOLS, "many-files", "");
    assert_limit(&result, JAIL_LIMIT_FILE_COUNT, "file count limit: 65536 files reached");
    result = run_plainly(JAIL_COMPILER, "big-file", "");
    assert_int_equal(result.exit_code, 79); /* it has no place for one */
    jail_result_free(&result);
}

static void test_nothing_is_inherited(void **state) {
    (void)state;
    setenv("WARPGRADE_SECRET", "seed", 1);
    cleanup_fd int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int leaked[] = {fcntl(null, F_DUPFD, 5), fcntl(null, F_DUPFD, 50), fcntl(null, F_DUPFD, 500)};
    for (int profile = 0; profile <= JAIL_TOOLS; profile++) {
        struct jail_result result = run_plainly((enum jail_profile)profile, "descriptors", "");
        assert_string_equal(text_string(&result.response), JAIL_ASAN ? "0 1 2 " : "0 1 2 4 ");
        jail_result_free(&result);
        result = run_plainly((enum jail_profile)profile, "environment", "");
        assert_null(memmem(text_string(&result.response), result.response.length, "SECRET", 6));
        assert_null(memmem(text_string(&result.response), result.response.length, "PATH=/usr", 9));
        cleanup_free char *expected = mem_printf(
            "%sPWD=%s\n", getenv("LD_LIBRARY_PATH") ? "LD_LIBRARY_PATH=/libraries\n" : "",
            profile == JAIL_TOOLS ? "/scratch" : "/");
        /* A bubblewrap that was carried along needs libraries too: process 1 shows it. */
        size_t compared = strlen(expected) + (getenv("LD_LIBRARY_PATH") ? 0 : 1);
        if (!JAIL_ASAN && strncmp(text_string(&result.response), expected, compared) != 0)
            fail_msg("the environment is %s", text_string(&result.response));
        jail_result_free(&result);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(leaked); i++)
        close(leaked[i]);
}

static void test_few_files_are_seen(void **state) {
    (void)state;
    struct jail_result result = run_plainly(JAIL_SIMULATOR, "list", "/");
    const char *line = text_string(&result.response);
    assert_non_null(strstr(line, JAIL_PROGRAM));
    while (*line && !JAIL_ASAN) { /* which sees /proc */
        bool library = strncmp(line, "/lib", 4) == 0 || strncmp(line, "/usr/lib", 8) == 0;
        if (!library && strncmp(line, JAIL_PROGRAM "\n", sizeof JAIL_PROGRAM) != 0)
            fail_msg("the simulator sees %.*s", (int)strcspn(line, "\n"), line);
        line += strcspn(line, "\n") + 1;
    }
    jail_result_free(&result);
    static const char *const hidden[] = {
        "/etc/passwd", "/etc/shadow", "/root", "/home",
        "/tmp",        "/dev/mem",    "/sys",  WARPGRADE_SOURCE_DIR};
    for (int profile = 0; profile <= JAIL_TOOLS; profile++)
        for (size_t i = 0; i < ARRAY_LENGTH(hidden); i++) {
            result = run_plainly((enum jail_profile)profile, "open", hidden[i]);
            if (result.exit_code != 40)
                fail_msg("profile %d opens %s", profile, hidden[i]);
            jail_result_free(&result);
        }
}

static void test_nothing_can_be_written(void **state) {
    (void)state;
    for (int profile = 0; profile <= JAIL_TOOLS; profile++) {
        struct jail_result result = run_plainly((enum jail_profile)profile, "write-anywhere", "");
        assert_int_equal(result.exit_code, 0);
        jail_result_free(&result);
    }
}

static void test_identity(void **state) {
    (void)state;
    cleanup_free char *supervisor = mem_printf("%d", (int)getpid());
    struct jail_result result = run_plainly(JAIL_TOOLS, "identity", supervisor);
    assert_string_equal(text_string(&result.response),
                        "uid 65534 gid 65534 caps 0 bounding 0 nnp 1 "
                        "host jail processes 2 kill 0");
    jail_result_free(&result);
    result = run_plainly(JAIL_TOOLS, "setuid", "");
    assert_int_equal(result.exit_code, 0);
    jail_result_free(&result);
}

static void test_forbidden_calls(void **state) {
    (void)state;
    static const int calls[] = {SYS_ptrace,           SYS_bpf,
                                SYS_keyctl,           SYS_mount,
                                SYS_unshare,          SYS_setns,
                                SYS_socket,           SYS_io_uring_setup,
                                SYS_perf_event_open,  SYS_userfaultfd,
                                SYS_add_key,          SYS_kexec_load,
                                SYS_process_vm_readv, SYS_open_by_handle_at,
                                SYS_mknodat,          SYS_execveat};
    for (int profile = 0; profile <= JAIL_TOOLS; profile++)
        for (size_t i = 0; i < ARRAY_LENGTH(calls); i++) {
            cleanup_free char *number = mem_printf("%d", calls[i]);
            struct jail_result result = run_plainly((enum jail_profile)profile, "call", number);
            if (result.limit != JAIL_LIMIT_SYSCALL)
                fail_msg("profile %d survives call %s with %d", profile, number, result.exit_code);
            assert_limit(&result, JAIL_LIMIT_SYSCALL, "forbidden system call");
        }
    static const char *const tiocsti[] = {"0x5412", "0x100005412", "0xffffffff00005412", "0x541c"};
    for (size_t i = 0; i < ARRAY_LENGTH(tiocsti); i++) {
        struct jail_result result = run_plainly(JAIL_TOOLS, "tiocsti", tiocsti[i]);
        assert_limit(&result, JAIL_LIMIT_SYSCALL, "forbidden system call");
    }
    struct jail_result result = run_plainly(JAIL_TOOLS, "user-namespace", "");
    assert_limit(&result, JAIL_LIMIT_SYSCALL, "forbidden system call");
    if (!JAIL_ASAN) { /* harmless ones are refused, so that a C library falls back */
        cleanup_free char *clone3 = mem_printf("%d", (int)SYS_clone3);
        result = run_plainly(JAIL_TOOLS, "call", clone3);
        assert_int_equal(result.exit_code, 50);
        jail_result_free(&result);
    }
}

static void test_sealed(void **state) {
    (void)state;
    if (JAIL_ASAN)
        skip();
    static const char *const deadly[] = {"executable", "protect", "shared",  "fork",
                                         "socket",     "execute", "handler", "limit"};
    for (size_t i = 0; i < ARRAY_LENGTH(deadly); i++) {
        struct jail_result result = run_plainly(JAIL_SIMULATOR, "sealed-simulator", deadly[i]);
        if (result.limit != JAIL_LIMIT_SYSCALL)
            fail_msg("sealed, %s: exit %d", deadly[i], result.exit_code);
        jail_result_free(&result);
    }
    struct jail_result result = run_plainly(JAIL_SIMULATOR, "sealed-simulator", "work");
    assert_int_equal(result.exit_code, 0);
    assert_string_equal(text_string(&result.response), "done");
    jail_result_free(&result);
    result = run_plainly(JAIL_SIMULATOR, "sealed-simulator", "open");
    assert_int_equal(result.exit_code, 70);
    jail_result_free(&result);
    result = run_plainly(JAIL_COMPILER, "sealed-compiler", "execute");
    assert_limit(&result, JAIL_LIMIT_SYSCALL, "forbidden system call");
    result = run_plainly(JAIL_COMPILER, "sealed-compiler", "write-file");
    assert_int_equal(result.exit_code, 70);
    jail_result_free(&result);
    result = run_plainly(JAIL_COMPILER, "sealed-compiler", "limit");
    assert_int_equal(result.exit_code, 71);
    jail_result_free(&result);
}

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

/* --unsafe-no-jail: no walls, but every limit. */
static void test_without_a_jail(void **state) {
    (void)state;
    jail_set_unsafe(true);
    struct jail_result result = run_plainly(JAIL_TOOLS, "open", "/etc/passwd");
    assert_int_equal(result.exit_code, 0);
    assert_int_equal(result.guards & (1U << JAIL_GUARD_NAMESPACES | 1U << JAIL_GUARD_SECCOMP), 0);
    assert_true(result.guards & 1U << JAIL_GUARD_WALL_CLOCK);
    jail_result_free(&result);
    result = run_plainly(JAIL_SIMULATOR, "sealed-simulator", "none"); /* nothing to close */
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
    int missing = with_bubblewrap("/dev/null", refuses_without_bubblewrap);
    if (missing < 0)
        skip();
    assert_int_equal(missing, 0);
    assert_int_equal(with_bubblewrap("/bin/false", refuses_a_broken_one), 0);
    assert_int_equal(with_bubblewrap("/bin/true", refuses_a_broken_one), 0);
}

static void test_check(void **state) {
    (void)state;
    uint32_t guards = 0;
    struct error error;
    assert_int_equal(jail_check(&guards, &error), STATUS_OK);
    for (unsigned i = 0; i < JAIL_GUARD_COUNT; i++)
        if (jail_guard_infos[i].essential)
            assert_true(guards & 1U << i);
}

/* The grader that is killed: says which slot it had and runs something that never ends. */
static _Noreturn void be_killed(int data, volatile unsigned *number) {
    struct slot *slot = slot_take(NULL);
    *number = slot->number;
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

/* It takes its jails along, and its slots can be had again. */
static void test_killed_grader(void **state) {
    (void)state;
    volatile unsigned *number =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cleanup_fd int data = memfd_create("data", MFD_CLOEXEC);
    assert_int_equal(ftruncate(data, 4096), 0);
    pid_t grader = fork();
    if (grader == 0)
        be_killed(data, number);
    for (int i = 0; i < 5000 && beats(data) == 0; i++)
        usleep(1000);
    assert_true(beats(data) > 0);
    kill(grader, SIGKILL);
    waitpid(grader, NULL, 0);
    usleep(200000);
    unsigned before = beats(data);
    usleep(50000);
    assert_int_equal(beats(data), before);
    struct slot *taken[64];
    size_t count = 0;
    bool again = false;
    while (count < ARRAY_LENGTH(taken) && !again && (taken[count] = slot_take(NULL)))
        again = taken[count++]->number == *number;
    while (count > 0)
        slot_give(taken[--count]);
    assert_true(again);
    munmap((void *)(uintptr_t)number, 4096);
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
    cleanup_free char *expected =
        mem_printf("cannot wait for a worker process: %s", strerror(EINVAL));
    _exit(status != STATUS_ENVIRONMENT || strcmp(error.message, expected) != 0);
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
    cmocka_unit_test(test_ends),
    cmocka_unit_test(test_wall_clock),
    cmocka_unit_test(test_cpu_time),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_no_hidden_memory),
    cmocka_unit_test(test_processes),
    cmocka_unit_test(test_a_fork_bomb_stays_small),
    cmocka_unit_test(test_output),
    cmocka_unit_test(test_files),
    cmocka_unit_test(test_nothing_is_inherited),
    cmocka_unit_test(test_few_files_are_seen),
    cmocka_unit_test(test_nothing_can_be_written),
    cmocka_unit_test(test_identity),
    cmocka_unit_test(test_forbidden_calls),
    cmocka_unit_test(test_sealed),
    cmocka_unit_test(test_daemons_die),
    cmocka_unit_test(test_nothing_is_left),
    cmocka_unit_test(test_many_at_once),
    cmocka_unit_test_teardown(test_without_a_jail, be_safe_again),
    cmocka_unit_test(test_refuses_without_a_jail),
    cmocka_unit_test(test_check),
    cmocka_unit_test(test_killed_grader),
    cmocka_unit_test(test_ends_where_poll_fails),
    cmocka_unit_test(test_ended_in_a_launch),
    cmocka_unit_test(test_grader_killed_in_a_launch),
};

/* --- the three times --- */

enum { CANNOT_BE_REACHED = 77 };

static int run_all(const char *mode) {
    static const struct cgroup_place none;
    if (strcmp(mode, "without cgroups") == 0)
        slots_reset(&none);
    return cmocka_run_group_tests_name(mode, tests, NULL, NULL);
}

/* A folder of locks of its own: other graders of this machine take and give slots all the time. */
static void have_own_slots(const char *folder) {
    setenv("XDG_RUNTIME_DIR", folder, 1);
    if (geteuid() == 0 &&
        (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
         mount("test", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0))
        fprintf(stderr, "the slots are those of the machine: %s\n", strerror(errno));
}

static _Noreturn void be_again(const char *path, const char *mode, const char *folder) {
    have_own_slots(folder);
    if (strcmp(mode, "as a plain user") == 0) {
        if (syscall(SYS_setgroups, 0, NULL) != 0 || setresgid(65534, 65534, 65534) != 0 ||
            setresuid(65534, 65534, 65534) != 0)
            _exit(1);
        if (access(path, X_OK) != 0)
            _exit(CANNOT_BE_REACHED);
    }
    execl(path, path, mode, NULL);
    _exit(1);
}

static int start_again(const char *mode) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char folder[] = "/tmp/warpgrade-slots-XXXXXX";
    if (!mkdtemp(folder) || (geteuid() == 0 && chown(folder, 65534, 65534) != 0))
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

int main(int argc, char **argv) {
    int code;
    if (jailed_main(programs, ARRAY_LENGTH(programs), argc, argv, &code))
        return code;
    if (argc > 1)
        return run_all(argv[1]);
    code = start_again("with what there is") | start_again("without cgroups");
    return geteuid() == 0 ? code | start_again("as a plain user") : code;
}
