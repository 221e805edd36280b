/* Special registers (PTX ISA 9.0, chapter 10): lane vectors filled when a frame begins. */
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

struct dim3 special_thread_index(const struct warp *warp, unsigned lane) {
    struct dim3 size = warp->block->launch->request->block;
    uint32_t linear = warp->index * WARP_LANES + lane;
    return (struct dim3){linear % size.x, linear / size.x % size.y, linear / size.x / size.y};
}

/* Of one lane, but for its thread's index. */
static uint64_t special_value(const struct warp *warp, enum special special, unsigned lane) {
    const struct block *block = warp->block;
    const struct engine_launch *request = block->launch->request;
    const struct dim3 cluster = block->launch->cluster;
    switch (special) {
    case SPECIAL_NTID_X:
        return request->block.x;
    case SPECIAL_NTID_Y:
        return request->block.y;
    case SPECIAL_NTID_Z:
        return request->block.z;
    case SPECIAL_CTAID_X:
        return block->id.x;
    case SPECIAL_CTAID_Y:
        return block->id.y;
    case SPECIAL_CTAID_Z:
        return block->id.z;
    case SPECIAL_NCTAID_X:
        return request->grid.x;
    case SPECIAL_NCTAID_Y:
        return request->grid.y;
    case SPECIAL_NCTAID_Z:
        return request->grid.z;
    case SPECIAL_LANEID:
        return lane;
    case SPECIAL_WARPID:
        return warp->index;
    case SPECIAL_NWARPID:
        return MAX_WARPS;
    case SPECIAL_SMID:
        return block->index % 108;
    case SPECIAL_NSMID:
        return 108;
    case SPECIAL_GRIDID:
        return 1;
    case SPECIAL_LANEMASK_EQ:
        return (lane_mask)1 << lane;
    case SPECIAL_LANEMASK_LT:
        return ((lane_mask)1 << lane) - 1;
    case SPECIAL_LANEMASK_LE:
        return ((lane_mask)2 << lane) - 1;
    case SPECIAL_LANEMASK_GE:
        return ~(((lane_mask)1 << lane) - 1);
    case SPECIAL_LANEMASK_GT:
        return ~(((lane_mask)2 << lane) - 1);
    /* the address of the grid barrier's workspace, upper half first; null: there is none */
    case SPECIAL_ENVREG1:
        return request->is_plain ? 0 : ADDRESS_OF(WINDOW_GRID) >> 32;
    case SPECIAL_ENVREG2:
        return request->is_plain ? 0 : ADDRESS_OF(WINDOW_GRID) & UINT32_MAX;
    case SPECIAL_CLUSTERID_X:
        return block->id.x / cluster.x;
    case SPECIAL_CLUSTERID_Y:
        return block->id.y / cluster.y;
    case SPECIAL_CLUSTERID_Z:
        return block->id.z / cluster.z;
    case SPECIAL_NCLUSTERID_X:
        return request->grid.x / cluster.x;
    case SPECIAL_NCLUSTERID_Y:
        return request->grid.y / cluster.y;
    case SPECIAL_NCLUSTERID_Z:
        return request->grid.z / cluster.z;
    case SPECIAL_CLUSTER_CTAID_X:
        return block->id.x % cluster.x;
    case SPECIAL_CLUSTER_CTAID_Y:
        return block->id.y % cluster.y;
    case SPECIAL_CLUSTER_CTAID_Z:
        return block->id.z % cluster.z;
    case SPECIAL_CLUSTER_NCTAID_X:
        return cluster.x;
    case SPECIAL_CLUSTER_NCTAID_Y:
        return cluster.y;
    case SPECIAL_CLUSTER_NCTAID_Z:
        return cluster.z;
    case SPECIAL_CLUSTER_CTARANK:
        return block->rank;
    case SPECIAL_CLUSTER_NCTARANK:
        return block->launch->cluster_size;
    case SPECIAL_DYNAMIC_SMEM:
        return request->shared_bytes;
    case SPECIAL_TOTAL_SMEM:
    case SPECIAL_AGGR_SMEM:
        return request->shared_bytes + block->launch->program->static_shared_bytes;
    case SPECIAL_RESERVED_END:
    case SPECIAL_RESERVED_CAP:
        return SHARED_START;
    case SPECIAL_RESERVED_1:
        return GROUPS_START;
    default:
        return 0;
    }
}

static bool differs_by_lane(enum special special) {
    switch (special) {
    case SPECIAL_LANEID:
    case SPECIAL_LANEMASK_EQ:
    case SPECIAL_LANEMASK_LT:
    case SPECIAL_LANEMASK_LE:
    case SPECIAL_LANEMASK_GE:
    case SPECIAL_LANEMASK_GT:
        return true;
    default:
        return false;
    }
}

static struct dim3 next_thread(struct dim3 thread, struct dim3 size) {
    if (++thread.x == size.x) {
        thread.x = 0;
        if (++thread.y == size.y) {
            thread.y = 0;
            ++thread.z;
        }
    }
    return thread;
}

static void lane_values(const struct warp *warp, enum special special,
                        uint64_t values[WARP_LANES]) {
    bool is_x = special == SPECIAL_TID_X, is_y = special == SPECIAL_TID_Y;
    if (is_x || is_y || special == SPECIAL_TID_Z) {
        struct dim3 thread = special_thread_index(warp, 0);
        if (is_x && warp->block->launch->request->block.x % WARP_LANES == 0) { /* a warp, a row */
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                values[lane] = thread.x + lane;
            return;
        }
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            values[lane] = is_x ? thread.x : is_y ? thread.y : thread.z;
            thread = next_thread(thread, warp->block->launch->request->block);
        }
        return;
    }
    bool differs = differs_by_lane(special);
    uint64_t all = special_value(warp, special, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        values[lane] = differs ? special_value(warp, special, lane) : all;
}

/* Sizes that the compiler knows: each warp of a launch comes here, before its first instruction. */
static void store_lanes(unsigned char *lanes, unsigned bytes, const uint64_t values[WARP_LANES]) {
    if (bytes == sizeof(uint32_t)) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            memcpy(lanes + lane * sizeof(uint32_t), &values[lane], sizeof(uint32_t));
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        memcpy(lanes + (size_t)lane * bytes, &values[lane], bytes);
}

void special_fill(struct warp *warp, const struct program_function *function,
                  unsigned char *registers) {
    const struct program *program = warp->block->launch->program;
    for (uint32_t i = 0; i < function->special_count; i++) {
        const struct special_use *use = &program->specials[function->special_start + i];
        uint64_t values[WARP_LANES];
        lane_values(warp, (enum special)use->special, values);
        store_lanes(registers + use->offset, use->bytes, values);
    }
}

/* Reading the clock takes about as long as this on a card, so that a thread which waits until a
 * number of ticks is over reads it as often as there. */
enum { READ_TICKS = 32 };

/* The clock of the simulated GPU is the number of instructions that the block has executed, with
 * the reads of the clock as long as they take: it moves forward, and it is the same in every run.
 */
uint64_t special_clock(const struct warp *warp, enum special special) {
    struct block *block = warp->block;
    uint64_t ticks = block->executed / WARP_LANES + block->clock_reads++ * READ_TICKS +
                     block->launch->request->seed % 1024 + block->launch->clock_leapt;
    switch (special) {
    case SPECIAL_CLOCK_HI:
    case SPECIAL_GLOBALTIMER_HI:
        return ticks >> 32;
    case SPECIAL_CLOCK:
    case SPECIAL_GLOBALTIMER_LO:
        return ticks & UINT32_MAX;
    default:
        return ticks;
    }
}
