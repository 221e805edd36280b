/* CLOCK_MONOTONIC: a machine whose date is set while it grades must not end a worker early or
 * never. What needs a date takes it from the system's clock, and reports in golden files none. */
#include "sandbox/base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

double clock_ms(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double clock_processor_ms(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
