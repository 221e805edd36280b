/* format.def as a table: a new format is a row there and a writer of its own. */
#include "reports/report.h"
#include "reports/writers.h"

#include "sandbox/base/memory.h"

#include <string.h>

const struct report_format report_formats[] = {
#define FORMAT(name, extension, summary) {#name, extension, summary, report_write_##name},
#include "reports/format.def"
#undef FORMAT
};
const size_t report_format_count = ARRAY_LENGTH(report_formats);

const struct report_format *report_format_find(const char *name) {
    for (size_t i = 0; i < report_format_count; i++)
        if (strcmp(name, report_formats[i].name) == 0)
            return &report_formats[i];
    return NULL;
}
