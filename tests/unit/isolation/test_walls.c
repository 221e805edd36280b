/* What a jailed program must not see, write, be or call: each test is named after what it tries. */
#include "jailed.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "tests/source_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

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
    {"environment", do_environment},
    {"list", do_list},
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
        bool second = jail_kind() == JAIL_LANDLOCK;
        cleanup_free char *expected =
            mem_printf("%sPWD=%s", getenv("LD_LIBRARY_PATH") ? "LD_LIBRARY_PATH=/libraries\n" : "",
                       profile != JAIL_TOOLS ? "/\n"
                       : second              ? "/tmp/warpgrade-"
                                             : "/scratch\n");
        /* A bubblewrap that was carried along needs libraries too: process 1 shows it. */
        size_t compared = strlen(expected) + (getenv("LD_LIBRARY_PATH") ? 0 : !second);
        if (!JAIL_ASAN && !(second && getenv("LD_LIBRARY_PATH")) &&
            strncmp(text_string(&result.response), expected, compared) != 0)
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
    if (jail_kind() == JAIL_LANDLOCK) /* no folder can be listed */
        assert_true(JAIL_ASAN || !*line);
    else
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
    if (jail_kind() == JAIL_LANDLOCK)
        skip(); /* test_landlock.c asks without /proc */
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

/* Tools go on writing: there Landlock keeps no file. */
static void test_landlock_is_not_claimed(void **state) {
    (void)state;
    if (jail_kind() == JAIL_LANDLOCK)
        skip();
    uint32_t machine = 0;
    struct error error;
    assert_int_equal(jail_check(&machine, &error), STATUS_OK);
    for (int profile = 0; profile <= JAIL_TOOLS; profile++) {
        struct jail_result result = run_plainly((enum jail_profile)profile, "open", "/etc/passwd");
        uint32_t expected = profile == JAIL_TOOLS ? 0 : machine & 1U << JAIL_GUARD_LANDLOCK;
        assert_int_equal(result.guards & 1U << JAIL_GUARD_LANDLOCK, expected);
        jail_result_free(&result);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nothing_is_inherited),    cmocka_unit_test(test_few_files_are_seen),
    cmocka_unit_test(test_nothing_can_be_written),  cmocka_unit_test(test_identity),
    cmocka_unit_test(test_forbidden_calls),         cmocka_unit_test(test_sealed),
    cmocka_unit_test(test_landlock_is_not_claimed),
};

int main(int argc, char **argv) {
    return jailed_test(
        &(struct jailed_tests){programs, ARRAY_LENGTH(programs), tests, ARRAY_LENGTH(tests)}, argc,
        argv);
}
