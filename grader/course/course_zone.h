/* Time zones by their IANA names, from the system's tzdata, without the process's own time zone:
 * two courses may have different ones, and nothing here reads or changes TZ. */
#ifndef WARPGRADE_GRADER_COURSE_COURSE_ZONE_H
#define WARPGRADE_GRADER_COURSE_COURSE_ZONE_H

#include "sandbox/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct course_zone;

/* "Europe/Zurich", "UTC". STATUS_INVALID: no such zone, with "did you mean"; STATUS_ENVIRONMENT:
 * this machine has no tzdata. */
enum status course_zone_load(const char *name, struct course_zone **zone, struct error *error);
/* The same from the bytes of a TZif file (RFC 8536). */
enum status course_zone_parse(const char *name, const void *data, size_t length,
                              struct course_zone **zone, struct error *error);
void course_zone_free(struct course_zone *zone);

enum { COURSE_ZONE_NAME = 16 };
/* Seconds east of UTC at an instant; `abbreviation` may be NULL, and receives "CEST". */
int32_t course_zone_offset(const struct course_zone *zone, int64_t instant,
                           char abbreviation[COURSE_ZONE_NAME]);
/* The instants at which clocks show this local time, given as if it were UTC, in order: one; none
 * where clocks were put forward over it; two where they were put back. */
size_t course_zone_instants(const struct course_zone *zone, int64_t local, int64_t instants[2]);

/* The rule of a TZif file's last line, for instants after its table: "CET-1CEST,M3.5.0,M10.5.0/3".
 */
struct course_zone_change {
    enum { ZONE_MONTH_WEEK_DAY, ZONE_JULIAN, ZONE_DAY } kind;
    int month, week, day;
    int32_t seconds; /* of the local day */
};
struct course_zone_rule {
    int32_t offset[2]; /* standard, daylight saving */
    char abbreviation[2][COURSE_ZONE_NAME];
    bool has_daylight;
    struct course_zone_change change[2]; /* to daylight saving, and back */
};
bool course_zone_rule_parse(const char *text, struct course_zone_rule *rule);
/* 1 where daylight saving holds at the instant, else 0. */
int course_zone_rule_at(const struct course_zone_rule *rule, int64_t instant);

#endif
