/* The names that JSON and texts share, from the tables. */
#include "reports/class/class_report.h"

const char *const class_state_names[CLASS_STATE_COUNT] = {
#define CLASS_STATE(ID, name) name,
#include "reports/class/class_state.def"
#undef CLASS_STATE
};

const char *const class_flag_names[CLASS_FLAG_COUNT] = {
#define CLASS_FLAG(ID, name) name,
#include "reports/class/class_flag.def"
#undef CLASS_FLAG
};
