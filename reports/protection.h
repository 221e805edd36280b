/* A struct protection in words. */
#ifndef WARPGRADE_REPORTS_PROTECTION_H
#define WARPGRADE_REPORTS_PROTECTION_H

#include "reports/terminal.h"
#include "sandbox/base/protection.h"
#include "sandbox/base/text.h"

#include <stdbool.h>

/* "", "bubblewrap", "landlock", "none": for scripts */
extern const char *const protection_names[PROTECTION_KIND_COUNT];
/* "cgroup v2" ...: what can limit memory, processes or CPU time. */
enum { PROTECTION_LIMITER_COUNT = 3 };
extern const char *const protection_limiters[PROTECTION_LIMITER_COUNT];
/* Of PROTECTION_NONE: in English a sentence without its subject. */
extern const char *const protection_warning;
const char *protection_warning_in(enum language language);

/* "bubblewrap; memory, processes and CPU time limited by cgroup v2"; nothing where unknown. */
void protection_describe(const struct protection *protection, enum language language,
                         struct text *out);
/* The full jail, and the kernel counts whole trees of processes; or nothing was run. */
bool protection_is_full(const struct protection *protection);
/* A warning in a line of its own where there was no jail. */
void protection_warn(const struct terminal *t, const struct protection *protection);
/* The row `jail` of a report's foot, where something is known. */
void protection_row(const struct terminal *t, const struct protection *protection);

#endif
