/* aim: raise the limits that it was given
 * defence: hard limits cannot be raised: no capabilities
 * role: build
 * verdict: compile-error
 * says: code 43
 * bare: no a plain user cannot raise them without the jail either */
#include "tests/attacks/attacker/attack.h"

#include <stddef.h>
#include <sys/resource.h>

ATTACK {
    static const int resources[] = {RLIMIT_DATA, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE,
                                    RLIMIT_CORE};
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        struct rlimit before, all = {RLIM_INFINITY, RLIM_INFINITY};
        if (getrlimit((__rlimit_resource_t)resources[i], &before) == 0 &&
            before.rlim_max != RLIM_INFINITY &&
            setrlimit((__rlimit_resource_t)resources[i], &all) == 0)
            attack_succeeded("raised limit %d", resources[i]);
    }
    attack_failed("setrlimit");
}
