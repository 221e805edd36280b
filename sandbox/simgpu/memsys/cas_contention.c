/* How often lanes try that compare and swap until they succeed.
 *
 * Blocks that are simulated one after the other meet nobody; on a card all lanes that run want
 * their words at once. A success on a word makes the values stale that all others hold who want it,
 * and each of those tries once in vain before it can succeed: were the order kept, c lanes would
 * make c tries of each success, and half as many on average, since warps wait for their last lane.
 * Not all come to try in that time: a warp that has just failed is often before those that wait for
 * longer, the more so the more warps an SM has. The share that does is measured.
 *
 * Who wants a word at a time follows from who has got it in the end: of the lanes that run at a
 * time each wants one, for the part of the launch in which atomics keep it, or in which the word
 * itself does. Words beyond those that are kept are so many that few want the same. */
#include "sandbox/simgpu/memsys/cas_contention.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/value_index.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SLOTS = 1 << 16, MOST_WORDS = WORD_SLOTS / 4 * 3, BLOCK_SLOTS = 1 << 12, WARPS = 32 };
enum { MOST_FOLLOWED = 32 };

/* Tries of each success over half of the lanes that want the word, for warps on an SM: measured
 * with 1 to 64, within 25 %: 0.70 (1 warp), 0.83 (2), 0.67 (4), 0.71 (8), 0.51 (16), 0.63 (32),
 * 0.37 and 0.41 (62 and 64). Probe swaps. */
static const double TRYING = 0.85, TRYING_POWER = -0.15;

struct word {
    device_address address;
    double won, won_squares; /* sums of the blocks' weights, and of their squares */
    double tries;
};

struct tried {      /* lanes that have, of a block */
    uint64_t block; /* plus 1 */
    lane_mask lanes[WARPS];
};

struct cas_contention {
    bool *is_cas_loop; /* by pc */
    struct word *words;
    size_t word_count;
    struct tried *tried;          /* of blocks that run side by side, by their index */
    double lanes, warps, won;     /* all that have tried, and all successes */
    device_address addresses[32]; /* of the request under way ... */
    lane_mask trying;             /* ... whose lanes have not been told what came of it */
};

/* ---- which ones ------------------------------------------------------------------------------ */

/* Values that follow from a swap's result. */
struct followed {
    uint32_t values[MOST_FOLLOWED];
    size_t cursors[MOST_FOLLOWED]; /* the next instruction that reads each */
    unsigned count;
    bool full; /* there may be more */
};

static bool is_followed(const struct followed *followed, uint32_t value) {
    for (unsigned i = 0; i < followed->count; i++)
        if (followed->values[i] == value)
            return true;
    return false;
}

/* From the instruction `from` on. */
static void follow(struct followed *followed, const struct value_index *index, uint32_t value,
                   uint32_t from) {
    if (is_followed(followed, value))
        return;
    if (followed->count == MOST_FOLLOWED) {
        followed->full = true;
        return;
    }
    followed->values[followed->count] = value;
    followed->cursors[followed->count++] = value_uses_from(&index->reads, value, from);
}

/* The next instruction up to `last` that reads a followed value; false: there is none. */
static bool next_reader(struct followed *followed, const struct value_index *index, uint32_t last,
                        uint32_t *pc) {
    const struct value_uses *reads = &index->reads;
    *pc = UINT32_MAX;
    for (unsigned i = 0; i < followed->count; i++) {
        size_t at = followed->cursors[i];
        if (at < reads->count && reads->items[at].value == followed->values[i] &&
            reads->items[at].pc < *pc)
            *pc = reads->items[at].pc;
    }
    if (*pc > last)
        return false;
    for (unsigned i = 0; i < followed->count; i++) {
        size_t at = followed->cursors[i];
        followed->cursors[i] += at < reads->count &&
                                reads->items[at].value == followed->values[i] &&
                                reads->items[at].pc == *pc;
    }
    return true;
}

struct loop { /* a branch back */
    uint32_t first, last;
};

/* Whether values that follow from the result of the swap at `pc` decide about a branch in the loop
 * and are what is compared with. Where it is always compared with the same, lanes wait
 * (block_dependency.c). *full: there may be more values than were followed. */
static bool decides(const struct program *program, const struct value_index *index,
                    const struct loop *loop, uint32_t pc, bool *full) {
    enum { ROUNDS = 2 };
    const uint32_t *operands = program->code[pc].operands;
    struct followed followed = {0};
    bool branch = false;
    follow(&followed, index, operands[1], loop->first);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t at;
        for (unsigned i = 0; i < followed.count; i++)
            followed.cursors[i] = value_uses_from(&index->reads, followed.values[i], loop->first);
        while (next_reader(&followed, index, loop->last, &at)) {
            const struct insn *insn = &program->code[at];
            struct instruction_values values;
            instruction_values_of(program, at, &values);
            for (unsigned i = 0; i < values.destination_count; i++)
                follow(&followed, index, values.destinations[i], at + 1);
            branch |= insn->flow == FLOW_BRANCH && insn->guard != GUARD_NONE &&
                      is_followed(&followed, insn->guard & ~(uint32_t)OPERAND_NEGATED);
            if (branch && is_followed(&followed, operands[2]))
                return true;
        }
    }
    *full |= followed.full;
    return branch && is_followed(&followed, operands[2]);
}

bool cas_contention_is_cas(const struct program *program, uint32_t pc) {
    return insn_op(&program->code[pc]) == OP_atomic_cas;
}

static int compare_loops(const void *a, const void *b) {
    const struct loop *x = a, *y = b;
    return x->last > y->last ? -1 : x->last < y->last;
}

/* All loops, those that end last first. */
static struct loop *find_loops(const struct program *program, size_t *count) {
    struct loop *loops = mem_calloc(program->length + 1, sizeof *loops);
    *count = 0;
    for (uint32_t at = 0; at < program->length; at++) {
        const struct insn *insn = &program->code[at];
        if (insn->flow == FLOW_BRANCH && (uint32_t)insn->target <= at)
            loops[(*count)++] = (struct loop){(uint32_t)insn->target, at};
    }
    if (*count)
        qsort(loops, *count, sizeof *loops, compare_loops);
    return loops;
}

/* Whether the swap is in a loop that its result decides about, and in which nothing changes its
 * address. A loop inside another one shows no more than that does, unless there was more to follow
 * than there is room for. */
static bool is_retried(const struct program *program, const struct value_index *index,
                       const struct loop *loops, size_t count, uint32_t pc) {
    uint32_t address = program->code[pc].operands[0];
    bool full = false;
    for (unsigned inner = 0; inner < 2; inner++) {
        uint32_t widest = UINT32_MAX; /* where the widest loop so far begins */
        for (size_t i = 0; i < count && loops[i].last >= pc; i++) {
            const struct loop *loop = &loops[i];
            if (loop->first > pc || (!inner && loop->first >= widest) ||
                value_uses_within(&index->writes, address, loop->first, loop->last))
                continue;
            widest = loop->first;
            if (decides(program, index, loop, pc, &full))
                return true;
        }
        if (!full)
            return false;
    }
    return false;
}

static bool find_cas_loops(const struct program *program, bool *is_cas_loop) {
    bool any = false, swaps = false;
    for (uint32_t pc = 0; pc < program->length; pc++)
        swaps |= cas_contention_is_cas(program, pc);
    if (!swaps)
        return false;
    struct value_index index;
    size_t count;
    cleanup_free struct loop *loops = find_loops(program, &count);
    value_index_open(&index, program);
    for (uint32_t pc = 0; pc < program->length; pc++)
        any |= is_cas_loop[pc] =
            cas_contention_is_cas(program, pc) && is_retried(program, &index, loops, count, pc);
    value_index_close(&index);
    return any;
}

struct cas_contention *cas_contention_create(const struct program *program) {
    cleanup_free bool *is_cas_loop = mem_calloc(program->length + 1, sizeof *is_cas_loop);
    if (!find_cas_loops(program, is_cas_loop))
        return NULL;
    struct cas_contention *swaps = mem_zalloc(sizeof *swaps);
    swaps->is_cas_loop = steal_pointer(&is_cas_loop);
    swaps->words = mem_calloc(WORD_SLOTS, sizeof *swaps->words);
    swaps->tried = mem_calloc(BLOCK_SLOTS, sizeof *swaps->tried);
    return swaps;
}

void cas_contention_free(struct cas_contention *swaps) {
    if (!swaps)
        return;
    free(swaps->is_cas_loop);
    free(swaps->words);
    free(swaps->tried);
    free(swaps);
}

/* ---- what they do ---------------------------------------------------------------------------- */

/* NULL where it is new and there are too many. Addresses are never 0. */
static struct word *word_of(struct cas_contention *swaps, device_address address) {
    size_t at = (size_t)(address * 0x9e3779b97f4a7c15u >> 48) % WORD_SLOTS;
    while (swaps->words[at].address && swaps->words[at].address != address)
        at = (at + 1) % WORD_SLOTS;
    if (!swaps->words[at].address) {
        if (swaps->word_count >= MOST_WORDS)
            return NULL;
        swaps->words[at].address = address;
        swaps->word_count++;
    }
    return &swaps->words[at];
}

void cas_contention_note_try(struct cas_contention *swaps, const struct warp *warp, uint32_t pc,
                             lane_mask lanes, const device_address *addresses) {
    const struct block *block = warp->block;
    if (!swaps || !swaps->is_cas_loop[pc])
        return;
    struct tried *tried = &swaps->tried[block->index % BLOCK_SLOTS];
    if (tried->block != block->index + 1)
        *tried = (struct tried){.block = block->index + 1};
    lane_mask *seen = &tried->lanes[warp->index % WARPS];
    swaps->warps += *seen ? 0 : block->weight;
    swaps->lanes += block->weight * __builtin_popcount(lanes & ~*seen);
    *seen |= lanes;
    swaps->trying = lanes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        swaps->addresses[lane] = addresses[lane];
        struct word *word = word_of(swaps, addresses[lane]);
        if (word)
            word->tries += block->weight;
    }
}

void cas_contention_note_won(struct cas_contention *swaps, const struct warp *warp, uint32_t pc,
                             lane_mask lanes) {
    double weight = warp->block->weight;
    if (!swaps || !swaps->is_cas_loop[pc])
        return;
    lanes &= swaps->trying; /* the others swap in shared memory */
    swaps->trying = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        struct word *word = word_of(swaps, swaps->addresses[__builtin_ctz(rest)]);
        swaps->won += weight;
        if (!word)
            continue;
        word->won += weight;
        word->won_squares += weight * weight;
    }
}

/* ---- what the grid does ---------------------------------------------------------------------- */

double cas_contention_extra_tries(const struct cas_contention *swaps,
                                  const struct cas_contention_input *crowd,
                                  void (*add)(void *context, device_address address, double tries),
                                  void *context) {
    double longest = 0;
    if (!swaps || swaps->won <= 0 || swaps->lanes <= 0)
        return 0;
    double at_once = crowd->resident * swaps->lanes / swaps->won; /* of those who succeed */
    double warps = fmax(1, crowd->resident * swaps->warps / crowd->sms);
    double trying = TRYING * pow(warps, TRYING_POWER) / 2;
    double atomics = fmin(1, crowd->atomics / crowd->clocks);
    for (size_t i = 0; i < WORD_SLOTS; i++) {
        const struct word *word = &swaps->words[i];
        double turns = word->won * crowd->turnround;
        if (turns <= 0)
            continue;
        longest = fmax(longest, turns);
        double wanted = fmax(atomics, 1 - crowd->clocks / turns);
        /* others of each success: of a sample, a block stands for several, but not for itself */
        double others = fmax(0, word->won * word->won - word->won_squares) / word->won * at_once;
        double tries = word->won * (1 + wanted * trying * others);
        if (tries > word->tries)
            add(context, word->address, tries - word->tries);
    }
    return longest;
}
