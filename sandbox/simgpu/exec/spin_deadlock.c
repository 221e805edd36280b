/* Deadlocks among threads that poll: an mbarrier that never completes, a flag that no thread sets,
 * a lock that no thread releases.
 *
 * A thread that polls runs for ever, so waiting threads are no proof. The proof is a state that
 * comes again: live registers, local and shared memory, barriers and program counters of all the
 * threads concerned are what they were some turns before, and in between no thread changed a byte
 * that others can see. What a thread does next follows from its registers and from memory alone; so
 * each of them repeats its round for ever, in whatever order they run. A poll that counts its trips
 * has another register value each time and is no deadlock; one that reads the clock, as
 * cuda::barrier does to wait longer each time, first gets enough time for every time-out. Where the
 * round reads no global memory the threads of one block are enough; else it takes all blocks of the
 * grid, each of them started. Of local memory only the bytes count that a round reads before it
 * writes them (spin_deadlock_local.c).
 *
 * The check starts only when all blocks have polled for a while, and is repeated after twice that
 * time. Then a window of rounds is watched: the instructions that touch memory are executed through
 * watch(), which compares what they would write with what is there, and after each round the state
 * is compared, as a hash, with the one at the start of the window. Other launches may share the
 * program: what is executed through watch() is a copy of its code. */
#include "sandbox/simgpu/exec/spin_deadlock.h"

#include "sandbox/simgpu/exec/access.h"
#include "sandbox/simgpu/exec/memory.h"
#include "sandbox/simgpu/exec/spin_deadlock_report.h"
#include "sandbox/simgpu/exec/variant.h"
#include "sandbox/simgpu/exec/warp.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/barrier.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_WINDOW = 16,  /* rounds of polling before the first look */
    WINDOW_FACTOR = 2,  /* then after as many as there have been */
    WINDOW_ROUNDS = 64, /* twice the splits that take turns in a warp */
    CLOCK_ROUNDS = 48,  /* before it is believed that no time-out ends a loop */
    FIRST_LEAP = 20,    /* log2 of ticks */
    LAST_LEAP = 50,
};

/* What an instruction may do to others. */
struct spin_deadlock {
    struct host_thread *host_thread;
    uint64_t rounds, next;
    unsigned window; /* rounds watched; 0: not watching */
    bool clock;      /* read since the window opened */
    uint64_t hash;   /* of all blocks at the window's start */
    uint8_t *effects;
    struct insn *code;    /* of the program ... */
    struct insn *watched; /* ... and the same with watch() before what has an effect */
    size_t limit;
    struct watched_block *blocks; /* by slot */
};

/* ---- state ------------------------------------------------------------------------------------
 */

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 32;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint64_t word = 0;
    for (; length >= 8; at += 8, length -= 8) {
        memcpy(&word, at, 8);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, at, length);
    return mix(hash, word ^ (uint64_t)length << 56);
}

/* Joins and frames by their index in the warp's list: addresses differ from run to run. */
static uint64_t join_number(const struct warp *warp, const struct join *wanted) {
    uint64_t number = 1;
    for (const struct join *join = warp->joins; join && join != wanted; join = join->next)
        number++;
    return wanted ? number : 0;
}

static uint64_t frame_number(const struct warp *warp, const struct frame *wanted) {
    uint64_t number = 1;
    if (wanted == warp->bottom)
        return 0;
    for (const struct join *join = warp->joins; join; join = join->next, number++)
        if (join->pc == PC_NONE && join->frame == wanted)
            break;
    return number;
}

static const struct live_set *find_live(const struct program *program, uint32_t pc) {
    size_t low = 0, high = program->live_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (program->lives[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < program->live_count && program->lives[low].pc == pc ? &program->lives[low] : NULL;
}

/* What the lanes of a split at the head of a loop go on from. Splits that wait need no look: they
 * have not run since the window opened, or that would be a change. */
static uint64_t hash_split(uint64_t hash, const struct program *program,
                           const struct split *split) {
    const struct live_set *live = find_live(program, split->pc);
    for (uint32_t i = 0; live && i < live->range_count; i++) {
        const struct register_range *range = &program->ranges[live->range_start + i];
        const unsigned char *at = split->frame->registers + range->offset;
        lane_mask predicate;
        if (range->bytes == sizeof predicate) {
            memcpy(&predicate, at, sizeof predicate);
            hash = mix(hash, predicate & split->lanes);
            continue;
        }
        size_t each = range->bytes / WARP_LANES;
        for (lane_mask rest = split->lanes; rest; rest &= rest - 1)
            hash = hash_bytes(hash, at + each * (unsigned)__builtin_ctz(rest), each);
    }
    const struct frame *frame = live ? split->frame->caller : split->frame;
    for (; frame; frame = frame->caller)
        hash = hash_bytes(hash, frame->registers, frame->function->register_bytes);
    return hash;
}

static uint64_t hash_warp(uint64_t hash, const struct warp *warp, bool local) {
    hash = mix(hash, warp->exited);
    hash = mix(hash, (uint64_t)warp->split_count << 32 | warp->next_split);
    for (unsigned i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        hash = mix(hash, (uint64_t)split->pc << 32 | split->lanes);
        hash = mix(hash, (uint64_t)split->state << 32 | split->sync_mask);
        hash = mix(hash, join_number(warp, split->join) << 32 | frame_number(warp, split->frame));
        if (split->state == SPLIT_RUNNABLE)
            hash = hash_split(hash, warp->block->launch->program, split);
    }
    for (const struct join *join = warp->joins; join; join = join->next) {
        hash = mix(hash, (uint64_t)join->expected << 32 | join->arrived);
        hash = mix(hash, join_number(warp, join->parent) << 32 | join->pc);
        if (join->pc == PC_NONE)
            hash = mix(hash, (uint64_t)join->frame->return_pc << 32 | join->frame->depth);
    }
    hash = hash_bytes(hash, warp->carry, sizeof warp->carry);
    hash = mix(hash, (uint64_t)warp->cluster_arrived << 32 | warp->cluster_passed);
    return local ? hash_bytes(hash, warp->local,
                              (size_t)WARP_LANES * warp->block->launch->local_bytes)
                 : hash;
}

static uint64_t hash_block(const struct watched_block *watched) {
    const struct block *block = watched->block;
    uint64_t hash = block->index;
    for (unsigned i = 0; i < block->warp_count; i++)
        hash = hash_warp(hash, &block->warps[i], !watched->local);
    for (unsigned i = 0; i <= MAX_BARRIERS; i++) {
        const struct barrier *barrier = &block->barriers[i];
        hash = mix(hash, (uint64_t)barrier->arrived << 32 | barrier->expected);
        hash = mix(hash, (uint64_t)barrier->reduced_popc << 32 | barrier->arriving_warps);
    }
    return hash_bytes(hash, block->shared, block->launch->program->shared_window_bytes);
}

/* ---- watching ---------------------------------------------------------------------------------
 */

static struct watched_block *seen_block(const struct spin_deadlock *spin_deadlock,
                                        const struct warp *warp) {
    for (size_t i = 0; i < spin_deadlock->limit; i++)
        if (spin_deadlock->blocks[i].block == warp->block)
            return &spin_deadlock->blocks[i];
    return NULL;
}

static enum ptx_space space_at(const struct warp *warp, const struct insn *insn, unsigned lane,
                               device_address address) {
    return insn->space == SPACE_GENERIC ? memory_locate(warp, SPACE_GENERIC, lane, address).space
                                        : (enum ptx_space)insn->space;
}

/* Before the access, in which a load may write the register that holds its address. */
static void touch_local(struct watched_block *watched, const struct warp *warp,
                        const struct insn *insn, lane_mask lanes, const device_address *addresses,
                        bool store) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    unsigned count = insn->vector ? insn->vector : 1;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        spin_deadlock_local_touch(
            watched, warp, memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]),
            (uint64_t)bytes * count, store);
    }
}

/* Does any lane read what other blocks may write? */
static bool reads_global(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                         const device_address *addresses) {
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        enum ptx_space space = space_at(warp, insn, lane, addresses[lane]);
        if (space != SPACE_SHARED && space != SPACE_LOCAL && space != SPACE_CONST)
            return true;
    }
    return false;
}

/* Does a store change a byte outside local memory? Compared before it is done, so that lanes which
 * write one location one after the other hide nothing. */
static bool store_changes(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                          const device_address *addresses) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location place =
            memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        if (place.space == SPACE_LOCAL)
            continue;
        if (place.space == SPACE_GENERIC || place.left < (uint64_t)bytes * insn->vector)
            return true; /* a hazard of its own */
        for (unsigned i = 0; i < insn->vector; i++) {
            uint32_t operand = insn->operands[1 + i];
            const unsigned char *source = warp->bases[operand & OPERAND_CONSTANT] +
                                          (operand & ~(uint32_t)3) +
                                          (size_t)lane * insn->register_bytes;
            if (memcmp(place.bytes + (size_t)i * bytes, source, bytes) != 0)
                return true;
        }
    }
    return false;
}

enum { MAX_ATOMIC_BYTES = 8 };

/* Operations that cannot change a location to and fro among the lanes of one instruction. */
static bool is_monotone(enum isa_op op) {
    return op == OP_atomic_and || op == OP_atomic_or || op == OP_atomic_min || op == OP_atomic_max;
}

/* Executes an atomic; true where a lane found or left something else than was there before. */
static bool atomic_changes(struct warp *warp, const struct insn *insn, lane_mask lanes,
                           const device_address *addresses, sim_executor *execute) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    bool has_result = insn->operands[1] != OPERAND_NONE;
    unsigned char before[WARP_LANES][MAX_ATOMIC_BYTES];
    const unsigned char *places[WARP_LANES];
    bool changes =
        bytes > MAX_ATOMIC_BYTES || insn->vector > 1 || !(has_result || is_monotone(insn_op(insn)));
    for (lane_mask rest = lanes; rest && !changes; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location place =
            memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        changes |= place.space == SPACE_GENERIC || place.left < bytes;
        places[lane] = place.bytes;
        if (!changes)
            memcpy(before[lane], place.bytes, bytes);
    }
    execute(warp, insn, lanes);
    for (lane_mask rest = lanes; rest && !changes; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        changes |= memcmp(before[lane], places[lane], bytes) != 0;
        if (has_result)
            changes |= memcmp(before[lane],
                              warp->bases[0] + (insn->operands[1] & ~(uint32_t)3) +
                                  (size_t)lane * insn->register_bytes,
                              bytes) != 0;
    }
    return changes;
}

/* Replaces the executor of every instruction with an effect while a window is open. */
static void watch(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    struct spin_deadlock *spin_deadlock = warp->host_thread->spin_deadlock;
    uint32_t pc = insn_pc(warp, insn);
    enum isa_effect effect = (enum isa_effect)spin_deadlock->effects[pc];
    sim_executor *execute = spin_deadlock->code[pc].execute;
    struct watched_block *watched = seen_block(spin_deadlock, warp);
    device_address addresses[WARP_LANES];
    if (effect == EFFECT_LOAD || effect == EFFECT_STORE || effect == EFFECT_ATOMIC)
        access_addresses(warp, insn->operands[0], insn->address32, insn->offset, addresses);
    if (watched && (effect == EFFECT_LOAD || effect == EFFECT_STORE || effect == EFFECT_ATOMIC))
        touch_local(watched, warp, insn, lanes, addresses, effect == EFFECT_STORE);
    bool changes = effect == EFFECT_CHANGE;
    spin_deadlock->clock |= effect == EFFECT_CLOCK;
    if (effect == EFFECT_STORE)
        changes = store_changes(warp, insn, lanes, addresses);
    bool global = (effect == EFFECT_LOAD || effect == EFFECT_ATOMIC) &&
                  reads_global(warp, insn, lanes, addresses);
    if (effect == EFFECT_ATOMIC)
        changes = atomic_changes(warp, insn, lanes, addresses, execute);
    else
        execute(warp, insn, lanes);
    if (!watched)
        return;
    watched->changed |= changes;
    watched->global |= global;
    /* a loop on its own variable waits for no other thread: it is no deadlock, and runs out of its
     * budget */
    bool own = effect == EFFECT_LOAD && space_at(warp, insn, (unsigned)__builtin_ctz(lanes),
                                                 warp->poll.address) == SPACE_LOCAL;
    if (warp->poll.pc == pc && !own)
        spin_deadlock_note_poll(watched, warp, lanes);
}

void spin_deadlock_note_change(const struct warp *warp) {
    const struct spin_deadlock *spin_deadlock = warp->host_thread->spin_deadlock;
    struct watched_block *watched =
        spin_deadlock && spin_deadlock->window ? seen_block(spin_deadlock, warp) : NULL;
    if (watched)
        watched->changed = true;
}

/* The launch executes through watch() what has an effect, or no longer does. Only one host thread
 * runs, and none of its blocks. */
static void set_watch(struct spin_deadlock *spin_deadlock, bool on) {
    spin_deadlock->host_thread->launch->laid_out.code =
        on ? spin_deadlock->watched : spin_deadlock->code;
}

/* ---- rounds -----------------------------------------------------------------------------------
 */

struct spin_deadlock *spin_deadlock_create(struct host_thread *host_thread, size_t limit) {
    struct spin_deadlock *spin_deadlock = mem_zalloc(sizeof *spin_deadlock);
    spin_deadlock->host_thread = host_thread;
    spin_deadlock->next = FIRST_WINDOW;
    spin_deadlock->limit = limit;
    host_thread->spin_deadlock = spin_deadlock;
    return spin_deadlock;
}

void spin_deadlock_free(struct spin_deadlock *spin_deadlock) {
    spin_deadlock_note_progress(spin_deadlock);
    spin_deadlock->host_thread->spin_deadlock = NULL;
    free(spin_deadlock->effects);
    free(spin_deadlock->watched);
    free(spin_deadlock->blocks);
    free(spin_deadlock);
}

/* Most launches never come here: what a window needs is made with the first one. */
static void prepare(struct spin_deadlock *spin_deadlock) {
    if (spin_deadlock->effects)
        return;
    const struct program *program = &spin_deadlock->host_thread->launch->laid_out;
    spin_deadlock->effects = mem_calloc(program->length, sizeof *spin_deadlock->effects);
    spin_deadlock->code = program->code;
    spin_deadlock->watched = mem_dup(program->code, program->length * sizeof *program->code);
    spin_deadlock->blocks = mem_calloc(spin_deadlock->limit, sizeof *spin_deadlock->blocks);
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        bool runs = insn->flow == FLOW_EXECUTE || insn->flow == FLOW_WARP_SYNC;
        bool watched = runs && !program->origins[pc].parameter;
        spin_deadlock->effects[pc] = watched ? insn_operation(insn)->effect : EFFECT_NONE;
        if (spin_deadlock->effects[pc] != EFFECT_NONE)
            spin_deadlock->watched[pc].execute = watch;
    }
}

static void end_watch(struct spin_deadlock *spin_deadlock) {
    if (!spin_deadlock->window)
        return;
    set_watch(spin_deadlock, false);
    for (size_t i = 0; i < spin_deadlock->limit; i++)
        spin_deadlock_local_close(&spin_deadlock->blocks[i]);
    spin_deadlock->window = 0;
}

void spin_deadlock_note_progress(struct spin_deadlock *spin_deadlock) {
    end_watch(spin_deadlock);
    spin_deadlock->rounds = 0;
    spin_deadlock->next = FIRST_WINDOW;
}

static void open_window(struct spin_deadlock *spin_deadlock, struct block *const *blocks,
                        const bool *busy, size_t count) {
    prepare(spin_deadlock);
    spin_deadlock->window = 1;
    spin_deadlock->clock = false;
    spin_deadlock->hash = 0;
    for (size_t i = 0; i < spin_deadlock->limit; i++) {
        struct watched_block *watched = &spin_deadlock->blocks[i];
        memset(watched, 0, sizeof *watched);
        if (i >= count || !busy[i])
            continue;
        watched->block = blocks[i];
        spin_deadlock_local_open(watched, count);
        watched->hash = hash_block(watched);
        spin_deadlock->hash = mix(spin_deadlock->hash, watched->hash);
    }
    set_watch(spin_deadlock, true);
}

static void close_window(struct spin_deadlock *spin_deadlock) {
    end_watch(spin_deadlock);
    spin_deadlock->next = spin_deadlock->rounds * WINDOW_FACTOR;
}

/* Lanes that wait at a join go on without the others where those never come: let them first. */
static bool release_joins(struct block *block) {
    bool released = false;
    for (unsigned i = 0; i < block->warp_count; i++)
        released |= split_release_join(&block->warps[i]);
    return released;
}

/* A thread that waits and reads the clock may give up after a time-out, and nothing else can
 * happen: the clock jumps forward, farther each round, past any time-out in ticks of 32 or 64 bits.
 */
static bool time_is_over(struct spin_deadlock *spin_deadlock) {
    unsigned leap = FIRST_LEAP + spin_deadlock->window;
    if (!spin_deadlock->clock)
        return true;
    spin_deadlock->host_thread->launch->clock_leapt += (uint64_t)1
                                                       << (leap < LAST_LEAP ? leap : LAST_LEAP);
    return spin_deadlock->window >= CLOCK_ROUNDS;
}

size_t spin_deadlock_check(struct spin_deadlock *spin_deadlock, struct block *const *blocks,
                           const bool *busy, size_t count, bool all_started, bool *ended) {
    memset(ended, 0, count * sizeof *ended);
    spin_deadlock->rounds++;
    if (!spin_deadlock->window) {
        if (spin_deadlock->rounds >= spin_deadlock->next)
            open_window(spin_deadlock, blocks, busy, count);
        return 0;
    }
    bool again[MAX_COOPERATIVE_BLOCKS], quiet = all_started, hopeless = true;
    bool over = time_is_over(spin_deadlock);
    for (size_t i = 0; i < count; i++)
        quiet &= !busy[i] || !spin_deadlock->blocks[i].changed;
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        const struct watched_block *watched = &spin_deadlock->blocks[i];
        bool alone = busy[i] && !watched->changed && !watched->global;
        uint64_t hash = busy[i] && (alone || quiet) ? hash_block(watched) : 0;
        all = busy[i] ? mix(all, hash) : all;
        again[i] = alone && over && hash == watched->hash && spin_deadlock_all_poll(watched) &&
                   spin_deadlock_local_same(watched);
        hopeless &= !alone && !quiet;
    }
    quiet &= over && all == spin_deadlock->hash;
    for (size_t i = 0; i < count && quiet; i++)
        quiet = !busy[i] || (spin_deadlock_all_poll(&spin_deadlock->blocks[i]) &&
                             spin_deadlock_local_same(&spin_deadlock->blocks[i]));
    size_t ended_count = 0;
    bool released = false;
    for (size_t i = 0; i < count; i++) {
        if (!busy[i] || !(again[i] || quiet))
            continue;
        released |= release_joins(blocks[i]);
        ended[i] = true;
        ended_count++;
    }
    if (released) {
        memset(ended, 0, count * sizeof *ended);
        spin_deadlock_note_progress(spin_deadlock);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        if (ended[i])
            spin_deadlock_report(&spin_deadlock->blocks[i], quiet && !again[i]);
    if (ended_count)
        spin_deadlock_note_progress(spin_deadlock);
    else if (hopeless || ++spin_deadlock->window > WINDOW_ROUNDS)
        close_window(spin_deadlock);
    return ended_count;
}
