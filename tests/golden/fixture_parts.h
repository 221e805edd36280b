/* What fixtures are put together from. */
#ifndef WARPGRADE_TESTS_GOLDEN_FIXTURE_PARTS_H
#define WARPGRADE_TESTS_GOLDEN_FIXTURE_PARTS_H

#include "reports/report.h"

struct report *fixture_report(const char *exercise, const char *title, const char *file,
                              const char *source);
void fixture_group(struct report *report, const char *name, double max_score);
/* A case of the last group; its size is n. */
struct report_case *fixture_case(struct report *report, const char *name, int64_t n,
                                 enum verdict verdict, const char *message);
struct hazard *fixture_hazard(struct report_case *item, enum hazard_kind kind, unsigned line,
                              uint64_t count, const char *message);
void fixture_difference(struct report_case *item, const char *output, const char *index,
                        double expected, double actual, double allowed);
/* Adds up the points. */
void fixture_finish(struct report *report, const char *message);

#endif
