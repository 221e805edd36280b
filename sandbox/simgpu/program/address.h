/* Device addresses: windows, offsets, and the shadow of each byte. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_ADDRESS_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_ADDRESS_H

#include "sandbox/base/types.h"

/* Every device address is a handle: the allocation's number above ADDRESS_SHIFT, the offset below.
 * Looking an allocation up is a shift, and running off its end cannot reach the next one. */
enum {
    ADDRESS_SHIFT = 36,
    WINDOW_NULL = 0,
    WINDOW_SHARED = 1, /* generic addresses of .shared: window + offset */
    WINDOW_LOCAL = 2,
    WINDOW_FUNCTION = 3,
    WINDOW_PARAM = 4,
    WINDOW_GRID = 5, /* the workspace of cooperative groups' grid barrier */
    WINDOW_FIRST_VARIABLE = 8,
    WINDOW_LIMIT = 4096,
    /* Blocks of a whole program's memory, whose addresses the host knows. A process on x86-64 can
     * have the first ENGINE_HOST_BLOCKS windows: what both sides use lies there. The others, from
     * 2048 on, are none that a process can have. */
    WINDOW_FIRST_BLOCK = 256,
    /* At most this many blocks run in turns: of a grid that has a barrier, as many as the largest
     * GPUs hold at once. */
    MAX_RESIDENT_BLOCKS = 512,
    MAX_COOPERATIVE_BLOCKS = 5120,
    SHARED_START = 1024, /* offset of the first variable, a multiple of the 128-byte bank row */
    /* In front of it is what the system reserves on compute_80 and later; of that, cooperative
     * groups have 288 bytes for tiles of several warps: five words and three more that the system
     * zeroes when a block starts, and 8 bytes a warp. Not at 0, where a null pointer points. */
    GROUPS_START = 512,
    GROUPS_BYTES = 288,
    GROUPS_ZEROED_BYTES = 32,
    SHARED_GAP = 128,     /* at least this much unused space between variables */
    MAX_FUNCTIONS = 2048, /* of a program, copies included */
    PRINTED_LIMIT = 64 << 10,
    MAX_HOST_BYTES = 1 << 30, /* of the blocks that run at the same time; of a block's frames */
};
#define ADDRESS_OF(window) ((device_address)(window) << ADDRESS_SHIFT)
#define OFFSET_MASK        (ADDRESS_OF(1) - 1)

/* Shadow of one byte of shared or local memory. PENDING: an asynchronous copy is on its way there;
 * TRACKED: some of its bits have no value, see undef_memory.c. */
enum shadow {
    SHADOW_NOBODY = 0,
    SHADOW_UNINITIALIZED = 1,
    SHADOW_INITIALIZED = 3,
    SHADOW_PENDING = 5,
    SHADOW_TRACKED = 9
};

#endif
