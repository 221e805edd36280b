/* Where the numbers of a device profile come from, for people, and whether the times that rest on
 * them are a guess. Pure functions. */
#ifndef WARPGRADE_REPORTS_DEVICE_H
#define WARPGRADE_REPORTS_DEVICE_H

#include "sandbox/base/device.h"
#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

/* "43 of the 59 rates and latencies of its profile"; nothing where the profile is no guess. */
void report_append_assumed(struct text *out, enum language language,
                           const struct device_provenance *rates);
/* The same beside a time: "...; modelled times are a guess". */
void report_append_guess(struct text *out, enum language language,
                         const struct device_provenance *rates);
/* A heading and one row for each device; report_device_row() appends one. */
void report_device_heading(struct text *out);
void report_device_row(const struct device_profile *device, bool color, struct text *out);
/* Each number of one device with its origin. */
void report_device_text(const struct device_profile *device, const struct device_notes *notes,
                        bool color, struct text *out);

#endif
