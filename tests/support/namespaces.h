/* Whether the full jail can be made here at all, asked of the kernel itself and not of the code
 * that is tested: a container or a chroot may have no user namespaces. */
#ifndef WARPGRADE_TESTS_SUPPORT_NAMESPACES_H
#define WARPGRADE_TESTS_SUPPORT_NAMESPACES_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static inline bool has_namespaces(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
                      mount("none", "/tmp", "tmpfs", 0, NULL) == 0
                  ? 0
                  : 1);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

#endif
