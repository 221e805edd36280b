/* The tuned kernel, for a student who has full marks. */
#ifndef WARPGRADE_GRADER_CLI_SOLUTION_H
#define WARPGRADE_GRADER_CLI_SOLUTION_H

#include "grader/exercise/exercise.h"
#include "sandbox/base/text.h"

/* Appends the source with its comments, escaped. STATUS_INVALID, and what to do, where the record
 * has no full marks (unless `spoil`) or the exercise shows no solution. */
enum status solution_append(const struct exercise *exercise, bool spoil, enum language language,
                            bool color, struct text *out, struct error *error);

#endif
