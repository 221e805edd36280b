/* malloc and free on the device. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_HEAP_H
#define WARPGRADE_SANDBOX_SIMGPU_HEAP_H

#include "sandbox/simgpu/machine.h"

/* A call of malloc or free by the lanes. Only where blocks run on one host thread. */
void heap_call(struct warp *warp, const struct insn *insn, const struct call_site *call,
               lane_mask lanes);
/* Names an address inside or behind a block of the heap; false for any other allocation. */
#define HEAP_FREED "has been freed" /* how `whole` begins where no byte is left */
bool heap_describe(const struct launch *launch, device_address address, char *element,
                   size_t element_size, char *whole, size_t whole_size);
void heap_free(struct launch *launch);

#endif
