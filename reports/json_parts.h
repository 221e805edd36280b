/* The JSON that `grade` and `sim` share: hazards, counters, numbers, strings. Private to reports/.
 * All functions return new references. */
#ifndef WARPGRADE_REPORTS_JSON_PARTS_H
#define WARPGRADE_REPORTS_JSON_PARTS_H

#include "sandbox/base/device.h"
#include "sandbox/base/launch.h"
#include "sandbox/base/protection.h"
#include "sandbox/base/text.h"

#include <jansson.h>

/* Of grade's report, which report.schema.json describes: what is written, and the oldest one that
 * is read. */
enum { REPORT_SCHEMA = 2, REPORT_OLDEST_SCHEMA = 1 };

json_t *json_text(const char *string); /* valid UTF-8; NULL gives null */
/* For readers that show it as it is: hidden characters are written as \x1b or \u202e, as on a
 * terminal. NULL gives null. */
json_t *json_shown(const char *string);
json_t *json_text_bytes(const char *string, size_t length);
/* A number; "nan", "inf", "-inf" as strings, because JSON has no such numbers. */
json_t *json_double(double value);
json_t *json_points(double points); /* of a score: to hundredths, never rounded up */
/* A number; above 2^63 - 1 (where readers begin to lose digits anyway) a decimal string. */
json_t *json_unsigned(uint64_t value);
json_t *json_dim3(struct dim3 value); /* [x, y, z] */
/* Those with one cause as one. */
json_t *json_hazards(const struct hazard *hazards, size_t count);
/* Each by itself, as a launch reported it. */
json_t *json_findings(const struct hazard *hazards, size_t count);
char *json_fix_name(enum hazard_fix fix); /* "both-atomic"; the caller frees */
/* "sampled", "dependent blocks" ...: sandbox/base/sampling.def. */
json_t *json_sampling(enum sampling sampling);
/* {"warp_instructions": share ...}: sandbox/base/sampled_figure.def. */
json_t *json_sampled_errors(const double errors[SAMPLED_FIGURE_COUNT]);
/* Sets "provenance" of an object that describes a device: where its rates come from. Nothing where
 * its profile does not say it. */
void json_set_provenance(json_t *device, const struct device_provenance *rates);
json_t *json_counters(const struct counters *counters);
/* Who kept the submission in; null where nothing was run. */
json_t *json_protection(const struct protection *protection);
/* Appends the value, indented by two, in the order in which keys were set, and a newline; drops the
 * reference. */
void json_append(struct text *out, json_t *value);
/* The same with numbers as people write them, 3.33 and not 3.3300000000000001: for readers that
 * show them. */
void json_append_shown(struct text *out, json_t *value);
void json_append_line(struct text *out, json_t *value); /* and on one line */

#endif
