/* A buffer or variable of the launch: its bytes, their shadow and who has touched them. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_ALLOCATION_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_ALLOCATION_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/state/race_state.h"

struct saved_chunks;

struct allocation {
    unsigned char *bytes;
    unsigned char *shadow; /* one enum shadow a byte; NULL: all of it is initialised */
    uint64_t length;
    struct race_cells writes, reads; /* of the race detector */
    bool read_only;
    bool in_place; /* its bytes are the request's own: read-only ones need no copy */
    bool is_const;
    bool on_heap;                /* from the device's malloc; bytes are NULL after free */
    uint32_t malloc_pc, free_pc; /* on_heap */
    uint64_t *filled; /* bit a chunk: made already; NULL: all bytes are there. See lazy_buffer.c */
    struct saved_chunks
        *saved; /* memory that outlives the launch; NULL: it need not be brought back */
    const struct engine_argument *argument; /* NULL: a variable of the module */
    const struct placed_variable *variable;
    const struct engine_argument *contents; /* of a .const variable: what the launch puts there */
};

#endif
