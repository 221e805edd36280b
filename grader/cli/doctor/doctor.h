/* The table of `warpgrade doctor`, and the part of it that is about the jail. */
#ifndef WARPGRADE_GRADER_CLI_DOCTOR_DOCTOR_H
#define WARPGRADE_GRADER_CLI_DOCTOR_DOCTOR_H

#include "sandbox/base/text.h"

#include <stdbool.h>

/* works; missing: grading works without it; failed: it does not. */
enum doctor_state { DOCTOR_WORKS, DOCTOR_MISSING, DOCTOR_FAILED };

struct doctor {
    bool color;
    bool failed;       /* some row has */
    bool jail_failed;  /* one about the jail: --unsafe-no-jail does without it */
    struct text out;   /* escaped */
    struct text steps; /* what follows the table: remedies of several lines */
};

/* One row: the name, how it is, what was found; and, where it does not work, what to do, one line.
 */
void doctor_row(struct doctor *doctor, const char *name, enum doctor_state state,
                const char *remedy, const char *format, ...) __attribute__((format(printf, 5, 6)));
void doctor_heading(struct doctor *doctor, const char *title);

/* Tries every guard for real. False where there can be no jail; then the process runs without one
 * from here on, so that the rest of the table can be found out with our own kernels. */
bool doctor_jail(struct doctor *doctor);

/* Runs a kernel on every card. Nothing that is missing there keeps this machine from grading. */
void doctor_cards(struct doctor *doctor);

#endif
