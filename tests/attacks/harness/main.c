/* Carries out attacks on the grader and checks that they fail:
 *
 *     harness [--user NAME] FILE        one attack, as that user where this one is root
 *     harness --landlock[-user NAME] FILE   the same against the jail without namespaces
 *     harness --table FILE ...          the Markdown table of all
 *
 * $WARPGRADE_BINARY is the program, $WARPGRADE_ATTACKED a copy of it with the attacker beside it as
 * warpgrade-worker, $E2E_RUNNER the runner of .e2e cases, $WARPGRADE_TIME_SCALE stretches the time
 * limits. Exit codes: 0 the attack failed as its file says, 1 it did not, 77 skipped.
 *
 * For each attack: look at what is there, run the program on the attack and on a right submission,
 * look again. A native attack is run a second time without the jail, where it must reach its aim;
 * the attacks are written so that this does no harm. */
#include "tests/attacks/harness/checks.h"
#include "tests/attacks/harness/residue.h"
#include "tests/source_folder.h"

#include "sandbox/base/memory.h"
#include "sandbox/isolation/landlock.h"
#include "tests/support/namespaces.h"

#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { EXIT_SKIPPED = 77 };

static int skip(const char *path, const char *reason) {
    printf("%s: skipped: %s\n", path, reason);
    return EXIT_SKIPPED;
}

/* --- who attacks */

static bool is_readable_by_all(void) {
    static const char *const programs[] = {"WARPGRADE_BINARY", "WARPGRADE_ATTACKED", "E2E_RUNNER"};
    for (size_t i = 0; i < ARRAY_LENGTH(programs); i++) {
        const char *path = getenv(programs[i]);
        if (path && access(path, R_OK | X_OK) != 0)
            return false;
    }
    return access(WARPGRADE_SOURCE_DIR "/exercises", R_OK | X_OK) == 0;
}

static const char *become_user(const char *name) {
    const struct passwd *user = getpwnam(name);
    if (geteuid() != 0)
        return "only root can become another user";
    if (!user)
        return "there is no such user";
    if (setgroups(0, NULL) != 0 || setresgid(user->pw_gid, user->pw_gid, user->pw_gid) != 0 ||
        setresuid(user->pw_uid, user->pw_uid, user->pw_uid) != 0)
        return "the user cannot be changed";
    return is_readable_by_all() ? NULL : "that user cannot read the build folder";
}

/* --- what attacks look for on the host */

/* A port on the loopback interface and an abstract socket: an attack that gets through to one is
 * out of its network namespace. No one accepts; to connect is enough. */
static int listen_on_loopback(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 16) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        return -1;
    *port = ntohs(address.sin_port);
    return listener;
}

static int listen_abstractly(const char *token) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "attack-%s", token);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 16) != 0)
        return -1;
    return listener;
}

/* --- one run */

static void run_setup(struct run *run) {
    if (!run->attack->setup)
        return;
    cleanup_free char *expanded = run_expand(run, run->attack->setup);
    cleanup_free char *command = mem_printf("cd '%s' && %s", run->work, expanded);
    if (system(command) != 0) /* NOLINT: the attack's own file */
        run_fail(run, "the set-up failed: %s", command);
}

static void show_said(const struct run *run) {
    for (size_t i = 0; i < run->said_count && i < 2; i++)
        fprintf(stderr, "--- %s:\n%.6000s\n", run->said[i].name, text_string(&run->said[i].text));
}

static void look_and_attack(struct run *run) {
    cleanup_free char *tmp = mem_printf("%s/tmp", run->scratch);
    struct residue before = {.token = run->token, .folders = {run->work, tmp, run->other}};
    struct residue after = before;
    cleanup_text struct text left = {0};
    residue_look(&before);
    run_attack(run);
    residue_compare(&before, &after, &left);
    if (run->bare) {
        checks_bare(run, &left);
    } else {
        if (left.length)
            run_fail(run, "%s", text_string(&left));
        checks_verdict(run);
        checks_output(run);
    }
    residue_free(&before);
    residue_free(&after);
}

static unsigned carry_out(const struct attack_file *attack, bool bare, bool second) {
    const char *scale = getenv("WARPGRADE_TIME_SCALE");
    struct run run = {.attack = attack,
                      .bare = bare,
                      .second = second,
                      .time_scale = scale ? strtod(scale, NULL) : 1};
    cleanup_fd int loopback = listen_on_loopback(&run.port);
    if (run_prepare(&run)) {
        cleanup_fd int abstract = listen_abstractly(run.token);
        run_setup(&run);
        look_and_attack(&run);
    }
    if (run.failures || getenv("WARPGRADE_ATTACKS_SHOW"))
        show_said(&run);
    run_finish(&run);
    return run.failures;
}

/* What the machine must have for the attack; NULL: it has it. */
static const char *find_lack(const struct attack_file *attack) {
#if defined(__SANITIZE_ADDRESS__)
    if (attack->kind == ATTACK_NATIVE)
        return "a build with AddressSanitizer has no seal and a longer list of system calls";
    if (attack->needs && strcmp(attack->needs, "plain-build") == 0)
        return "a jail of a build with AddressSanitizer shows /proc";
#endif
    if (!attack->needs || strcmp(attack->needs, "plain-build") == 0)
        return NULL;
    if (strcmp(attack->needs, "counted-processes") == 0)
        return has_namespaces() ||
                       system("grep -q ' - cgroup' /proc/self/mountinfo") == 0 /* NOLINT */
                   ? NULL
                   : "without namespaces and cgroups the supervisor counts, every 20 ms";
    if (strcmp(attack->needs, "nvcc") != 0)
        return "it needs what the harness does not know";
    static const char search[] =
        "for home in \"$WARPGRADE_CUDA_HOME\" \"$CUDA_HOME\" " WARPGRADE_SOURCE_DIR
        "/.cuda /usr/local/cuda; do test -x \"$home/bin/nvcc\" && exit 0; done; "
        "command -v nvcc >/dev/null";
    return system(search) == 0 ? NULL : "there is no nvcc"; /* NOLINT */
}

static bool has_landlock(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_ASKS_VERSION) >= 1;
}

static int attack_one(const char *path, const char *user, bool second) {
    struct attack_file attack;
    if (!attack_file_read(path, &attack))
        return 2;
    const char *trouble = user ? become_user(user) : NULL;
    if (!trouble)
        trouble = find_lack(&attack);
    if (!trouble && second && attack.landlock && strcmp(attack.landlock, "fails") != 0)
        trouble = attack.landlock;
    if (!trouble && !second && attack.landlock && strcmp(attack.landlock, "fails") != 0 &&
        !has_namespaces())
        trouble = attack.landlock;
    if (!trouble && second && !has_landlock())
        trouble = "this kernel has no Landlock";
    int code = 0;
    if (trouble) {
        code = skip(path, trouble);
    } else {
        unsigned failures = carry_out(&attack, false, second);
        /* Once is enough: that an attack is one does not depend on who carries it out. */
        if (!user && !second && attack.bare && strncmp(attack.bare, "no ", 3) != 0)
            failures += carry_out(&attack, true, false);
        code = failures ? 1 : 0;
        if (!failures)
            printf("%s: %s: %s\n", attack.name, attack.verdict, attack.defence);
    }
    attack_file_free(&attack);
    return code;
}

int main(int argc, char **argv) {
    if (argc >= 2 && strcmp(argv[1], "--table") == 0)
        return attack_table_print(argv + 2, (size_t)argc - 2) ? 0 : 1;
    bool second = argc > 1 && strncmp(argv[1], "--landlock", 10) == 0;
    bool as_user = argc == 4 && (second || strcmp(argv[1], "--user") == 0);
    if (!as_user && argc != (second ? 3 : 2)) {
        fputs(
            "usage: harness [--user NAME] FILE | --landlock[-user NAME] FILE | --table FILE ...\n",
            stderr);
        return 2;
    }
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0 || !residue_prepare())
        return 2;
    return attack_one(argv[argc - 1], as_user ? argv[2] : NULL, second);
}
