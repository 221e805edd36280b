/* From a device address to the bytes of the host: windows, shared and local memory, allocations. */
#include "sandbox/simgpu/state/location.h"

#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/lazy_buffer.h"
#include "sandbox/simgpu/state/saved_chunks.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

struct memory_location memory_locate(const struct warp *warp, enum ptx_space space, unsigned lane,
                                     device_address address) {
    const struct launch *launch = warp->block->launch;
    uint64_t window = address >> ADDRESS_SHIFT, offset = address & OFFSET_MASK;
    if (space == SPACE_SHARED || (space == SPACE_GENERIC && window == WINDOW_SHARED)) {
        if (space == SPACE_SHARED)
            offset = address;
        uint64_t limit = launch->program->shared_window_bytes;
        struct block *owner = cluster_owner(warp->block, &offset);
        if (!owner || offset >= limit)
            return (struct memory_location){.space = SPACE_GENERIC};
        return (struct memory_location){.bytes = owner->shared + offset,
                                        .shadow = owner->shared_shadow + offset,
                                        .left = limit - offset,
                                        .space = SPACE_SHARED,
                                        .owner = owner};
    }
    if (space == SPACE_LOCAL || (space == SPACE_GENERIC && window == WINDOW_LOCAL)) {
        if (space == SPACE_LOCAL)
            offset = address;
        if (offset >= launch->local_bytes)
            return (struct memory_location){.space = SPACE_GENERIC};
        return (struct memory_location){.bytes = lane_local(warp, lane) + offset,
                                        .shadow = warp->local_shadow +
                                                  (size_t)lane * launch->local_bytes + offset,
                                        .left = launch->local_bytes - offset,
                                        .space = SPACE_LOCAL};
    }
    if (window >= launch->allocation_count || !launch->allocations[window].bytes ||
        offset >= launch->allocations[window].length)
        return (struct memory_location){.space = SPACE_GENERIC};
    const struct allocation *allocation = &launch->allocations[window];
    if (allocation->filled)
        lazy_buffer_touch(allocation, offset, WIDEST_ACCESS);
    if (allocation->saved) /* what it is for is not known: the caller may write */
        saved_chunks_keep(allocation->saved, offset, WIDEST_ACCESS);
    return (struct memory_location){.bytes = allocation->bytes + offset,
                                    .shadow =
                                        allocation->shadow ? allocation->shadow + offset : NULL,
                                    .left = allocation->length - offset,
                                    .read_only = allocation->read_only,
                                    .space = allocation->is_const ? SPACE_CONST : SPACE_GLOBAL};
}

const unsigned char *memory_peek(const struct warp *warp, unsigned lane, device_address address,
                                 uint64_t bytes) {
    struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, address);
    return place.space == SPACE_GENERIC || place.left < bytes ? NULL : place.bytes;
}

uint64_t memory_string(const struct warp *warp, unsigned lane, device_address address, char *buffer,
                       uint64_t size) {
    struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, address);
    uint64_t length = 0;
    if (place.space != SPACE_GENERIC) {
        length = strnlen((const char *)place.bytes, place.left < size ? place.left : size - 1);
        memcpy(buffer, place.bytes, length);
    }
    buffer[length] = '\0';
    return length;
}

/* Where a lane's address lies; a location outside all allocations counts where the access was meant
 * to go. */
static enum ptx_space space_of(const struct warp *warp, const struct insn *insn, unsigned lane,
                               device_address address) {
    enum ptx_space space = (enum ptx_space)insn->space;
    struct memory_location place = memory_locate(warp, space, lane, address);
    if (place.space != SPACE_GENERIC || space != SPACE_GENERIC)
        return place.space != SPACE_GENERIC ? place.space : space;
    uint64_t window = address >> ADDRESS_SHIFT;
    return window == WINDOW_SHARED  ? SPACE_SHARED
           : window == WINDOW_LOCAL ? SPACE_LOCAL
                                    : SPACE_GLOBAL;
}

lane_mask access_in_space(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                          const device_address *addresses, enum ptx_space space) {
    lane_mask found = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        found |= space_of(warp, insn, lane, addresses[lane]) == space ? rest & -rest : 0;
    }
    return found;
}

void access_addresses(const struct warp *warp, uint32_t operand, bool address32, int64_t offset,
                      device_address *addresses) {
    const unsigned char *base = warp->bases[operand & OPERAND_CONSTANT] + (operand & ~(uint32_t)3);
    address32 = address32 && !(operand & OPERAND_CONSTANT);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t low;
        uint64_t wide;
        memcpy(&low, base + 4 * lane, 4);
        if (!address32)
            memcpy(&wide, base + 8 * lane, 8);
        addresses[lane] = (address32 ? low : wide) + (uint64_t)offset;
    }
}
