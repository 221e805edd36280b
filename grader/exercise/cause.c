/* The table of causes, see cause.def. */
#include "grader/exercise/cause.h"

#include <stddef.h>

const struct cause_info cause_infos[CAUSE_COUNT] = {
    {NULL, NULL, NULL},
#define CAUSE(ID, name, en, zh) {name, en, zh},
#include "grader/exercise/cause.def"
#undef CAUSE
};
