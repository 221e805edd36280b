/* Cases that an exercise does not have: which of them would catch a wrong solution that passes?
 *
 * Sizes are those at which mistakes show (one, a warp, a block, each give or take one; one size
 * small where the others are not), never below the smallest nor above the largest of the exercise's
 * own cases; data are constant, large, negative, sorted. A case in which the tuned kernel does not
 * pass is none: the exercise does not promise it. */
#ifndef WARPGRADE_GRADER_VALIDATE_CANDIDATES_H
#define WARPGRADE_GRADER_VALIDATE_CANDIDATES_H

#include "grader/grade/grade.h"

struct candidates;

/* To be freed with candidates_free(). Grades the tuned kernel. The exercise is borrowed; its launch
 * may be another one than its file says, as where the tuned kernel is graded. */
enum status candidates_open(struct grade_session *session, const struct exercise *exercise,
                            struct candidates **candidates, struct error *error);
void candidates_free(struct candidates *candidates);

/* The first case that the source does not pass, as the YAML has it, with its verdict:
 * "{name: n-33, sizes: {n: 33}} (wrong-answer)". NULL where it passes them all. `launch` is how the
 * source is launched, and `kernel` its name. Caller frees. */
enum status candidates_find(const struct candidates *candidates, struct grade_session *session,
                            const struct exercise *exercise, const struct grade_source *source,
                            char **found, struct error *error);

#endif
