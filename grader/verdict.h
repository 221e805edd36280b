/* The verdicts: enum and names from verdict.def. */
#ifndef WARPGRADE_GRADER_VERDICT_H
#define WARPGRADE_GRADER_VERDICT_H

#include <stdbool.h>

enum verdict {
#define VERDICT(ID, name, severity, label, summary) VERDICT_##ID,
#include "grader/verdict.def"
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
bool verdict_from_name(const char *name, enum verdict *verdict);

#endif
