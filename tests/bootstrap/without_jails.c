/* Runs a command as on a kernel without Landlock where no one may make a namespace: a default
 * container on an old kernel. A filter answers the system calls of both as such a machine does; it
 * stays with every program that the command starts.
 *
 * clone3() is missing, as in such containers: its flags stand in memory, where no filter sees them.
 * Usage: without_jails COMMAND ... */
#include <errno.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { CANNOT = 77 }; /* the test is skipped */

static int answer(scmp_filter_ctx filter, int error, int call) {
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(error), call, 0);
}

/* Refuses a call whose argument `at` asks for a new namespace of any kind. */
static int refuse_namespaces(scmp_filter_ctx filter, int call, unsigned at) {
    static const uint64_t kinds[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                     CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    int code = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && code == 0; i++)
        code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 1,
                                SCMP_CMP(at, SCMP_CMP_MASKED_EQ, kinds[i], kinds[i]));
    return code;
}

static int close_both(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int code = filter ? 0 : -ENOMEM;
    code = code ? code : answer(filter, ENOSYS, SCMP_SYS(landlock_create_ruleset));
    code = code ? code : answer(filter, ENOSYS, SCMP_SYS(landlock_add_rule));
    code = code ? code : answer(filter, ENOSYS, SCMP_SYS(landlock_restrict_self));
    code = code ? code : answer(filter, ENOSYS, SCMP_SYS(clone3));
    code = code ? code : refuse_namespaces(filter, SCMP_SYS(unshare), 0);
    code = code ? code : refuse_namespaces(filter, SCMP_SYS(clone), 0);
    code = code ? code : seccomp_load(filter);
    seccomp_release(filter);
    return code;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s COMMAND ...\n", argv[0]);
        return 2;
    }
    if (close_both() != 0) {
        fprintf(stderr, "%s: this machine takes no filter of system calls\n", argv[0]);
        return CANNOT;
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}
