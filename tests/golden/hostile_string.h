/* Strings that a student could have written to break a report. */
#ifndef WARPGRADE_TESTS_GOLDEN_HOSTILE_STRING_H
#define WARPGRADE_TESTS_GOLDEN_HOSTILE_STRING_H

#include <stdint.h>

/* The next number of a sequence that is the same in every run; the state begins with any but 0. */
uint32_t hostile_random(uint32_t *state);
/* Bytes that formats care about, more often than chance would have them. The caller frees. */
char *hostile_string(uint32_t *state);

#endif
