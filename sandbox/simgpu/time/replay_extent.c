/* How much of a multiprocessor's part of a launch is replayed, and what the rest takes.
 *
 * Some rounds of resident blocks are enough to know the rate at which work is done, and paths that
 * are very long are cut. Work is counted in instructions, those of blocks that are under way
 * included: blocks with little to do end first and say nothing of the others, and where only one
 * round is replayed, the next one's blocks are well on when its last block ends. */
#include "sandbox/simgpu/time/replay_private.h"

#include "sandbox/base/number.h"

#include <math.h>

enum {
    OPERATION_BUDGET = 1500000, /* issued operations that are worth their time */
    MAX_ROUNDS = 24,            /* of resident blocks, at most */
};
static const double UNEVEN_WARPS = 1.5; /* the longest of a block over the average */

static uint64_t path_length(const struct warp_path *path) {
    uint64_t length = 0;
    for (size_t i = 0; i < path->count; i++)
        length += (uint64_t)path->segments[i].times *
                  (path->segments[i].last - path->segments[i].first + 1u);
    return length;
}

double replay_executed(const struct replay *replay) {
    double work = (double)replay->ended_work;
    for (unsigned slot = 0; slot < replay->slot_count; slot++) {
        uint64_t all = 0, done = 0;
        for (unsigned i = 0; i < replay->warps && replay->slots[slot].live; i++) {
            const struct walker *walker = &replay->walkers[slot * replay->warps + i];
            uint64_t length = number_min(path_length(walker->path), replay->warp_budget);
            all += length;
            done +=
                walker->live ? number_min(length, replay->warp_budget - walker->budget) : length;
        }
        work += all ? (double)replay->slots[slot].work * (double)done / (double)all : 0;
    }
    return work;
}

/* What paths lack that were cut here or while they were traced. */
static double missing_factor(const struct replay *replay) {
    const struct replay_input *input = replay->input;
    double executed = 0, replayed = 0, most = 1;
    for (size_t i = 0; i < input->trace->block_count; i++)
        for (unsigned w = 0; input->trace->blocks[i].paths && w < replay->warps; w++) {
            const struct warp_path *path = &input->trace->blocks[i].paths[w];
            uint64_t length = path_length(path);
            if (length > replay->warp_budget)
                length = replay->warp_budget;
            executed += (double)path->instructions;
            replayed += (double)length;
            if (length && (double)path->instructions > most * (double)length)
                most = (double)path->instructions / (double)length;
        }
    if (input->alone)
        return most;
    return replayed > 0 && executed > replayed ? executed / replayed : 1;
}

void replay_plan(struct replay *replay) {
    const struct replay_input *input = replay->input;
    uint64_t instructions = 0, warps = 0;
    for (size_t i = 0; i < input->trace->block_count; i++)
        for (unsigned w = 0; input->trace->blocks[i].paths && w < replay->warps; w++, warps++)
            instructions += path_length(&input->trace->blocks[i].paths[w]);
    double each = warps ? (double)instructions / (double)warps * replay->warps : 1; /* a block */
    uint64_t rounds = (uint64_t)(OPERATION_BUDGET / (each * replay->resident + 1)) + 1;
    if (rounds > MAX_ROUNDS)
        rounds = MAX_ROUNDS;
    replay->target = rounds * replay->resident;
    replay->endless = input->sm_blocks > replay->target;
    if (!replay->endless)
        replay->target = input->sm_blocks;
    replay->warp_budget = UINT64_MAX;
    double most = (double)OPERATION_BUDGET / replay->resident / replay->warps;
    if (rounds == 1 && each > most * replay->warps)
        replay->warp_budget = (uint64_t)most + 1;
    replay->scale = missing_factor(replay);
}

unsigned replay_slots(const struct replay *replay) {
    const struct replay_input *input = replay->input;
    double mean = 0, longest = 0;
    for (size_t i = 0; i < input->trace->block_count; i++) {
        uint64_t most = 0;
        for (unsigned w = 0; input->trace->blocks[i].paths && w < replay->warps; w++) {
            uint64_t length = path_length(&input->trace->blocks[i].paths[w]);
            most = length > most ? length : most;
            mean += (double)length / replay->warps;
        }
        longest += (double)most;
    }
    double ratio = mean > 0 ? longest / mean : 1;
    if (ratio < UNEVEN_WARPS)
        return replay->resident;
    double slots = ceil(replay->resident * ratio);
    slots = slots < input->most_blocks ? slots : input->most_blocks;
    return slots < (double)input->sm_blocks ? (unsigned)slots : (unsigned)input->sm_blocks;
}

void replay_note_event(struct replay *replay, const struct walker *walker,
                       const struct operation *operation, double clock, double done) {
    const struct replay_input *input = replay->input;
    uint32_t pc = operation->pc;
    if (!input->roles || input->roles[pc] == DEPENDENCY_NONE || replay_is_off(walker, operation) ||
        replay->warp_budget != UINT64_MAX)
        return;
    struct block_slot *block = &replay->slots[walker->block];
    double time = input->roles[pc] == DEPENDENCY_PUBLISH ? clock : done;
    block_dependency_pace_note(input->pace, pc, block->event_pc == pc + 1, time - block->event);
    block->event = fmax(block->event, time);
    block->event_pc = pc + 1;
}

void replay_note_end(struct replay *replay, const struct block_slot *block) {
    if (!replay->input->roles)
        return;
    replay->input->pace->tail += fmax(0, block->end - block->event);
    replay->input->pace->tails++;
}

/* The first round pays for the start; from then on work is done at a steady rate. */
double replay_extrapolate(const struct replay *replay, double executed, double all) {
    double clocks = replay->last_end, work = executed;
    if (replay->ended > replay->resident && executed > replay->first_work) {
        clocks -= replay->first_round;
        work -= replay->first_work;
    }
    double late = fmax(0, replay->turn_free - replay->last_end); /* atomics that hold no block */
    return replay->last_end + late + (work > 0 ? fmax(0, all - executed) * clocks / work : 0);
}
