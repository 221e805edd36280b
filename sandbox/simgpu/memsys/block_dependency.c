/* Blocks that wait for words of other blocks: look-back, flags, locks, barriers by hand.
 *
 * While the blocks run, it is noted which of them shows a word (a store or an atomic) and which one
 * looks at it (a volatile or ordered load that decides something, or an atomic that only tests).
 * The replay runs no block against another; it knows how long a block takes from one of these
 * events to the next. Both together are a graph, walked once in the order in which the events
 * happened here: a block that looks goes on when what it found has been shown, and has come through
 * the L2. What the launch lasts longer by that than the same graph without any waiting is the
 * result.
 *
 * Here one block runs after the other, so that it finds the newest of what a block has stored to a
 * word one after the other. Whether the first would have been enough is not known; it is taken to
 * be, which may leave a wait out and makes up none. Look-back is what it looks like: a block shows
 * a word, looks at others in a loop that goes from word to word, and shows its own again. Who only
 * finds the first of the two has to look where that block did, and so on: blocks that start
 * together all look far back. Atomics count on what was there, and only the last one is what is
 * waited for. Where there is too much to remember, no block waits. */
#include "sandbox/simgpu/memsys/block_dependency.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/value_index.h"
#include "sandbox/simgpu/sass/sass_model_private.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_EVENTS = 1 << 22,
    MOST_WORDS = 1 << 20,
    EVENT_START = UINT32_MAX, /* instead of a pc */
    EVENT_END = UINT32_MAX - 1,
    EVENT_VOID = UINT32_MAX - 2, /* looked again */
};

enum access_kind {
    ACCESS_NONE,
    ACCESS_LOOK,
    ACCESS_TEST,
    ACCESS_CLAIM, /* a test that asks once, and goes on whatever the answer is */
    ACCESS_STORE,
    ACCESS_WEAK,
    ACCESS_ATOMIC
};

struct dependency_event {
    uint32_t block; /* by the order in which they started */
    uint32_t pc;
    uint32_t need, need_count; /* events that it waits for */
    uint32_t newer;            /* the next one that changed the same word; 0: none */
    uint32_t whole; /* a first store: its block's second one to the word, after a look back */
    uint32_t look;  /* ... that look */
};

struct shown_word { /* by hash of its address; event 0: none (that one is a block's start) */
    uint64_t word;
    uint32_t event, first;
    bool stored;
};

struct dependency_block { /* by slot */
    uint32_t number;
    uint32_t event; /* its last one */
    device_address looked;
    uint32_t found; /* who had changed the word */
    bool spins;     /* that event only looked, there */
    uint32_t asked; /* its last event that looked back */
};

struct block_dependency {
    const struct program *program;
    uint8_t *kinds, *roles; /* by pc */
    uint64_t *values;       /* by pc: what a test compares with, or writes */
    bool *walks;            /* by pc: a load that looks at another word in each turn of a loop */
    uint32_t *behind;       /* ... and the pc of the event that followed it */
    bool *looked;           /* by window: some thread has looked there */
    struct dependency_event *events;
    size_t event_count, event_capacity;
    uint32_t *needs;
    size_t need_count, need_capacity;
    struct shown_word *words;
    size_t word_count, word_capacity; /* a power of two */
    struct dependency_block *blocks;
    size_t block_count, block_capacity;
    uint32_t started;
    bool full;
};

/* ---- which instructions ------------------------------------------------------------------------
 */

/* Whether another instruction reads the atomic's result. */
static bool is_read(const struct program *program, const struct value_index *index, uint32_t pc) {
    uint32_t result = program->code[pc].operands[1];
    return (pc > 0 && value_uses_within(&index->reads, result, 0, pc - 1)) ||
           value_uses_within(&index->reads, result, pc + 1, UINT32_MAX);
}

/* Where an operand's constant lies, in the instruction or moved to a register that has no other
 * value; OPERAND_NONE: it is no constant. */
static uint32_t constant_of(const struct program *program, const struct value_index *index,
                            uint32_t pc, uint32_t operand) {
    if (operand == OPERAND_NONE || operand & OPERAND_CONSTANT)
        return operand;
    const struct value_uses *writes = &index->writes;
    size_t function = program_function_at(program, pc);
    uint32_t found = OPERAND_NONE;
    for (size_t i = value_uses_from(writes, operand, 0);
         i < writes->count && writes->items[i].value == operand; i++) {
        uint32_t other = writes->items[i].pc;
        if (program_function_at(program, other) != function)
            continue;
        bool moves = insn_has(&program->code[other], TRAIT_MOVES);
        if (found != OPERAND_NONE || !moves)
            return OPERAND_NONE;
        found = program->code[other].operands[1];
    }
    return found != OPERAND_NONE && found & OPERAND_CONSTANT ? found : OPERAND_NONE;
}

static uint64_t constant_at(const struct program *program, uint32_t operand, unsigned bytes) {
    uint64_t value = 0;
    size_t at = operand & ~(uint32_t)3;
    if (at + bytes <= program->constant_bytes)
        memcpy(&value, program->constants + at, bytes);
    return value;
}

static unsigned bytes_of(const struct insn *insn) {
    unsigned bits = ptx_type_bits((enum ptx_type)insn->type);
    return bits > 64 ? 8 : bits / 8;
}

/* An atomic that writes the same whatever it has found, or nothing: it asks how things stand. What
 * it compares with, or writes, is *value. */
static bool is_test(const struct program *program, const struct value_index *index, uint32_t pc,
                    uint64_t *value) {
    const struct insn *insn = &program->code[pc];
    if (insn->operands[1] == OPERAND_NONE || !is_read(program, index, pc))
        return false;
    uint32_t first = constant_of(program, index, pc, insn->operands[2]);
    if (first == OPERAND_NONE)
        return false;
    *value = constant_at(program, first, bytes_of(insn));
    enum isa_op op = insn_op(insn);
    if (op == OP_atomic_cas)
        return constant_of(program, index, pc, insn->operands[3]) != OPERAND_NONE;
    return op == OP_atomic_exch || (*value == 0 && (op == OP_atomic_add || op == OP_atomic_or));
}

static enum access_kind kind_of(const struct program *program, const struct value_index *index,
                                uint32_t pc, uint64_t *value) {
    const struct insn *insn = &program->code[pc];
    if (insn->space == SPACE_SHARED || insn->space == SPACE_LOCAL || insn->space == SPACE_CONST)
        return ACCESS_NONE;
    if (insn->cost == COST_ATOMIC && !is_test(program, index, pc, value))
        return ACCESS_ATOMIC;
    if (insn->cost == COST_ATOMIC)
        return insn->extra & EXTRA_WAITS ? ACCESS_TEST : ACCESS_CLAIM;
    if (insn->cost == COST_STORE)
        return insn_is_strong(insn) ? ACCESS_STORE : ACCESS_WEAK;
    bool looks = insn->cost == COST_LOAD && insn_is_strong(insn) && insn->order != ORDER_GUESS;
    return looks && insn->extra & EXTRA_WAITS ? ACCESS_LOOK : ACCESS_NONE;
}

/* Whether a loop around the instruction changes its address. */
static bool walks_along(const struct program *program, const struct value_index *index,
                        uint32_t pc) {
    uint32_t address = program->code[pc].operands[0];
    for (uint32_t branch = pc; branch < program->length; branch++) {
        const struct insn *insn = &program->code[branch];
        if (insn->flow == FLOW_BRANCH && insn->target <= (int64_t)pc &&
            value_uses_within(&index->writes, address, (uint32_t)insn->target, branch))
            return true;
    }
    return false;
}

struct block_dependency *block_dependency_create(const struct launch *launch) {
    static const uint8_t roles[] = {
        [ACCESS_LOOK] = DEPENDENCY_POLL,     [ACCESS_TEST] = DEPENDENCY_TEST,
        [ACCESS_CLAIM] = DEPENDENCY_PUBLISH, [ACCESS_STORE] = DEPENDENCY_PUBLISH,
        [ACCESS_WEAK] = DEPENDENCY_NONE,     [ACCESS_ATOMIC] = DEPENDENCY_PUBLISH};
    const struct program *program = launch->program;
    if (!program->blocks_communicate || launch->sample)
        return NULL;
    struct block_dependency *dependency = mem_zalloc(sizeof *dependency);
    bool any = false;
    dependency->program = program;
    dependency->kinds = mem_alloc(program->length + 1);
    dependency->roles = mem_alloc(program->length + 1);
    dependency->values = mem_calloc(program->length + 1, sizeof *dependency->values);
    dependency->walks = mem_calloc(program->length + 1, sizeof *dependency->walks);
    dependency->behind = mem_calloc(program->length + 1, sizeof *dependency->behind);
    dependency->looked = mem_calloc(launch->allocation_count + 1, sizeof *dependency->looked);
    struct value_index index;
    value_index_open(&index, program);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        dependency->kinds[pc] = (uint8_t)kind_of(program, &index, pc, &dependency->values[pc]);
        dependency->roles[pc] = roles[dependency->kinds[pc]];
        dependency->walks[pc] =
            dependency->kinds[pc] == ACCESS_LOOK && walks_along(program, &index, pc);
        any |= dependency->kinds[pc] == ACCESS_LOOK || dependency->kinds[pc] == ACCESS_TEST;
    }
    value_index_close(&index);
    if (any)
        return dependency;
    block_dependency_free(dependency);
    return NULL;
}

void block_dependency_free(struct block_dependency *dependency) {
    if (!dependency)
        return;
    free(dependency->kinds);
    free(dependency->roles);
    free(dependency->values);
    free(dependency->walks);
    free(dependency->behind);
    free(dependency->looked);
    free(dependency->events);
    free(dependency->needs);
    free(dependency->words);
    free(dependency->blocks);
    free(dependency);
}

const uint8_t *block_dependency_roles(const struct block_dependency *dependency) {
    return dependency->roles;
}

/* ---- events ------------------------------------------------------------------------------------
 */

/* The launch has more to remember than is allowed: its worker's memory is the submission's. */
static void give_up(struct block_dependency *dependency) {
    free(dependency->events);
    free(dependency->needs);
    free(dependency->words);
    dependency->events = NULL;
    dependency->needs = NULL;
    dependency->words = NULL;
    dependency->event_count = dependency->need_count = dependency->word_count = 0;
    dependency->full = true;
}

static uint32_t add_event(struct block_dependency *dependency, struct dependency_block *block,
                          uint32_t pc) {
    if (!dependency->full &&
        (dependency->event_count >= MOST_EVENTS || dependency->need_count >= MOST_EVENTS ||
         dependency->word_count >= MOST_WORDS))
        give_up(dependency);
    if (dependency->full)
        return 0;
    *mem_push(&dependency->events, &dependency->event_count, &dependency->event_capacity) =
        (struct dependency_event){
            .block = block->number, .pc = pc, .need = (uint32_t)dependency->need_count};
    block->event = (uint32_t)dependency->event_count - 1;
    block->spins = false;
    return block->event;
}

void block_dependency_start_block(const struct launch *launch, uint32_t slot) {
    struct block_dependency *dependency = launch->dependency;
    if (!dependency)
        return;
    while (dependency->block_count <= slot)
        *mem_push(&dependency->blocks, &dependency->block_count, &dependency->block_capacity) =
            (struct dependency_block){0};
    dependency->blocks[slot].number = dependency->started++;
    add_event(dependency, &dependency->blocks[slot], EVENT_START);
}

void block_dependency_end_block(const struct block *block) {
    struct block_dependency *dependency = block->launch->dependency;
    if (dependency)
        add_event(dependency, &dependency->blocks[block->slot], EVENT_END);
}

/* The word's place: its own or a free one. */
static struct shown_word *find_word(struct shown_word *words, size_t capacity, uint64_t word) {
    size_t at = (size_t)(word * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
    while (words[at].event && words[at].word != word)
        at = (at + 1) & (capacity - 1);
    return &words[at];
}

static void grow_words(struct block_dependency *dependency) {
    size_t capacity = dependency->word_capacity ? 2 * dependency->word_capacity : 1024;
    struct shown_word *words = mem_calloc(capacity, sizeof *words);
    for (size_t i = 0; i < dependency->word_capacity; i++)
        if (dependency->words[i].event)
            *find_word(words, capacity, dependency->words[i].word) = dependency->words[i];
    free(dependency->words);
    dependency->words = words;
    dependency->word_capacity = capacity;
}

static void show(struct block_dependency *dependency, const struct dependency_block *block,
                 uint64_t word, bool stores) {
    if (2 * dependency->word_count >= dependency->word_capacity)
        grow_words(dependency);
    struct shown_word *shown = find_word(dependency->words, dependency->word_capacity, word);
    dependency->word_count += !shown->event;
    bool own = shown->event && dependency->events[shown->event].block == block->number;
    if (own && stores && shown->stored) { /* the first one does, but in a look back */
        struct dependency_event *first = &dependency->events[shown->event];
        if (!first->whole && block->asked > shown->event) {
            first->whole = block->event;
            first->look = block->asked;
        }
        return;
    }
    dependency->events[shown->event].newer = block->event;
    uint32_t first = shown->event ? shown->first : block->event;
    *shown = (struct shown_word){word, block->event, first, stores};
}

/* Who has changed the word last. Where the block has looked before: the one who changed it next,
 * for others may have been here since then who came later. */
static uint32_t who_showed(const struct block_dependency *dependency,
                           const struct dependency_block *block, uint64_t word, bool again) {
    const struct shown_word *shown = find_word(dependency->words, dependency->word_capacity, word);
    if (!again || shown->stored)
        return shown->event;
    return block->found ? dependency->events[block->found].newer : shown->first;
}

static void look(struct block_dependency *dependency, struct dependency_block *block, uint64_t word,
                 bool again) {
    if (!dependency->word_capacity)
        return;
    uint32_t shown = who_showed(dependency, block, word, again);
    struct dependency_event *event = &dependency->events[block->event];
    bool known = event->need_count && dependency->needs[dependency->need_count - 1] == shown;
    block->found = find_word(dependency->words, dependency->word_capacity, word)->event;
    if (!shown || known || dependency->events[shown].block == block->number)
        return;
    *mem_push(&dependency->needs, &dependency->need_count, &dependency->need_capacity) = shown;
    event->need_count++;
}

/* Whether a test changes what it finds. */
static bool test_changes(const struct block_dependency *dependency, const struct warp *warp,
                         uint32_t pc, unsigned lane, device_address address) {
    const struct insn *insn = &dependency->program->code[pc];
    unsigned bytes = bytes_of(insn);
    const unsigned char *place = memory_peek(warp, lane, address, bytes);
    uint64_t found = 0;
    if (!place)
        return false;
    memcpy(&found, place, bytes);
    if (insn_op(insn) == OP_atomic_cas)
        return found == dependency->values[pc];
    return insn_op(insn) == OP_atomic_exch && found != dependency->values[pc];
}

void block_dependency_access(const struct warp *warp, uint32_t pc, lane_mask lanes,
                             const device_address *addresses) {
    struct block_dependency *dependency = warp->block->launch->dependency;
    enum access_kind kind = (enum access_kind)dependency->kinds[pc];
    device_address first = addresses[__builtin_ctz(lanes)];
    uint64_t window = first >> ADDRESS_SHIFT;
    if (kind == ACCESS_NONE || dependency->full ||
        window >= warp->block->launch->allocation_count ||
        (kind == ACCESS_WEAK && !dependency->looked[window]))
        return;
    struct dependency_block *block = &dependency->blocks[warp->block->slot];
    bool looks = kind == ACCESS_LOOK || kind == ACCESS_TEST;
    bool shows = kind != ACCESS_LOOK;
    if (kind == ACCESS_TEST)
        shows = test_changes(dependency, warp, pc, (unsigned)__builtin_ctz(lanes), first);
    bool again = looks && block->spins && dependency->events[block->event].pc == pc &&
                 block->looked == first;
    if (block->asked && block->asked == block->event)
        dependency->behind[dependency->events[block->asked].pc] = pc;
    if (again) /* from here on its pc is no index */
        dependency->events[block->event].pc = EVENT_VOID;
    if (!add_event(dependency, block, pc))
        return;
    dependency->looked[window] |= looks;
    block->spins = looks && !shows;
    block->looked = first;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        uint64_t word = addresses[__builtin_ctz(rest)] >> 2;
        if (looks)
            look(dependency, block, word, again && !shows);
        if (shows && (kind != ACCESS_CLAIM ||
                      test_changes(dependency, warp, pc, (unsigned)__builtin_ctz(rest),
                                   addresses[__builtin_ctz(rest)])))
            show(dependency, block, word, kind == ACCESS_STORE || kind == ACCESS_WEAK);
    }
    if (dependency->walks[pc] && dependency->events[block->event].need_count)
        block->asked = block->event;
}

/* ---- the launch
 * ----------------------------------------------------------------------------------
 */

struct dependency_pace block_dependency_pace_create(size_t length) {
    return (struct dependency_pace){.sums = mem_calloc(2 * length + 2, sizeof(double)),
                                    .counts = mem_calloc(2 * length + 2, sizeof(double)),
                                    .least = mem_calloc(2 * length + 2, sizeof(double))};
}

void block_dependency_pace_note(struct dependency_pace *pace, uint32_t pc, bool again,
                                double clocks) {
    size_t at = 2 * (size_t)pc + again;
    clocks = fmax(0, clocks);
    pace->sums[at] += clocks;
    pace->counts[at]++;
    if (pace->least[at] == 0 || clocks + 1 < pace->least[at])
        pace->least[at] = clocks + 1;
}

void block_dependency_pace_free(struct dependency_pace *pace) {
    free(pace->sums);
    free(pace->counts);
    free(pace->least);
}

static double mean(double sum, double count) {
    return count > 0 ? sum / count : 0;
}

/* A heap of times, the earliest first. */
struct times {
    double *at;
    size_t count;
};

static void times_add(struct times *times, double time) {
    size_t i = times->count++;
    for (; i && times->at[(i - 1) / 2] > time; i = (i - 1) / 2)
        times->at[i] = times->at[(i - 1) / 2];
    times->at[i] = time;
}

static double times_take(struct times *times) {
    double first = times->at[0], last = times->at[--times->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < times->count; i = child) {
        child += child + 1 < times->count && times->at[child + 1] < times->at[child];
        if (times->at[child] >= last)
            break;
        times->at[i] = times->at[child];
    }
    times->at[i] = last;
    return first;
}

struct loop_walk {
    double *event_times;  /* by event */
    double *block_times;  /* by block: of its last event */
    uint32_t *block_last; /* ... its pc */
    struct times ends;
    double last;
    size_t patience; /* words that may still be looked at by looking back */
};

/* Clocks from a block's event to its next one. What comes after a look is on the chain's way while
 * others wait, and leave the multiprocessor to it. */
static double step(const struct block_dependency *dependency, const struct dependency_pace *pace,
                   uint32_t last, uint32_t pc) {
    size_t at = 2 * (size_t)pc + (last == pc);
    bool looked =
        last < dependency->program->length &&
        (dependency->roles[last] == DEPENDENCY_POLL || dependency->roles[last] == DEPENDENCY_TEST);
    if (looked && pace->least[at] > 0)
        return pace->least[at] - 1;
    return mean(pace->sums[at], pace->counts[at]);
}

/* When all that the event needs has been seen, by a look at `time`; and in *far the first word
 * among it, if its block has looked further back and none of the others has been shown as a whole.
 */
static double visible_at(const struct block_dependency *dependency,
                         const struct dependency_device *device, const struct loop_walk *walk,
                         uint32_t event, double time, uint32_t *far) {
    const struct dependency_event *of = &dependency->events[event];
    const uint32_t *needs = &dependency->needs[of->need];
    bool whole = false;
    for (uint32_t i = 0; i < of->need_count; i++)
        time = fmax(time, walk->event_times[needs[i]] + device->seen_cycles);
    *far = of->need_count ? needs[0] : 0;
    for (uint32_t i = 0; i < of->need_count; i++) {
        const struct dependency_event *shown = &dependency->events[needs[i]];
        whole |= !shown->whole || (walk->event_times[shown->whole] > 0 &&
                                   walk->event_times[shown->whole] + device->seen_cycles <= time);
        if (shown->block < dependency->events[*far].block)
            *far = needs[i];
    }
    if (whole)
        *far = 0;
    return time;
}

/* Where only first sums are there, the next look is where the first of their blocks has looked. */
static double look_back(const struct block_dependency *dependency,
                        const struct dependency_pace *pace, const struct dependency_device *device,
                        uint32_t number, double time, struct loop_walk *walk) {
    uint32_t pc = dependency->events[number].pc, far, event = number;
    double more = device->l2_cycles + step(dependency, pace, pc, dependency->behind[pc]);
    time = visible_at(dependency, device, walk, event, time, &far);
    while (far && dependency->walks[pc] && walk->patience >= dependency->events[event].need_count) {
        walk->patience -= dependency->events[event].need_count;
        event = dependency->events[far].look;
        time = visible_at(dependency, device, walk, event, time + more, &far);
    }
    return time;
}

static void walk_event(const struct block_dependency *dependency,
                       const struct dependency_pace *pace, const struct dependency_device *device,
                       bool waits, size_t number, struct loop_walk *walk) {
    const struct dependency_event *event = &dependency->events[number];
    double *time = &walk->block_times[event->block];
    uint32_t *last = &walk->block_last[event->block];
    if (event->pc == EVENT_START) {
        bool first = event->block < device->places || !walk->ends.count;
        *time = first ? 0 : times_take(&walk->ends) + device->block_cycles;
    } else if (event->pc == EVENT_END) {
        *time += mean(pace->tail, pace->tails);
        times_add(&walk->ends, *time);
        walk->last = fmax(walk->last, *time);
    } else {
        *time += step(dependency, pace, *last, event->pc);
        if (waits && event->need_count)
            *time = look_back(dependency, pace, device, (uint32_t)number, *time, walk);
    }
    *last = event->pc;
    walk->event_times[number] = *time;
}

static double makespan(const struct block_dependency *dependency,
                       const struct dependency_pace *pace, const struct dependency_device *device,
                       bool waits) {
    struct loop_walk walk = {
        .event_times = mem_calloc(dependency->event_count + 1, sizeof(double)),
        .block_times = mem_calloc(dependency->started + 1, sizeof(double)),
        .block_last = mem_calloc(dependency->started + 1, sizeof(uint32_t)),
        .ends = {.at = mem_calloc(dependency->started + 1, sizeof(double))},
        .patience = MOST_EVENTS,
    };
    for (size_t i = 0; i < dependency->event_count; i++)
        if (dependency->events[i].pc != EVENT_VOID)
            walk_event(dependency, pace, device, waits, i, &walk);
    free(walk.event_times);
    free(walk.block_times);
    free(walk.block_last);
    free(walk.ends.at);
    return walk.last;
}

static uint32_t most_waiting(const struct block_dependency *dependency) {
    cleanup_free uint64_t *needs = mem_calloc(dependency->program->length + 1, sizeof *needs);
    uint32_t most = 0;
    for (size_t i = 0; i < dependency->event_count; i++) {
        uint32_t pc = dependency->events[i].pc;
        if (pc < dependency->program->length &&
            (needs[pc] += dependency->events[i].need_count) > needs[most])
            most = pc;
    }
    return most;
}

double block_dependency_wait(const struct block_dependency *dependency,
                             const struct dependency_pace *pace,
                             const struct dependency_device *device, uint32_t *pc) {
    *pc = most_waiting(dependency);
    if (dependency->full || !dependency->need_count)
        return 0;
    return fmax(0, makespan(dependency, pace, device, true) -
                       makespan(dependency, pace, device, false));
}
