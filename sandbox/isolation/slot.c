/* Slots: what one run has for itself, for as long as it runs. As root a user id, so that nothing
 * one run leaves can be touched by another; cgroups; and a lock that the kernel gives back however
 * we end.
 *
 * A slot is a number. The grader that holds the lock of slot-N owns it, whatever other graders of
 * the same user do; its threads take turns. Slots are kept until the process ends, because making
 * cgroups costs more than emptying their counters. Those that a killed grader left are emptied by
 * the process that claims the number next. A cgroup's name holds the identity of the lock, a random
 * number that its file keeps: graders with other lock folders (a container, a chroot, another
 * $XDG_RUNTIME_DIR) may see the same hierarchy, and must not empty what is not theirs. Device and
 * inode is not enough: two containers that were started in the same way have the same.
 *
 * A process that was killed may take long to end: a driver gives a card back first, or never. Its
 * memory still counts and its cgroup cannot be removed, so that the slot is set aside until it is
 * empty, and others are taken.
 *
 * This is state of the process by its nature: user ids and cgroups are the machine's. A process
 * that is forked from one with slots forgets them; its parent goes on owning them. */
#include "sandbox/isolation/folder.h"
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Debian and systemd leave the ids 60578 to 61183 unassigned. */
enum { SLOTS_MAX = 512, FIRST_USER = 60600, PROC_MAX = 1 << 20, IDENTITY_DIGITS = 16 };
enum { TEMPORARY_NAMES = 16 };
/* Slots whose processes do not end: at this many, the next run waits five seconds for one of them.
 */
enum { ASIDE_MAX = 16, ASIDE_WAITS = 100, ASIDE_WAIT_US = 50000 };

static struct {
    pthread_mutex_t mutex;
    pid_t owner;
    char *folder; /* of the locks */
    struct cgroup_place place;
    unsigned first; /* number that is tried */
    struct slot *slots[SLOTS_MAX];
    size_t count;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static bool read_proc(const char *path, char **text) {
    cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct text whole = {0};
    char buffer[4096];
    ssize_t got = -1;
    while (descriptor >= 0 && whole.length < PROC_MAX &&
           (got = read(descriptor, buffer, sizeof buffer)) > 0)
        text_append_bytes(&whole, buffer, (size_t)got);
    *text = whole.data ? text_steal(&whole) : mem_strdup("");
    return got == 0;
}

static void find_place(struct cgroup_place *place) {
    cleanup_free char *mounts = NULL, *own = NULL;
    if (read_proc("/proc/self/mountinfo", &mounts) & read_proc("/proc/self/cgroup", &own))
        cgroup_place_find(place, mounts, own, "");
}

/* A folder that is ours alone; made where it is not there. In a user namespace all users that it
 * does not map look like 65534, which may be what we are called, too: only the kernel knows better.
 */
static bool private_folder(const char *path) {
    struct stat info;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 022) == 0 && faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0;
}

/* In /tmp another user may have taken a name: on purpose, or because in a user namespace that maps
 * no user everybody is 65534, as nobody is. So there are several; the first that is free or ours.
 */
static char *temporary_folder(void) {
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        cleanup_free char *folder =
            i == 0 ? mem_printf("/tmp/warpgrade-%u", (unsigned)geteuid())
                   : mem_printf("/tmp/warpgrade-%u.%d", (unsigned)geteuid(), i);
        if (private_folder(folder))
            return steal_pointer(&folder);
    }
    return NULL;
}

/* Root needs no more: /run is its own, and files are staged in the folder, where other users must
 * reach them. */
static char *cache_folder(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return file_join(cache, "warpgrade");
    if (!home || home[0] != '/')
        return NULL;
    cleanup_free char *parent = file_join(home, ".cache");
    mkdir(parent, 0700);
    return file_join(parent, "warpgrade");
}

static char *lock_folder(void) {
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    const char *first = geteuid() == 0 ? "/run" : runtime && runtime[0] == '/' ? runtime : NULL;
    cleanup_free char *folder = first ? file_join(first, "warpgrade") : NULL;
    if (folder && private_folder(folder))
        return steal_pointer(&folder);
    cleanup_free char *other = temporary_folder();
    if (other)
        return steal_pointer(&other);
    cleanup_free char *last = geteuid() == 0 ? NULL : cache_folder();
    return last && private_folder(last) ? steal_pointer(&last) : NULL;
}

static void slot_free(struct slot *slot) {
    cgroup_close(&slot->cgroup);
    close(slot->lock);
    free(slot);
}

static void pool_close(void) {
    if (pool.owner != getpid())
        return;
    for (size_t i = 0; i < pool.count; i++)
        if (!pool.slots[i]->busy) /* one in use is in use by a thread that is still there */
            slot_free(pool.slots[i]);
    pool.count = 0;
    cgroup_place_free(&pool.place);
    free(pool.folder);
    pool.folder = NULL;
}

static void pool_open(void) {
    if (pool.owner == getpid())
        return;
    if (pool.owner == 0)
        atexit(pool_close);
    for (size_t i = 0; i < pool.count; i++)
        close(pool.slots[i]->lock); /* our parent's; the lock itself stays with it */
    pool.count = 0;
    pool.owner = getpid();
    if (!pool.folder) {
        pool.folder = lock_folder();
        find_place(&pool.place);
    }
}

/* An open descriptor with the lock; -1: another process has it, or errno says why. */
static int slot_lock(const char *folder, unsigned number, int flags) {
    cleanup_free char *path = mem_printf("%s/slot-%u", folder, number);
    cleanup_fd int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        return -1;
    return steal_fd(&descriptor);
}

/* The number that the lock's file keeps; a process that finds none there chooses one. Only under
 * the lock.
 */
static bool lock_identity(int lock, char identity[IDENTITY_DIGITS + 1]) {
    ssize_t got = pread(lock, identity, IDENTITY_DIGITS, 0);
    identity[got > 0 ? got : 0] = '\0';
    if (strspn(identity, "0123456789abcdef") == IDENTITY_DIGITS)
        return true;
    uint64_t chosen;
    if (getrandom(&chosen, sizeof chosen, 0) != (ssize_t)sizeof chosen)
        return false;
    snprintf(identity, IDENTITY_DIGITS + 1, "%0*" PRIx64, IDENTITY_DIGITS, chosen);
    return pwrite(lock, identity, IDENTITY_DIGITS, 0) == IDENTITY_DIGITS;
}

/* After the number: the process that has the slot and its session, for people and for tests; that
 * of the last one stays. Nothing here reads it. */
static void tell_holder(int lock) {
    char line[64];
    int length = snprintf(line, sizeof line, " %ld %ld\n", (long)getpid(), (long)getsid(0));
    if (pwrite(lock, line, (size_t)length, IDENTITY_DIGITS) == length)
        (void)!ftruncate(lock, IDENTITY_DIGITS + length);
}

/* Of the slot's cgroups: warpgrade-USER-NUMBER-IDENTITY; NULL: errno says why. */
static char *slot_name(int lock, unsigned number) {
    char identity[IDENTITY_DIGITS + 1];
    return lock_identity(lock, identity)
               ? mem_printf("warpgrade-%u-%u-%s", (unsigned)geteuid(), number, identity)
               : NULL;
}

/* Named by a link beside the lock; the folder of both is ours alone. Only under the lock. */
static char *scratch_link(const char *folder, unsigned number) {
    return mem_printf("%s/scratch-%u", folder, number);
}

static void remove_left_scratch(const char *folder, unsigned number) {
    char target[PATH_MAX];
    cleanup_free char *link = scratch_link(folder, number);
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length <= 0)
        return;
    target[length] = '\0';
    scratch_remove(target);
    unlink(link);
}

bool slot_keep_scratch(const struct slot *slot, const char *scratch) {
    cleanup_free char *link = scratch_link(pool.folder, slot->number);
    unlink(link);
    return !scratch || symlink(scratch, link) == 0;
}

static unsigned count_aside(void) {
    unsigned count = 0;
    for (size_t i = 0; i < pool.count; i++)
        count += pool.slots[i]->aside;
    return count;
}

static struct slot *slot_claim(void) {
    for (unsigned number = pool.first; number < SLOTS_MAX && pool.count < SLOTS_MAX; number++) {
        int lock = slot_lock(pool.folder, number, O_CREAT);
        if (lock < 0 && errno == EWOULDBLOCK)
            continue;
        cleanup_free char *name = lock < 0 ? NULL : slot_name(lock, number);
        if (!name) {
            int cause = errno;
            if (lock >= 0)
                close(lock);
            errno = cause;
            return NULL;
        }
        tell_holder(lock);
        remove_left_scratch(pool.folder, number);
        struct slot *slot = mem_zalloc(sizeof *slot);
        *slot = (struct slot){.number = number,
                              .lock = lock,
                              .own_user = geteuid() == 0,
                              .user = geteuid() == 0 ? FIRST_USER + number : geteuid()};
        slot->aside = !cgroup_open(&slot->cgroup, &pool.place, name);
        pool.slots[pool.count++] = slot;
        if (!slot->aside)
            return slot;
        if (count_aside() >= ASIDE_MAX)
            break;
    }
    errno = EUSERS;
    return NULL;
}

static struct slot *slot_find(void) {
    pool_open();
    for (size_t i = 0; i < pool.count; i++)
        if (!pool.slots[i]->busy && !pool.slots[i]->aside)
            return pool.slots[i];
    if (!pool.folder) {
        errno = EACCES;
        return NULL;
    }
    struct slot *claimed = count_aside() < ASIDE_MAX ? slot_claim() : NULL;
    if (claimed || (count_aside() < ASIDE_MAX && errno != EUSERS))
        return claimed;
    for (size_t i = 0; i < pool.count; i++)
        if (pool.slots[i]->aside && cgroup_is_empty(&pool.slots[i]->cgroup)) {
            pool.slots[i]->aside = false;
            return pool.slots[i];
        }
    errno = count_aside() > 0 ? EBUSY : EUSERS;
    return NULL;
}

static void tell_aside(struct error *error) {
    for (size_t i = 0; i < pool.count; i++)
        if (pool.slots[i]->aside) {
            cleanup_free char *left = cgroup_left(&pool.slots[i]->cgroup);
            error_set(error, STATUS_ENVIRONMENT,
                      "no place for a jail: %u wait for processes that were killed and do not end, "
                      "the first for %s",
                      count_aside(), left);
            error_hint(error, "State D waits for a device or a file system, a GPU's driver for "
                              "instance. Try again later; what never ends needs a restart of the "
                              "machine.");
            return;
        }
}

struct slot *slot_take(struct error *error) {
    pthread_mutex_lock(&pool.mutex);
    struct slot *slot = slot_find();
    for (int waits = 0; !slot && errno == EBUSY && waits < ASIDE_WAITS; waits++) {
        pthread_mutex_unlock(&pool.mutex);
        usleep(ASIDE_WAIT_US);
        pthread_mutex_lock(&pool.mutex);
        slot = slot_find();
    }
    int cause = errno;
    if (slot)
        slot->busy = true;
    else if (cause == EBUSY)
        tell_aside(error);
    pthread_mutex_unlock(&pool.mutex);
    if (!slot && cause != EBUSY) {
        error_set(error, STATUS_ENVIRONMENT, "no place for a jail in %s: %s",
                  pool.folder ? pool.folder : "/run, $XDG_RUNTIME_DIR, /tmp or ~/.cache",
                  strerror(cause));
        error_hint(error, "%s",
                   cause == EUSERS ? "All 512 are in use; try again with fewer --jobs."
                                   : "The folder must be writable, belong to you and be closed to "
                                     "others (chmod go-w).");
    }
    return slot;
}

/* False where another process holds the slot's lock: a living grader's is its own. */
static bool sweep_one(const char *folder, unsigned number, const struct cgroup_place *place) {
    cleanup_fd int lock = slot_lock(folder, number, 0);
    if (lock < 0)
        return errno != EWOULDBLOCK;
    remove_left_scratch(folder, number);
    cleanup_free char *name = slot_name(lock, number);
    if (name && place->version)
        cgroup_remove(place, name);
    return true;
}

/* Most of the 512 numbers were never taken: only those that have a file are looked at. */
bool slots_sweep(void) {
    bool all = true;
    cleanup_free char *folder = lock_folder();
    DIR *locks = folder ? opendir(folder) : NULL;
    struct cgroup_place place = {0};
    find_place(&place);
    for (struct dirent *entry; locks && (entry = readdir(locks));) {
        unsigned number;
        if (sscanf(entry->d_name, "slot-%u", &number) == 1 && number < SLOTS_MAX)
            all &= sweep_one(folder, number, &place);
    }
    if (locks)
        closedir(locks);
    cgroup_place_free(&place);
    return all;
}

void slot_give(struct slot *slot) {
    pthread_mutex_lock(&pool.mutex);
    slot->busy = false;
    pthread_mutex_unlock(&pool.mutex);
}

void slot_set_aside(struct slot *slot) {
    pthread_mutex_lock(&pool.mutex);
    slot->busy = false;
    slot->aside = true;
    pthread_mutex_unlock(&pool.mutex);
}

int slot_cgroup_version(void) {
    return pool.place.version;
}

char *jail_lock_folder(void) {
    pthread_mutex_lock(&pool.mutex);
    char *folder = pool.folder ? mem_strdup(pool.folder) : lock_folder();
    pthread_mutex_unlock(&pool.mutex);
    return folder;
}

const char *slot_folder(void) {
    return pool.folder;
}

void slots_begin_at(unsigned number) {
    pthread_mutex_lock(&pool.mutex);
    pool.first = number;
    pthread_mutex_unlock(&pool.mutex);
}

void slots_reset(const struct cgroup_place *place) {
    pthread_mutex_lock(&pool.mutex);
    pool_open();
    for (size_t i = 0; i < pool.count; i++)
        slot_free(pool.slots[i]);
    pool.count = 0;
    cgroup_place_free(&pool.place);
    if (place) {
        pool.place.version = place->version;
        for (int i = 0; i < CGROUP_CONTROLLER_COUNT; i++)
            pool.place.folders[i] = mem_strdup(place->folders[i]);
    } else {
        find_place(&pool.place);
    }
    pthread_mutex_unlock(&pool.mutex);
}
