/* Two graded submissions side by side; pure functions of their reports. */
#ifndef WARPGRADE_GRADER_CLI_COMPARE_TEXT_H
#define WARPGRADE_GRADER_CLI_COMPARE_TEXT_H

#include "reports/report.h"
#include "reports/terminal.h"

/* A table of at most 80 columns, escaped: points, the cases where they differ, and the counters of
 * the speed case with B's share of A's. Both are reports of one exercise and seed. */
void compare_write_text(const struct terminal *t, const struct report *a, const struct report *b);
void compare_write_json(const struct report *a, const struct report *b, struct text *out);

#endif
