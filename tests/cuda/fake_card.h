/* What the files of the driver without a card share. */
#ifndef WARPGRADE_TESTS_CUDA_FAKE_CARD_H
#define WARPGRADE_TESTS_CUDA_FAKE_CARD_H

#include <stdbool.h>
#include <stddef.h>

typedef unsigned long long gpu_address;

enum { FAKE_BLOCKS = 256, FAKE_NAME = 96, FAKE_FUNCTIONS = 16 };

extern struct fake_state {
    int broken; /* what the context answers from now on */
    bool hangs, long_event;
    char printed[512]; /* by a kernel, and not yet given out */
    struct {
        char *bytes;
        size_t length;
        bool is_hosts; /* registered memory */
    } blocks[FAKE_BLOCKS];
} fake_state;

bool fake_is_inside(gpu_address address, size_t bytes); /* of one block */
void fake_print(void);
bool fake_has_stream(const void *stream);
const char *fake_name_of(const void *function);

/* fake_array.c: its kernels */
void fake_run_texel(unsigned long long handle, float *out, int count);
void fake_run_paint(unsigned long long handle, int count);

#endif
