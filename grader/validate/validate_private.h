/* What the validate*.c share. */
#ifndef WARPGRADE_GRADER_VALIDATE_VALIDATE_PRIVATE_H
#define WARPGRADE_GRADER_VALIDATE_VALIDATE_PRIVATE_H

#include "grader/cases/plan.h"
#include "grader/judge/oracle.h"

/* Whether the reference's answers to all cases are valid, and the same under another schedule:
 * `problem` gets the first thing that is not so, and stays empty where there is none. */
enum status validate_reference(struct oracle *oracle, const struct oracle_kernel *kernel,
                               const struct plan *plan, struct text *problem, struct error *error);

#endif
