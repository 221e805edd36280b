/* One function a format, as report_formats lists them. Private to reports/. */
#ifndef WARPGRADE_REPORTS_WRITERS_H
#define WARPGRADE_REPORTS_WRITERS_H

#include "reports/report.h"

enum status report_write_text(const struct report *const *reports, size_t count,
                              const struct report_options *options, struct text *out,
                              struct error *error);
enum status report_write_json(const struct report *const *reports, size_t count,
                              const struct report_options *options, struct text *out,
                              struct error *error);
enum status report_write_junit(const struct report *const *reports, size_t count,
                               const struct report_options *options, struct text *out,
                               struct error *error);
enum status report_write_csv(const struct report *const *reports, size_t count,
                             const struct report_options *options, struct text *out,
                             struct error *error);

#endif
