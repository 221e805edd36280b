/* Proves an exercise: what must pass passes, what must fail fails, and each for the stated reason.
 *
 * Rows, in this order:
 *  first comment   of the skeleton: it names the exercise
 *  reference       runs on every case without a hazard, writes every element, and gives the same
 *                  bits on another schedule
 *  tuned           reference/<id>/tuned.cu has full score, that of speed included
 *  skeleton        the untouched skeleton fails
 *  no-op, zero,    kernels made from the signature, which no author has to write: an empty body,
 *  copy            one that writes zeros, one that copies an input to the outputs; all must fail
 *  speed           where there are points for it, a mutant is meant to be too slow
 *  mutants         there are enough of them
 *  each mutant     has exactly the verdict, and among its hazards the hazard, that the exercise
 *                  names, is below the pass mark (too-slow ones: does not have full score), and the
 *                  compiler does not warn of its mistake */
#ifndef WARPGRADE_GRADER_VALIDATE_VALIDATE_H
#define WARPGRADE_GRADER_VALIDATE_VALIDATE_H

#include "grader/grade/grade.h"

struct validate_row {
    char *exercise;
    char *subject;  /* "mutant no-boundary-check" */
    char *expected; /* "hazard, out-of-bounds" */
    char *found;    /* "hazard, out-of-bounds at line 9; 62 of 100" */
    bool proved;
    bool is_mutant; /* of the exercise's own, not a stub */
};

struct validate_result {
    struct validate_row *rows;
    size_t count, capacity;
    size_t failed;
};

/* Appends the exercise's rows. As many submissions are graded at the same time as the session has
 * jobs; what is found does not depend on it.
 *
 * brief: a submission that is to fail is graded no further than its row needs. Once its cases have
 * shown the row's verdict and hazard, and it stays below the pass mark with all points for speed,
 * the build with -G and the speed case are left out; for a row that names no hazard that build
 * always is, unless it may take hazards back. What is left out could take points, or find something
 * worse than the row names, which the whole proof alone sees.
 *
 * STATUS_INVALID where
 * the exercise cannot be graded at all, with the error. */
enum status validate_exercise(struct grade_session *session, const struct exercise *exercise,
                              bool brief, struct validate_result *result, struct error *error);
void validate_result_free(struct validate_result *result);

/* The source of a kernel with the exercise's signature and constants. Pure; caller frees. */
enum validate_stub { STUB_NOOP, STUB_ZERO, STUB_COPY };
/* NULL where there is no such stub: nothing that could be copied. */
char *validate_stub_source(const struct exercise *exercise, enum validate_stub stub);

#endif
