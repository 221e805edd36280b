/* Inside the judge's flow: the exercise's reference, while the submission is being compiled. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_REFERENCE_H
#define WARPGRADE_GRADER_GRADE_GRADE_REFERENCE_H

#include "grader/grade/grade_private.h"

/* Begins to compile it, on a thread of its own where the session's options allow one, and then to
 * compute what it says of the plan's first `checked` cases, and to build the submission without
 * optimisation. To be ended; `source` is the caller's until then. */
struct grade_reference *grade_reference_begin(struct grade_session *session,
                                              const struct exercise *exercise,
                                              const struct plan *plan, size_t checked,
                                              const struct grade_source *source,
                                              const char *architecture);
/* Waits until it is compiled, and for no more. *kernel stays until grade_reference_end(). */
enum status grade_reference_await(struct grade_reference *reference, struct oracle_kernel **kernel,
                                  struct error *error);
/* True, and *build is the caller's to free, where the unoptimised build has been made, or is on its
 * way, which is waited for. */
bool grade_reference_unoptimised(struct grade_reference *reference, struct build_result *build);
void grade_reference_end(struct grade_reference *reference);

#endif
