/* The verdicts: enum and names from verdict.def. */
#ifndef WARPGRADE_SANDBOX_BASE_VERDICT_H
#define WARPGRADE_SANDBOX_BASE_VERDICT_H

#include "sandbox/base/types.h"

enum verdict {
#define VERDICT(ID, name, severity, label, summary) VERDICT_##ID,
#include "sandbox/base/verdict.def"
#undef VERDICT
    VERDICT_COUNT
};

struct verdict_info {
    const char *name; /* "wrong-answer" */
    int severity;
    const char *label; /* "wrong answer" */
    const char *summary;
};
extern const struct verdict_info verdict_infos[VERDICT_COUNT];
/* What a case ends with where this hazard is found: one that ends the kernel has a verdict of its
 * own. */
enum verdict verdict_of_hazard(enum hazard_kind kind);

#endif
