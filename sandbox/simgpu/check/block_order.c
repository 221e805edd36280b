/* Blocks that wait for others by their index.
 *
 * Nothing says in which order blocks start, and only so many find room at a time. A block that
 * waits for what the block of the next lower index writes may so hold the room that the other one
 * needs, and then both wait for ever. Blocks that take their number from an atomic counter wait for
 * those that have started before them, whatever the order.
 *
 * In an order other than the natural one the two differ: of blocks that go by their index some wait
 * for one that has started after them. In the natural order it takes a kernel without an atomic by
 * which blocks could draw numbers. A barrier of the whole grid and a lock make blocks wait for
 * such blocks, too, but for those of higher index as well: a launch is reported only where all
 * waits are for a lower one. It is a warning, because today's hardware starts blocks by their
 * index. */
#include "sandbox/simgpu/check/block_order.h"

#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

enum {
    ALWAYS_RESIDENT = 8, /* blocks that run at once on any GPU sold for CUDA 13: it has 8 SMs */
    MOST_BLOCKS = 1 << 20,
};

struct block_order {
    uint32_t *positions; /* by block: as which it started, from 1 on; NULL: in the natural order */
    uint32_t started;
    bool other; /* some block has waited for one of higher index */
    bool found;
    uint32_t waiter, writer, wait_pc, store_pc; /* where found: the first of them */
};

void block_order_open(struct launch *launch) {
    bool natural = launch->request->seed == 0;
    if (!launch->checks || launch->program->cooperative || launch->slices > 1 ||
        launch->block_count <= ALWAYS_RESIDENT || launch->block_count > MOST_BLOCKS ||
        (natural && launch->program->draws_numbers))
        return;
    launch->order = mem_zalloc(sizeof *launch->order);
    if (!natural)
        launch->order->positions = mem_calloc(launch->block_count, sizeof(uint32_t));
}

void block_order_close(struct launch *launch) {
    if (launch->order)
        free(launch->order->positions);
    free(launch->order);
    launch->order = NULL;
}

void block_order_note_start(const struct block *block) {
    struct block_order *order = block->launch->order;
    if (order && order->positions)
        order->positions[block->index] = ++order->started;
}

void block_order_note_wait(const struct warp *warp, const struct insn *insn,
                           const struct access_record *other) {
    struct block_order *order = warp->block->launch->order;
    if (!order || order->other)
        return;
    uint32_t own = (uint32_t)warp->block->index;
    order->other = other->block > own;
    if (order->found ||
        (order->positions && order->positions[other->block] <= order->positions[own]))
        return;
    order->found = true;
    order->waiter = own;
    order->writer = other->block;
    order->wait_pc = insn_pc(warp, insn);
    order->store_pc = other->pc;
}

void block_order_report(struct block *spare) {
    const struct launch *launch = spare->launch;
    const struct block_order *order = launch->order;
    if (!order || !order->found || order->other || atomic_load(&launch->stopped))
        return;
    struct dim3 waiter = hazard_block_id(launch, order->waiter),
                writer = hazard_block_id(launch, order->writer);
    spare->index = order->waiter;
    spare->id = waiter;
    struct hazard *hazard = hazard_report(
        &spare->warps[0], order->wait_pc, order->store_pc, HAZARD_BLOCK_ORDER, SEVERITY_WARNING, 1,
        "block (%u, %u, %u) waits for what block (%u, %u, %u) writes, and blocks may start in any "
        "order: where the other has not started and finds no room, both wait for ever",
        waiter.x, waiter.y, waiter.z, writer.x, writer.y, writer.z);
    hazard_suggest(hazard, FIX_TICKET);
}
