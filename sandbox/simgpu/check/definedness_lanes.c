/* Unset bits on the move: within a register, from register to register, from lane to lane.
 *
 * For all that moves bits, the instruction's own executor is run on areas that hold the masks in
 * place of the values, so that no second description of prmt or bfi can disagree with the first.
 * Shuffles are run once more on the numbers of the lanes, which tells where a mark came from. What
 * a lane gets from a whole group (votes, reductions) is unset when one of the group is, unless the
 * others decide it; row i of a matrix product comes of row i of A, and column j of column j of B,
 * so that rows which a tile leaves empty do no harm to the others. */
#include "sandbox/simgpu/check/definedness.h"
#include "sandbox/simgpu/program/matrix.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

/* --- motion: the executor moves the masks */

enum { AREA_BYTES = 16 * WARP_LANES };
struct areas {
    _Alignas(64) unsigned char slot[OPERAND_SLOTS][AREA_BYTES];
};

static void write_mask(unsigned char *area, unsigned lane, unsigned bytes, uint64_t mask) {
    uint64_t spread[2] = {mask, 0};
    for (unsigned bit = 0; bytes == 16 && bit < 64; bit++) {
        if (bit == 0)
            spread[0] = 0;
        spread[bit / 32] |= (uint64_t)(mask >> bit & 1 ? 3 : 0) << (2 * (bit % 32));
    }
    memcpy(area + (size_t)lane * bytes, spread, bytes);
}

static uint64_t read_mask(const unsigned char *area, unsigned lane, unsigned bytes) {
    uint64_t spread[2] = {0}, mask = 0;
    memcpy(spread, area + (size_t)lane * bytes, bytes);
    for (unsigned bit = 0; bytes == 16 && bit < 64; bit++)
        mask |= (uint64_t)(spread[bit / 32] >> (2 * (bit % 32)) & 3 ? 1 : 0) << bit;
    return bytes == 16 ? mask : spread[0];
}

/* Width of a data operand; 0: a predicate. */
static unsigned slot_bytes(const struct insn *insn, unsigned slot) {
    const struct rule *rule = definedness_row(insn);
    unsigned part = (unsigned)insn->register_bytes / (insn->vector ? insn->vector : 1u);
    if (rule->motion == MOTION_PARTS)
        return slot == 0 ? insn->register_bytes : part < 2 ? 2 : part;
    if (rule->motion == MOTION_LANES)
        return slot == 1 ? 0 : 4;
    if (rule->kind == RULE_CONVERSION)
        return slot ? insn->vector : insn->register_bytes;
    return type_bytes(insn);
}

static bool is_control(const struct insn *insn, unsigned slot) {
    return definedness_row(insn)->control >> slot & 1;
}

/* Lists are as long as the instruction says. */
static unsigned used_slots(const struct insn *insn, unsigned slots) {
    bool list = definedness_row(insn)->motion == MOTION_PARTS && slots != S0;
    return list ? slots & ((2u << insn->vector) - 1) : slots;
}

/* Runs the instruction on areas of our own: `data` fills those of its data operands. */
static void run_on(struct warp *warp, const struct insn *insn, lane_mask lanes, struct areas *areas,
                   uint64_t (*data)(const struct warp *, uint32_t, unsigned)) {
    struct insn copy = *insn;
    unsigned read = used_slots(insn, definedness_read(insn));
    enum motion motion = definedness_row(insn)->motion;
    memset(areas, 0, sizeof *areas);
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++) {
        uint32_t operand = insn->operands[slot];
        if (!exists(operand))
            continue;
        copy.operands[slot] = slot * AREA_BYTES | (operand & OPERAND_NEGATED);
        if (!(read >> slot & 1))
            continue;
        if (is_control(insn, slot)) {
            memcpy(areas->slot[slot], vector_at(warp, operand),
                   motion == MOTION_SELECT ? 4 : 4 * WARP_LANES);
            continue;
        }
        unsigned bytes = slot_bytes(insn, slot);
        uint32_t predicate = 0;
        FOR_EACH_LANE(lane) {
            uint64_t mask = data(warp, operand, lane);
            if (bytes)
                write_mask(areas->slot[slot], lane, bytes, mask);
            predicate |= (uint32_t)(mask & 1) << lane;
        }
        if (!bytes) {
            memcpy(areas->slot[slot], &predicate, 4);
            copy.operands[slot] = slot * AREA_BYTES;
        }
    }
    unsigned char *registers = warp->bases[0];
    warp->bases[0] = areas->slot[0];
    copy.execute(warp, &copy, lanes);
    warp->bases[0] = registers;
}

static uint64_t own_lane(const struct warp *warp, uint32_t operand, unsigned lane) {
    (void)warp;
    (void)operand;
    return lane;
}

/* Bytes that keep together may be a struct on its way; anything else is a number. */
static uint8_t motion_flags(const struct warp *warp, const struct insn *insn, unsigned lane) {
    const struct rule *rule = definedness_row(insn);
    unsigned first = (unsigned)__builtin_ctz(rule->control ? rule->control : 1u);
    uint64_t at = rule->control ? value_at(warp, insn->operands[first], lane, 4) : 0;
    switch (rule->motion) {
    case MOTION_SHIFT:
        return at % 8 ? MARK_COMPUTED : at ? MARK_SHIFTED : 0;
    case MOTION_FIELD:
        if (first == 3 && !unset_at(warp, insn->operands[1], lane))
            return 0; /* bfi: what stood there before stays where it is */
        at |= value_at(warp, insn->operands[first + 1], lane, 4);
        return at % 8 ? MARK_COMPUTED : MARK_SHIFTED;
    case MOTION_BYTES: /* of one register, or of two that become one */
        return definedness_is_join(insn) ? 0 : MARK_SHIFTED;
    case MOTION_BITS:
        return MARK_COMPUTED;
    default:
        break;
    }
    bool wider = rule->kind == RULE_CONVERSION && ptx_type_bits((enum ptx_type)insn->type) >
                                                      ptx_type_bits((enum ptx_type)insn->type2);
    return wider ? MARK_MASKED : 0;
}

/* A control operand that is unset may choose anything; of two arms, what differs. */
static uint64_t out_of_control(const struct warp *warp, const struct insn *insn, unsigned lane,
                               uint64_t moved) {
    bool unknown = false;
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++)
        unknown |= is_control(insn, slot) && unset_at(warp, insn->operands[slot], lane);
    if (!unknown)
        return moved;
    enum motion motion = definedness_row(insn)->motion;
    if (motion != MOTION_SELECT && motion != MOTION_CHOOSE)
        return UINT64_MAX;
    unsigned bytes = type_bytes(insn);
    return unset_at(warp, insn->operands[1], lane) | unset_at(warp, insn->operands[2], lane) |
           (value_at(warp, insn->operands[1], lane, bytes) ^
            value_at(warp, insn->operands[2], lane, bytes));
}

unsigned definedness_move(struct warp *warp, const struct insn *insn, lane_mask lanes,
                          struct undef_outcome *outcomes) {
    struct areas areas, sources;
    lane_mask marked = lanes & definedness_marked(warp, insn);
    bool exchange = definedness_row(insn)->motion == MOTION_LANES;
    unsigned written = used_slots(insn, definedness_written(insn)), count = 0;
    run_on(warp, insn, lanes, &areas, unset_at);
    if (exchange)
        run_on(warp, insn, lanes, &sources, own_lane);
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++) {
        if (!(written >> slot & 1))
            continue;
        struct undef_outcome *outcome = &outcomes[count++];
        outcome->operand = insn->operands[slot];
        outcome->lanes = 0;
        unsigned bytes = slot_bytes(insn, slot);
        for (lane_mask rest = exchange ? slot ? 0 : lanes : marked; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            uint64_t unset = bytes ? read_mask(areas.slot[slot], lane, bytes)
                                   : areas.slot[slot][lane / 8] >> lane % 8 & 1u;
            uint64_t mask = bytes == 16 ? UINT64_MAX : bytes ? mark_ones(8 * bytes) : 1;
            unset = out_of_control(warp, insn, lane, unset) & mask;
            uint32_t source = lane;
            if (exchange)
                memcpy(&source, sources.slot[slot] + 4 * lane, 4);
            const struct mark_lane *mark = mark_at(warp, insn->operands[2], source & 31);
            if (exchange && unset && mark)
                definedness_blame(outcome, lane, mark, unset, 0);
            else if (unset)
                definedness_blame_operands(warp, insn, outcome, lane, unset,
                                           motion_flags(warp, insn, lane));
            if (definedness_is_join(insn) && outcome->lanes >> lane & 1)
                outcome->lane[lane].flags &= (uint8_t)~MARK_MASKED;
        }
    }
    return count;
}

/* --- lanes that depend on each other */

static bool has_group_result(const struct warp *warp, const struct insn *insn, lane_mask group,
                             lane_mask unset, uint64_t *result) {
    const struct rule *rule = definedness_row(insn);
    *result = UINT64_MAX;
    if (rule->kind != RULE_VOTE || !unset)
        return unset != 0;
    lane_mask there = group & ~unset, yes;
    memcpy(&yes, vector_at(warp, insn->operands[2]), sizeof yes);
    yes ^= insn->operands[2] & OPERAND_NEGATED ? UINT32_MAX : 0;
    lane_mask voted = yes & there, against = ~yes & there;
    switch ((enum vote)rule->parameter) {
    case VOTE_ANY:
        return !voted;
    case VOTE_ALL:
        return !against;
    case VOTE_UNI:
        return !(voted && against);
    default:
        *result = unset;
        return true;
    }
}

unsigned definedness_groups(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                            struct undef_outcome *outcomes) {
    uint8_t read = definedness_read(insn), written = definedness_written(insn);
    uint32_t operand = insn->operands[read & S1 ? 1 : 2];
    const struct undef_value *undefined = exists(operand) ? undef_find(warp, operand) : NULL;
    unsigned count = 0;
    for (unsigned slot = 0; slot < 2; slot++) {
        if (!(written >> slot & 1))
            continue;
        struct undef_outcome *outcome = &outcomes[count++];
        outcome->operand = insn->operands[slot];
        outcome->lanes = 0;
        for (lane_mask todo = lanes, same; todo && undefined; todo &= ~same) {
            uint64_t mask = value_at(warp, insn->operands[5], (unsigned)__builtin_ctz(todo), 4);
            same = 0;
            for (lane_mask rest = todo; rest; rest &= rest - 1)
                if (value_at(warp, insn->operands[5], (unsigned)__builtin_ctz(rest), 4) == mask)
                    same |= rest & -rest;
            lane_mask unset = undefined->lanes & same;
            uint64_t result;
            if (!has_group_result(warp, insn, same, unset, &result))
                continue;
            for (lane_mask rest = same; rest; rest &= rest - 1)
                definedness_blame(outcome, (unsigned)__builtin_ctz(rest),
                                  &undefined->lane[__builtin_ctz(unset)], result, MARK_COMPUTED);
        }
    }
    return count;
}

/* --- matrix products: row i of the result comes of row i of A, column j of column j of B */

struct lines {
    const struct mark_lane *row[32], *column[32];
};

static unsigned element_register(const struct fragment *fragment, unsigned element,
                                 uint64_t *bits) {
    unsigned unit = fragment->bits == 64 ? 64 : 32, at = element * fragment->bits;
    *bits = fragment->bits == 64 ? UINT64_MAX : mark_ones(fragment->bits) << at % 32;
    return fragment->registers[at / unit];
}

static void note_lines(const struct warp *warp, const struct fragment *fragment, bool rows,
                       struct lines *lines) {
    for (unsigned element = 0; element < (unsigned)fragment->units * fragment->run; element++) {
        uint64_t bits;
        uint32_t operand = element_register(fragment, element, &bits);
        const struct undef_value *undefined = undef_find(warp, operand);
        for (lane_mask rest = undefined ? undefined->lanes : 0; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            struct element_place place = fragment_place(fragment, lane, element);
            const struct mark_lane **line =
                rows ? &lines->row[place.row & 31] : &lines->column[place.column & 31];
            if (undefined->lane[lane].unset & bits && !*line)
                *line = &undefined->lane[lane];
        }
    }
}

unsigned definedness_matrices(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                              struct undef_outcome *outcomes) {
    const struct matrix *matrix = &warp->block->launch->program->matrices[insn->matrix];
    struct lines lines = {0};
    if (matrix->quads)
        return 0; /* four products in one: not followed */
    note_lines(warp, &matrix->a, true, &lines);
    note_lines(warp, &matrix->b, false, &lines);
    for (unsigned i = 0; i < matrix->d.count; i++)
        outcomes[i] = (struct undef_outcome){.operand = matrix->d.registers[i]};
    for (unsigned element = 0; element < (unsigned)matrix->d.units * matrix->d.run; element++) {
        uint64_t bits, c_bits;
        unsigned index = element * matrix->d.bits / (matrix->d.bits == 64 ? 64 : 32);
        element_register(&matrix->d, element, &bits);
        uint32_t c = element_register(&matrix->c, element, &c_bits);
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            struct element_place place = fragment_place(&matrix->d, lane, element);
            const struct mark_lane *of_c = mark_at(warp, c, lane);
            const struct mark_lane *from = lines.row[place.row & 31];
            if (!from)
                from = lines.column[place.column & 31];
            if (!from && of_c && of_c->unset & c_bits)
                from = of_c;
            if (from && index < matrix->d.count)
                definedness_blame(&outcomes[index], lane, from, bits, MARK_COMPUTED);
        }
    }
    return matrix->d.count;
}
