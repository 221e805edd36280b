/* What guards.c found out, in the words that reports use. */
#include "sandbox/isolation/protection.h"

#include "sandbox/isolation/jail_private.h"

struct protection protection_current(void) {
    static const enum protection_kind kinds[JAIL_KIND_COUNT] = {
        [JAIL_NAMESPACES] = PROTECTION_JAIL,
        [JAIL_LANDLOCK] = PROTECTION_LANDLOCK,
        [JAIL_NONE] = PROTECTION_NONE,
    };
    uint32_t guards;
    if (jail_check(&guards, NULL) != STATUS_OK)
        return (struct protection){.kind = PROTECTION_UNKNOWN};
    const char *kernel = slot_cgroup_version() == 2 ? "cgroup v2" : "cgroup v1";
    const char *ourselves = "rlimits and supervisor";
    return (struct protection){
        .kind = kinds[jail_kind()],
        .memory = guards & 1U << JAIL_GUARD_MEMORY_CGROUP ? kernel : ourselves,
        .processes = guards & 1U << JAIL_GUARD_PROCESS_CGROUP ? kernel : ourselves,
        .cpu = guards & 1U << JAIL_GUARD_CPU_CGROUP ? kernel : ourselves,
    };
}
