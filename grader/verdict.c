/* The table behind verdict.h. */
#include "grader/verdict.h"

#include <string.h>

const struct verdict_info verdict_infos[VERDICT_COUNT] = {
#define VERDICT(ID, name, severity, label, summary) {name, severity, label, summary},
#include "grader/verdict.def"
#undef VERDICT
};

bool verdict_from_name(const char *name, enum verdict *verdict) {
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (strcmp(name, verdict_infos[i].name) == 0) {
            *verdict = (enum verdict)i;
            return true;
        }
    return false;
}
