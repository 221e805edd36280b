/* Runs a wrapped test on a real GPU through the driver's library, loaded when asked for. */
#ifndef WARPGRADE_TESTS_PTX_HARDWARE_H
#define WARPGRADE_TESTS_PTX_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False, with the reason on stderr, where there is no driver or no GPU. */
bool hardware_open(void);
bool hardware_run(const char *ptx, uint64_t *in, uint64_t *out, size_t bytes, const char *name);

#endif
