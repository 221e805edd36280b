/* An exercise as `warpgrade show` prints it. */
#ifndef WARPGRADE_GRADER_CLI_EXERCISE_SHOW_H
#define WARPGRADE_GRADER_CLI_EXERCISE_SHOW_H

#include "grader/exercise/exercise.h"
#include "sandbox/base/text.h"

/* Appends statement, kernel, rubric and cases; the statement is filled at `width` columns, 0: 100.
 */
void exercise_show_text(const struct exercise *exercise, enum language language, bool color,
                        unsigned width, struct text *out);
/* The kernel's declaration, as a student writes it. */
void exercise_show_signature(const struct exercise *exercise, struct text *out);

#endif
