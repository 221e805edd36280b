/* Splits that poll, and sleep while what they poll does not change.
 *
 * A split that finds the same value again and again waits for another thread. It sleeps: its turns
 * are left out until one of the locations holds something else. So the threads that wait for a lock
 * cost nothing while another one has it, and do not use up the budget of a kernel that is right. It
 * is a schedule like any other, for a card may also let a thread look rarely.
 *
 * What a split polls is known of its first lane alone, and a loop may end after so many trips. So
 * none sleeps for long: each looks again after a number of turns, and all do at once where all
 * sleep. Those are the rounds in which spin_deadlock.c looks for threads that wait for ever. A
 * split does not sleep whose loop writes something: it works, or hands something on.
 *
 * Each thread that takes a ticket waits for a number of its own, and the number served changes with
 * each of them. Where a comparison with what was loaded decides on the loop, the split sleeps on
 * while the comparison says the same of the new number. And one that has slept in its loop sleeps
 * again after one look. */
#include "sandbox/simgpu/exec/poll.h"

#include "sandbox/simgpu/program/instruction_values.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"

#include "sandbox/base/memory.h"

enum {
    NAPS = 64,
    DECIDES_WITHIN = 4, /* instructions after the load */
};

/* A loop may poll several locations in turn: it waits when all of them stay what they were. */
void warp_poll_elsewhere(struct warp *warp, uint32_t pc, uint64_t address, uint64_t value) {
    struct poll *poll = &warp->poll;
    struct poll_place last = {poll->pc, poll->address, poll->value};
    unsigned i = 0;
    poll->looks++;
    while (i < poll->earlier_count && poll->earlier[i].pc != pc)
        i++;
    bool again = i < poll->earlier_count && poll->earlier[i].address == address &&
                 poll->earlier[i].value == value;
    poll->count = again ? poll->count + 1 : 0;
    poll->wrote &= again;
    if (i == poll->earlier_count)
        i = poll->earlier_count < ARRAY_LENGTH(poll->earlier) ? poll->earlier_count++ : 0;
    if (last.pc != pc)
        poll->earlier[i] = last;
    poll->pc = pc;
    poll->address = address;
    poll->value = value;
}

/* What the location holds now. False for local memory, which changes by the thread itself: no other
 * one wakes it. */
static bool look_again(const struct warp *warp, unsigned lane, const struct poll_place *place,
                       uint64_t *now) {
    const struct insn *insn = &warp->block->launch->program->code[place->pc];
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8; /* 0: an mbarrier */
    struct memory_location at =
        memory_locate(warp, (enum ptx_space)insn->space, lane, place->address);
    bytes = bytes && bytes < sizeof place->value ? bytes : (unsigned)sizeof place->value;
    if ((at.space != SPACE_GLOBAL && at.space != SPACE_SHARED) || at.left < bytes)
        return false;
    *now = 0;
    memcpy(now, at.bytes, bytes);
    return true;
}

static bool is_unchanged(const struct warp *warp, unsigned lane, const struct poll_place *place) {
    uint64_t now;
    return look_again(warp, lane, place, &now) && now == place->value;
}

static bool is_still(const struct warp *warp, const struct split *split) {
    for (unsigned i = 0; i < split->polled_count; i++)
        if (!is_unchanged(warp, (unsigned)__builtin_ctz(split->lanes), &split->polled[i]))
            return false;
    return true;
}

/* ---- what decides on the loop -------------------------------------------------------------------
 */

/* The lane vector of the split's own frame. */
static const void *vector_of(const struct split *split, const struct warp *warp, uint32_t operand) {
    bool constant = operand & OPERAND_CONSTANT;
    return (constant ? warp->bases[1] : split->frame->registers) + (operand & ~(uint32_t)3);
}

static bool is_at_one_address(const struct split *split, const struct warp *warp,
                              const struct insn *insn) {
    if (insn->address32)
        return false;
    const uint64_t *addresses = vector_of(split, warp, insn->operands[0]);
    for (lane_mask rest = split->lanes; rest; rest &= rest - 1)
        if (addresses[__builtin_ctz(rest)] != addresses[__builtin_ctz(split->lanes)])
            return false;
    return true;
}

static bool is_whole_number(enum ptx_type type) {
    unsigned bits = ptx_type_bits(type);
    return !ptx_type_is_float(type) && (bits == 32 || bits == 64);
}

/* The comparison of the polled value with another, soon after the load; PC_NONE: none is known. A
 * load in a function that the loop calls has registers of its own. */
static uint32_t find_decider(const struct split *split, const struct warp *warp, uint32_t pc) {
    const struct program *program = warp->block->launch->program;
    const struct insn *load = &program->code[pc];
    struct instruction_values values;
    instruction_values_of(program, pc, &values);
    if (program_function_at(program, pc) != program_function_at(program, split->pc) ||
        values.destination_count != 1 || load->guard != GUARD_NONE ||
        !is_at_one_address(split, warp, load))
        return PC_NONE;
    uint32_t value = values.destinations[0];
    for (uint32_t at = pc + 1; at <= pc + DECIDES_WITHIN && at < program->length; at++) {
        const struct insn *insn = &program->code[at];
        bool compares = insn->form != FORM_NONE && insn_op(insn) == OP_setp &&
                        insn->guard == GUARD_NONE && is_whole_number((enum ptx_type)insn->type);
        if (compares && (insn->operands[2] == value) != (insn->operands[3] == value))
            return at;
        if (insn->flow != FLOW_EXECUTE)
            return PC_NONE;
    }
    return PC_NONE;
}

static bool compare(unsigned how, bool is_signed, unsigned bits, uint64_t a, uint64_t b) {
    if (bits == 32 && is_signed) {
        a = (uint64_t)(int32_t)a;
        b = (uint64_t)(int32_t)b;
    } else if (bits == 32) {
        a = (uint32_t)a;
        b = (uint32_t)b;
    }
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    return how == COMPARE_eq   ? a == b
           : how == COMPARE_ne ? a != b
           : how == COMPARE_lt ? less
           : how == COMPARE_le ? less || a == b
           : how == COMPARE_gt ? !less && a != b
                               : !less;
}

/* Does the comparison say of the new value what it said of the one before, for each lane? */
static bool decides_alike(const struct split *split, const struct warp *warp, uint64_t now) {
    const struct insn *insn = &warp->block->launch->program->code[split->decider];
    const struct insn *load = &warp->block->launch->program->code[split->polled[0].pc];
    enum ptx_type type = (enum ptx_type)insn->type;
    unsigned bits = ptx_type_bits(type);
    bool is_signed = ptx_type_is_signed(type);
    bool first = insn->operands[2] == load->operands[1];
    uint32_t operand = insn->operands[first ? 3 : 2];
    const void *others = vector_of(split, warp, operand);
    for (lane_mask rest = split->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t other =
            bits == 32 ? ((const uint32_t *)others)[lane] : ((const uint64_t *)others)[lane];
        uint64_t before = split->polled[0].value;
        if (compare(insn->compare, is_signed, bits, first ? before : other,
                    first ? other : before) !=
            compare(insn->compare, is_signed, bits, first ? now : other, first ? other : now))
            return false;
    }
    return true;
}

/* ---- sleep --------------------------------------------------------------------------------------
 */

/* The location has changed, and the split would go on to poll it. */
static bool is_in_vain(const struct warp *warp, const struct split *split) {
    uint64_t now;
    return split->decider != PC_NONE &&
           look_again(warp, (unsigned)__builtin_ctz(split->lanes), &split->polled[0], &now) &&
           decides_alike(split, warp, now);
}

bool poll_dozes(const struct warp *warp, const struct split *split) {
    const struct poll_place *last = &split->polled[split->polled_count - 1];
    return warp->poll.pc == last->pc && warp->poll.address == last->address && !warp->block->roused;
}

bool poll_sleep(const struct warp *warp, struct split *split) {
    const struct poll *poll = &warp->poll;
    split->polled_count = 0;
    for (unsigned i = 0; i < poll->earlier_count; i++)
        if (poll->earlier[i].pc != PC_NONE)
            split->polled[split->polled_count++] = poll->earlier[i];
    split->polled[split->polled_count++] =
        (struct poll_place){poll->pc, poll->address, poll->value};
    split->naps = poll->wrote || !is_still(warp, split) ? 0 : NAPS;
    bool one = split->naps && split->polled_count == 1;
    split->decider = one ? find_decider(split, warp, poll->pc) : PC_NONE;
    split->dozed = split->naps;
    return split->naps;
}

bool poll_wakes(const struct warp *warp, struct split *split) {
    if (split->naps && !warp->block->roused && (is_still(warp, split) || is_in_vain(warp, split)))
        return false;
    split->naps = 0;
    return true;
}

void poll_start_turn(struct warp *warp) {
    for (unsigned i = 0; i < warp->split_count; i++)
        if (warp->splits[i].naps)
            warp->splits[i].naps--;
}
