/* A wrong output as a picture. */
#ifndef WARPGRADE_GRADER_JUDGE_OUTPUT_GRID_H
#define WARPGRADE_GRADER_JUDGE_OUTPUT_GRID_H

#include "grader/judge/compare.h"
#include "reports/report.h"
#include "sandbox/base/launch.h"

/* Fills extents, window and map of a difference whose first wrong element is `first`. */
void output_grids(const struct compare_request *request, const struct engine_argument *argument,
                  uint64_t first, struct report_difference *difference);

#endif
