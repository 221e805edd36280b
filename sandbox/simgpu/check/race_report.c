/* What is said of a race: the element, both threads and why nothing orders them.
 *
 * The second thread is always one that did the access that is named. Where a cell says only that
 * there were others beside one that is the present thread itself, they stay unnamed, and the first
 * race of the same two lines that can name one takes the report's place. */
#include "sandbox/simgpu/check/race.h"

#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race_fix.h"
#include "sandbox/simgpu/check/race_join.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/warp.h"

#include <stdio.h>
#include <string.h>

static bool is_volatile(const struct warp *warp, uint32_t pc) {
    const struct insn *insn = &warp->block->launch->program->code[pc];
    return insn->cost != COST_ATOMIC &&
           (insn->order == ORDER_VOLATILE || insn->order == ORDER_DATA);
}

static const char *verb(const struct warp *warp, const struct access_record *record, uint32_t pc,
                        bool store) {
    if (record->strong && !is_volatile(warp, pc))
        return "an atomic access";
    return is_volatile(warp, pc) ? store ? "a volatile write" : "a volatile read"
           : store               ? "a write"
                                 : "a read";
}

static bool is_plain_load(const struct warp *warp, const struct access_record *record, uint32_t pc,
                          bool store) {
    return !store && !record->strong && !is_volatile(warp, pc) &&
           warp->block->launch->program->code[pc].cost == COST_LOAD;
}

/* st: the data stands in slots from 1 on; stores of matrices and the like keep theirs elsewhere. */
static bool is_plain_store(const struct insn *insn) {
    return insn_op(insn) == OP_st;
}

/* Is the other lane's write a part of this very access, so that memory does not hold it yet? The
 * record alone does not tell: it stands for the same store in all turns of a loop. Lanes are
 * compared in their order, and naturally aligned stores of one width meet where they begin. */
static bool writes_now(const struct warp *warp, const struct insn *insn,
                       const struct race_report *found, unsigned other_lane) {
    if (found->cell >> CELL_SHIFT != found->own || other_lane >= found->lane)
        return false;
    device_address addresses[WARP_LANES];
    access_addresses(warp, insn->operands[0], insn->address32, insn->offset, addresses);
    enum ptx_space space = (enum ptx_space)insn->space;
    return memory_locate(warp, space, other_lane, addresses[other_lane]).bytes ==
           memory_locate(warp, space, found->lane, addresses[found->lane]).bytes;
}

/* Does the store write what the other thread wrote there? Then the race is harmless in practice: a
 * warning. */
static bool same_value(const struct warp *warp, const struct insn *insn,
                       const struct race_report *found, uint32_t other_pc, unsigned other_lane) {
    const unsigned char *memory = found->window->bytes;
    uint64_t offset = found->offset;
    unsigned element = ptx_type_bits(insn->type) / 8, lane = found->lane;
    if (!found->newest || !element || !is_plain_store(insn) ||
        !is_plain_store(&warp->block->launch->program->code[other_pc]))
        return false;
    bool now = writes_now(warp, insn, found, other_lane);
    uint64_t total = (uint64_t)element * insn->vector, start = offset / total * total;
    for (uint64_t at = offset; at < offset + found->bytes && at < start + total; at++) {
        uint32_t operand = insn->operands[1 + (at - start) / element];
        const unsigned char *value = warp->bases[operand & OPERAND_CONSTANT] +
                                     (operand & ~(uint32_t)3) + (at - start) % element;
        unsigned char there = now ? value[(size_t)other_lane * insn->register_bytes] : memory[at];
        if (value[(size_t)lane * insn->register_bytes] != there)
            return false;
    }
    return true;
}

/* The width that a variable's elements seem to have: of the narrower access. */
static unsigned element_bytes(const struct warp *warp, const struct insn *insn, uint32_t other_pc) {
    const struct insn *other = &warp->block->launch->program->code[other_pc];
    unsigned a = ptx_type_bits(insn->type) / 8, b = ptx_type_bits(other->type) / 8;
    unsigned least = a < b || !b ? a : b;
    return least ? least : 1;
}

/* The other thread of a race. */
struct other {
    const struct access_record *record;
    unsigned lane;
    bool named;
};

static bool is_present(const struct warp *warp, unsigned lane, const struct access_record *record,
                       unsigned other_lane) {
    return record->block == (uint32_t)warp->block->index && record->warp == warp->index &&
           other_lane == lane;
}

static struct other find_other(struct warp *warp, const struct race_report *found) {
    bool shared = found->window->shared;
    const struct access_record *record = race_record_at(warp, shared, found->cell >> CELL_SHIFT);
    uint32_t kind = found->cell & CELL_KIND;
    struct other other = {record, found->cell & CELL_LANE, true};
    if (kind == CELL_ONE)
        return other;
    if (warp->block->launch->precise) { /* the record has all of them */
        other.lane = (unsigned)__builtin_ctz(found->lanes);
        return other;
    }
    if (!is_present(warp, found->lane, record, other.lane) &&
        race_unordered(warp, found->lane, record, (lane_mask)1 << other.lane, true))
        return other;
    if (found->previous) {
        record = race_record_at(warp, shared, found->previous >> CELL_SHIFT);
        unsigned lane = found->previous & CELL_LANE;
        if (!is_present(warp, found->lane, record, lane) &&
            race_unordered(warp, found->lane, record, (lane_mask)1 << lane, true))
            return (struct other){record, lane, true};
    }
    other.named = false;
    return other;
}

struct names {
    char first[160], second[160];
    struct dim3 block, thread; /* of the other */
};

static void name_threads(const struct warp *warp, unsigned lane, uint32_t kind,
                         const struct other *other, bool same_block, struct names *names) {
    const struct block *block = warp->block;
    struct warp named = {.block = warp->block, .index = other->record->warp};
    struct dim3 a = special_thread_index(warp, lane), b = special_thread_index(&named, other->lane);
    names->block = hazard_block_id(block->launch, other->record->block);
    names->thread = b;
    struct dim3 grid = block->launch->request->grid;
    char where[64] = "";
    if (same_block && (grid.x > 1 || grid.y > 1 || grid.z > 1))
        snprintf(where, sizeof where, " of the same block (%u, %u, %u)", block->id.x, block->id.y,
                 block->id.z);
    if (same_block) {
        snprintf(names->first, sizeof names->first, "thread (%u, %u, %u)", a.x, a.y, a.z);
        snprintf(names->second, sizeof names->second, "thread (%u, %u, %u)%s%s", b.x, b.y, b.z,
                 kind == CELL_WARPS || kind == CELL_BLOCKS ? " and others" : "", where);
    } else {
        snprintf(names->first, sizeof names->first, "thread (%u, %u, %u) of block (%u, %u, %u)",
                 a.x, a.y, a.z, block->id.x, block->id.y, block->id.z);
        snprintf(names->second, sizeof names->second, "thread (%u, %u, %u) of block (%u, %u, %u)%s",
                 b.x, b.y, b.z, names->block.x, names->block.y, names->block.z,
                 kind == CELL_BLOCKS ? " and others" : "");
    }
    if (!other->named)
        snprintf(names->second, sizeof names->second, "%s%s",
                 kind == CELL_BLOCKS  ? "threads of other blocks"
                 : kind == CELL_WARPS ? "other threads"
                                      : "other lanes of its warp",
                 kind == CELL_BLOCKS  ? ""
                 : where[0]           ? where
                 : kind == CELL_WARPS ? " of the block"
                                      : "");
}

/* Why a message may be read too early, or not be confirmed. */
static const char *flag_reason(const struct warp *warp, const struct race_flag *flag, char *buffer,
                               size_t size) {
    const struct insn_origin *origins = warp->block->launch->program->origins;
    uint32_t set = origins[flag->store_pc].line, waits = origins[flag->wait_pc].line;
    char where[64] = "";
    if (flag->kind == FLAG_EARLY && set && waits)
        snprintf(where, sizeof where, "set in line %u and awaited in line %u, ", set, waits);
    else if ((flag->kind == FLAG_READER || flag->kind == FLAG_UNACQUIRED) && waits)
        snprintf(where, sizeof where, " in line %u", waits);
    else if (flag->kind == FLAG_WRITER && set)
        snprintf(where, sizeof where, " in line %u", set);
    static const char *const reasons[] = {
        [FLAG_EARLY] = "no fence orders the write and the flag, %sso that the flag can be seen "
                       "before the data",
        [FLAG_READER] = "no fence orders this look and the read%s that it is to confirm, so that "
                        "the look can come first",
        [FLAG_WRITER] = "no fence orders this write and the later one%s, so that new data can be "
                        "seen with an old number",
        [FLAG_UNACQUIRED] = "the load%s that tells of the write orders nothing after it without a "
                            "fence, so that old data can be read"};
    snprintf(buffer, size, reasons[flag->kind], where);
    return buffer;
}

void race_report(struct warp *warp, const struct insn *insn, const struct race_report *found) {
    struct block *block = warp->block;
    const struct race_window *window = found->window;
    const struct access_record *own = race_record_at(warp, window->shared, found->own);
    struct other other = find_other(warp, found);
    uint32_t kind = found->cell & CELL_KIND;
    bool same_block =
        other.record->block == (uint32_t)block->index && (other.named || kind != CELL_BLOCKS);
    if ((!same_block || !window->alone) && !block->launch->in_turns) {
        /* Which of two blocks comes first depends on timing, and cells that other host threads may
         * use name other threads of one block: repeat on one thread, see launch.c. */
        atomic_store(&block->launch->stopped, true);
        return;
    }
    uint64_t offset = found->offset;
    bool shared = race_window_is_shared(window);
    struct access access = {.space = shared ? SPACE_SHARED : SPACE_GLOBAL,
                            .address = shared ? offset : ADDRESS_OF(window->allocation) + offset,
                            .bytes = element_bytes(warp, insn, other.record->pc),
                            .store = found->store};
    bool harmless = found->store && other.record->store && !own->strong && !other.record->strong &&
                    same_value(warp, insn, found, other.record->pc, other.lane);
    /* all lanes of a warp write its sum there, as the headers want it: not the kernel's to change
     */
    if (harmless && shared && offset >= GROUPS_START && offset < GROUPS_START + GROUPS_BYTES)
        return;
    enum hazard_kind race = shared ? HAZARD_SHARED_RACE : HAZARD_GLOBAL_RACE;
    enum hazard_severity severity = harmless ? SEVERITY_WARNING : SEVERITY_ERROR;
    uint32_t pc = insn_pc(warp, insn), other_pc = other.record->pc;
    bool same_warp = other.record->warp == warp->index && kind != CELL_WARPS;
    enum race_span span = !same_block ? SPAN_GRID : same_warp ? SPAN_WARP : SPAN_BLOCK;
    if (hazard_repeats_race(warp, pc, other_pc, race, severity, span, found->lane, !other.named))
        return;
    char element[128] = "", whole[192];
    hazard_describe_address(warp, &access, element, sizeof element, whole, sizeof whole);
    if (window->owner && !(same_block && window->owner == block))
        hazard_describe_owner(window->owner, element, sizeof element);
    struct names names;
    name_threads(warp, found->lane, kind, &other, same_block, &names);
    char buffer[160];
    char announced[192];
    const char *message =
        found->flag ? flag_reason(warp, found->flag, announced, sizeof announced) : NULL;
    const char *scope = same_block || message
                            ? NULL
                            : race_scope_reason(warp, insn, other.record, buffer, sizeof buffer);
    const char *why =
        message                 ? message
        : scope                 ? scope
        : !same_block && shared ? "no barrier of the cluster orders them"
        : !same_block           ? "blocks run in any order, and no fence and atomic orders these"
        : same_warp ? "lanes of one warp run in any order without __syncwarp() between them"
                    : "no barrier orders them";
    struct hazard *hazard = hazard_report_race(
        warp, pc, other_pc, race, severity, span, found->lane, !other.named,
        "%s of %s by %s and %s by %s: %s%s%s", verb(warp, own, pc, found->store), element,
        names.first, verb(warp, other.record, other_pc, other.record->store), names.second, why,
        !message && (is_volatile(warp, pc) || is_volatile(warp, other_pc))
            ? ", and volatile orders nothing"
            : "",
        harmless ? "; both write the same value" : "");
    if (!hazard)
        return;
    static const enum hazard_fix fixes[] = {[FLAG_EARLY] = FIX_MESSAGE,
                                            [FLAG_WRITER] = FIX_SEQUENCE,
                                            [FLAG_READER] = FIX_SEQUENCE,
                                            [FLAG_UNACQUIRED] = FIX_ACQUIRE};
    hazard->plain_load = is_plain_load(warp, own, pc, found->store) ||
                         is_plain_load(warp, other.record, other_pc, other.record->store);
    const struct race_pair pair = {.pc = pc,
                                   .other_pc = other_pc,
                                   .store = found->store,
                                   .other_store = other.record->store,
                                   .strong = own->strong,
                                   .other_strong = other.record->strong,
                                   .shared = shared,
                                   .span = span,
                                   .named = other.named,
                                   .thread = {block->id, special_thread_index(warp, found->lane)},
                                   .other = {names.block, names.thread}};
    hazard->fix = message ? fixes[found->flag->kind]
                  : scope ? FIX_WIDER_SCOPE
                          : race_fix_choose(block->launch->program, &pair);
    snprintf(hazard->variable, sizeof hazard->variable, "%s", element);
    const struct insn *other_insn = &warp->block->launch->program->code[other_pc];
    hazard->scene =
        (struct hazard_scene){.access = scene_access_of(insn, found->store),
                              .other_access = scene_access_of(other_insn, other.record->store)};
    if (other.named && hazard->thread_count < ENGINE_HAZARD_THREADS)
        hazard->threads[hazard->thread_count++] = (struct hazard_thread){names.block, names.thread};
}
