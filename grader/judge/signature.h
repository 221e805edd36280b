/* Does a kernel take what the exercise passes? And the words for it where it does not. */
#ifndef WARPGRADE_GRADER_JUDGE_SIGNATURE_H
#define WARPGRADE_GRADER_JUDGE_SIGNATURE_H

#include "grader/exercise/exercise.h"
#include "sandbox/build/build.h"

/* False with the rest of a sentence about the kernel in *problem ("takes `int *` as its first
 * parameter, where ..."): the first thing that differs, what was found and what is expected. */
bool signature_matches(const struct exercise_param *params, size_t count,
                       const struct build_kernel *kernel, enum language language,
                       struct text *problem);

/* "saxpy(int n, float a, const float *x, float *y)", as it would be declared. */
void signature_text(const char *name, const struct exercise_param *params, size_t count,
                    struct text *out);
/* "const float *x" */
void signature_param_text(const struct exercise_param *param, struct text *out);

#endif
