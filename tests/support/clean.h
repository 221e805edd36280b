/* What no output of the program may hold, whatever it was given. Written down a second time, apart
 * from reports/escape.c, so that a hole there is not a hole here. */
#ifndef WARPGRADE_TESTS_SUPPORT_CLEAN_H
#define WARPGRADE_TESTS_SUPPORT_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

enum { CLEAN_PROBLEM_BYTES = 160 };

/* False, with the cause and the line in `problem`, where the bytes are no UTF-8 or hold a control
 * character (but newline, tab, and a carriage return in front of a newline), a bidirectional
 * control, an invisible character, or a command to a CI runner. */
bool clean_output(const char *data, size_t length, char problem[CLEAN_PROBLEM_BYTES]);
/* The same for the bytes of one CSV file, and no field of it begins a formula in a program that
 * separates fields by commas or by semicolons. */
bool clean_csv(const char *data, size_t length, char problem[CLEAN_PROBLEM_BYTES]);

#endif
