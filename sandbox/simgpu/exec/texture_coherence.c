/* Caches of textures and surfaces are not kept coherent within a launch: what reads through them
 * memory that the same launch has written, even the same thread, gets what nothing defines (CUDA
 * programming guide, "Read/Write Coherency"). Barriers and fences change nothing of it.
 *
 * The cells of the race detector say who has written a word. Unordered accesses are data races,
 * which it finds by itself; here are those that are ordered: by the thread, its block, or, where
 * blocks run in turns, by what orders blocks. */
#include "sandbox/simgpu/exec/texture.h"

#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"

/* The instruction that has written one of the bytes; PC_NONE: none has, or it is not for us. */
static uint32_t writer_of(const struct warp *warp, device_address address, unsigned bytes) {
    const struct launch *launch = warp->block->launch;
    const struct allocation *allocation = &launch->allocations[address >> ADDRESS_SHIFT];
    uint64_t offset = address & OFFSET_MASK;
    for (uint64_t at = offset / 4; at <= (offset + bytes - 1) / 4; at++) {
        uint32_t cell = __atomic_load_n(&allocation->writes.words[at], __ATOMIC_RELAXED);
        uint32_t number = cell >> CELL_SHIFT;
        if (!cell || cell == CELL_LOCKED || number < launch->first_global)
            continue;
        const struct access_record *record = race_record_at(warp, false, number);
        if (record->block == (uint32_t)warp->block->index || launch->in_turns)
            return record->pc;
    }
    return PC_NONE;
}

void texture_check_coherence(struct warp *warp, const struct insn *insn, lane_mask lanes,
                             const device_address *addresses, unsigned bytes) {
    const struct launch *launch = warp->block->launch;
    uint32_t writer = PC_NONE;
    lane_mask wrong = 0;
    for (lane_mask rest = launch->checks ? lanes : 0; rest; rest &= rest - 1) {
        device_address address = addresses[__builtin_ctz(rest)];
        if (!launch->allocations[address >> ADDRESS_SHIFT].writes.words)
            continue;
        uint32_t pc = writer_of(warp, address, bytes);
        if (pc == PC_NONE || (wrong && pc != writer))
            continue;
        writer = pc;
        wrong |= rest & -rest;
    }
    if (!wrong)
        return;
    unsigned lane = (unsigned)__builtin_ctz(wrong);
    struct access access = {.space = SPACE_GLOBAL, .address = addresses[lane], .bytes = bytes};
    char element[128], whole[192], line[LINE_TEXT];
    hazard_describe_address(warp, &access, element, sizeof element, whole, sizeof whole);
    struct dim3 thread = special_thread_index(warp, lane), block = warp->block->id;
    bool surface = insn_is_surface(insn);
    struct hazard *hazard = hazard_report(
        warp, insn_pc(warp, insn), writer, HAZARD_GLOBAL_RACE,
        surface ? SEVERITY_WARNING : SEVERITY_ERROR, wrong,
        "%s of %s by thread (%u, %u, %u) of block (%u, %u, %u), which %s has written in the same "
        "launch: the cache that it goes through need not see that, whatever orders the two",
        surface ? "surface read" : "texture fetch", element, thread.x, thread.y, thread.z, block.x,
        block.y, block.z, describe_line(launch->program, writer, line));
    hazard_suggest(hazard, FIX_TEXTURE_COHERENCE);
    if (hazard)
        hazard->scene = (struct hazard_scene){.access = SCENE_READ, .other_access = SCENE_WRITE};
}
