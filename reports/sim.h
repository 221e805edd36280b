/* What `warpgrade sim` prints: the JSON of CLI.md and its form for a terminal. Pure functions. */
#ifndef WARPGRADE_REPORTS_SIM_H
#define WARPGRADE_REPORTS_SIM_H

#include "grader/base/text.h"
#include "sandbox/engine.h"

/* Appends the JSON that reports/sim.schema.json describes. registers_per_thread 0: unknown, then
 * it and the occupancy (0..1) are null. */
void report_sim_json(const struct engine_result *result, const char *kernel,
                     unsigned registers_per_thread, double theoretical_occupancy, struct text *out);
/* Device printf, hazards with excerpts from source (may be NULL), counters, speed. */
void report_sim_text(const struct engine_result *result, const char *kernel,
                     unsigned registers_per_thread, double theoretical_occupancy,
                     const char *source, size_t source_length, bool color, struct text *out);
/* "clean", "hazards" or "error". */
const char *report_sim_status(const struct engine_result *result);

#endif
