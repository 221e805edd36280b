/* set, setp and slct for the types that exec_compare.c has no loops for (PTX ISA 9.7.6): halves,
 * packed halves, and any pair of types of set and slct.
 *
 * A comparison has one of three outcomes or is unordered; the operator says which of them hold. */
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/executors/scalar.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/warp.h"

enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
static const uint8_t outcomes[] = {
    [COMPARE_eq] = EQUAL,
    [COMPARE_ne] = LESS | GREATER,
    [COMPARE_lt] = LESS,
    [COMPARE_le] = LESS | EQUAL,
    [COMPARE_gt] = GREATER,
    [COMPARE_ge] = GREATER | EQUAL,
    [COMPARE_equ] = EQUAL | UNORDERED,
    [COMPARE_neu] = LESS | GREATER | UNORDERED,
    [COMPARE_ltu] = LESS | UNORDERED,
    [COMPARE_leu] = LESS | EQUAL | UNORDERED,
    [COMPARE_gtu] = GREATER | UNORDERED,
    [COMPARE_geu] = GREATER | EQUAL | UNORDERED,
    [COMPARE_num] = LESS | EQUAL | GREATER,
    [COMPARE_nan] = UNORDERED,
};

static unsigned outcome(struct scalar x, struct scalar y) {
    switch (x.kind) {
    case SCALAR_SIGNED:
        return x.s < y.s ? LESS : x.s == y.s ? EQUAL : GREATER;
    case SCALAR_UNSIGNED:
        return x.u < y.u ? LESS : x.u == y.u ? EQUAL : GREATER;
    default:
        return x.f < y.f ? LESS : x.f == y.f ? EQUAL : x.f > y.f ? GREATER : UNORDERED;
    }
}

static struct scalar read_flushed(enum ptx_type type, const unsigned char *from, bool ftz) {
    struct scalar value = scalar_read(type, from);
    const struct narrow_format *format = narrow_format_of(type);
    if (ftz && format && fabs(value.f) < ldexp(1.0, 1 - format->bias))
        value.f = copysign(0.0, value.f);
    return value;
}

/* Element `part` of each lane: which lanes compare as the instruction asks. */
static lane_mask compare_lanes(const struct warp *warp, const struct insn *insn, unsigned slot,
                               enum ptx_type type, unsigned part) {
    const unsigned char *a = lane_vector(warp, insn->operands[slot]);
    const unsigned char *b = lane_vector(warp, insn->operands[slot + 1]);
    bool ftz = insn->rounding & ROUNDING_FTZ, packed = type == PTX_f16x2 || type == PTX_bf16x2;
    size_t bytes = ptx_type_bits(type) / 8;
    lane_mask result = 0;
    FOR_EACH_LANE(lane) {
        size_t at = lane * bytes + (packed ? 2 * part : 0);
        struct scalar x = read_flushed(type, a + at, ftz), y = read_flushed(type, b + at, ftz);
        result |= (lane_mask)((outcomes[insn->compare] & outcome(x, y)) != 0) << lane;
    }
    return result;
}

/* A pair's second predicate is the negation for scalars, the upper half's comparison for pairs. */
EXECUTOR(setp_half) {
    lane_mask first = compare_lanes(warp, insn, 2, (enum ptx_type)insn->type, 0);
    lane_mask second = ptx_type_bits((enum ptx_type)insn->type) == 16
                           ? ~first
                           : compare_lanes(warp, insn, 2, (enum ptx_type)insn->type, 1);
    first = combine_predicate(warp, insn, 4, first);
    second = combine_predicate(warp, insn, 4, second);
    write_predicate(warp, insn->operands[0], first, lanes);
    write_predicate(warp, insn->operands[1], second, lanes);
}

/* True is 1.0 in floating-point destinations and all ones in integer ones. With a packed source, a
 * destination of 32 bits gets 16 bits a half. */
static uint64_t true_bits(enum ptx_type type, bool packed_source) {
    switch (type) {
    case PTX_f16:
    case PTX_f16x2:
        return 0x3c00;
    case PTX_bf16:
    case PTX_bf16x2:
        return 0x3f80;
    case PTX_f32:
        return 0x3f800000;
    default:
        return packed_source ? 0xffff : UINT64_MAX;
    }
}

EXECUTOR(set_generic) {
    enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->type2;
    bool packed = from == PTX_f16x2 || from == PTX_bf16x2;
    unsigned parts = packed ? 2 : 1;
    size_t lane_bytes = ptx_type_bits(to) / 8, bytes = lane_bytes / parts;
    uint64_t yes = true_bits(to, packed), no = 0;
    unsigned char *d = lane_vector(warp, insn->operands[0]);
    lane_mask result[2] = {0, 0};
    for (unsigned part = 0; part < parts; part++)
        result[part] = combine_predicate(warp, insn, 3, compare_lanes(warp, insn, 1, from, part));
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        for (unsigned part = 0; part < parts; part++) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            memcpy(d + lane * lane_bytes + part * bytes, result[part] >> lane & 1 ? &yes : &no,
                   bytes);
        }
}

/* slct d, a, b, c: a where c >= 0, also for -0; b where c is negative or NaN. */
EXECUTOR(slct_generic) {
    size_t bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    unsigned char *d = lane_vector(warp, insn->operands[0]);
    const unsigned char *a = lane_vector(warp, insn->operands[1]);
    const unsigned char *b = lane_vector(warp, insn->operands[2]);
    const unsigned char *c = lane_vector(warp, insn->operands[3]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct scalar selector = read_flushed((enum ptx_type)insn->type2, c + (size_t)lane * 4,
                                              insn->rounding & ROUNDING_FTZ);
        bool first = selector.kind == SCALAR_FLOAT ? selector.f >= 0 : selector.s >= 0;
        memcpy(d + lane * bytes, (first ? a : b) + lane * bytes, bytes);
    }
}
