/* The program's own side: what it gives up once it has started and before it reads anything
 * hostile.
 *
 * Trusted code of ours calls this. An attacker who takes the program over afterwards finds the
 * second filter in place, which for the simulator leaves hardly more than reading, writing and
 * anonymous memory; no file can be opened, twice over, where the kernel has Landlock; and the limit
 * of processes counts inside the user namespace (Linux 5.14), where no one else's processes are in
 * the way.
 *
 * The filter comes as bytes on JAIL_SEAL_FD, so that workers need no libseccomp. No such descriptor
 * means no jail (--unsafe-no-jail, a build with AddressSanitizer): then nothing happens. Landlock
 * has no functions in the C library; its numbers are defined here where older headers lack them. */
#include "sandbox/isolation/jail.h"
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self  446
#endif

enum { INSTRUCTIONS_MAX = 4096, SIMULATOR_DESCRIPTORS = 16, LANDLOCK_VERSION = 1 };

/* Rights of Landlock's first ABI (bits 0 to 12) and those that later ones added. */
enum {
    LANDLOCK_READ = 1 << 2 | 1 << 3,
    LANDLOCK_FIRST = (1 << 13) - 1,
    LANDLOCK_REFER = 1 << 13,
    LANDLOCK_TRUNCATE = 1 << 14,
    LANDLOCK_IOCTL = 1 << 15,
    LANDLOCK_TCP = 3,   /* bind, connect */
    LANDLOCK_SCOPES = 3 /* abstract Unix sockets, signals */
};

struct landlock_attributes {
    uint64_t files, network, scopes;
};

static _Noreturn void refuse(const char *what) {
    dprintf(STDERR_FILENO, "the worker cannot close its jail: %s: %s\n", what, strerror(errno));
    _exit(JAIL_EXIT_NOT_SEALED);
}

/* What the supervisor and bubblewrap put up before the program started. */
static void check_outer_walls(void) {
    errno = EPERM;
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != SECCOMP_MODE_FILTER)
        refuse("the first filter is not in force");
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        refuse("it could gain privileges");
}

static void restrict_files(enum jail_profile profile) {
    long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION /* asks for it */);
    if (version < 1)
        return; /* a kernel without: the mount namespace and the filter remain */
    uint64_t files = LANDLOCK_FIRST;
    files |= version >= 2 ? LANDLOCK_REFER : 0;
    files |= version >= 3 ? LANDLOCK_TRUNCATE : 0;
    files |= version >= 5 ? LANDLOCK_IOCTL : 0;
    unsigned sees = jail_profiles[profile].sees;
    if (sees & OPENS_FILES)
        files &= ~(uint64_t)LANDLOCK_READ;
    struct landlock_attributes attributes = {.files = sees & WRITES_FILES ? 0 : files};
    attributes.network = version >= 4 ? LANDLOCK_TCP : 0;
    attributes.scopes = version >= 6 ? LANDLOCK_SCOPES : 0;
    if (!attributes.files && !attributes.network)
        return;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (rules < 0 || syscall(SYS_landlock_restrict_self, rules, 0) != 0)
        refuse("Landlock");
    close(rules);
}

static void lower(int resource, rlim_t value) {
    struct rlimit limit = {value, value};
    if (setrlimit((__rlimit_resource_t)resource, &limit) != 0)
        refuse("setrlimit");
}

/* Older kernels count a user's processes on the whole machine. */
static bool counts_by_namespace(void) {
    struct utsname name;
    unsigned major = 0, minor = 0;
    return uname(&name) == 0 && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
           (major > 5 || (major == 5 && minor >= 14));
}

static int compare_bytes(const void *left, const void *right) {
    return *(const char *)left - *(const char *)right;
}

/* What the C library asks the system once and keeps is asked now. With many threads malloc() counts
 * the processors by opening a file: it gets a fixed answer, eight arenas for each. qsort() asks
 * for the machine's memory when it sorts more than fits on the stack. */
static void settle_library(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    mallopt(M_ARENA_MAX, processors > 0 ? (int)processors * 8 : 8);
    char some[4096] = {1};
    qsort(some, sizeof some, 1, compare_bytes);
}

static void lower_limits(enum jail_profile profile) {
    if (counts_by_namespace())
        lower(RLIMIT_NPROC, jail_profiles[profile].processes);
    if (profile == JAIL_SIMULATOR) {
        lower(RLIMIT_NOFILE, SIMULATOR_DESCRIPTORS);
        lower(RLIMIT_FSIZE, 0);
    }
}

bool jail_enter(enum jail_profile profile) {
    static struct sock_filter program[INSTRUCTIONS_MAX];
    if (fcntl(JAIL_SEAL_FD, F_GETFD) < 0) {
        if (errno != EBADF) /* that, and nothing else, means that there is no jail */
            refuse("its filter");
        return false;
    }
    ssize_t length = pread(JAIL_SEAL_FD, program, sizeof program, 0);
    if (length <= 0 || (size_t)length % sizeof *program != 0 || (size_t)length == sizeof program)
        refuse("its filter");
    close(JAIL_SEAL_FD);
    check_outer_walls();
    settle_library();
    lower_limits(profile);
    /* No one may read its memory, and a crash leaves no core wherever the kernel sends those.
     * The GPU's driver names its threads in /proc, where nothing is its own without being dumpable.
     */
    bool stays_dumpable = jail_profiles[profile].sees & SEES_GPU;
    if ((!stays_dumpable && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        refuse("prctl");
    restrict_files(profile);
    struct sock_fprog filter = {.len = (unsigned short)((size_t)length / sizeof *program),
                                .filter = program};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0)
        refuse("seccomp");
    return true;
}
