/* The table of verdict.h. */
#include "sandbox/base/verdict.h"

#include <string.h>

const struct verdict_info verdict_infos[VERDICT_COUNT] = {
#define VERDICT(ID, name, severity, label, summary) {name, severity, label, summary},
#include "sandbox/base/verdict.def"
#undef VERDICT
};

enum verdict verdict_of_hazard(enum hazard_kind kind) {
    static const enum verdict verdicts[HAZARD_COUNT] = {
#define HAZARD(ID, name, counted, verdict, ...) VERDICT_##verdict,
#include "sandbox/base/hazard.def"
#undef HAZARD
    };
    return verdicts[kind];
}
