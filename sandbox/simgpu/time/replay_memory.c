/* The memory of a replay: the load/store unit, the L2 and device memory as servers with a rate and
 * a latency, the sectors that an SM can be waiting for, and atomics.
 *
 * A load that finds in the L1 what another request has asked for waits with that one. Which loads
 * do is known from the caches as a share of their requests, and whom they wait for by counting:
 * warps that execute an instruction for the n'th time read the same, and the first of them fetches
 * it. */
#include "sandbox/simgpu/time/replay_private.h"

#include <math.h>
#include <string.h>

enum {
    CONTENDED_WARPS = 32, /* of a block: those with which shared_contended_cycles is measured */
    /* Probe together: stores 16 clocks apart go together, those a hundred apart do not; a
     * lone warp's of 16 lines do and of 32 do not, and those of warps of four schedulers where they
     * are of four to six lines, but not of eight; and packets that may wait: see there */
    OUTGOING_LINES = 24,
    OUTGOING_CLOCKS = 80,
    OUTGOING_PACKETS = 200,
};

static const double MOST_BUSY = 0.8; /* measured up to here; above it, its rate limits */

/* Sectors on their way are a heap, those that come first on top: answers come in any order, and
 * each gives its room back by itself. */
static void sift_down(struct pending *heap, size_t count) {
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1].done < heap[child].done)
            child++;
        if (heap[at].done <= heap[child].done)
            return;
        struct pending swap = heap[at];
        heap[at] = heap[child];
        heap[child] = swap;
    }
}

static void forget_done(struct replay *replay, double clock) {
    struct pending *heap = replay->pending;
    while (replay->pending_count && heap[0].done <= clock) {
        replay->pending_sectors -= heap[0].sectors;
        heap[0] = heap[--replay->pending_count];
        sift_down(heap, replay->pending_count);
    }
}

/* When `sectors` more sectors may be asked for: an SM keeps track of a limited number. */
static double room_for(struct replay *replay, double clock, double sectors) {
    double limit = replay->input->device->l1_pending_sectors;
    forget_done(replay, clock);
    while (replay->pending_count &&
           (replay->pending_sectors + sectors > limit || replay->pending_count == PENDING_SLOTS)) {
        clock = fmax(clock, replay->pending[0].done);
        forget_done(replay, clock);
    }
    return clock;
}

static void note_pending(struct replay *replay, double done, double sectors) {
    struct pending *heap = replay->pending;
    size_t at = replay->pending_count++;
    for (; at && heap[(at - 1) / 2].done > done; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = (struct pending){done, sectors};
    replay->pending_sectors += sectors;
}

/* Does the part of the executions that `share` says have their turn? Spread evenly, the first one
 * included: a cold cache misses first. */
static bool has_turn(float *phase, double share) {
    if (share >= 1)
        return true;
    if (share <= 0)
        return false;
    *phase += (float)share;
    if (*phase < 1)
        return false;
    *phase -= 1;
    return true;
}

/* Banks, partitions and refreshes make latencies differ: evenly between -width and +width, by the
 * golden ratio's multiples, so that neighbours differ much and the average is right. */
static double spread(struct replay *replay, double width) {
    replay->spread += 0.6180339887498949;
    replay->spread -= replay->spread >= 1;
    return width * (2 * replay->spread - 1);
}

/* Requests come to device memory by chance, and wait the longer the busier it is. */
static double queueing(const struct replay *replay, double clock) {
    double busy = replay->result->busy[PART_dram] / (clock > 1 ? clock : 1);
    busy = busy < MOST_BUSY ? busy : MOST_BUSY;
    return replay->input->device->dram_queue_cycles * busy * busy / (1 - busy);
}

/* When the L2 has done all that it does for a request. */
static double through_l2(struct replay *replay, const struct memory_demand *demand, double clock) {
    double done = clock;
    for (unsigned i = 0; i < L2_SERVERS; i++)
        done = fmax(done, replay_serve(&replay->l2_free[i], clock, demand->l2_work[i],
                                       replay->l2_rate, &replay->l2_busy[i]));
    return done;
}

/* A request that leaves the SM: when its data are there. */
static double leave_sm(struct replay *replay, const struct operation *operation,
                       const struct memory_demand *demand, bool to_dram, double clock) {
    const struct device_profile *device = replay->input->device;
    double *busy = replay->result->busy;
    clock = room_for(replay, clock, demand->l2_sectors);
    double done = through_l2(replay, demand, clock), sent = INFINITY;
    if (operation->kind == OPERATION_ATOMIC) {
        done = fmax(done, replay_serve(&replay->atomic_free, clock, demand->atomic_sectors,
                                       replay->atomic_rate, &busy[PART_atomics]));
        if (operation->asked) /* the answer crosses between the partitions, too */
            done = fmax(done,
                        replay_serve(&replay->l2_free[L2_FABRIC], clock, demand->l2_work[L2_FABRIC],
                                     replay->l2_rate, &replay->l2_busy[L2_FABRIC]));
        double turns = 0;
        done = fmax(done,
                    replay_serve(&replay->turn_free, clock, replay->input->atomic_turn, 1, &turns));
        sent = done; /* it waits for its turns in the L2 and keeps no room for loads here */
        replay->result->atomics++;
    }
    if (demand->written_work > 0)
        replay_serve(&replay->dram_free, clock, demand->written_work, replay->dram_rate,
                     &busy[PART_dram]);
    if (to_dram) {
        double from_dram = replay_serve(&replay->dram_free, clock, demand->dram_work,
                                        replay->dram_rate, &busy[PART_dram]) +
                           device->dram_cycles + queueing(replay, clock) +
                           spread(replay, device->dram_spread_cycles);
        done = fmax(done + device->l2_cycles, from_dram);
    } else {
        done += device->l2_cycles;
        if (operation->kind != OPERATION_ATOMIC)
            done += spread(replay, device->l2_spread_cycles);
    }
    bool has_reader = operation->kind != OPERATION_STORE && operation->destinations[0] != NO_VALUE;
    note_pending(replay, fmin(sent, has_reader ? done : done - device->l2_cycles),
                 demand->l2_sectors);
    return done;
}

/* Clocks that a shared-memory atomic takes of the load/store unit, and on top until it is done.
 * Additions of floats are loops of compare-and-swap: lanes on one address take turns in them. Where
 * the address is one for the whole block, only one of its warps comes through in the time between
 * an attempt's load and its swap, both of which queue in the load/store unit after the attempts of
 * the others: the more warps, the more attempts each success takes. */
static double shared_atomic_clocks(const struct replay *replay, const struct operation *operation,
                                   double *more) {
    const struct device_profile *device = replay->input->device;
    const struct memory_demand *demand = &replay->input->demands[operation->pc];
    const struct insn *insn = &replay->input->code->program->code[operation->pc];
    *more = 0;
    if (!ptx_type_is_float(insn->type)) {
        double clocks = demand->wavefronts / device->shared_wavefronts;
        return clocks > device->shared_atomic_cycles ? clocks : device->shared_atomic_cycles;
    }
    *more = (demand->atomic_passes - 1) * device->shared_float_cycles;
    double each = device->shared_float_atomic_cycles;
    double contended = device->shared_contended_cycles * replay->warps / CONTENDED_WARPS;
    if (demand->atomic_passes > 1 && contended > each)
        each += demand->contended * (contended - each);
    return demand->atomic_passes * each;
}

/* What the warps of a block, or of the SM, fetch together the time'th time. */
static struct inflight_fetch *inflight_fetch_of(const struct replay *replay,
                                                const struct walker *walker, uint32_t number,
                                                bool far, uint64_t time) {
    size_t slot = far ? 0 : walker->block;
    return &replay->inflight[(slot * (replay->input->demand_count + 1) + number) * INFLIGHT_TIMES +
                             time % INFLIGHT_TIMES];
}

/* A request that finds what is on its way goes through the L1 once more when it is there. */
static double wait_with(struct replay *replay, double clock, double fetched, double l1_done) {
    if (fetched <= l1_done)
        return l1_done;
    replay_serve(&replay->memory_free, clock, replay->input->device->l1_waiting_cycles - 1, 1,
                 &replay->result->busy[PART_l1]);
    return fetched;
}

/* A load that other warps execute, too, to read the same: the first one fetches it, and the
 * others wait with it. As many as the caches saw find what one has fetched. */
static double fetch_together(struct replay *replay, struct walker *walker,
                             const struct operation *operation, double clock, double l1_done) {
    const struct memory_demand *demand = &replay->input->demands[operation->pc];
    uint64_t block = demand->found_far ? 0 : walker->age / replay->warps;
    uint64_t time = walker->times[demand->number];
    struct inflight_fetch *inflight =
        inflight_fetch_of(replay, walker, demand->number, demand->found_far, time);
    if (inflight->time == time && inflight->block == block && inflight->users >= 0.5) {
        inflight->users -= 1;
        return wait_with(replay, clock, inflight->done, l1_done);
    }
    double *misses = &replay->misses[demand->number];
    if (*misses < (demand->found_far ? -1 : -(double)replay->resident))
        return l1_done;
    *misses -= 1;
    double left = inflight->time == time && inflight->block == block ? inflight->users : 0;
    float *phase = &replay->phases[demand->number * PHASE_COUNT + PHASE_DRAM];
    double done = leave_sm(replay, operation, demand, has_turn(phase, demand->dram_share), clock);
    walker->fetched[demand->number] = done;
    *inflight =
        (struct inflight_fetch){time, block, done, left + demand->found / demand->miss_share};
    return done;
}

/* A load that finds what another one of its warp's or block's has just asked for, or what its warp
 * has some passes of a loop ago: the assembler makes one piece of several short passes. */
static double fetched_by_other(struct replay *replay, const struct walker *walker,
                               const struct memory_demand *demand, double clock, double l1_done) {
    uint64_t time = walker->times[demand->other];
    if (!time)
        time = walker->times[demand->number];
    for (unsigned far = 0; far < 2; far++) {
        const struct inflight_fetch *inflight =
            inflight_fetch_of(replay, walker, demand->other, far, time);
        if (inflight->time == time && inflight->block == (far ? 0 : walker->age / replay->warps) &&
            inflight->done > l1_done)
            return wait_with(replay, clock, inflight->done, l1_done);
    }
    return wait_with(replay, clock, walker->fetched[demand->other], l1_done);
}

/* A store takes its passes of the load/store unit, and one more for each further line. */
static double store_clocks(const struct memory_demand *demand) {
    return demand->wavefronts + fmax(0, demand->stored_lines - 1);
}

/* Warps that want a turn of the load/store unit at `clock`. */
static unsigned warps_at_unit(const struct replay *replay, double clock) {
    unsigned waiting = 0;
    for (unsigned i = 0; i < replay->slot_count * replay->warps; i++) {
        const struct walker *walker = &replay->walkers[i];
        const struct operation *next = walker->operation;
        waiting += walker->live && !walker->waiting && next && walker->ready <= clock &&
                   (next->kind == OPERATION_LOAD || next->kind == OPERATION_STORE);
    }
    return waiting;
}

/* Stores wait a little for their way out of the L1, and those to the same sectors that come while
 * they do go with them. A warp of each scheduler may store in turn; where their lines do not have
 * room together, the warp's next turn has to come before the others' have pushed its own out: any
 * of those that wait may be next. */
static bool goes_with_another(struct replay *replay, const struct walker *walker,
                              const struct memory_demand *demand, double clock) {
    if (clock > walker->sent + OUTGOING_CLOCKS || demand->stored_lines > OUTGOING_LINES)
        return false;
    unsigned warps = warps_at_unit(replay, clock);
    if (warps <= 1 || replay->schedulers * demand->stored_lines <= OUTGOING_LINES)
        return true;
    return has_turn(&replay->joining, 1 - exp(-OUTGOING_CLOCKS / (warps * store_clocks(demand))));
}

/* A store; `joins`: the caches let it go with an earlier one of its warp. A full way out holds up
 * the load/store unit. */
static double store(struct replay *replay, struct walker *walker, const struct operation *operation,
                    bool joins, double clock) {
    struct memory_demand demand = replay->input->demands[operation->pc];
    float *common = &replay->phases[demand.number * PHASE_COUNT]; /* of all warps */
    bool together = joins && goes_with_another(replay, walker, &demand, clock);
    walker->sent = clock;
    if (together)
        return clock;
    if (joins) {
        demand.l2_sectors = demand.alone_sectors;
        memcpy(demand.l2_work, demand.alone_work, sizeof demand.l2_work);
    }
    bool to_dram = !joins && has_turn(&common[PHASE_DRAM], demand.dram_share);
    double done = leave_sm(replay, operation, &demand, to_dram, clock);
    double room = OUTGOING_PACKETS * replay->input->device->l2_packet_sectors / replay->l2_rate;
    replay->memory_free = fmax(replay->memory_free, replay->l2_free[L2_IN] - room);
    return done;
}

/* A request of global or local memory that has been through the L1 by l1_done: its result is there
 * then where the L1 has it. */
static double global_access(struct replay *replay, struct walker *walker,
                            const struct operation *operation, double start, double l1_done) {
    const struct memory_demand *demand = &replay->input->demands[operation->pc];
    float *phases = &walker->phases[demand->number * PHASE_COUNT];
    float *common = &replay->phases[demand->number * PHASE_COUNT]; /* of all warps */
    float *turns = demand->often ? phases : common;
    bool load = operation->kind == OPERATION_LOAD;
    uint64_t time = ++walker->times[demand->number];
    replay->misses[demand->number] += demand->miss_share;
    if (load && has_turn(&turns[PHASE_OTHER], demand->found_other))
        return fetched_by_other(replay, walker, demand, start, l1_done);
    double others = 1 - demand->found_other;
    if (load && demand->found > 0 && demand->miss_share > 0) {
        if (!has_turn(&turns[PHASE_MISS], (demand->miss_share + demand->found) / others))
            return l1_done;
        return fetch_together(replay, walker, operation, start, l1_done);
    }
    float *misses = demand->repeated ? &phases[PHASE_MISS] : &common[PHASE_MISS];
    if (load && !has_turn(misses, demand->miss_share / others))
        return l1_done;
    if (operation->kind == OPERATION_STORE)
        return store(replay, walker, operation, has_turn(&phases[PHASE_MISS], demand->joined),
                     start);
    bool to_dram = has_turn(&common[PHASE_DRAM], demand->dram_share);
    double done = leave_sm(replay, operation, demand, to_dram, start);
    if (load) {
        walker->fetched[demand->number] = done;
        *inflight_fetch_of(replay, walker, demand->number, false, time) =
            (struct inflight_fetch){time, walker->age / replay->warps, done, 0};
    }
    return done;
}

double replay_access(struct replay *replay, struct walker *walker,
                     const struct operation *operation, double clock) {
    const struct device_profile *device = replay->input->device;
    const struct memory_demand *demand = &replay->input->demands[operation->pc];
    double *busy = replay->result->busy;
    bool shared = demand->space == SPACE_SHARED;
    double latency = shared ? device->shared_cycles : device->l1_cycles;
    float *common = &replay->phases[demand->number * PHASE_COUNT]; /* of all warps */
    if (replay_is_off(walker, operation)) /* it goes through the load/store unit without lanes */
        return replay_serve(&replay->memory_free, clock, 32 / device->lsu_lanes, 1,
                            &busy[shared ? PART_shared : PART_l1]);
    if (!has_turn(&common[PHASE_REQUEST], demand->requests))
        return clock + device->alu_cycles;
    double passes = demand->wavefronts;
    if (operation->merged > 1) {
        const struct insn *insn = &replay->input->code->program->code[operation->pc];
        unsigned bits = operation->merged * ptx_type_bits((enum ptx_type)insn->type);
        passes = demand->wide_wavefronts[bits == 128];
    }
    if (demand->space == SPACE_CONST && demand->wavefronts <= 1)
        return clock + 2 * device->alu_cycles; /* one address: the uniform path */
    double more = 0;
    if (shared && operation->kind == OPERATION_ATOMIC)
        passes = shared_atomic_clocks(replay, operation, &more) * device->shared_wavefronts;
    double address_clocks = 32 / device->lsu_lanes;
    double clocks = passes / (shared ? device->shared_wavefronts : 1);
    if (operation->kind == OPERATION_STORE && !shared)
        clocks = store_clocks(demand);
    if (demand->space == SPACE_CONST)
        clocks = passes * device->constant_cycles;
    double start = replay->memory_free > clock ? replay->memory_free : clock;
    if (demand->space == SPACE_GLOBAL || demand->space == SPACE_LOCAL)
        address_clocks = device->l1_request_cycles;
    double done =
        replay_serve(&replay->memory_free, clock, clocks > address_clocks ? clocks : address_clocks,
                     1, &busy[shared ? PART_shared : PART_l1]);
    if (shared || demand->space == SPACE_CONST)
        return done + latency - 1 + more;
    return global_access(replay, walker, operation, start, done + latency - 1);
}
