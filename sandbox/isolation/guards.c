/* guards.def, what of it is in force, and what to say where something essential is not. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>
#define BIT(id) (1U << JAIL_GUARD_##id)

const struct jail_guard_info jail_guard_infos[JAIL_GUARD_COUNT] = {
#define GUARD(id, name, kinds, title, enable) [JAIL_GUARD_##id] = {name, title, enable, kinds},
#include "sandbox/isolation/guards.def"
#undef GUARD
};

bool jail_guard_is_essential(enum jail_guard guard, enum jail_kind kind) {
    char letter = kind == JAIL_LANDLOCK ? 'l' : 'n';
    return strchr(jail_guard_infos[guard].kinds, letter) != NULL;
}

/* Of a profile that goes on writing files Landlock only takes the network and signals. */
static bool landlock_guards_files(enum jail_profile profile) {
    return !JAIL_ASAN && !(jail_profiles[profile].sees & WRITES_FILES) && landlock_version() >= 1;
}

uint32_t guards_of_simulator(void) {
    return landlock_guards_files(JAIL_SIMULATOR) ? BIT(LANDLOCK) : 0;
}

uint32_t guards_of(enum jail_kind kind, enum jail_profile profile, const struct slot *slot) {
    uint32_t guards = BIT(WALL_CLOCK) | BIT(OUTPUT) | BIT(RLIMITS);
    if (kind == JAIL_NAMESPACES || kind == JAIL_LANDLOCK) {
        guards |= BIT(READ_ONLY) | BIT(NO_PRIVILEGES) | BIT(OTHERS) | BIT(SECCOMP);
        guards |= slot->own_user ? BIT(OWN_USER) : 0;
    }
    if (kind == JAIL_NAMESPACES)
        guards |= BIT(NAMESPACES) | BIT(FILE_NAMES) |
                  (landlock_guards_files(profile) ? BIT(LANDLOCK) : 0);
    if (kind == JAIL_LANDLOCK)
        guards |= BIT(LANDLOCK);
    guards |= slot->cgroup.folders[CGROUP_MEMORY] ? BIT(MEMORY_CGROUP) : 0;
    guards |= slot->cgroup.folders[CGROUP_PROCESSES] ? BIT(PROCESS_CGROUP) : 0;
    guards |= slot->cgroup.folders[CGROUP_CPU] ? BIT(CPU_CGROUP) : 0;
    return guards;
}

/* What bubblewrap and the kernel say where user namespaces are not to be had. */
static bool speaks_of_namespaces(const char *reason) {
    static const char *const signs[] = {
        "namespace", "uid map", "gid map", "Operation not permitted", "loopback", "No space left"};
    for (size_t i = 0; i < ARRAY_LENGTH(signs); i++)
        if (strstr(reason, signs[i]))
            return true;
    return false;
}

enum status guards_refuse(const char *reason, struct error *error) {
    static const char name[] = "bwrap: ";
    if (strncmp(reason, name, sizeof name - 1) == 0)
        reason += sizeof name - 1;
    if (!*reason)
        reason = "bubblewrap ended without a word";
    error_set(error, STATUS_ENVIRONMENT, "submissions cannot be jailed here: %.*s",
              (int)strcspn(reason, "\n"), reason);
    error_hint(error,
               "%s`warpgrade doctor` says what is missing; --unsafe-no-jail goes on without a "
               "jail, for code that you trust.",
               speaks_of_namespaces(reason) ? "It needs user namespaces. " : "");
    return STATUS_ENVIRONMENT;
}

enum status guards_need_bubblewrap(struct error *error) {
    error_set(error, STATUS_ENVIRONMENT,
              "bubblewrap is not installed: a submission could not be kept from your files");
    error_hint(error, "Install it (apt install bubblewrap; `./bootstrap build` does), or trust the "
                      "code and add --unsafe-no-jail; `warpgrade doctor` says more.");
    return STATUS_ENVIRONMENT;
}

enum status guards_need_landlock(struct error *error) {
    error_set(error, STATUS_ENVIRONMENT,
              "this kernel has no Landlock: a submission could not be kept from your files");
    error_hint(error, "A kernel from 5.13 on has it, where `landlock` stands in its lsm= list; "
                      "`warpgrade doctor` says what the full jail needs.");
    return STATUS_ENVIRONMENT;
}
