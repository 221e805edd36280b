/* mov, cvta, isspacep and the instructions that do nothing here (PTX ISA 9.7.9).
 *
 * An address is generic or belongs to a space; what tells them apart is the window in its upper
 * bits, so that cvta adds or takes away a constant. */
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/warp.h"

UNARY(mov_b16, uint16_t, uint16_t, a[lane])
UNARY(mov_b32, uint32_t, uint32_t, a[lane])
UNARY(mov_b64, uint64_t, uint64_t, a[lane])
UNARY(mov_b128, unsigned __int128, unsigned __int128, a[lane])

/* A cache policy says nothing to a simulation: it is 0. */
EXECUTOR(createpolicy) {
    uint64_t *d = VECTOR_AT(uint64_t, 0);
    WRITE_LANES(d, 0);
}

EXECUTOR(nop) {
    (void)warp;
    (void)insn;
    (void)lanes;
}

/* Memory is sequentially consistent here: a fence only tells the race detector what this thread may
 * publish. */
EXECUTOR(fence) {
    race_fence(warp, insn, lanes);
}

/* Parts are registers of 16 bits (also for 8-bit parts), 32 or 64. */
static unsigned part_bytes(const struct insn *insn) {
    return (unsigned)insn->register_bytes / insn->vector;
}

EXECUTOR(mov_unpack) {
    unsigned part = part_bytes(insn), lane_bytes = part < 2 ? 2 : part;
    const unsigned char *from = lane_vector(warp, insn->operands[0]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned char whole[16];
        memcpy(whole, from + (size_t)lane * insn->register_bytes, insn->register_bytes);
        for (unsigned i = 0; i < insn->vector; i++) {
            uint64_t bits = 0;
            memcpy(&bits, whole + i * part, part);
            memcpy((unsigned char *)lane_vector(warp, insn->operands[1 + i]) + lane * lane_bytes,
                   &bits, lane_bytes);
        }
    }
}

EXECUTOR(mov_pack) {
    unsigned part = part_bytes(insn), lane_bytes = part < 2 ? 2 : part;
    unsigned char *to = lane_vector(warp, insn->operands[0]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned char whole[16];
        for (unsigned i = 0; i < insn->vector; i++)
            memcpy(whole + i * part,
                   (unsigned char *)lane_vector(warp, insn->operands[1 + i]) + lane * lane_bytes,
                   part);
        memcpy(to + (size_t)lane * insn->register_bytes, whole, insn->register_bytes);
    }
}

static void write_same(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                       uint64_t bits) {
    unsigned char *to = lane_vector(warp, insn->operands[0]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        memcpy(to + (size_t)__builtin_ctz(rest) * insn->register_bytes, &bits,
               insn->register_bytes);
}

EXECUTOR(mov_clock) {
    write_same(warp, insn, lanes, special_clock(warp, (enum special)insn->special));
}

EXECUTOR(mov_local) {
    write_same(warp, insn, lanes, warp->frame->local_base + (uint64_t)insn->offset);
}

/* Generic addresses of .shared and .local have a window in their upper bits; those of .global and
 * .const are the same in both forms. */
static uint64_t window_of(const struct insn *insn) {
    return insn->space == SPACE_SHARED  ? ADDRESS_OF(WINDOW_SHARED)
           : insn->space == SPACE_LOCAL ? ADDRESS_OF(WINDOW_LOCAL)
                                        : 0;
}
EXECUTOR(cvta_u64) {
    uint64_t *d = VECTOR_AT(uint64_t, 0), window = window_of(insn);
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    WRITE_LANES(d, a[lane] + window);
}
EXECUTOR(cvta_to_u64) {
    uint64_t *d = VECTOR_AT(uint64_t, 0), window = window_of(insn);
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    WRITE_LANES(d, a[lane] - window);
}
EXECUTOR(cvta_u32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1);
    WRITE_LANES(d, a[lane]);
}
EXECUTOR(cvta_to_u32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1);
    WRITE_LANES(d, a[lane]);
}

EXECUTOR(isspacep) {
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    const struct launch *launch = warp->block->launch;
    lane_mask result = 0;
    FOR_EACH_LANE(lane) {
        uint64_t window = a[lane] >> ADDRESS_SHIFT;
        bool is_const = window >= WINDOW_FIRST_VARIABLE && window < launch->allocation_count &&
                        launch->allocations[window].is_const;
        bool inside = false;
        switch (insn->space) {
        case SPACE_SHARED:
            inside = window == WINDOW_SHARED;
            break;
        case SPACE_LOCAL:
            inside = window == WINDOW_LOCAL;
            break;
        case SPACE_CONST:
            inside = is_const;
            break;
        case SPACE_PARAM:
            inside = window == WINDOW_PARAM;
            break;
        default:
            inside = window >= WINDOW_FIRST_VARIABLE && !is_const;
            break;
        }
        result |= (lane_mask)(inside ? 1u : 0u) << lane;
    }
    write_predicate(warp, insn->operands[0], result, lanes);
}
