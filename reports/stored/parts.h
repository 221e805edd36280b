/* The parts of a stored report, each filled from its object. Private to reports/stored/. */
#ifndef WARPGRADE_REPORTS_STORED_PARTS_H
#define WARPGRADE_REPORTS_STORED_PARTS_H

#include "reports/report.h"
#include "reports/stored/member.h"

enum {
    STORED_MOST_REPORTS = 10000,
    STORED_MOST_CASES = 10000,
    STORED_MOST_GROUPS = 1000,
    STORED_MOST_HAZARDS = 1000, /* of a case */
    STORED_MOST_SIZES = 1000,
    STORED_MOST_THRESHOLDS = 1000,
    STORED_MOST_DIAGNOSTICS = 10000,
};
#define STORED_MOST_POINTS       1e9
#define STORED_MOST_MILLISECONDS 1e12

void stored_read_case(struct member_reader *reader, const json_t *object, struct report_case *item);
void stored_read_speed(struct member_reader *reader, const json_t *object,
                       struct report_speed *speed);
void stored_read_hazard(struct member_reader *reader, const json_t *object, struct hazard *hazard);
/* Names and numbers, in the order of the document. */
void stored_read_sizes(struct member_reader *reader, const json_t *object, const char *key,
                       enum member_need need, struct report_size **sizes, size_t *count);
struct dim3 stored_read_dim3(struct member_reader *reader, const json_t *object, const char *key);
/* read_pictures.c: what pictures are made of, as far as the document has it. */
void stored_read_launch(struct member_reader *reader, const json_t *object,
                        struct report_case *item);
void stored_read_scene(struct member_reader *reader, const json_t *object,
                       struct hazard_scene *scene);
void stored_read_grids(struct member_reader *reader, const json_t *object,
                       struct report_difference *difference);
void stored_read_costs(struct member_reader *reader, const json_t *object,
                       struct report_speed *speed);
/* The member `verdict`. */
enum verdict stored_read_verdict(struct member_reader *reader, const json_t *object);
/* What this version does not know is left out, and what the document lacks is 0. */
void stored_read_counters(struct member_reader *reader, const json_t *object,
                          struct counters *counters);

#endif
