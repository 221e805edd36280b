/* What must hold of every result, whatever ran. A fault ends the process, as a fuzzer expects. */
#ifndef WARPGRADE_TESTS_FUZZ_FUZZ_RESULT_H
#define WARPGRADE_TESTS_FUZZ_FUZZ_RESULT_H

#include "sandbox/base/launch.h"

void fuzz_demand(bool holds, const char *what);
/* It has a proper end, kept its budget of thread instructions and reports hazards with words. */
void fuzz_check(const struct engine_result *result, uint64_t budget);
/* Two runs with other numbers of host threads say the same. */
void fuzz_compare(const struct engine_result *a, const struct engine_result *b);
/* 0: an H200, 1: a T4, 2: an A100, 3: an H200 ... */
const struct device_profile *fuzz_device(unsigned which);

#endif
