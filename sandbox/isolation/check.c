/* jail_check(): what this machine can enforce, found out once by a real run of the jail. */
#include "sandbox/isolation/jail_private.h"

#include <pthread.h>
#include <unistd.h>

/* The first answer holds until the process ends: a machine does not change while it grades. */
static struct {
    pthread_mutex_t mutex;
    bool known;
    enum status status;
    uint32_t guards;
    struct error error;
} checked = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void try_it(void) {
    static const char *const programs[] = {"/usr/bin/true", "/bin/true"};
    const char *program = access(programs[0], X_OK) == 0 ? programs[0] : programs[1];
    const char *argv[] = {"true", NULL};
    struct jail_spec spec = {
        .profile = JAIL_SIMULATOR, .program = program, .argv = argv, .data_fd = -1};
    struct jail_result result;
    checked.status = jail_run(&spec, &result, &checked.error);
    checked.guards = result.guards;
    jail_result_free(&result);
    checked.known = true;
}

enum status jail_check(uint32_t *guards, struct error *error) {
    pthread_mutex_lock(&checked.mutex);
    if (!checked.known)
        try_it();
    *guards = checked.guards;
    if (error && checked.status != STATUS_OK)
        *error = checked.error;
    enum status status = checked.status;
    pthread_mutex_unlock(&checked.mutex);
    return status;
}
