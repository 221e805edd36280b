/* What an instruction makes of values that are partly unset, bit by bit.
 *
 * The model is that of memcheck (Seward and Nethercote, "Using Valgrind to detect undefined value
 * errors with bit-precision", 2005): every value has a mask of the bits that nothing has set,
 * each instruction has a rule for its result's mask, and only a use is reported (undef.c). Rules
 * are exact where compilers rely on it: a bit and-ed with zero is known, a comparison is known when
 * the bits that are there decide it, a sum is unknown from its lowest unknown bit on, a selection
 * is its chosen arm. definedness.def says which rule an operation has, which slots it writes, reads
 * as data and reads as control.
 *
 * Here is what a lane's result is by its own operands; definedness_lanes.c has the rest. */
#include "sandbox/simgpu/check/definedness.h"

#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

static const struct rule rules[DEFINED_COUNT] = {
#define DEFINEDNESS(id, rule, written, read, control, motion, parameter)                           \
    [DEFINED_##id] = {RULE_##rule, written, read, control, MOTION_##motion, parameter},
#include "sandbox/simgpu/program/definedness.def"
#undef DEFINEDNESS
};
_Static_assert(DEFINED_COUNT <= UINT8_MAX, "an instruction keeps it in a byte");

const struct rule *definedness_row(const struct insn *insn) {
    return &rules[insn->definedness];
}

static bool is_pair(enum ptx_type type) {
    return type == PTX_f16x2 || type == PTX_bf16x2 || type == PTX_s16x2 || type == PTX_u16x2;
}

/* A row stands for all types; what they change is decided here. */
enum rule_kind definedness_kind(const struct insn *insn) {
    enum rule_kind kind = rules[insn->definedness].kind;
    enum ptx_type type = (enum ptx_type)insn->type, from = (enum ptx_type)insn->type2;
    bool sat = insn->rounding & ROUNDING_SAT;
    switch (kind) {
    case RULE_CONVERSION:
        if (from == PTX_f32 && ptx_type_bits(type) == 32 && is_pair(type))
            return RULE_HALVES;
        return ptx_type_is_float(type) || ptx_type_is_float(from) || sat ||
                       insn->register_bytes == 0
                   ? RULE_WHOLE
                   : RULE_CONVERSION;
    case RULE_SUM:
    case RULE_PRODUCT:
    case RULE_WHOLE:
        if (is_pair(type) && rules[insn->definedness].written == S0)
            return RULE_HALVES;
        return ptx_type_is_float(type) || sat ? RULE_WHOLE : kind;
    default:
        return kind;
    }
}

uint8_t definedness_written(const struct insn *insn) {
    return rules[insn->definedness].written;
}

uint8_t definedness_read(const struct insn *insn) {
    return rules[insn->definedness].read;
}

/* --- the parts of an outcome */

void definedness_blame(struct undef_outcome *outcome, unsigned lane, const struct mark_lane *from,
                       uint64_t unset, uint8_t flags) {
    struct mark_lane *to = &outcome->lane[lane];
    if (!(outcome->lanes >> lane & 1))
        *to = (struct mark_lane){.flags = MARK_VARIABLE, .pc = PC_NONE};
    uint8_t both = (uint8_t)((to->flags | from->flags | flags) & ~MARK_ORIGINS);
    bool first = !(outcome->lanes >> lane & 1);
    uint64_t before = to->unset;
    if (first || (to->flags & MARK_VARIABLE && !(from->flags & MARK_VARIABLE)))
        *to = *from;
    else if (to->pc == from->pc && to->address == from->address && to->thread == from->thread &&
             from->missing < to->missing)
        to->missing = from->missing; /* other numbers of one vector */
    to->unset = before | unset;
    to->flags = (uint8_t)(both | (to->flags & MARK_ORIGINS));
    outcome->lanes |= (lane_mask)1 << lane;
}

void definedness_blame_operands(const struct warp *warp, const struct insn *insn,
                                struct undef_outcome *outcome, unsigned lane, uint64_t unset,
                                uint8_t flags) {
    uint8_t read = definedness_read(insn);
    for (unsigned slot = 0; slot < OPERAND_SLOTS && unset; slot++) {
        const struct mark_lane *mark =
            read >> slot & 1 ? mark_at(warp, insn->operands[slot], lane) : NULL;
        if (mark)
            definedness_blame(outcome, lane, mark, unset, flags);
    }
    struct mark_lane *to = &outcome->lane[lane];
    if (outcome->lanes >> lane & 1 && to->flags & MARK_VARIABLE && to->flags & MARK_COMPUTED &&
        to->pc == PC_NONE)
        to->pc = insn_pc(warp, insn);
}

/* All bits of all operands that are read. */
static uint64_t any_unset(const struct warp *warp, const struct insn *insn, unsigned lane) {
    uint8_t read = definedness_read(insn);
    uint64_t unset = 0;
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++)
        if (read >> slot & 1)
            unset |= unset_at(warp, insn->operands[slot], lane);
    return unset;
}

static uint64_t and_above(uint64_t unset) {
    return unset ? ~((unset & -unset) - 1) : 0;
}

/* --- one rule a function: a lane's mask */

static uint64_t whole(const struct warp *warp, const struct insn *insn, unsigned lane) {
    if (rules[insn->definedness].kind == RULE_CONVERSION) /* a narrow source of a wide register */
        return unset_at(warp, insn->operands[1], lane) &
                           mark_ones(ptx_type_bits((enum ptx_type)insn->type2)) ||
                       unset_at(warp, insn->operands[2], lane) ||
                       unset_at(warp, insn->operands[3], lane)
                   ? UINT64_MAX
                   : 0;
    return any_unset(warp, insn, lane) ? UINT64_MAX : 0;
}

/* cvt of two floats: the first becomes the upper half. */
static uint64_t halves(const struct warp *warp, const struct insn *insn, unsigned lane) {
    uint64_t unset = any_unset(warp, insn, lane);
    if (rules[insn->definedness].kind == RULE_CONVERSION)
        return (unset_at(warp, insn->operands[1], lane) ? 0xffff0000u : 0) |
               (unset_at(warp, insn->operands[2], lane) ? 0xffffu : 0);
    return (unset & 0xffff0000u ? 0xffff0000u : 0) | (unset & 0xffffu ? 0xffffu : 0);
}

static uint64_t sum(const struct warp *warp, const struct insn *insn, unsigned lane) {
    return and_above(any_unset(warp, insn, lane));
}

static uint64_t product(const struct warp *warp, const struct insn *insn, unsigned lane) {
    uint64_t a = unset_at(warp, insn->operands[1], lane), c = 0;
    uint64_t b = unset_at(warp, insn->operands[2], lane);
    unsigned bytes = type_bytes(insn);
    bool zero = (!a && !value_at(warp, insn->operands[1], lane, bytes)) ||
                (!b && !value_at(warp, insn->operands[2], lane, bytes));
    if (definedness_read(insn) & S3)
        c = unset_at(warp, insn->operands[3], lane);
    return and_above((zero ? 0 : a | b) | c);
}

static uint64_t carry(const struct warp *warp, const struct insn *insn, unsigned lane) {
    bool in = rules[insn->definedness].parameter & CARRY_IN;
    uint64_t unset = any_unset(warp, insn, lane);
    unset |= in ? unset_at(warp, MARK_CARRY, lane) : 0;
    return unset ? UINT64_MAX : 0;
}

/* --- the first one bit: of the unset bits only those above the first that is known count */

static uint64_t leading_result(enum leading leading, unsigned width, uint64_t value) {
    uint64_t place = value ? 63u - (unsigned)__builtin_clzll(value) : UINT64_MAX;
    if (leading == LEADING_ZEROS)
        return value ? width - 1 - place : width;
    return leading == LEADING_SHIFT && value ? width - 1 - place : place;
}

static uint64_t leading(const struct warp *warp, const struct insn *insn, unsigned lane) {
    enum ptx_type type = (enum ptx_type)insn->type;
    enum leading which = (enum leading)rules[insn->definedness].parameter;
    unsigned width = ptx_type_bits(type);
    uint64_t value = value_at(warp, insn->operands[1], lane, width / 8), result = 0;
    uint64_t unset = unset_at(warp, insn->operands[1], lane) & mark_ones(width);
    if (ptx_type_is_signed(type)) { /* the copies of the sign do not count */
        if (unset >> (width - 1))
            return UINT64_MAX;
        value ^= value >> (width - 1) & 1 ? mark_ones(width) : 0;
    }
    uint64_t known = value & ~unset, least = leading_result(which, width, known);
    for (uint64_t rest = unset; rest; rest &= rest - 1)
        if ((rest & -rest) > known)
            result |= least ^ leading_result(which, width, rest & -rest);
    return result & UINT32_MAX;
}

/* --- logic: a bit is known when no choice for the unset ones changes it */

static unsigned logic_table(const struct warp *warp, const struct insn *insn, unsigned lane) {
    unsigned table = rules[insn->definedness].parameter;
    return table == TABLE_SLOT ? (unsigned)value_at(warp, insn->operands[4], lane, 4) & 0xff
                               : table;
}

static uint64_t apply_table(unsigned table, const uint64_t *value) {
    uint64_t result = 0;
    for (unsigned row = 0; row < 8; row++)
        if (table >> row & 1)
            result |= (row & 4 ? value[0] : ~value[0]) & (row & 2 ? value[1] : ~value[1]) &
                      (row & 1 ? value[2] : ~value[2]);
    return result;
}

/* Is more done with this input than keeping or dropping its bits? */
static bool negates(unsigned table, unsigned input) {
    unsigned step = 4u >> input;
    for (unsigned row = 0; row < 8; row++)
        if (!(row & step) && table >> row & 1 && !(table >> (row | step) & 1))
            return true;
    return false;
}

/* Is a number cut to fewer bits, and not a field emptied to make room for another? Fields leave
 * bits on both sides of them, or are all that is there. */
static bool cuts_number(uint64_t mask, uint64_t unset, uint64_t width) {
    uint64_t run = mask ? mask >> __builtin_ctzll(mask) : 0;
    return mask != width && mask & ~unset && !(run & (run + 1));
}

/* x & -x, which keeps the lowest one bit of x: known where it stands below the unset ones. */
static bool is_lowest_one(const uint64_t *value, const uint64_t *unset, uint64_t width) {
    uint64_t below = (unset[0] & -unset[0]) - 1;
    return unset[0] && (unset[0] & -unset[0]) == (unset[1] & -unset[1]) &&
           !((value[0] + value[1]) & width) && value[0] & below;
}

static uint64_t logic(const struct warp *warp, const struct insn *insn, unsigned lane,
                      uint8_t *flags) {
    unsigned bytes = type_bytes(insn), table = logic_table(warp, insn, lane);
    uint64_t width = bytes ? mark_ones(8 * bytes) : 1, value[3] = {0}, unset[3] = {0}, result = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (!(definedness_read(insn) >> (1 + i) & 1))
            continue;
        value[i] = value_at(warp, insn->operands[1 + i], lane, bytes);
        unset[i] = unset_at(warp, insn->operands[1 + i], lane) & width;
        if (unset[i] && negates(table, i))
            *flags |= MARK_COMPUTED;
    }
    if (table == TABLE_AND && is_lowest_one(value, unset, width))
        return 0;
    uint64_t plain = apply_table(table, value);
    for (unsigned choice = 1; choice < 8; choice++) {
        uint64_t other[3];
        for (unsigned i = 0; i < 3; i++)
            other[i] = choice >> i & 1 ? value[i] ^ unset[i] : value[i];
        result |= (plain ^ apply_table(table, other)) & width;
    }
    for (unsigned i = 0; i < 2 && table == TABLE_AND; i++)
        if (!unset[1 - i] && cuts_number(value[1 - i] & width, unset[i], width))
            *flags |= MARK_MASKED;
    return result;
}

bool definedness_is_join(const struct insn *insn) {
    const struct rule *rule = &rules[insn->definedness];
    bool constant = (insn->operands[1] | insn->operands[2]) & OPERAND_CONSTANT;
    return (rule->motion == MOTION_BYTES && !constant) ||
           (rule->motion == MOTION_PARTS && rule->written == S0) ||
           (rule->motion == MOTION_FIELD && rule->read & S4) ||
           (rule->kind == RULE_LOGIC && rule->parameter == TABLE_OR);
}

/* --- comparisons */

/* -1: the bits that are there do not say; else whether a compares with b as asked. */
static int decide(const struct insn *insn, uint64_t a, uint64_t b, uint64_t a_unset,
                  uint64_t b_unset) {
    enum ptx_type type = (enum ptx_type)insn->type;
    uint64_t width = mark_ones(ptx_type_bits(type));
    uint64_t sign = ptx_type_is_signed(type) ? (width >> 1) + 1 : 0;
    uint64_t a_low = ((a ^ sign) & ~a_unset) & width, a_high = ((a ^ sign) | a_unset) & width;
    uint64_t b_low = ((b ^ sign) & ~b_unset) & width, b_high = ((b ^ sign) | b_unset) & width;
    bool differ = ((a ^ b) & ~a_unset & ~b_unset & width) != 0;
    switch ((enum compare)insn->compare) {
    case COMPARE_eq:
        return differ ? 0 : -1;
    case COMPARE_ne:
        return differ ? 1 : -1;
    case COMPARE_lt:
        return a_high < b_low ? 1 : a_low >= b_high ? 0 : -1;
    case COMPARE_le:
        return a_high <= b_low ? 1 : a_low > b_high ? 0 : -1;
    case COMPARE_gt:
        return a_low > b_high ? 1 : a_high <= b_low ? 0 : -1;
    case COMPARE_ge:
        return a_low >= b_high ? 1 : a_high < b_low ? 0 : -1;
    default:
        return -1;
    }
}

/* p = (a compares b) op c; a c that is known may settle it. */
static bool is_undecided(const struct warp *warp, const struct insn *insn, unsigned lane) {
    unsigned bytes = type_bytes(insn);
    uint64_t a = unset_at(warp, insn->operands[2], lane);
    uint64_t b = unset_at(warp, insn->operands[3], lane);
    bool integer = !ptx_type_is_float((enum ptx_type)insn->type);
    bool undecided =
        (a | b) && !(integer && decide(insn, value_at(warp, insn->operands[2], lane, bytes),
                                       value_at(warp, insn->operands[3], lane, bytes), a, b) >= 0);
    if (insn->boolean == BOOLEAN_NONE)
        return undecided;
    bool c_unset = unset_at(warp, insn->operands[4], lane) != 0;
    bool c = value_at(warp, insn->operands[4], lane, 0);
    if (!c_unset && insn->boolean != BOOLEAN_XOR && c == (insn->boolean == BOOLEAN_OR))
        return false;
    return undecided || c_unset;
}

static uint64_t comparison(const struct warp *warp, const struct insn *insn, unsigned lane) {
    return is_undecided(warp, insn, lane) ? 1 : 0;
}

/* --- all together */

static uint64_t lane_mask_of(const struct warp *warp, const struct insn *insn, enum rule_kind kind,
                             unsigned lane, uint8_t *flags) {
    *flags = MARK_COMPUTED;
    switch (kind) {
    case RULE_HALVES:
        return halves(warp, insn, lane);
    case RULE_SUM:
        return sum(warp, insn, lane);
    case RULE_PRODUCT:
        return product(warp, insn, lane);
    case RULE_CARRY:
        return carry(warp, insn, lane);
    case RULE_LEADING:
        return leading(warp, insn, lane);
    case RULE_COMPARISON:
        return comparison(warp, insn, lane);
    case RULE_LOGIC:
        *flags = 0;
        return logic(warp, insn, lane, flags);
    default:
        return whole(warp, insn, lane);
    }
}

lane_mask definedness_marked(const struct warp *warp, const struct insn *insn) {
    const struct undef_value *carry = undef_find(warp, MARK_CARRY);
    lane_mask marked = carry ? carry->lanes : 0;
    for (unsigned slot = 0; slot < OPERAND_SLOTS; slot++) {
        const struct undef_value *undefined =
            definedness_read(insn) >> slot & 1 ? undef_find(warp, insn->operands[slot]) : NULL;
        marked |= undefined ? undefined->lanes : 0;
    }
    return marked;
}

static unsigned by_lane(const struct warp *warp, const struct insn *insn, enum rule_kind kind,
                        lane_mask lanes, struct undef_outcome *outcomes) {
    uint8_t written = definedness_written(insn);
    struct undef_outcome *first = &outcomes[0];
    unsigned count = 0;
    first->lanes = 0;
    for (lane_mask rest = lanes & definedness_marked(warp, insn); rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint8_t flags;
        uint64_t unset = lane_mask_of(warp, insn, kind, lane, &flags);
        definedness_blame_operands(warp, insn, first, lane, unset, flags);
        const struct mark_lane *in = kind == RULE_CARRY ? mark_at(warp, MARK_CARRY, lane) : NULL;
        if (in && unset)
            definedness_blame(first, lane, in, unset, flags);
        if (definedness_is_join(insn) && first->lanes >> lane & 1)
            first->lane[lane].flags &= (uint8_t)~MARK_MASKED;
    }
    for (unsigned slot = 0; slot < 2; slot++)
        if (written >> slot & 1) {
            if (count)
                outcomes[count] = *first;
            outcomes[count++].operand = insn->operands[slot];
        }
    if (kind == RULE_CARRY && rules[insn->definedness].parameter & CARRY_OUT) {
        outcomes[count] = *first;
        outcomes[count++].operand = MARK_CARRY;
    }
    return count;
}

unsigned definedness_of(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        struct undef_outcome outcomes[MAX_OUTCOMES]) {
    enum rule_kind kind = definedness_kind(insn);
    switch (kind) {
    case RULE_MOTION:
    case RULE_CONVERSION:
        return definedness_move(warp, insn, lanes, outcomes);
    case RULE_GROUP:
    case RULE_VOTE:
        return definedness_groups(warp, insn, lanes, outcomes);
    case RULE_MATRICES:
        return definedness_matrices(warp, insn, lanes, outcomes);
    default:
        return by_lane(warp, insn, kind, lanes, outcomes);
    }
}
