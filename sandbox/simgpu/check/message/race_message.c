/* Messages that can be read too early.
 *
 * Strong accesses (atomic, volatile, relaxed) to one place are no race, but nothing orders those to
 * two places: of data and flag, written one after the other, another block may see the flag first
 * (PTX ISA 8.9, causality order: only a fence, a release or an atomic after a fence hands on what
 * came before it). The simulated memory never does that, so that no schedule would show it. Found
 * is therefore the pattern: a thread has waited for a word that a block wrote (message_classify.c),
 * and then fetches another word that the same block wrote before the flag, or beside it, without an
 * order between the write and the fetch. A thread that looks at the word once, and fetches only
 * where it has found something there, does the same.
 *
 * It is none where the order of the writes does not matter:
 * - the data is one word with the flag, or has itself been waited for: a place is coherent;
 * - the data is a maximum, a minimum or a set of bits that atomics change: who reads it, takes what
 *   is there;
 * - the data was written when the block that set the flag had passed another fence or barrier: that
 *   is no part of the message.
 *
 * A sequence lock is a message the other way round: the reader looks again at the number when it
 * has read the data (confirmed_load.c). That proves nothing where the second look may come before
 * the reads, or where data may be seen that was written after a number that is not seen yet: both
 * sides need a fence in between.
 *
 * A block remembers for each word that it has waited for, and for each block that had written
 * there, its last such access; and for each block what it has read of it that is to be confirmed.
 */
#include "sandbox/simgpu/check/race_join.h"

#include "sandbox/simgpu/check/block_order.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, MOST_CAPACITY = 1 << 14, MOST_STEPS = 1 << 20 };
#define KEY_BLOCK ((uint64_t)1 << 63) /* a block's number, not a word's */
#define KEY_WORD  ((uint64_t)1 << 62)
#define KEY_READ  ((uint64_t)1 << 61) /* a block that has written what is to be confirmed */

struct wait {
    uint64_t key; /* 0: free */
    uint32_t block, store_pc, store_time;
    struct access_record own; /* that found it, by these lanes */
};

struct race_messages {
    struct wait *waits; /* a hash table, at most half full */
    size_t count, capacity;
    bool full; /* something is forgotten: nothing is certain any more */
};

static uint64_t word_key(const struct race_walk *walk, uint64_t word) {
    return KEY_WORD | (uint64_t)walk->window->allocation << 40 | word;
}

static struct wait *find(const struct race_messages *messages, uint64_t key) {
    size_t at = mix_word(key, 0) & (messages->capacity - 1);
    while (messages->waits[at].key && messages->waits[at].key != key)
        at = (at + 1) & (messages->capacity - 1);
    return &messages->waits[at];
}

static void grow(struct race_messages *messages) {
    struct race_messages old = *messages;
    messages->capacity *= 2;
    messages->waits = mem_calloc(messages->capacity, sizeof *messages->waits);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.waits[i].key)
            *find(messages, old.waits[i].key) = old.waits[i];
    free(old.waits);
}

static void note(struct race_messages *messages, uint64_t key, const struct race_walk *walk,
                 lane_mask lanes, const struct access_record *other) {
    if (2 * messages->count >= messages->capacity) {
        if (messages->capacity == MOST_CAPACITY) {
            messages->full = true;
            return;
        }
        grow(messages);
    }
    struct wait *wait = find(messages, key);
    const struct access_record *own = race_record_at(walk->warp, false, walk->number);
    bool again = wait->key && wait->own.pc == own->pc && wait->own.warp == own->warp &&
                 wait->own.time == own->time && wait->store_time == other->time;
    lanes |= again ? wait->own.lanes : 0;
    messages->count += !wait->key;
    *wait = (struct wait){.key = key,
                          .block = other->block,
                          .store_pc = other->pc,
                          .store_time = other->time,
                          .own = *own};
    wait->own.lanes = lanes;
}

static struct race_messages *messages_of(struct block *block) {
    struct block_races *races = &block->races;
    if (!races->messages) {
        races->messages = mem_zalloc(sizeof *races->messages);
        races->messages->capacity = FIRST_CAPACITY;
        races->messages->waits = mem_calloc(FIRST_CAPACITY, sizeof *races->messages->waits);
    }
    return races->messages;
}

/* A store, or a sum to which something is added: not what only grows or falls to the best so far.
 */
static bool is_store(const struct insn *insn) {
    enum isa_op op = insn_op(insn);
    return insn->cost == COST_STORE || op == OP_atomic_exch || op == OP_atomic_add;
}

/* Else it was looked at once. */
static bool is_wait(const struct insn *insn) {
    return insn->extra & (EXTRA_WAITS | EXTRA_ARRIVES);
}

void race_message_note(const struct race_walk *walk, lane_mask lanes, uint64_t word,
                       const struct access_record *other) {
    struct race_messages *messages = messages_of(walk->warp->block);
    if (walk->insn->extra & EXTRA_WAITS)
        block_order_note_wait(walk->warp, walk->insn, other);
    note(messages, word_key(walk, word), walk, lanes, other);
    const struct wait *before = find(messages, KEY_BLOCK | other->block);
    const struct insn *code = walk->warp->block->launch->program->code;
    if (is_wait(walk->insn) || !before->key || !is_wait(&code[before->own.pc]))
        note(messages, KEY_BLOCK | other->block, walk, lanes, other);
}

/* Has the thread looked itself, by what orders nothing, since the last barrier of its block? */
static bool is_own_look(const struct warp *warp, unsigned lane, const struct access_record *look) {
    const struct insn *insn = &warp->block->launch->program->code[look->pc];
    return insn->cost == COST_LOAD && insn->order < ORDER_ACQUIRE &&
           look->warp == (warp->index & 31) && look->lanes >> lane & 1 &&
           look->time >= warp->block->races.barrier_time;
}

bool race_message_meet(const struct race_walk *walk, unsigned lane, uint64_t word,
                       const struct access_record *other, struct race_flag *flag) {
    const struct block *block = walk->warp->block;
    const struct race_messages *messages = block->races.messages;
    if (!messages || messages->full || !is_store(&block->launch->program->code[other->pc]))
        return false;
    const struct wait *announced = find(messages, KEY_BLOCK | other->block);
    if (!announced->key || other->time > announced->store_time)
        return false;
    const struct wait *same = find(messages, word_key(walk, word));
    if (same->key && same->block == other->block && same->store_time >= other->time)
        return false;
    lane_mask waited = announced->own.lanes;
    if (waited && race_unordered(walk->warp, lane, &announced->own, waited, true) == waited)
        return false; /* it was another thread that has waited */
    const struct program *program = block->launch->program;
    uint64_t budget = MOST_STEPS;
    if (!is_wait(&program->code[announced->own.pc]) &&
        !load_guards(program, announced->own.pc, insn_pc(walk->warp, walk->insn), &budget))
        return false;
    *flag = (struct race_flag){FLAG_EARLY, announced->store_pc, announced->own.pc,
                               is_own_look(walk->warp, lane, &announced->own)};
    return true;
}

/* The newest of a block's writes counts: what was written before it is as old or older. */
void race_message_note_confirmed(const struct race_walk *walk, lane_mask lanes,
                                 const struct access_record *other) {
    struct race_messages *messages = messages_of(walk->warp->block);
    struct wait *before = find(messages, KEY_READ | other->block);
    struct access_record newest = *other;
    if (before->key && before->store_time > other->time) {
        newest.time = before->store_time;
        newest.pc = before->store_pc & 0x3fffff;
    }
    note(messages, KEY_READ | other->block, walk, lanes, &newest);
}

bool race_message_confirms_nothing(const struct race_walk *walk, unsigned lane,
                                   const struct access_record *other, bool unordered,
                                   struct race_flag *flag) {
    const struct warp *warp = walk->warp;
    const struct block_races *races = &warp->block->races;
    if (!races->messages || races->messages->full)
        return false;
    const struct wait *read = find(races->messages, KEY_READ | other->block);
    if (!read->key || read->own.warp != (warp->index & 31) || !(read->own.lanes >> lane & 1))
        return false;
    *flag = (struct race_flag){FLAG_READER, read->store_pc, read->own.pc, false};
    const struct insn *code = warp->block->launch->program->code;
    if (code[read->own.pc].order < ORDER_ACQUIRE && races->barrier_time <= read->own.time &&
        warp->fences[REACH_DEVICE].time[lane] <= read->own.time)
        return true;
    flag->kind = FLAG_WRITER;
    /* a release counts as what comes after it, and without a fence nothing tells times apart */
    bool before = other->time < read->store_time ||
                  (other->time == read->store_time && code[other->pc].order < ORDER_RELEASE);
    return unordered && before;
}

void race_messages_forget(struct block *block) {
    struct race_messages *messages = block->races.messages;
    if (!messages)
        return;
    memset(messages->waits, 0, messages->capacity * sizeof *messages->waits);
    messages->count = 0;
    messages->full = false;
}

void race_messages_free(struct block *block) {
    if (block->races.messages)
        free(block->races.messages->waits);
    free(block->races.messages);
    block->races.messages = NULL;
}
