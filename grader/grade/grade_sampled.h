/* Inside the judge's flow: are the results at the sizes at which times are modelled right? */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_SAMPLED_H
#define WARPGRADE_GRADER_GRADE_GRADE_SAMPLED_H

#include "grader/grade/grade_device.h"

/* What comparing some elements with the reference's showed. */
struct grade_sampled {
    size_t compared;                     /* elements */
    struct report_difference difference; /* present where one is wrong; owns its strings */
};

/* Elements that the sampled blocks of the submission wrote, which large->result has, against the
 * reference's. */
enum status grade_sampled_compare(const struct grade_run *run, const struct grade_large *large,
                                  struct grade_sampled *found, struct error *error);

/* Elements from everywhere, of which the reference makes some, against what all blocks of the
 * submission leave there: for a kernel that seems to leave out work, which is soon done. Nothing is
 * compared where it takes too long. What it finds is added. */
enum status grade_sampled_confirm(const struct grade_run *run, struct grade_sampled *found,
                                  struct error *error);

/* True where no element is wrong; else the verdict says so, and the case owns the difference. */
bool grade_sampled_judge(const struct grade_run *run, struct grade_sampled *found,
                         struct report_case *the_case);

#endif
