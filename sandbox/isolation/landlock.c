/* The files of the second jail: a set of Landlock's rules that names what the profile sees, and
 * refuses everything else.
 *
 * A rule belongs to the file itself and not to its name, so nothing has to be mounted, and a link
 * inside a visible folder opens nothing outside of it. What Landlock does not refuse in any version
 * is to ask for a file's existence, size and owner, to change its mode or times, and to resolve a
 * link: `shared.def` refuses the changes, and the names stay visible (guards.def, FILE_NAMES).
 *
 * The rules are made before the fork, because the child may make plain system calls only. No rule
 * names /proc: what belongs to other processes stands there, and the one folder that is a program's
 * own has another number in each of its children. The GPU's driver, which starts no other program,
 * gets its part of /proc, and its own folder: it reads its map of memory and names its threads
 * there, and refuses to work (CUDA_ERROR_OPERATING_SYSTEM) where it cannot. */
#include "sandbox/isolation/landlock.h"

#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int pretended = -1;

void landlock_pretend(int version) {
    atomic_store(&pretended, version);
}

int landlock_version(void) {
    int most = atomic_load(&pretended);
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_ASKS_VERSION);
    if (version < 0)
        version = 0;
    return most >= 0 && version > most ? most : (int)version;
}

/* Of a file, the rights that only folders can have are left out: the kernel refuses them. A path
 * that is not there needs no rule. */
static bool allow(int rules, uint64_t handled, const char *path, uint64_t rights) {
    cleanup_fd int descriptor = open(path, O_PATH | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0)
        return errno == ENOENT || errno == ENOTDIR;
    if (fstat(descriptor, &info) != 0)
        return false;
    if (!S_ISDIR(info.st_mode))
        rights &=
            LANDLOCK_RUN | LANDLOCK_WRITE | LANDLOCK_READ_FILE | LANDLOCK_TRUNCATE | LANDLOCK_IOCTL;
    struct landlock_path rule = {.allowed = rights & handled, .parent = descriptor};
    return syscall(SYS_landlock_add_rule, rules, LANDLOCK_PATH_BENEATH, &rule, 0) == 0;
}

static bool allow_system(int rules, uint64_t handled) {
    static const char *const folders[] = {
        "/usr/bin",     "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec",
        "/usr/include", "/bin",     "/lib",       "/lib32",     "/lib64"};
    static const char *const texts[] = {"/etc/ld.so.cache", "/etc/alternatives"};
    for (size_t i = 0; i < ARRAY_LENGTH(folders); i++)
        if (!allow(rules, handled, folders[i], LANDLOCK_READ | LANDLOCK_RUN))
            return false;
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
        if (!allow(rules, handled, texts[i], LANDLOCK_READ))
            return false;
    return true;
}

static bool allow_gpu(int rules, uint64_t handled) {
    static const uint64_t node = LANDLOCK_READ_FILE | LANDLOCK_WRITE | LANDLOCK_IOCTL;
    glob_t found = {0};
    static const char *const read[] = {"/sys",          "/proc/driver/nvidia", "/proc/cpuinfo",
                                       "/proc/meminfo", "/proc/devices",       "/proc/modules",
                                       "/proc/sys/vm"};
    bool allowed = allow(rules, handled, "/dev/zero", node);
    for (size_t i = 0; i < ARRAY_LENGTH(read) && allowed; i++)
        allowed = allow(rules, handled, read[i], LANDLOCK_READ);
    if (glob("/dev/nvidia*", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && allowed; i++) {
            struct stat info;
            if (stat(found.gl_pathv[i], &info) == 0 && S_ISCHR(info.st_mode))
                allowed = allow(rules, handled, found.gl_pathv[i], node);
        }
    globfree(&found);
    return allowed;
}

static bool allow_view(int rules, uint64_t handled, unsigned sees, const char *scratch) {
    static const uint64_t node = LANDLOCK_READ_FILE | LANDLOCK_WRITE;
    static const uint64_t whole = LANDLOCK_READ | LANDLOCK_WRITE | LANDLOCK_MAKE | LANDLOCK_REMOVE |
                                  LANDLOCK_REFER | LANDLOCK_TRUNCATE;
    return (!(sees & SEES_SYSTEM) || allow_system(rules, handled)) &&
           (!(sees & SEES_NULL) || (allow(rules, handled, "/dev/null", node) &&
                                    allow(rules, handled, "/dev/urandom", LANDLOCK_READ_FILE))) &&
           (!(sees & SEES_GPU) || allow_gpu(rules, handled)) &&
           (!scratch || allow(rules, handled, scratch, whole)) &&
           (!JAIL_ASAN || allow(rules, handled, "/proc", LANDLOCK_READ));
}

uint64_t landlock_own_proc(enum jail_profile profile) {
    uint64_t size;
    if (!(jail_profiles[profile].sees & SEES_GPU))
        return 0;
    return (LANDLOCK_READ | LANDLOCK_WRITE | LANDLOCK_TRUNCATE) &
           landlock_all(landlock_version(), &size).files;
}

int landlock_rules(enum jail_profile profile, const struct shown_files *files,
                   const char *scratch) {
    uint64_t size;
    struct landlock_attributes all = landlock_all(landlock_version(), &size);
    cleanup_fd int rules = (int)syscall(SYS_landlock_create_ruleset, &all, (size_t)size, 0);
    if (rules < 0)
        return -1;
    unsigned sees = jail_profiles[profile].sees;
    for (size_t i = 0; i < files->count; i++) {
        const struct shown_file *file = &files->items[i];
        bool runs = file->is_run || sees & SEES_SYSTEM; /* a toolkit's own programs */
        if (!allow(rules, all.files, file->outside, LANDLOCK_READ | (runs ? LANDLOCK_RUN : 0)))
            return -1;
    }
    return allow_view(rules, all.files, sees, scratch) ? steal_fd(&rules) : -1;
}
