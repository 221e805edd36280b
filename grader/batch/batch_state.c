/* What can become of a submission of a class: the names that reports and scripts read. */
#include "grader/batch/batch.h"

const char *const batch_state_names[BATCH_STATE_COUNT] = {
#define STATE(ID, name, summary) name,
    BATCH_STATES(STATE)
#undef STATE
};
const char *const batch_state_summaries[BATCH_STATE_COUNT] = {
#define STATE(ID, name, summary) summary,
    BATCH_STATES(STATE)
#undef STATE
};

/* ---- what others may see ------------------------------------------------------------------ */
