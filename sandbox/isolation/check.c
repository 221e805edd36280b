/* jail_check(): which jail this machine can have and what it enforces, found out once by a real
 * run: that of a program that does nothing, or the first run that is asked for, where it succeeds.
 *
 * Unless one kind is asked for, the full one is tried first, and where that cannot be made the
 * second one. Which it was stands in every report, so that no one takes the second for the first.
 */
#include "sandbox/isolation/jail_private.h"

#include <pthread.h>
#include <unistd.h>

/* The first answer holds until the process ends: a machine does not change while it grades. */
static struct {
    pthread_mutex_t mutex;
    enum jail_kind asked; /* for */
    bool known;
    enum jail_kind kind; /* JAIL_AUTO: none can be had */
    enum status status;
    uint32_t guards;
    struct error error;   /* where there is none */
    struct error why_not; /* the full one cannot be made */
} checked = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static enum status attempt(enum jail_kind kind, struct error *error) {
    static const char *const programs[] = {"/usr/bin/true", "/bin/true"};
    const char *program = access(programs[0], X_OK) == 0 ? programs[0] : programs[1];
    const char *argv[] = {"true", NULL};
    struct jail_spec spec = {
        .profile = JAIL_SIMULATOR, .program = program, .argv = argv, .data_fd = -1};
    struct jail_result result;
    enum status status = jail_run_in(kind, &spec, &result, error);
    checked.guards = result.guards;
    jail_result_free(&result);
    if (status == STATUS_OK)
        checked.kind = kind;
    return status;
}

static void try_it(void) {
    enum jail_kind first = jail_is_unsafe()             ? JAIL_NONE
                           : checked.asked == JAIL_AUTO ? JAIL_NAMESPACES
                                                        : checked.asked;
    checked.known = true;
    checked.kind = JAIL_AUTO;
    checked.status = attempt(first, &checked.error);
    if (checked.status == STATUS_OK || first != JAIL_NAMESPACES || checked.asked != JAIL_AUTO)
        return;
    uint32_t guards = checked.guards;
    struct error ignored = {0};
    checked.why_not = checked.error;
    checked.status = attempt(JAIL_LANDLOCK, &ignored);
    if (checked.status != STATUS_OK) /* what is missing for the full one is the better answer */
        checked.guards = guards;
}

bool jail_may_be_trial(const struct jail_spec *spec) {
    bool plain = !spec->take && !spec->folder && spec->input_fd <= 0 && spec->cancel_fd <= 0;
    pthread_mutex_lock(&checked.mutex);
    bool may = plain && !checked.known && !jail_is_unsafe() &&
               (checked.asked == JAIL_AUTO || checked.asked == JAIL_NAMESPACES);
    pthread_mutex_unlock(&checked.mutex);
    return may;
}

void jail_trial_succeeded(uint32_t guards) {
    pthread_mutex_lock(&checked.mutex);
    if (!checked.known) {
        checked.known = true;
        checked.kind = JAIL_NAMESPACES;
        checked.status = STATUS_OK;
        checked.guards = guards | guards_of_simulator();
    }
    pthread_mutex_unlock(&checked.mutex);
}

void jail_set_kind(enum jail_kind kind) {
    pthread_mutex_lock(&checked.mutex);
    checked.asked = kind;
    checked.known = false;
    pthread_mutex_unlock(&checked.mutex);
}

enum jail_kind jail_asked(void) {
    pthread_mutex_lock(&checked.mutex);
    enum jail_kind asked = checked.asked;
    pthread_mutex_unlock(&checked.mutex);
    return asked;
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

enum jail_kind jail_kind(void) {
    uint32_t guards;
    return jail_is_unsafe()                         ? JAIL_NONE
           : jail_check(&guards, NULL) == STATUS_OK ? checked.kind
                                                    : JAIL_AUTO;
}

const struct error *jail_why_not_namespaces(void) {
    return jail_kind() == JAIL_LANDLOCK && checked.asked == JAIL_AUTO ? &checked.why_not : NULL;
}
