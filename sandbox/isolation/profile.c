/* profile.def as a table, for both sides of the jail: a file of its own, so that a jailed program
 * which needs the table does not bring along what makes jails. */
#include "sandbox/isolation/jail_private.h"

const struct profile jail_profiles[JAIL_PROFILE_COUNT] = {
#define PROFILE(id, name, processes, file_bytes, sees)                                             \
    [JAIL_##id] = {name, processes, file_bytes, sees},
#include "sandbox/isolation/profile.def"
#undef PROFILE
};
