/* One function a format: the rows of format.def. Private to reports/. */
#ifndef WARPGRADE_REPORTS_WRITERS_H
#define WARPGRADE_REPORTS_WRITERS_H

#include "reports/report.h"

#define FORMAT(name, extension, summary)                                                           \
    enum status report_write_##name(const struct report *const *reports, size_t count,             \
                                    const struct report_options *options, struct text *out,        \
                                    struct error *error);
#include "reports/format.def"
#undef FORMAT

#endif
