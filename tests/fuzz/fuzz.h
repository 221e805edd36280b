/* What every target has: one function of bytes, called by libFuzzer or by replay.c. */
#ifndef WARPGRADE_TESTS_FUZZ_FUZZ_H
#define WARPGRADE_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
