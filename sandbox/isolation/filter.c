/* syscalls.def and shared.def as programs of the kernel, made by libseccomp once for each profile
 * and kept.
 *
 * A call of another architecture (32-bit, x32) ends the process. Names that this machine's
 * libseccomp or architecture does not know are left out: in an allow-list that is on the safe side,
 * and a call that libseccomp cannot name is refused like every other. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/memory.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONDITIONS_MAX = 2, PROGRAM_MAX = 1 << 16 };

#define CLONE_NEW_ANY                                                                              \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)

struct filter_rule {
    const char *profiles, *name;
    enum { ALLOWS, KILLS, REFUSES } action;
    unsigned condition_count;
    struct scmp_arg_cmp conditions[CONDITIONS_MAX];
};

#define MASKED(argument, mask, value)                                                              \
    { argument, SCMP_CMP_MASKED_EQ, mask, value }
#define NONE(argument, mask) MASKED(argument, mask, 0)
#define OTHER(argument, value)                                                                     \
    { argument, SCMP_CMP_NE, value, 0 }
#define EQUAL(argument, value)                                                                     \
    { argument, SCMP_CMP_EQ, value, 0 }
#define CONDITION_COUNT(...)                                                                       \
    (sizeof((struct scmp_arg_cmp[]){__VA_ARGS__}) / sizeof(struct scmp_arg_cmp))
#define ALLOW(profiles, name)  {profiles, #name, ALLOWS, 0, {{0}}},
#define KILL(profiles, name)   {profiles, #name, KILLS, 0, {{0}}},
#define REFUSE(profiles, name) {profiles, #name, REFUSES, 0, {{0}}},
#define ALLOW_IF(profiles, name, ...)                                                              \
    {profiles, #name, ALLOWS, CONDITION_COUNT(__VA_ARGS__), {__VA_ARGS__}},
#define REFUSE_IF(profiles, name, ...)                                                             \
    {profiles, #name, REFUSES, CONDITION_COUNT(__VA_ARGS__), {__VA_ARGS__}},
#define KILL_IF(profiles, name, ...)                                                               \
    {profiles, #name, KILLS, CONDITION_COUNT(__VA_ARGS__), {__VA_ARGS__}},

static const struct filter_rule rules[] = {
#include "sandbox/isolation/syscalls.def"
};
static const struct filter_rule shared_rules[] = {
#include "sandbox/isolation/shared.def"
};

/* The letters of the two tables, by part. */
static const char letters[JAIL_PROFILE_COUNT][FILTER_PART_COUNT] = {
    [JAIL_SIMULATOR] = {'s', 'S', 's', 'S'}, [JAIL_COMPILER] = {'c', 'C', 'c', 'C'},
    [JAIL_TOOLS] = {'t', 't', 't', 'T'},     [JAIL_GPU] = {'g', 'g', 'g', 'G'},
    [JAIL_HOST_CODE] = {'t', 't', 't', 'T'},
};

static struct {
    pthread_mutex_t mutex;
    void *programs[JAIL_PROFILE_COUNT][FILTER_PART_COUNT];
    size_t lengths[JAIL_PROFILE_COUNT][FILTER_PART_COUNT];
} kept = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static bool add_rules(scmp_filter_ctx filter, const struct filter_rule *table, size_t count,
                      char letter, uint32_t otherwise) {
    for (size_t i = 0; i < count; i++) {
        const struct filter_rule *rule = &table[i];
        static const uint32_t actions[] = {SCMP_ACT_ALLOW, SCMP_ACT_KILL_PROCESS,
                                           SCMP_ACT_ERRNO(ENOSYS)};
        uint32_t action = actions[rule->action];
        if (!strchr(rule->profiles, letter) || action == otherwise)
            continue;
        int number = seccomp_syscall_resolve_name(rule->name);
        if (number < 0) /* unknown, or not of this architecture */
            continue;
        if (seccomp_rule_add_array(filter, action, number, rule->condition_count,
                                   rule->conditions) != 0)
            return false;
    }
    return true;
}

static bool export(scmp_filter_ctx filter, void **program, size_t *length) {
    cleanup_fd int file = memfd_create("filter", MFD_CLOEXEC);
    if (file < 0 || seccomp_export_bpf(filter, file) != 0)
        return false;
    off_t size = lseek(file, 0, SEEK_END);
    if (size <= 0 || size > PROGRAM_MAX)
        return false;
    cleanup_free void *bytes = mem_alloc((size_t)size);
    if (pread(file, bytes, (size_t)size, 0) != size)
        return false;
    *program = steal_pointer(&bytes);
    *length = (size_t)size;
    return true;
}

static bool add_part(scmp_filter_ctx filter, char letter, enum filter_part part,
                     uint32_t otherwise) {
    return part < FILTER_SHARED
               ? add_rules(filter, rules, ARRAY_LENGTH(rules), letter, otherwise)
               /* of one without a user of its own both letters */
               : (part == FILTER_SHARED ||
                  add_rules(filter, shared_rules, ARRAY_LENGTH(shared_rules), (char)tolower(letter),
                            otherwise)) &&
                     add_rules(filter, shared_rules, ARRAY_LENGTH(shared_rules), letter, otherwise);
}

static bool make(char letter, enum filter_part part, void **program, size_t *length) {
    uint32_t otherwise = JAIL_ASAN || part >= FILTER_SHARED ? SCMP_ACT_ALLOW
                         : letter == 'S'                    ? SCMP_ACT_KILL_PROCESS
                                                            : SCMP_ACT_ERRNO(ENOSYS);
    scmp_filter_ctx filter = seccomp_init(otherwise);
    if (!filter)
        return false;
    bool made = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
                add_part(filter, letter, part, otherwise) && export(filter, program, length);
    seccomp_release(filter);
    return made;
}

bool filter_program(enum jail_profile profile, enum filter_part part, const void **program,
                    size_t *length) {
    pthread_mutex_lock(&kept.mutex);
    void **slot = &kept.programs[profile][part];
    bool made = *slot || make(letters[profile][part], part, slot, &kept.lengths[profile][part]);
    *program = *slot;
    *length = kept.lengths[profile][part];
    pthread_mutex_unlock(&kept.mutex);
    return made;
}
