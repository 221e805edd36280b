/* The way from a device address to the host bytes that hold it, with nothing checked or
 * counted. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_LOCATION_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_LOCATION_H

#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

/* One lane's location: host bytes, shadow (NULL: nothing to check) and how far it reaches. */
struct memory_location {
    unsigned char *bytes;
    unsigned char *shadow;
    uint64_t left; /* bytes from here to the end of the allocation or window */
    bool read_only;
    enum ptx_space space; /* GLOBAL, SHARED, LOCAL, CONST, PARAM; GENERIC: in no allocation */
    struct block *owner;  /* of shared memory */
};

struct memory_location memory_locate(const struct warp *warp, enum ptx_space space, unsigned lane,
                                     device_address address);
/* Host bytes of an address, for printf and calls: NULL where they are not readable.
 */
const unsigned char *memory_peek(const struct warp *warp, unsigned lane, device_address address,
                                 uint64_t bytes);
uint64_t memory_string(const struct warp *warp, unsigned lane, device_address address, char *buffer,
                       uint64_t size); /* length without the NUL, cut at size - 1 */

/* The lanes whose addresses lie in that space. */
lane_mask access_in_space(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                          const device_address *addresses, enum ptx_space space);
/* What lies there is a register of each lane, which no access to memory reaches. */
static inline bool access_is_register(const struct warp *warp, enum ptx_space space) {
    return space == SPACE_LOCAL && warp->block->launch->request->arrays_in_registers;
}
/* Addresses in a lane vector of 64 bits, or of 32 where they are narrow, plus an offset. */
void access_addresses(const struct warp *warp, uint32_t operand, bool address32, int64_t offset,
                      device_address *addresses);

static inline uint32_t insn_pc(const struct warp *warp, const struct insn *insn) {
    return (uint32_t)(insn - warp->block->launch->program->code);
}

/* The block that keeps what is known of the bytes of shared or local memory. */
static inline struct block *memory_keeper(const struct warp *warp,
                                          const struct memory_location *place) {
    return place->owner ? place->owner : warp->block;
}

/* Local memory of a lane, with the frame's areas. */
static inline unsigned char *lane_local(const struct warp *warp, unsigned lane) {
    return warp->local + (size_t)lane * warp->block->launch->local_bytes;
}

#endif
