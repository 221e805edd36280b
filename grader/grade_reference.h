/* Inside the judge's flow: the exercise's reference, while the submission is being compiled. */
#ifndef WARPGRADE_GRADER_GRADE_REFERENCE_H
#define WARPGRADE_GRADER_GRADE_REFERENCE_H

#include "grader/grade_private.h"

/* Begins to compile it, on a thread of its own where the session's options allow one, and then to
 * compute what it says of the plan's first `checked` cases. To be ended. */
struct grade_reference *grade_reference_begin(struct grade_session *session,
                                              const struct exercise *exercise,
                                              const struct plan *plan, size_t checked,
                                              const char *architecture);
/* Waits until it is compiled, and for no more. *kernel stays until grade_reference_end(). */
enum status grade_reference_await(struct grade_reference *reference, struct oracle_kernel **kernel,
                                  struct error *error);
void grade_reference_end(struct grade_reference *reference);

#endif
