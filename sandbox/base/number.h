/* Small arithmetic that the C library does not have. */
#ifndef WARPGRADE_SANDBOX_BASE_NUMBER_H
#define WARPGRADE_SANDBOX_BASE_NUMBER_H

#include <stdint.h>

static inline uint64_t number_min(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t number_max(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}
/* To the next multiple of `unit`, which is not 0. */
static inline uint64_t number_round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}
/* a / b; 0 where b is. */
static inline double number_ratio(uint64_t a, uint64_t b) {
    return b ? (double)a / (double)b : 0;
}

#endif
