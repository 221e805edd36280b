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
 * means no jail (--unsafe-no-jail, a build with AddressSanitizer): then nothing happens. */
#include "sandbox/isolation/jail.h"
#include "sandbox/isolation/jail_private.h"
#include "sandbox/isolation/landlock.h"

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

enum { INSTRUCTIONS_MAX = 4096, SIMULATOR_DESCRIPTORS = 16 };

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
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_ASKS_VERSION);
    if (version < 1)
        return; /* a kernel without: the mount namespace and the filter remain */
    uint64_t size;
    struct landlock_attributes attributes = landlock_all((int)version, &size);
    unsigned sees = jail_profiles[profile].sees;
    if (sees & OPENS_FILES)
        attributes.files &= ~(uint64_t)LANDLOCK_READ;
    if (sees & WRITES_FILES)
        attributes.files = 0;
    if (!attributes.files && !attributes.network)
        return;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, (size_t)size, 0);
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

/* In the second jail a user's processes are counted on the whole machine: launch.c has a limit. */
static void lower_limits(enum jail_profile profile, enum jail_kind kind) {
    if (kind == JAIL_NAMESPACES && counts_by_namespace())
        lower(RLIMIT_NPROC, jail_profiles[profile].processes);
    if (profile == JAIL_SIMULATOR) {
        lower(RLIMIT_NOFILE, SIMULATOR_DESCRIPTORS);
        lower(RLIMIT_FSIZE, 0);
    }
}

bool jail_enter(enum jail_profile profile) {
    static struct {
        struct seal head;
        struct sock_filter program[INSTRUCTIONS_MAX];
    } seal;
    if (fcntl(JAIL_SEAL_FD, F_GETFD) < 0) {
        if (errno != EBADF) /* that, and nothing else, means that there is no jail */
            refuse("its filter");
        return false;
    }
    ssize_t got = pread(JAIL_SEAL_FD, &seal, sizeof seal, 0);
    size_t length = got > (ssize_t)sizeof seal.head ? (size_t)got - sizeof seal.head : 0;
    if (length == 0 || length % sizeof *seal.program != 0 || length == sizeof seal.program)
        refuse("its filter");
    close(JAIL_SEAL_FD);
    check_outer_walls();
    settle_library();
    lower_limits(profile, (enum jail_kind)seal.head.kind);
    /* No one may read its memory, and a crash leaves no core wherever the kernel sends those.
     * The GPU's driver names its threads in /proc, where nothing is its own without being dumpable.
     */
    bool stays_dumpable = jail_profiles[profile].sees & SEES_GPU;
    if ((!stays_dumpable && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        refuse("prctl");
    restrict_files(profile);
    struct sock_fprog filter = {.len = (unsigned short)(length / sizeof *seal.program),
                                .filter = seal.program};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0)
        refuse("seccomp");
    return true;
}
