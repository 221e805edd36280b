/* What a batch says on the terminal, as text. */
#ifndef WARPGRADE_GRADER_COURSE_BATCH_SUMMARY_H
#define WARPGRADE_GRADER_COURSE_BATCH_SUMMARY_H

#include "grader/batch/batch.h"
#include "sandbox/base/text.h"

/* One line for a student that has been graded in this run. */
void batch_progress_line(const struct batch *batch, size_t student,
                         const struct batch_counts *counts, struct text *out);
/* Per exercise how many passed, then each submission that was not graded and why, then where the
 * results are. */
void batch_summary(const struct batch *batch, bool color, struct text *out);

#endif
