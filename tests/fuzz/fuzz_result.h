/* What must hold of every result, whatever ran. A fault ends the process, as a fuzzer expects. */
#ifndef WARPGRADE_TESTS_FUZZ_FUZZ_RESULT_H
#define WARPGRADE_TESTS_FUZZ_FUZZ_RESULT_H

#include "sandbox/base/launch.h"

void fuzz_demand(bool holds, const char *what);
/* It has a proper end, kept its budget of thread instructions and reports hazards with words. */
void fuzz_check(const struct engine_result *result, uint64_t budget);
/* Two runs with other numbers of host threads say the same. */
void fuzz_compare(const struct engine_result *a, const struct engine_result *b);
const struct device_profile *fuzz_device(void); /* an H200 */

#endif
