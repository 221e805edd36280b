/* Runs traced paths through one multiprocessor: interval by interval, in the manner of a
 * cycle-approximate simulator, because latency, issue and bandwidth limit each other.
 *
 * Each scheduler issues one instruction a clock from a warp whose operands are there (in order in
 * each warp, a scoreboard of values); pipes take 32 / lanes clocks an instruction; the load/store
 * unit, the L2 and device memory are servers with a rate and a latency, of which the
 * last two are this SM's share of the device's. By Little's law the bandwidth that is reached
 * follows from what is on its way. Blocks are started one after the other as others end, and so are
 * the warps of each; when enough blocks have ended to know the rate, the rest is extrapolated. A
 * request's hits and misses are averages of the whole launch, spread evenly over each warp's
 * executions. Which operation a warp comes to, and when it can be issued, is up to replay_walk.c.
 */
#include "sandbox/simgpu/time/replay_private.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_QUEUE_CLOCKS = 64, /* how far issue runs ahead of the load/store unit */
};
static const float FIRST_PHASE = 0.999f; /* the first execution has its turn */

/* Of two numbers; a call of fmax(), which knows of NaN, costs more than the question. */
static inline double later(double a, double b) {
    return a > b ? a : b;
}

/* ---- issue ----------------------------------------------------------------------------------- */

static bool waits_for_memory(const struct operation *operation) {
    return operation_is_memory(operation) || operation->pipe == PIPE_SHUFFLE;
}

static double latency_of(const struct replay *replay, const struct operation *operation) {
    const struct device_profile *device = replay->input->device;
    double latency = operation->alu * device->alu_cycles + operation->fp64 * device->fp64_cycles +
                     operation->extra;
    if (operation->pipe == PIPE_MATRIX)
        latency += device->matrix_cycles;
    else if (operation->pipe == PIPE_SHUFFLE)
        latency += device->shuffle_cycles;
    return latency;
}

/* Takes the pipe of the warp's scheduler for `passes` passes. */
static void take_pipe(struct replay *replay, const struct walker *walker, enum cost_pipe pipe,
                      double passes, double clock) {
    static const uint8_t parts[PIPE_COUNT] = {
        [PIPE_FP32] = PART_fp32,          [PIPE_MULTIPLY] = COST_PART_COUNT,
        [PIPE_INTEGER] = COST_PART_COUNT, [PIPE_FP16] = PART_fp32,
        [PIPE_FP64] = PART_fp64,          [PIPE_SPECIAL] = PART_special,
        [PIPE_CONVERT] = PART_special,    [PIPE_MATRIX] = PART_matrix,
    };
    double *free_at = &replay->pipe_free[walker->scheduler][pipe];
    double clocks = passes * replay->pipe_clocks[pipe];
    *free_at = (*free_at > clock ? *free_at : clock) + clocks;
    if (parts[pipe] != COST_PART_COUNT)
        replay->result->busy[parts[pipe]] += clocks / replay->schedulers;
}

/* Additions and shifts can be multiplications by one or a power of two: the assembler spreads them
 * over both pipes. Where integers become floating-point numbers as fast as they are added, it is
 * the integer pipe that does it (probe parting). */
static enum cost_pipe chosen_pipe(const struct replay *replay, const struct walker *walker,
                                  const struct operation *operation) {
    const double *free_at = replay->pipe_free[walker->scheduler];
    if (operation->pipe == PIPE_CONVERT &&
        replay->pipe_clocks[PIPE_CONVERT] <= replay->pipe_clocks[PIPE_INTEGER])
        return PIPE_INTEGER;
    if (operation->pipe != PIPE_EITHER)
        return operation->pipe;
    return free_at[PIPE_MULTIPLY] < free_at[PIPE_INTEGER] ? PIPE_MULTIPLY : PIPE_INTEGER;
}

/* The integer pipe takes nothing while a sum of 64 bits with a product is made, for so much of the
 * time: 0.79 to 1.02 of it in six kernels (probe wide). */
#define WIDE_INTEGER_SHARE 0.9

/* When the scheduler's pipes can take the operation. */
static double pipes_free(const struct replay *replay, const struct walker *walker,
                         const struct operation *operation) {
    const double *free_at = replay->pipe_free[walker->scheduler];
    double pipe = operation->pipe == PIPE_WIDE
                      ? later(free_at[PIPE_MULTIPLY], free_at[PIPE_INTEGER])
                      : free_at[chosen_pipe(replay, walker, operation)];
    return operation->special > 0 ? later(pipe, free_at[PIPE_SPECIAL]) : pipe;
}

static void take_pipes(struct replay *replay, const struct walker *walker,
                       const struct operation *operation, double clock) {
    double passes = operation->passes;
    if (operation->pipe == PIPE_WIDE) {
        take_pipe(replay, walker, PIPE_MULTIPLY, passes, clock);
        take_pipe(replay, walker, PIPE_INTEGER, passes * WIDE_INTEGER_SHARE, clock);
    } else if (operation->pipe != PIPE_NONE) {
        take_pipe(replay, walker, chosen_pipe(replay, walker, operation), passes, clock);
    }
    if (operation->special > 0)
        take_pipe(replay, walker, PIPE_SPECIAL, operation->special, clock);
}

/* Starts a computation: when its result is there. */
static double compute(struct replay *replay, const struct walker *walker,
                      const struct operation *operation, double clock) {
    double latency = latency_of(replay, operation);
    if (operation->pipe == PIPE_SHUFFLE)
        return replay_serve(&replay->memory_free, clock, operation->passes,
                            replay->input->device->shuffle_lanes / 32,
                            &replay->result->busy[PART_shared]) +
               latency - 1;
    if (operation->pipe == PIPE_CONSTANT) { /* one unit serves all schedulers */
        double start = fmax(replay->constant_free, clock);
        replay->constant_free = start + replay->input->device->constant_cycles;
        return start + latency;
    }
    take_pipes(replay, walker, operation, clock);
    return clock + latency;
}

static void release_barrier(struct replay *replay, unsigned slot) {
    struct block_slot *block = &replay->slots[slot];
    if (block->live == 0 || block->arrived < block->live)
        return;
    const struct device_profile *device = replay->input->device;
    double clock = block->last_arrival + device->barrier_cycles;
    replay_serve(&replay->memory_free, block->last_arrival, device->barrier_wavefronts, 1,
                 &replay->result->busy[PART_shared]);
    for (unsigned i = 0; i < replay->warps; i++) {
        struct walker *walker = &replay->walkers[slot * replay->warps + i];
        if (!walker->live || !walker->waiting)
            continue;
        uint32_t barrier = walker->operation->pc;
        walker->waiting = false;
        walker->last_issue = clock;
        replay_advance(replay, walker);
        if (walker->operation && walker->ready <= clock)
            walker->culprit = barrier;
    }
    block->arrived = 0;
    block->last_arrival = 0;
}

static void start_blocks(struct replay *replay, double clock);

/* A warp that starts is younger than all others. */
static void enqueue(struct replay *replay, struct walker *walker) {
    replay->queues[walker->scheduler][replay->queued[walker->scheduler]++] = walker;
}

static void dequeue(struct replay *replay, const struct walker *walker) {
    struct walker **queue = replay->queues[walker->scheduler];
    unsigned at = 0, count = --replay->queued[walker->scheduler];
    while (queue[at] != walker)
        at++;
    memmove(&queue[at], &queue[at + 1], (count - at) * sizeof(struct walker *));
}

static void end_warp(struct replay *replay, struct walker *walker, double clock) {
    struct block_slot *block = &replay->slots[walker->block];
    walker->live = false;
    dequeue(replay, walker);
    block->end = block->end > clock ? block->end : clock;
    clock = block->end;
    replay->free_warps++;
    if (--block->live) {
        release_barrier(replay, walker->block);
    } else {
        replay->ended++;
        replay_note_end(replay, block);
        replay->ended_work += block->work;
        replay->last_end = clock;
        if (replay->ended == replay->resident) {
            replay->first_round = clock;
            replay->first_work = replay_executed(replay);
        }
    }
    start_blocks(replay, clock + replay->input->device->block_cycles);
}

static void start_warp(struct replay *replay, struct walker *walker, const struct warp_path *path,
                       double clock) {
    static const struct warp_path none = {0};
    struct walker fresh = {.path = path ? path : &none,
                           .values = walker->values,
                           .producers = walker->producers,
                           .phases = walker->phases,
                           .times = walker->times,
                           .fetched = walker->fetched,
                           .block = walker->block,
                           .scheduler = walker->scheduler,
                           .last_issue = clock,
                           .entered = clock,
                           .age = walker->age,
                           .budget = replay->warp_budget,
                           .live = true};
    memset(fresh.values, 0, replay->input->code->value_count * sizeof *fresh.values);
    for (unsigned i = 0; i < PHASE_COUNT * replay->input->demand_count; i++)
        fresh.phases[i] = FIRST_PHASE;
    memset(fresh.times, 0, replay->input->demand_count * sizeof *fresh.times);
    memset(fresh.fetched, 0, replay->input->demand_count * sizeof *fresh.fetched);
    if (fresh.path->count)
        fresh.turns_left = fresh.path->segments[0].times;
    *walker = fresh;
    enqueue(replay, walker);
    replay_advance(replay, walker);
}

static void start_block(struct replay *replay, unsigned slot, double clock) {
    if (replay->next_start > clock)
        clock = replay->next_start;
    replay->next_start = clock + replay->start_interval;
    const struct warp_trace *trace = replay->input->trace;
    const struct traced_block *traced = &trace->blocks[replay->next_block++ % trace->block_count];
    replay->slots[slot] =
        (struct block_slot){.live = replay->warps, .work = traced->instructions, .event = clock};
    for (unsigned i = 0; i < replay->warps; i++) {
        struct walker *walker = &replay->walkers[slot * replay->warps + i];
        walker->age = replay->next_block * replay->warps + i;
        start_warp(replay, walker, traced->paths ? &traced->paths[i] : NULL,
                   clock + i * replay->input->device->warp_start_cycles);
    }
}

/* Blocks that are left, in free slots, as long as there is room for all warps of one. */
static void start_blocks(struct replay *replay, double clock) {
    for (unsigned slot = 0; slot < replay->slot_count && replay->free_warps >= replay->warps;
         slot++) {
        if (!replay->endless && replay->next_block >= replay->target)
            return;
        if (replay->slots[slot].live)
            continue;
        replay->free_warps -= replay->warps;
        start_block(replay, slot, clock);
    }
}

/* Warps whose paths are at their end leave, which may open a barrier, and so on. */
static void settle(struct replay *replay, double clock) {
    for (bool again = true; again;) {
        again = false;
        for (unsigned i = 0; i < replay->slot_count * replay->warps; i++) {
            struct walker *walker = &replay->walkers[i];
            if (!walker->live || walker->operation)
                continue;
            double end = walker->last_issue > clock ? walker->last_issue : clock;
            end_warp(replay, walker, walker->drained > end ? walker->drained : end);
            again = true;
        }
    }
}

/* When the warp's next operation could be issued by its scheduler. */
static double issue_time(const struct replay *replay, const struct walker *walker) {
    const struct operation *operation = walker->operation;
    double clock = later(walker->ready, replay->free_at[walker->scheduler]);
    if (waits_for_memory(operation))
        return later(clock, replay->memory_free - MEMORY_QUEUE_CLOCKS);
    return later(clock, pipes_free(replay, walker, operation));
}

/* The warp that the scheduler issues next: the first that can, of those the one of the block that
 * started first. Blocks of an SM do not advance together: measured, eight of them that each could
 * keep all schedulers busy run one after the other (tail/1056, by each block's clocks). Of most
 * warps no more is asked than when their operands are there, and often the oldest ones decide. */
static struct walker *choose_warp(const struct replay *replay, unsigned scheduler, double *clock) {
    struct walker *best = NULL, *const *queue = replay->queues[scheduler];
    double free_at = replay->free_at[scheduler];
    for (unsigned i = 0; i < replay->queued[scheduler]; i++) {
        struct walker *walker = queue[i];
        if (walker->waiting || !walker->operation)
            continue;
        if (best && later(walker->ready, free_at) >= *clock)
            continue;
        double at = issue_time(replay, walker);
        if (best && at >= *clock)
            continue;
        best = walker;
        *clock = at;
        if (at <= free_at) /* none can be earlier */
            break;
    }
    return best;
}

static void arrive(struct replay *replay, struct walker *walker, double clock) {
    struct block_slot *block = &replay->slots[walker->block];
    walker->waiting = true;
    block->arrived++;
    /* the barrier unit takes one warp after the other */
    double turn = replay->barrier_free + replay->input->device->barrier_warp_cycles;
    block->last_arrival = replay->barrier_free = turn > clock ? turn : clock;
    release_barrier(replay, walker->block);
}

/* Whether the warp's lanes diverge here and reconverge after an if. Of loops that some lanes leave
 * the others need not wait: what that takes is left out. */
static bool parts(const struct replay *replay, const struct walker *walker) {
    const struct path_segment *segment = &walker->path->segments[walker->segment];
    uint32_t pc = walker->operation->pc;
    return walker->operation->kind == OPERATION_BRANCH && replay->input->code->reconverges[pc] &&
           segment->parts && segment->last == pc;
}

/* Issues the warp's operation; true where other warps' states may have changed, too. */
static bool issue(struct replay *replay, struct walker *walker, double clock) {
    const struct operation *operation = walker->operation;
    double *blame = replay->result->blame;
    double *free_at = &replay->free_at[walker->scheduler];
    double slots = operation->issue ? operation->issue : 1;
    const struct memory_demand *demand = &replay->input->demands[operation->pc];
    bool diverges = parts(replay, walker);
    slots += operation->serial ? demand->slow_issue : 0;
    slots += diverges; /* each of the two parts waits for the other one where they meet */
    if (clock > *free_at)
        blame[walker->culprit] += clock - *free_at;
    blame[operation->pc] += slots;
    *free_at = clock + slots;
    replay->result->busy[PART_issue] += slots / replay->schedulers;
    replay->now = clock > replay->now ? clock : replay->now;
    replay->issued++;
    walker->last_issue = clock + slots;
    switch ((enum operation_kind)operation->kind) {
    case OPERATION_NAME:
        break;
    case OPERATION_COMPUTE: {
        double done = compute(replay, walker, operation, clock);
        done += operation->serial ? demand->slow_clocks : 0;
        if (operation->parameter) {
            walker->parameter_clocks = latency_of(replay, operation);
            done = REPLAY_ELSEWHERE;
        }
        replay_set_results(walker, operation, done, operation->pc);
        if (operation->serial && done > walker->last_issue)
            walker->last_issue = done;
        break;
    }
    case OPERATION_LOAD:
    case OPERATION_STORE:
    case OPERATION_ATOMIC: {
        double done = replay_access(replay, walker, operation, clock) + operation->extra;
        if (operation->kind == OPERATION_LOAD && operation->destinations[0] == NO_VALUE) {
            walker->async = done > walker->async ? done : walker->async;
            walker->drained = done > walker->drained ? done : walker->drained;
        } /* stores block nothing: measured, blocks end as soon as they are issued */
        if (operation->handed)
            walker->last_issue =
                fmax(walker->last_issue, done - replay->input->device->shuffle_cycles);
        replay_set_results(walker, operation, done, operation->pc);
        replay_note_event(replay, walker, operation, clock, done);
        break;
    }
    case OPERATION_BARRIER:
        arrive(replay, walker, clock + slots);
        return true;
    case OPERATION_BRANCH:
        walker->last_issue += diverges ? replay->input->device->parting_cycles : 0;
        replay_branch(replay, walker);
        return !walker->operation;
    case OPERATION_WAIT:
        break;
    case OPERATION_OTHER:
        walker->last_issue += operation->extra;
        break;
    }
    replay_advance(replay, walker);
    return !walker->operation;
}

static bool is_done(const struct replay *replay) {
    return replay->endless ? replay->ended >= replay->target : false;
}

/* Issues until enough blocks have ended. The schedulers' choices are kept; another one's issue can
 * only make them later, by the load/store unit, which is looked at again. */
static void run(struct replay *replay) {
    struct walker *chosen[MAX_SCHEDULERS] = {0};
    double clocks[MAX_SCHEDULERS];
    bool all = true;
    unsigned last = 0;
    settle(replay, 0);
    while (!is_done(replay)) {
        for (unsigned s = 0; s < replay->schedulers; s++)
            if (all || s == last)
                chosen[s] = choose_warp(replay, s, &clocks[s]);
        unsigned first = replay->schedulers;
        for (unsigned s = 0; s < replay->schedulers; s++)
            if (chosen[s] && (first == replay->schedulers || clocks[s] < clocks[first]))
                first = s;
        if (first == replay->schedulers)
            break;
        last = first;
        all = false;
        double now = issue_time(replay, chosen[first]);
        if (now > clocks[first])
            continue; /* chosen again */
        all = issue(replay, chosen[first], clocks[first]);
        if (all)
            settle(replay, replay->now);
    }
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* What the busiest SM gets of something of which the device has `whole` and an SM alone could take
 * no more than `own`, on average. All get the same: that one goes on with its last block when those
 * with one less have ended. */
static double busiest_part(const struct replay_input *input, double whole, double own) {
    double sms = input->device->multiprocessors, rounds = (double)input->sm_blocks;
    double last = rounds / input->share - (rounds - 1) * sms; /* SMs with as many blocks */
    double all = whole / sms < own ? whole / sms : own,
           few = whole / last < own ? whole / last : own;
    return rounds / ((rounds - 1) / all + 1 / few);
}

static void set_rates(struct replay *replay) {
    const struct replay_input *input = replay->input;
    const struct device_profile *device = input->device;
    const double lanes[PIPE_COUNT] = {
        [PIPE_FP32] = device->fp32_lanes,       [PIPE_MULTIPLY] = device->integer_lanes,
        [PIPE_INTEGER] = device->integer_lanes, [PIPE_FP16] = device->fp16_lanes,
        [PIPE_FP64] = device->fp64_lanes,       [PIPE_SPECIAL] = device->special_lanes,
        [PIPE_CONVERT] = device->convert_lanes,
    };
    replay->schedulers = (unsigned)device->schedulers_per_sm;
    for (unsigned pipe = 0; pipe < PIPE_COUNT; pipe++)
        replay->pipe_clocks[pipe] = lanes[pipe] > 0 ? 32 * replay->schedulers / lanes[pipe] : 0;
    replay->pipe_clocks[PIPE_MATRIX] = replay->schedulers / device->mma_flops;
    double clock_ghz = device->clock_mhz / 1000;
    replay->l2_rate =
        busiest_part(input, device->l2_gbps / clock_ghz / 32, device->l2_sm_bytes / 32);
    replay->dram_rate = device->dram_gbps / clock_ghz / 32 * input->share;
    replay->start_interval = device->block_interval_cycles / input->share;
    replay->atomic_rate = device->atomic_sectors * input->share;
}

static void allocate(struct replay *replay) {
    const struct replay_input *input = replay->input;
    unsigned values = input->code->value_count + 1, count = replay->slot_count * replay->warps;
    replay->walkers = mem_calloc(count, sizeof *replay->walkers);
    for (unsigned i = 0; i < replay->schedulers; i++)
        replay->queues[i] = mem_calloc(count, sizeof *replay->queues[i]);
    replay->slots = mem_calloc(replay->slot_count, sizeof *replay->slots);
    replay->pending = mem_calloc(PENDING_SLOTS, sizeof *replay->pending);
    replay->phases =
        mem_calloc((size_t)PHASE_COUNT * (input->demand_count + 1), sizeof *replay->phases);
    replay->misses = mem_calloc(input->demand_count + 1, sizeof *replay->misses);
    replay->inflight =
        mem_calloc((size_t)replay->slot_count * (input->demand_count + 1) * INFLIGHT_TIMES,
                   sizeof *replay->inflight);
    for (unsigned i = 0; i < count; i++) {
        replay->walkers[i].values = mem_calloc(values, sizeof *replay->walkers[i].values);
        replay->walkers[i].producers = mem_calloc(values, sizeof *replay->walkers[i].producers);
        replay->walkers[i].phases = mem_calloc((size_t)PHASE_COUNT * (input->demand_count + 1),
                                               sizeof *replay->walkers[i].phases);
        replay->walkers[i].times =
            mem_calloc(input->demand_count + 1, sizeof *replay->walkers[i].times);
        replay->walkers[i].fetched =
            mem_calloc(input->demand_count + 1, sizeof *replay->walkers[i].fetched);
        replay->walkers[i].block = i / replay->warps;
        /* the first warps of neighbouring blocks go to different schedulers */
        replay->walkers[i].scheduler =
            (i % replay->warps + replay->schedulers - i / replay->warps % replay->schedulers) %
            replay->schedulers;
    }
}

static void release(struct replay *replay) {
    for (unsigned i = 0; i < replay->slot_count * replay->warps; i++) {
        free(replay->walkers[i].values);
        free(replay->walkers[i].producers);
        free(replay->walkers[i].phases);
        free(replay->walkers[i].times);
        free(replay->walkers[i].fetched);
    }
    for (unsigned i = 0; i < replay->schedulers; i++)
        free(replay->queues[i]);
    free(replay->walkers);
    free(replay->slots);
    free(replay->pending);
    free(replay->phases);
    free(replay->misses);
    free(replay->inflight);
}

/* The last of the work of any unit; a launch ends when all of it is done. */
static double last_work(const struct replay *replay) {
    double end = replay->last_end > replay->now ? replay->last_end : replay->now;
    const double servers[] = {replay->memory_free, replay->dram_free, replay->atomic_free,
                              replay->turn_free};
    for (size_t i = 0; i < L2_SERVERS; i++)
        end = fmax(end, replay->l2_free[i]);
    for (size_t i = 0; i < ARRAY_LENGTH(servers); i++)
        end = servers[i] > end ? servers[i] : end;
    return end;
}

/* Stores hold no block, so that blocks may end faster than memory takes what they have written; in
 * a launch of many rounds this work adds up, and its end is that of the launch. */
static double longest_work(const struct replay_result *result) {
    static const enum cost_part memories[] = {PART_l2, PART_dram, PART_atomics};
    double longest = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(memories); i++)
        longest = fmax(longest, result->busy[memories[i]]);
    return longest;
}

void replay_run(const struct replay_input *input, struct replay_result *result) {
    struct replay replay = {.input = input,
                            .result = result,
                            .resident = input->resident_blocks,
                            .warps = input->trace->warps_per_block};
    if (replay.resident > input->sm_blocks)
        replay.resident = (unsigned)input->sm_blocks;
    set_rates(&replay);
    replay_prepare_paths(input);
    replay_plan(&replay);
    replay.free_warps = replay.resident * replay.warps;
    replay.slot_count = replay_slots(&replay);
    allocate(&replay);
    start_blocks(&replay, 0);
    run(&replay);
    for (size_t i = 0; i < L2_SERVERS; i++)
        result->busy[PART_l2] = fmax(result->busy[PART_l2], replay.l2_busy[i]);
    double executed = replay_executed(&replay), all = executed;
    const struct warp_trace *trace = input->trace;
    if (!input->alone && trace->weight > 0) /* blocks differ, and few of them were replayed */
        all = trace->work / trace->weight * (double)input->sm_blocks;
    double factor = executed > 0 ? all / executed : 1;
    result->clocks = last_work(&replay) * factor * replay.scale;
    if (replay.endless)
        result->clocks = replay_extrapolate(&replay, executed, all) * replay.scale;
    for (unsigned part = 0; part < COST_PART_COUNT; part++)
        result->busy[part] *= factor * replay.scale;
    result->atomics *= factor * replay.scale;
    if (replay.endless)
        result->clocks = fmax(result->clocks, longest_work(result));
    double blamed = 0;
    for (size_t pc = 0; pc < input->code->program->length; pc++)
        blamed += result->blame[pc];
    for (size_t pc = 0; pc < input->code->program->length && blamed > 0; pc++)
        result->blame[pc] *= result->clocks / blamed;
    release(&replay);
}
