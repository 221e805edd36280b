/* The memory of a replay: the load/store unit, the L2 and device memory as servers with a rate and
 * a latency behind them, the sectors that an SM can be waiting for, and atomics. */
#include "sandbox/simgpu/replay_private.h"

#include <math.h>

enum {
    CONTENDED_WARPS = 32
}; /* of a block: those with which shared_contended_cycles is measured */

static const double MOST_BUSY = 0.8; /* measured up to here; above it, its rate limits */

static void forget_done(struct replay *replay, double clock) {
    while (replay->ring_count && replay->ring[replay->ring_first].done <= clock) {
        replay->pending_sectors -= replay->ring[replay->ring_first].sectors;
        replay->ring_first = (replay->ring_first + 1) % PENDING_SLOTS;
        replay->ring_count--;
    }
}

/* When so many more sectors may be asked for: an SM keeps track of a limited number. */
static double room_for(struct replay *replay, double clock, double sectors) {
    double limit = replay->input->device->l1_pending_sectors;
    forget_done(replay, clock);
    while (replay->ring_count &&
           (replay->pending_sectors + sectors > limit || replay->ring_count == PENDING_SLOTS)) {
        if (replay->ring[replay->ring_first].done > clock)
            clock = replay->ring[replay->ring_first].done;
        forget_done(replay, clock);
    }
    return clock;
}

static void note_pending(struct replay *replay, double done, double sectors) {
    size_t at = (replay->ring_first + replay->ring_count++) % PENDING_SLOTS;
    replay->ring[at] = (struct pending){done, sectors};
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

/* A request that leaves the SM: when its data are there. */
static double leave_sm(struct replay *replay, const struct operation *operation,
                       const struct memory_demand *demand, bool to_dram, double clock) {
    const struct device_profile *device = replay->input->device;
    double *busy = replay->result->busy;
    clock = room_for(replay, clock, demand->l2_sectors);
    double done;
    if (operation->kind == OPERATION_ATOMIC) {
        done = replay_serve(&replay->atomic_free, clock, demand->atomic_sectors,
                            replay->atomic_rate, &busy[PART_atomics]);
        done += device->l2_cycles;
    } else {
        done =
            replay_serve(&replay->l2_free, clock, demand->l2_work, replay->l2_rate, &busy[PART_l2]);
        if (demand->written_work > 0)
            replay_serve(&replay->dram_free, clock, demand->written_work, replay->dram_rate,
                         &busy[PART_dram]);
        if (to_dram) {
            double from_dram = replay_serve(&replay->dram_free, clock, demand->dram_work,
                                            replay->dram_rate, &busy[PART_dram]) +
                               device->dram_cycles + queueing(replay, clock) +
                               spread(replay, device->dram_spread_cycles);
            done += device->l2_cycles;
            done = from_dram > done ? from_dram : done;
        } else {
            done += device->l2_cycles + spread(replay, device->l2_spread_cycles);
        }
    }
    bool awaited = operation->kind != OPERATION_STORE && operation->destinations[0] != NO_VALUE;
    note_pending(replay, awaited ? done : done - device->l2_cycles, demand->l2_sectors);
    return done;
}

/* Clocks that a shared-memory atomic takes of the load/store unit, and on top until it is done.
 * Additions of floats are loops of compare-and-swap: lanes on one address take turns in them. Where
 * the address is one for the whole block, only one of its warps comes through in the time between
 * an attempt's load and its swap, both of which queue in the load/store unit behind the attempts of
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

/* Passes of a load of `words` words a lane where lanes read the same: half the groups of lanes that
 * a wavefront serves, but only of groups with lanes that take part. */
static double merged_groups(const struct memory_demand *demand, unsigned words) {
    double taken = ceil(demand->lanes * words / 32);
    return taken < words / 2.0 ? taken : words / 2.0;
}

double replay_access(struct replay *replay, struct walker *walker,
                     const struct operation *operation, double clock) {
    const struct device_profile *device = replay->input->device;
    const struct memory_demand *demand = &replay->input->demands[operation->pc];
    float *phases = &walker->phases[demand->number * 3];
    double *busy = replay->result->busy;
    bool shared = demand->space == SPACE_SHARED;
    double latency = shared ? device->shared_cycles : device->l1_cycles;
    float *common = &replay->phases[demand->number * 3]; /* of all warps */
    if (replay_is_off(walker, operation)) /* it goes through the load/store unit without lanes */
        return replay_serve(&replay->memory_free, clock, 32 / device->lsu_lanes, 1,
                            &busy[shared ? PART_shared : PART_l1]);
    if (!has_turn(&common[0], demand->requests))
        return clock + device->alu_cycles;
    double passes = demand->wavefronts;
    if (operation->merged > 1) {
        double groups = merged_groups(demand, operation->merged);
        passes = passes > groups ? passes : groups;
    }
    if (demand->space == SPACE_CONST && demand->wavefronts <= 1)
        return clock + 2 * device->alu_cycles; /* one address: the uniform path */
    double more = 0;
    if (shared && operation->kind == OPERATION_ATOMIC)
        passes = shared_atomic_clocks(replay, operation, &more) * device->shared_wavefronts;
    double address_clocks = 32 / device->lsu_lanes;
    double clocks = passes / (shared ? device->shared_wavefronts : 1);
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
    bool leaves = operation->kind != OPERATION_LOAD ||
                  has_turn(demand->repeated ? &phases[1] : &common[1], demand->miss_share);
    if (!leaves)
        return done + latency - 1;
    return leave_sm(replay, operation, demand, has_turn(&common[2], demand->dram_share), start);
}
