/* Workers that are taken over: a test's own code in place of a role, before the worker's entry.
 * What does not end the process goes on as the honest role would. */
#ifndef WARPGRADE_TESTS_SUPPORT_STAND_IN_H
#define WARPGRADE_TESTS_SUPPORT_STAND_IN_H

#include "sandbox/program/worker_main.h"
#include "sandbox/worker/entry.h"

#include <string.h>

struct stand_in {
    const char *role;
    int (*run)(void); /* the exit code, or STAND_IN_HONEST */
};
enum { STAND_IN_HONEST = -1 };

/* As worker_main(). */
static inline bool stand_in_main(const struct stand_in *all, size_t count, int argc, char **argv,
                                 int *code) {
    bool jailed;
    const char *role = worker_role_asked(argc, argv, &jailed);
    for (size_t i = 0; role && i < count; i++)
        if (strcmp(all[i].role, role) == 0 && (*code = all[i].run()) != STAND_IN_HONEST)
            return true;
    return worker_main(argc, argv, code);
}

#endif
