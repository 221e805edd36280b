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

/* The reference's signature is that of exercise.h. STATUS_INVALID where it is not: the error stands
 * at the kernel's name in the source, and its hint is the line to write. */
enum status signature_check_reference(const struct exercise *exercise,
                                      const struct build_kernel *kernel, const char *source,
                                      size_t length, struct error *error);

/* "saxpy(int n, float a, const float *x, float *y)", as it would be declared. */
void signature_text(const char *name, const struct exercise_param *params, size_t count,
                    struct text *out);
/* "const float *x" */
void signature_param_text(const struct exercise_param *param, struct text *out);

#endif
