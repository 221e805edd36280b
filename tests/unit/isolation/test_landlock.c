/* The second jail, where it differs from the first: what only a name space would keep from a
 * program is refused in another way, on kernels with an old Landlock as well; and what is said
 * where it cannot be made. The walls, limits and leftovers that both share are tried by the other
 * tests. */
#include "jailed.h"

#include "sandbox/isolation/folder.h"

#include <limits.h>
#include <linux/capability.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>

static int do_identity(const char *argument) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {{1, 1, 1}, {1, 1, 1}};
    syscall(SYS_capget, &head, sets);
    dprintf(1, "uid %d gid %d caps %x nnp %d %s", (int)getuid(), (int)getgid(),
            sets[0].effective | sets[0].permitted | sets[0].inheritable | sets[1].effective |
                sets[1].permitted | sets[1].inheritable,
            prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), argument);
    return 0;
}

static long sibling(void) {
    return syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
}

static void report(const char *what, long result) {
    dprintf(1, "%s %s\n", what, result >= 0 ? "done" : strerrorname_np(errno));
}

/* What shared.def names, one line each; the argument is a process outside. */
static int do_shared(const char *argument) {
    pid_t other = (pid_t)atoi(argument);
    struct rlimit limit = {1, 1};
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    report("setsid", setsid());
    report("setpgid", setpgid(0, 0));
    report("sibling", sibling());
    report("subreaper", prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0));
    report("prlimit", syscall(SYS_prlimit64, other, RLIMIT_CPU, &limit, NULL));
    report("affinity", sched_setaffinity(other, sizeof processors, &processors));
    report("owner", fcntl(0, F_SETOWN, other));
    report("owner-of-all-kinds", fcntl(0, F_SETOWN_EX, &(struct { int kind, pid; }){1, other}));
    report("owner-signal", fcntl(0, F_SETSIG, SIGKILL));
    report("cut", open("/usr/bin/env", O_RDONLY | O_TRUNC));
    report("cut-by-name", truncate("made", 0));
    report("shared-memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    report("queue-signal", syscall(SYS_rt_sigqueueinfo, other, 0, NULL));
    report("process-descriptor", syscall(SYS_pidfd_open, other, 0));
    return 0;
}

static int do_modes(const char *argument) {
    (void)argument;
    int file = open("made", O_CREAT | O_WRONLY, 0600);
    report("chmod", chmod("made", 0644));
    report("fchmod", fchmod(file, 0644));
    report("utimes", futimens(file, NULL));
    return 0;
}

/* A signal to a process outside, of the same user perhaps; then to itself, which must work. */
static int do_signals(const char *argument) {
    pid_t other = (pid_t)atoi(argument);
    if (kill(other, 0) == 0 || kill(other, SIGCONT) == 0 ||
        syscall(SYS_tgkill, other, other, 0) == 0)
        return 1;
    abort();
}

/* All ways to a file outside that go through the folder where it may write. */
static int do_reach_out(const char *argument) {
    char back[256] = "";
    if (symlink(argument, "link") != 0 || open("link", O_RDONLY) >= 0)
        return 1;
    if (link(argument, "hard") == 0 || rename(argument, "taken") == 0)
        return 2;
    if (open("made", O_CREAT | O_WRONLY, 0600) < 0 || mkdir("folder", 0700) != 0 ||
        rename("made", "folder/made") != 0 || !getcwd(back, sizeof back - 8))
        return 3;
    if (rename("folder/made", "/tmp/made-by-a-jail") == 0 || link("folder/made", "/var/made") == 0)
        return 4;
    if (open("..", O_RDONLY) >= 0 || open(strcat(back, "/../../etc/passwd"), O_RDONLY) >= 0)
        return 5;
    return chmod("folder", 0) == 0 || errno == ENOSYS ? 0 : 6; /* and is removed all the same */
}

static const struct jailed programs[] = {
    {"identity", do_identity}, {"shared", do_shared},       {"modes", do_modes},
    {"signals", do_signals},   {"reach-out", do_reach_out},
};

/* --- the tests --- */

static void test_identity(void **state) {
    (void)state;
    struct jail_result result = run_plainly(JAIL_TOOLS, "identity", "end");
    unsigned user = 0, group = 0, privileges = 99, new = 0;
    assert_int_equal(sscanf(text_string(&result.response), "uid %u gid %u caps %x nnp %u end",
                            &user, &group, &privileges, &new),
                     4);
    if (geteuid() == 0)
        assert_in_range(user, 60600 + OWN_SLOTS, 61183);
    else
        assert_int_equal(user, geteuid());
    assert_int_equal(privileges, 0);
    assert_int_equal(new, 1);
    uint32_t has = 1U << JAIL_GUARD_OTHERS | 1U << JAIL_GUARD_READ_ONLY | 1U << JAIL_GUARD_LANDLOCK;
    uint32_t has_not = 1U << JAIL_GUARD_NAMESPACES | 1U << JAIL_GUARD_FILE_NAMES;
    assert_int_equal(result.guards & (has | has_not), has);
    jail_result_free(&result);
}

static void test_shared_calls(void **state) {
    (void)state;
    cleanup_free char *grader = mem_printf("%d", (int)getpid());
    struct jail_result result = run_plainly(JAIL_TOOLS, "shared", grader);
    const char *line = text_string(&result.response);
    unsigned lines = 0;
    for (; *line; line += strcspn(line, "\n") + 1, lines++)
        if (!strstr(line, "ENOSYS") || strstr(line, "ENOSYS") > strchr(line, '\n'))
            fail_msg("%.*s", (int)strcspn(line, "\n"), line);
    assert_int_equal(lines, JAIL_ASAN ? lines : 14);
    jail_result_free(&result);
    if (geteuid() == 0)
        return;
    result = run_plainly(JAIL_TOOLS, "modes", "");
    assert_string_equal(text_string(&result.response),
                        "chmod ENOSYS\nfchmod ENOSYS\nutimes ENOSYS\n");
    jail_result_free(&result);
}

/* By each way that there is to refuse them: Landlock's scopes, and a list with one number in it. */
static void test_signals(void **state) {
    (void)state;
    static const int versions[] = {-1, 5, 1};
    cleanup_free char *grader = mem_printf("%d", (int)getpid());
    for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
        landlock_pretend(versions[i]);
        struct jail_result result = run_plainly(JAIL_TOOLS, "signals", grader);
        landlock_pretend(-1);
        if (result.signal != SIGABRT)
            fail_msg("version %d: exit %d, signal %d", versions[i], result.exit_code,
                     result.signal);
        jail_result_free(&result);
    }
}

static void test_nothing_is_reached_through_the_scratch_folder(void **state) {
    (void)state;
    static const int versions[] = {-1, 2, 1};
    char secret[] = "/tmp/secret-XXXXXX";
    cleanup_fd int file = mkstemp(secret);
    assert_true(file >= 0 && fchmod(file, 0666) == 0);
    for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
        landlock_pretend(versions[i]);
        struct jail_result result = run_plainly(JAIL_TOOLS, "reach-out", secret);
        landlock_pretend(-1);
        /* the first version lets nothing go from one folder to another */
        int expected = versions[i] == 1 ? 3 : 0;
        if (result.exit_code != expected)
            fail_msg("version %d: %d", versions[i], result.exit_code);
        jail_result_free(&result);
    }
    unlink(secret);
}

enum { LINKS = 8 };

/* The folder that link `index` of the locks' folder names; "": there is none. */
static void read_link(unsigned index, char target[PATH_MAX]) {
    cleanup_free char *folder = jail_lock_folder();
    cleanup_free char *link = mem_printf("%s/scratch-%u", folder, OWN_SLOTS + index);
    ssize_t length = readlink(link, target, PATH_MAX - 1);
    target[length > 0 ? length : 0] = '\0';
}

/* One that names another folder than before: those that are there may be another test's. */
static bool find_scratch(char before[LINKS][PATH_MAX], char target[PATH_MAX]) {
    for (unsigned i = 0; i < LINKS; i++) {
        read_link(i, target);
        if (*target && strcmp(target, before[i]) != 0)
            return true;
    }
    return false;
}

/* On the disk nothing goes by itself: the keeper removes it, and the program with it. */
static void test_scratch_of_a_killed_grader(void **state) {
    (void)state;
    static char before[LINKS][PATH_MAX];
    char target[PATH_MAX];
    for (unsigned i = 0; i < LINKS; i++)
        read_link(i, before[i]);
    pid_t grader = fork();
    if (grader == 0) {
        struct jail_result result;
        jailed_try(JAIL_TOOLS, "sleep", "", (struct jail_limits){0}, &result, NULL);
        _exit(0);
    }
    for (int tries = 0; tries < 2000 && !find_scratch(before, target); tries++)
        usleep(1000);
    assert_true(*target == '/' && access(target, F_OK) == 0);
    kill(grader, SIGKILL);
    waitpid(grader, NULL, 0);
    for (int tries = 0; tries < 8000 && access(target, F_OK) == 0; tries++) {
        waitpid(-1, NULL, WNOHANG); /* orphans come here, and the keeper waits for their end */
        usleep(1000);
    }
    assert_int_not_equal(access(target, F_OK), 0);
}

/* Whose user may not come to a file cannot be shown it: nothing can be mounted. */
static void test_closed_folders(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    char folder[] = "/tmp/closed-XXXXXX";
    assert_non_null(mkdtemp(folder));
    cleanup_free char *path = file_join(folder, "shown");
    cleanup_fd int file = open(path, O_CREAT | O_WRONLY, 0644);
    assert_true(file >= 0 && chmod(path, 0644) == 0);
    const char *argv[] = {"jailed", "nothing", "", NULL}, *shown[] = {path, NULL};
    struct jail_spec spec = {.profile = JAIL_COMPILER,
                             .program = "/proc/self/exe",
                             .argv = argv,
                             .shown = shown,
                             .data_fd = -1};
    struct jail_result result;
    struct error error = {0};
    assert_int_equal(jail_run(&spec, &result, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "is closed to the users that workers run as"));
    assert_non_null(strstr(error.hint, "chmod o+x"));
    jail_result_free(&result);
    scratch_remove(folder);
}

/* The program itself comes as a descriptor: a tree below /root is one that others cannot reach. */
static void test_closed_program(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    char folder[] = "/tmp/closed-XXXXXX";
    assert_non_null(mkdtemp(folder));
    cleanup_free char *program = file_join(folder, "program"), *bytes = NULL;
    size_t length;
    struct error error = {0};
    assert_int_equal(file_read("/proc/self/exe", 256 << 20, &bytes, &length, &error), STATUS_OK);
    assert_int_equal(file_write(program, bytes, length, &error), STATUS_OK);
    assert_int_equal(chmod(program, 0755), 0);
    const char *argv[] = {"jailed", "nothing", "", NULL};
    static const enum jail_profile profiles[] = {JAIL_SIMULATOR, JAIL_COMPILER, JAIL_TOOLS};
    for (size_t i = 0; i < ARRAY_LENGTH(profiles); i++) {
        struct jail_spec spec = {
            .profile = profiles[i], .program = program, .argv = argv, .data_fd = -1};
        struct jail_result result;
        enum status status = jail_run(&spec, &result, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(result.exit_code, 0);
        jail_result_free(&result);
    }
    scratch_remove(folder);
}

static void test_a_kernel_without(void **state) {
    (void)state;
    struct jail_result result;
    struct error error = {0};
    landlock_pretend(0);
    jail_set_kind(JAIL_LANDLOCK); /* asks again */
    enum status status =
        jailed_try(JAIL_SIMULATOR, "nothing", "", (struct jail_limits){0}, &result, &error);
    landlock_pretend(-1);
    jail_set_kind(JAIL_LANDLOCK);
    assert_int_equal(status, STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "this kernel has no Landlock"));
    jail_result_free(&result);
}

/* The full one wherever it can be made; else this one, and why. */
static void test_choice(void **state) {
    (void)state;
    jail_set_kind(JAIL_NAMESPACES);
    enum jail_kind full = jail_kind();
    jail_set_kind(JAIL_AUTO);
    assert_int_equal(jail_kind(), full == JAIL_NAMESPACES ? JAIL_NAMESPACES : JAIL_LANDLOCK);
    assert_int_equal(jail_why_not_namespaces() == NULL, full == JAIL_NAMESPACES);
    jail_set_kind(JAIL_LANDLOCK);
    assert_int_equal(jail_kind(), JAIL_LANDLOCK);
    assert_null(jail_why_not_namespaces());
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_identity),
    cmocka_unit_test(test_shared_calls),
    cmocka_unit_test(test_signals),
    cmocka_unit_test(test_nothing_is_reached_through_the_scratch_folder),
    cmocka_unit_test(test_scratch_of_a_killed_grader),
    cmocka_unit_test(test_closed_folders),
    cmocka_unit_test(test_closed_program),
    cmocka_unit_test(test_a_kernel_without),
    cmocka_unit_test(test_choice),
};

int main(int argc, char **argv) {
    return jailed_test(&(struct jailed_tests){programs, ARRAY_LENGTH(programs), tests,
                                              ARRAY_LENGTH(tests), SECOND_ONLY},
                       argc, argv);
}
