/* How many mutants of a right solution the cases of its exercise catch. */
#ifndef WARPGRADE_GRADER_AUTHOR_SURVEY_H
#define WARPGRADE_GRADER_AUTHOR_SURVEY_H

#include "grader/author/mutate.h"
#include "grader/grade/grade.h"

/* What is mutated: a submission, the tuned kernel with its own launch, or the reference, of which a
 * mutant is caught where the tuned kernel no longer agrees with it. */
enum survey_role { SURVEY_SUBMISSION, SURVEY_TUNED, SURVEY_REFERENCE };

enum survey_outcome {
    SURVEY_NO_COMPILE, /* is no mutant */
    SURVEY_EQUAL,      /* the same program as the original or as a mutant before it, or the same by
                          the exercise's launch */
    SURVEY_CAUGHT,
    SURVEY_SURVIVED,
    SURVEY_OUTCOME_COUNT
};

struct survey_row {
    const struct mutation *mutation;
    enum survey_outcome outcome;
    enum verdict verdict; /* of what is caught */
    bool has_hazard;      /* ... and the first of its errors: */
    enum hazard_kind hazard;
    bool passed; /* what is caught may be slow and have enough points */
    bool warns;  /* the compiler, which gives the mistake away */
    char *found; /* "wrong-answer in warp-plus-1"; of a survivor which case would catch it,
                    or NULL */
};

struct survey {
    struct mutations mutations;
    struct survey_row *rows; /* one for each mutation */
};

/* STATUS_INVALID where the source itself does not pass, or the exercise cannot be graded. */
enum status survey_run(struct grade_session *session, const struct exercise *exercise,
                       const struct grade_source *source, enum survey_role role,
                       struct survey *survey, struct error *error);
void survey_free(struct survey *survey);

#endif
