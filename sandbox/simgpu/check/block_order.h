/* Blocks that wait for others by their index: see block_order.c. All of it does nothing where the
 * launch is not asked about it. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_BLOCK_ORDER_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_BLOCK_ORDER_H

#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/program/program.h"

struct block;
struct launch;
struct warp;

void block_order_open(struct launch *launch); /* for a run in turns */
void block_order_close(struct launch *launch);
void block_order_note_start(const struct block *block);
/* The access, which repeats until it finds something else, finds what another block has written. */
void block_order_note_wait(const struct warp *warp, const struct insn *insn,
                           const struct access_record *other);
/* After all blocks have run. `spare`: one of them, which runs no more. */
void block_order_report(struct block *spare);

#endif
