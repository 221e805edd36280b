/* A value that was never written is a mistake when it is used, not when it is moved.
 *
 * Copying a struct copies its padding, a compiler may load a word of which only a part is needed,
 * and it computes early what it may not need: a sum with a lane that has no number, and then a
 * selection. So a load of bytes that were never written marks the lanes of its destination, bit by
 * bit, and definedness.c says what instructions make of the marks. A use is what cannot be taken
 * back: a branch, a guard, an address, an atomic, a barrier's operand, something printed, and a
 * value that reaches global memory. It is reported at the load, which the mark remembers.
 *
 * Whether a store uses a value or carries it on is decided in undef_store.c.
 *
 * Registers that a function may read before it has written them (liveness.c knows which) begin with
 * a mark of another kind: there is no load to blame, but the line that computes with them first.
 *
 * Warps hold such values rarely: while they hold none, this costs one comparison an instruction,
 * and while they do, a look at a filter for instructions that do not touch them. */
#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/undef_private.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/matrix.h"
#include "sandbox/simgpu/program/texture_access.h"
#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- marks of registers */

/* Of 64 lists. A kernel that uses much uninitialised memory has hundreds of marked registers, and
 * each operand of each instruction is looked for. */
static unsigned list_of(uint32_t offset) {
    return offset * 0x9e3779b1u >> 26;
}

/* Where none of an instruction's bits is set, it has no marked operand. */
static uint64_t filter_bit(uint32_t offset) {
    return (uint64_t)1 << list_of(offset);
}

/* Puts number `i` of the warp's at the head of its list. */
static void enlist(struct warp *warp, uint32_t i) {
    struct undef_value *undefined = &warp->undef_values[i];
    uint32_t *head = &warp->undef_heads[list_of(undefined->offset)];
    uint64_t bit = filter_bit(undefined->offset);
    undefined->next = warp->undef_filter & bit ? *head : UNDEF_NONE;
    *head = i;
    warp->undef_filter |= bit;
}

static uint32_t offset_of(uint32_t operand) {
    return operand & ~(uint32_t)3;
}

static bool is_register(uint32_t operand) {
    return operand < OPERAND_NONE && !(operand & OPERAND_CONSTANT);
}

struct undef_value *undef_find_in(const struct warp *warp, const struct frame *frame,
                                  uint32_t offset) {
    if (!(warp->undef_filter & filter_bit(offset)))
        return NULL;
    for (uint32_t i = warp->undef_heads[list_of(offset)]; i != UNDEF_NONE;
         i = warp->undef_values[i].next)
        if (warp->undef_values[i].offset == offset && warp->undef_values[i].frame == frame &&
            warp->undef_values[i].lanes)
            return &warp->undef_values[i];
    return NULL;
}

struct undef_value *undef_find(const struct warp *warp, uint32_t operand) {
    return is_register(operand) ? undef_find_in(warp, warp->frame, offset_of(operand)) : NULL;
}

void undef_drop_empty(struct warp *warp) {
    uint32_t kept = 0;
    warp->undef_filter = 0;
    for (size_t i = 0; i < warp->undef_count; i++) {
        if (!warp->undef_values[i].lanes)
            continue;
        if (kept != i)
            warp->undef_values[kept] = warp->undef_values[i];
        enlist(warp, kept++);
    }
    warp->undef_count = kept;
}

void undef_clear(struct warp *warp, uint32_t operand, lane_mask lanes) {
    struct undef_value *undefined = undef_find(warp, operand);
    if (undefined)
        undefined->lanes &= ~lanes;
}

struct undef_value *undef_add(struct warp *warp, const struct frame *frame, uint32_t offset) {
    struct undef_value *undefined =
        mem_push(&warp->undef_values, &warp->undef_count, &warp->undef_capacity);
    undefined->frame = frame;
    undefined->offset = offset;
    undefined->lanes = 0;
    enlist(warp, (uint32_t)(undefined - warp->undef_values));
    return undefined;
}

void undef_set(struct warp *warp, const struct undef_outcome *outcome, lane_mask lanes) {
    struct undef_value *undefined = undef_find(warp, outcome->operand);
    if (undefined)
        undefined->lanes &= ~lanes;
    lanes &= outcome->lanes;
    if (!lanes || !is_register(outcome->operand))
        return;
    if (!undefined)
        undefined = undef_add(warp, warp->frame, offset_of(outcome->operand));
    undefined->lanes |= lanes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        undefined->lane[__builtin_ctz(rest)] = outcome->lane[__builtin_ctz(rest)];
}

void undef_start(struct warp *warp, const struct frame *frame, lane_mask lanes) {
    const struct program *program = warp->block->launch->program;
    const struct program_function *function = frame->function;
    for (uint32_t i = 0; i < function->live_in_count && warp->block->launch->checks; i++) {
        struct undef_value *undefined =
            undef_add(warp, frame, program->ranges[function->live_in_start + i].offset);
        undefined->lanes = lanes;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            undefined->lane[lane] =
                (struct mark_lane){.unset = UINT64_MAX, .pc = PC_NONE, .flags = MARK_VARIABLE};
    }
}

void undef_absent(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    struct undef_outcome outcome = {.operand = insn->operands[0], .lanes = lanes};
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        outcome.lane[lane] =
            (struct mark_lane){.unset = UINT64_MAX,
                               .address = warp->absent_sources[lane],
                               .pc = insn_pc(warp, insn),
                               .thread = (uint16_t)(warp->index * WARP_LANES + lane),
                               .flags = MARK_ABSENT | MARK_COMPUTED};
    }
    undef_set(warp, &outcome, lanes);
}

void undef_forget_frame(struct warp *warp, const struct frame *frame) {
    for (size_t i = 0; i < warp->undef_count; i++)
        if (!frame || warp->undef_values[i].frame == frame)
            warp->undef_values[i].lanes = 0;
    undef_drop_empty(warp);
}

/* --- reports */

/* A variable that has no value, where that shows outside the thread or leads it astray. */
static void report_variable(struct warp *warp, const struct insn *insn,
                            const struct mark_lane *mark, lane_mask used) {
    const struct insn_origin *origins = warp->block->launch->program->origins;
    uint32_t pc = insn_pc(warp, insn), first = mark->pc == PC_NONE ? pc : mark->pc;
    struct dim3 thread = special_thread_index(warp, (unsigned)__builtin_ctz(used)),
                block = warp->block->id;
    const char *what = insn->flow == FLOW_BRANCH ? "decides a branch"
                       : insn->flow == FLOW_CALL ? "is given to a function"
                       : insn->cost == COST_LOAD ? "is an address to read at"
                                                 : "goes to memory";
    char where[32] = "";
    if (origins[pc].line != origins[first].line)
        snprintf(where, sizeof where, " in line %u", origins[pc].line);
    hazard_report(warp, first, first == pc ? PC_NONE : pc, HAZARD_UNINITIALIZED_READ,
                  SEVERITY_ERROR, used,
                  "thread (%u, %u, %u) of block (%u, %u, %u) uses a variable that it has never "
                  "given a value, and what comes of it %s%s: set it where it is declared",
                  thread.x, thread.y, thread.z, block.x, block.y, block.z, what, where);
}

/* A shuffle's result that is not defined (PTX ISA 9.7.9.6), where something comes of it. */
static void report_absent(struct warp *warp, const struct insn *insn, const struct mark_lane *mark,
                          lane_mask asked) {
    const struct insn_origin *use = &warp->block->launch->program->origins[insn_pc(warp, insn)];
    struct warp *asker = &warp->block->warps[mark->thread / WARP_LANES];
    unsigned source = (unsigned)mark->address, lane = mark->thread % WARP_LANES;
    struct dim3 thread = special_thread_index(asker, lane);
    char where[40] = "";
    if (use->line)
        snprintf(where, sizeof where, ", and is used in line %u", use->line);
    bool exists = asker->existing >> source & 1, left = exists && asker->exited >> source & 1;
    struct hazard *hazard = hazard_report(
        asker, mark->pc, insn_pc(warp, insn), HAZARD_WARP_MASK_MISMATCH, SEVERITY_ERROR, asked,
        "lane %u, thread (%u, %u, %u), takes the value of lane %u, which does not take part in the "
        "shuffle: %s. The result is undefined%s",
        lane, thread.x, thread.y, thread.z, source,
        !exists ? "the block has no such thread"
        : left  ? "it has left the kernel"
                : "the mask does not name it",
        where);
    if (left)
        hazard_suggest(hazard, FIX_LEFT_EARLY);
}

/* The threads that loaded it and those that use it may differ. */
static void report_load(struct warp *warp, const struct insn *insn, const struct mark_lane *mark,
                        lane_mask loaded) {
    const struct program *program = warp->block->launch->program;
    const struct insn *load = &program->code[mark->pc];
    struct warp *loader = &warp->block->warps[mark->thread / WARP_LANES];
    unsigned unit = ptx_type_bits((enum ptx_type)load->type) / 8;
    struct access access = {.space = (enum ptx_space)load->space,
                            .address = mark->address,
                            .bytes = unit * load->vector,
                            .missing = mark->missing,
                            .unit = unit};
    struct hazard *hazard = hazard_access(loader, load, HAZARD_UNINITIALIZED_READ,
                                          mark->thread % WARP_LANES, loaded, &access);
    const struct insn_origin *use = &program->origins[insn_pc(warp, insn)];
    const struct insn_origin *origin = &program->origins[mark->pc];
    if (!hazard || !use->line || use->line == origin->line || use->file != origin->file)
        return;
    size_t used = strlen(hazard->message);
    snprintf(hazard->message + used, sizeof hazard->message - used,
             "; what comes of it is used in line %u", use->line);
}

void undef_report(struct warp *warp, const struct insn *insn, const struct mark_lane *lane,
                  lane_mask used) {
    for (lane_mask same; used; used &= ~same) {
        const struct mark_lane *first = &lane[__builtin_ctz(used)];
        uint8_t origin = first->flags & MARK_ORIGINS;
        lane_mask loaded = 0;
        same = 0;
        for (lane_mask rest = used; rest; rest &= rest - 1) {
            const struct mark_lane *other = &lane[__builtin_ctz(rest)];
            if (other->pc != first->pc || (other->flags & MARK_ORIGINS) != origin ||
                other->thread / WARP_LANES != first->thread / WARP_LANES)
                continue;
            same |= rest & -rest;
            loaded |= (lane_mask)1 << other->thread % WARP_LANES;
        }
        if (origin == MARK_VARIABLE)
            report_variable(warp, insn, first, same);
        else if (origin == MARK_ABSENT)
            report_absent(warp, insn, first, loaded);
        else
            report_load(warp, insn, first, loaded);
    }
}

void undef_use(struct warp *warp, const struct insn *insn, uint32_t operand, lane_mask lanes) {
    struct undef_value *undefined = undef_find(warp, operand);
    if (!undefined || !(undefined->lanes & lanes))
        return;
    undef_report(warp, insn, undefined->lane, undefined->lanes & lanes);
    undefined->lanes &= ~lanes;
}

void undef_operands(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++)
        if (definedness_read(insn) >> slot & 1)
            undef_use(warp, insn, insn->operands[slot], lanes);
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++)
        if (definedness_written(insn) >> slot & 1)
            undef_clear(warp, insn->operands[slot], lanes);
    undef_drop_empty(warp);
}

void undef_guard(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    if (undef_find(warp, insn->guard)) {
        undef_use(warp, insn, insn->guard, lanes);
        undef_drop_empty(warp);
    }
}

/* --- loads */

bool undef_can_wait(const struct insn *insn) {
    enum rule_kind kind = definedness_kind(insn);
    return kind == RULE_LOAD || kind == RULE_COPY;
}

bool undef_excuses(struct warp *warp, const struct insn *insn, unsigned lane,
                   const struct memory_location *place, unsigned bytes) {
    const struct block *keeper = memory_keeper(warp, place);
    struct mark_lane lanes[WARP_LANES] = {{0}};
    bool partial = true;
    for (unsigned i = 0; i < bytes; i++) {
        const struct tracked *tracked = undef_tracked(keeper, place->shadow + i);
        partial &= undef_tracked_bits(keeper, place->shadow + i) != UINT8_MAX;
        if (partial || !tracked || !(tracked->origin.flags & MARK_COMPUTED))
            continue;
        lanes[lane] = tracked->origin;
        undef_report(warp, insn, lanes, (lane_mask)1 << lane);
        return true;
    }
    return partial;
}

/* Could an element that was never written be the padding of a struct on its way? Padding shares
 * its eight bytes with a member. nvcc moves padding of one to three bytes by bytes, and of four as
 * a word or its bytes at once, at an odd word of the struct's base; elements of arrays mostly have
 * an address of their own, and what is of type float is no padding. */
static bool is_padding(const struct insn *insn, const struct memory_location *place,
                       device_address address, unsigned index, unsigned bytes) {
    bool word = bytes * insn->vector == 4;
    uint64_t at = word ? 0 : (uint64_t)index * bytes, size = word ? 4 : bytes;
    unsigned before = (unsigned)(address + at) & 7;
    bool odd = before == 4 && (insn->offset + (int64_t)at) % 8 == 4;
    bool few = bytes < 4 && place->space == SPACE_LOCAL;
    odd &= size == 4 && !ptx_type_is_float((enum ptx_type)insn->type);
    if (!(few || odd) || !place->shadow || place->left < at + size)
        return false;
    const unsigned char *first = place->shadow + at - before;
    for (unsigned i = 0; i < 8 && i < place->left - at + before; i++)
        if (first[i] == SHADOW_INITIALIZED)
            return true;
    return false;
}

/* Is it the thread's own memory that lacks the value? */
static bool is_own(const struct warp *warp, const struct mark_lane *mark) {
    if (mark->flags & MARK_VARIABLE)
        return true;
    const struct insn *load = &warp->block->launch->program->code[mark->pc];
    return load->space == SPACE_LOCAL ||
           (load->space == SPACE_GENERIC && mark->address >> ADDRESS_SHIFT == WINDOW_LOCAL);
}

/* Adds what the bytes of a lane's element have of unset bits. The load is blamed, unless the value
 * comes from an earlier computation with another load's unset bits, or from a variable that only
 * held what the load of other memory had returned. */
static void look_at(const struct warp *warp, const struct memory_location *place, unsigned from,
                    unsigned bytes, struct mark_lane *mark) {
    const struct block *keeper = memory_keeper(warp, place);
    unsigned width = mark_byte_bits(bytes);
    bool blamed = false;
    for (unsigned i = 0; i < bytes; i++) {
        const unsigned char *shadow = place->shadow + from + i;
        const struct tracked *tracked = undef_tracked(keeper, shadow);
        unsigned unset = undef_tracked_bits(keeper, shadow);
        if (!blamed && tracked && unset &&
            (tracked->origin.flags & MARK_COMPUTED ||
             (place->space == SPACE_LOCAL && !is_own(warp, &tracked->origin)))) {
            uint64_t before = mark->unset;
            uint8_t flags = mark->flags;
            *mark = tracked->origin;
            mark->unset = before;
            mark->flags |= flags;
            blamed = true;
        } else if (!blamed && unset && !mark->unset) {
            mark->missing = (uint8_t)(from + i);
        }
        for (unsigned bit = 0; width == 4 && bit < 4; bit++) /* a bit for two */
            unset = (unset & ~(1u << bit)) | (unset >> 2 * bit & 3 ? 1u << bit : 0);
        mark->unset |= (uint64_t)(unset & ((1u << width) - 1)) << (width * i);
    }
}

/* Of the lanes that exchange at one location only the first finds what was there before. */
static lane_mask without_followers(lane_mask lanes, const device_address *addresses) {
    lane_mask firsts = lanes;
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        for (lane_mask behind = rest & (rest - 1); behind; behind &= behind - 1)
            if (addresses[__builtin_ctz(behind)] == addresses[__builtin_ctz(rest)])
                firsts &= ~(behind & -behind);
    return firsts;
}

void undef_load(struct warp *warp, const struct insn *insn, lane_mask lanes,
                const device_address *addresses, unsigned bytes) {
    if (definedness_kind(insn) == RULE_COPY)
        return; /* the shadow is copied with the bytes */
    unsigned element = bytes / insn->vector;
    if (insn->cost == COST_ATOMIC)
        lanes = without_followers(lanes, addresses);
    struct undef_outcome outcome;
    bool extends = ptx_type_is_signed((enum ptx_type)insn->type) && element < 8;
    for (unsigned i = 0; i < insn->vector; i++) {
        outcome.operand = insn->operands[1 + i];
        outcome.lanes = 0;
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            struct memory_location place =
                memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
            struct mark_lane *mark = &outcome.lane[lane];
            *mark = (struct mark_lane){.address = addresses[lane],
                                       .pc = insn_pc(warp, insn),
                                       .thread = (uint16_t)(warp->index * WARP_LANES + lane)};
            if (is_padding(insn, &place, addresses[lane], i, element))
                mark->flags = MARK_NEIGHBOURS;
            look_at(warp, &place, i * element, element, mark);
            if (extends && mark->unset >> (8 * element - 1) & 1)
                mark->unset |= ~mark_ones(8 * element);
            outcome.lanes |= mark->unset ? rest & -rest : 0;
        }
        undef_set(warp, &outcome, outcome.lanes);
    }
}

/* --- matrices */

static void matrix(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const struct matrix *matrix = &warp->block->launch->program->matrices[insn->matrix];
    bool load = definedness_kind(insn) == RULE_MATRIX_LOAD;
    undef_use(warp, insn, insn->operands[0], lanes);
    if (matrix->m) /* the others have no stride */
        undef_use(warp, insn, matrix->stride, lanes);
    device_address addresses[WARP_LANES];
    access_addresses(warp, insn->operands[0], insn->address32, matrix->offset, addresses);
    bool output = !load && access_in_space(warp, insn, lanes, addresses, SPACE_GLOBAL) != 0;
    for (unsigned i = 0; i < matrix->d.count; i++) {
        if (output)
            undef_use(warp, insn, matrix->d.registers[i], lanes);
        else if (load)
            undef_clear(warp, matrix->d.registers[i], lanes);
    }
    insn->execute(warp, insn, lanes);
}

/* --- textures and surfaces */

static void texture(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const struct texture_access *access = &warp->block->launch->program->textures[insn->texture];
    bool store = definedness_kind(insn) == RULE_TEXTURE_STORE;
    undef_use(warp, insn, insn->operands[0], lanes);
    for (unsigned i = 0; i < TEXTURE_OPERANDS; i++)
        if (store || i >= TEXTURE_FIRST_SOURCE)
            undef_use(warp, insn, access->operands[i], lanes);
        else
            undef_clear(warp, access->operands[i], lanes);
    insn->execute(warp, insn, lanes);
}

/* --- one instruction */

/* Those that have operands elsewhere touch anything. */
static uint64_t filter_of(const struct insn *insn) {
    uint64_t bits = insn->guard == GUARD_NONE ? 0 : filter_bit(offset_of(insn->guard));
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++)
        bits |= is_register(insn->operands[slot]) ? filter_bit(offset_of(insn->operands[slot])) : 0;
    switch (definedness_kind(insn)) {
    case RULE_CARRY:
    case RULE_MATRICES:
    case RULE_MATRIX_LOAD:
    case RULE_MATRIX_STORE:
    case RULE_TEXTURE:
    case RULE_TEXTURE_STORE:
    case RULE_PARAMETER_LOAD:
    case RULE_PARAMETER_STORE:
        return UINT64_MAX;
    default:
        return bits;
    }
}

void undef_prepare(struct program *program) {
    program->touched = mem_calloc(program->length + 1, sizeof *program->touched);
    for (size_t pc = 0; pc < program->length; pc++)
        program->touched[pc] = filter_of(&program->code[pc]);
}

static bool touches(const struct warp *warp, const struct insn *insn) {
    const uint64_t *touched = warp->block->launch->program->touched;
    return (touched[insn_pc(warp, insn)] & warp->undef_filter) != 0;
}

static void compute(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    struct undef_outcome outcomes[MAX_OUTCOMES];
    unsigned count = definedness_of(warp, insn, lanes, outcomes);
    insn->execute(warp, insn, lanes);
    for (unsigned i = 0; i < count; i++)
        undef_set(warp, &outcomes[i], lanes);
}

void undef_execute(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    if (!touches(warp, insn)) {
        insn->execute(warp, insn, lanes);
        return;
    }
    switch (definedness_kind(insn)) {
    case RULE_USES:
    case RULE_COPY:
    case RULE_DEFINES:
    case RULE_LOAD:
        undef_operands(warp, insn, lanes);
        insn->execute(warp, insn, lanes);
        return;
    case RULE_STORE:
        undef_store(warp, insn, lanes);
        break;
    case RULE_MATRIX_LOAD:
    case RULE_MATRIX_STORE:
        matrix(warp, insn, lanes);
        break;
    case RULE_TEXTURE:
    case RULE_TEXTURE_STORE:
        texture(warp, insn, lanes);
        break;
    case RULE_PARAMETER_LOAD:
        insn->execute(warp, insn, lanes);
        undef_load_parameter(warp, insn, lanes);
        break;
    case RULE_PARAMETER_STORE:
        insn->execute(warp, insn, lanes);
        undef_store_parameter(warp, insn, lanes);
        break;
    default:
        compute(warp, insn, lanes);
        break;
    }
    undef_drop_empty(warp);
}
