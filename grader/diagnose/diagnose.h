/* Which cause explains a submission's wrong results? Hypotheses are looked at in one failing case
 * after the other: those that would have given something else are dropped, and of those that are
 * left one is named, or none. Pure; grader/grade launches what has to be.
 *
 * Trusted in this order: a wrong solution of the exercise that gives the same, and the causes in
 * the order of cause.def. Where several wrong solutions give the same, they must agree on the
 * cause, or one of them alone has a cause that something else shows, too. */
#ifndef WARPGRADE_GRADER_DIAGNOSE_DIAGNOSE_H
#define WARPGRADE_GRADER_DIAGNOSE_DIAGNOSE_H

#include "grader/diagnose/experiment.h"
#include "grader/diagnose/view.h"
#include "reports/report.h"

struct diagnosis_hypothesis {
    bool dropped;
    bool strong;         /* shown, and not only possible */
    char *evidence;      /* from the first case that showed it */
    const char *in_case; /* that case's name; borrowed */
};

struct diagnosis {
    const struct exercise *exercise;
    bool depends_on_order;                 /* some case's result does */
    struct diagnosis_hypothesis *patterns; /* one each */
    struct experiment *experiments;
    struct diagnosis_hypothesis *experimental; /* one each */
    size_t experiment_count;
    bool *mistakes;              /* one for each mutant: gives the same so far */
    int64_t pieces[PIECE_COUNT]; /* of the last case that was looked at */
    bool is_untouched;           /* all of its output: then other inputs are no explanation */
    size_t case_count;           /* looked at */
    uint64_t wrong;              /* elements, of the last case */
    char *output;                /* the last case's buffer */
};

/* `some_pass`: there are cases with the right result, so that nothing can be wrong with all of
 * them. */
void diagnosis_begin(const struct exercise *exercise, bool some_pass, struct diagnosis *diagnosis);
void diagnosis_free(struct diagnosis *diagnosis);

/* Looks at a case: drops the patterns that it does not have. False, and nothing has happened, where
 * the case has nothing to look at. */
bool diagnosis_look(struct diagnosis *diagnosis, const char *case_name,
                    const struct view_evidence *evidence);
/* What experiment `index` gave in the case that was looked at last: the reference's data area;
 * NULL: it changes nothing there. */
void diagnosis_try(struct diagnosis *diagnosis, size_t index, const char *case_name,
                   const struct view_evidence *evidence, const void *reference_after);
/* Whether another case may help: several causes explain all so far, or none is shown. */
bool diagnosis_is_open(const struct diagnosis *diagnosis);
/* Fills *cause where one explains everything that was looked at. `case_name`: where it will be
 * read; evidence from another case says so. */
bool diagnosis_conclude(const struct diagnosis *diagnosis, enum language language,
                        const char *case_name, struct report_cause *cause);
/* A cause that is known by itself. Takes `evidence`. */
void diagnosis_name(enum cause cause, enum language language, char *evidence,
                    struct report_cause *out);

#endif
