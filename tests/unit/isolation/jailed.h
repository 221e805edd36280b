/* Programs for the jail's tests: this program executed again, with the name of what it shall do. */
#ifndef WARPGRADE_TESTS_JAILED_H
#define WARPGRADE_TESTS_JAILED_H

#include "sandbox/isolation/jail_private.h"

#include <string.h>

struct jailed {
    const char *name;
    int (*run)(const char *argument);
};

/* For main(): true where the process is a jailed one, with its exit code. */
static inline bool jailed_main(const struct jailed *all, size_t count, int argc, char **argv,
                               int *code) {
    if (argc < 2 || (strcmp(argv[0], JAIL_PROGRAM) != 0 && strcmp(argv[0], "jailed") != 0))
        return false;
    *code = 120;
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, argv[1]) == 0)
            *code = all[i].run(argc > 2 ? argv[2] : "");
    return true;
}

/* Runs one; the caller frees the result. */
static inline enum status jailed_try(enum jail_profile profile, const char *name,
                                     const char *argument, struct jail_limits limits,
                                     struct jail_result *result, struct error *error) {
    const char *argv[] = {"jailed", name, argument, NULL};
    struct jail_spec spec = {.profile = profile,
                             .program = "/proc/self/exe",
                             .argv = argv,
                             .data_fd = -1,
                             .limits = limits};
    if (!(limits.wall_seconds > 0))
        spec.limits.wall_seconds = 60;
    return jail_run(&spec, result, error);
}

#endif
