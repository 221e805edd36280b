/* The small main() that calls what a student wrote, compiled behind the submission in one file. It
 * is a convenience, and no part of the trust: a submission may put its own in place of it, and can
 * say nothing to the card that it could not say anyway. Private to grade*.c. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_DRIVER_H
#define WARPGRADE_GRADER_GRADE_GRADE_DRIVER_H

#include "grader/grade/grade.h"

/* How diagnostics of it name the file. */
#define GRADE_DRIVER_FILE   "warpgrade-driver"
/* Of a main() of the submission's own, with which its author tries it: never called. */
#define GRADE_DRIVER_DEFINE "main=warpgrade_main_of_the_submission"

/* The submission with the driver after it; caller frees. */
char *grade_driver_append(const struct exercise *exercise, const struct grade_source *source);
/* "void solve(const float *a, float *c, int n)": how it calls the function. */
void grade_driver_signature(const struct exercise *exercise, struct text *out);

#endif
