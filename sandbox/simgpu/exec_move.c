/* mov, cvta, cvt and the instructions that do nothing here (PTX ISA 9.7.9).
 *
 * cvt between integers of any width, floats of 16, 32 and 64 bits and back has one general executor
 * that widens to 64 bits first: no information is lost, so that only the last step rounds or
 * saturates. The common pairs have vector loops of their own. */
#include "sandbox/simgpu/exec.h"

#include <fenv.h>
#include <math.h>

UNARY(mov_b16, uint16_t, uint16_t, a[lane])
UNARY(mov_b32, uint32_t, uint32_t, a[lane])
UNARY(mov_b64, uint64_t, uint64_t, a[lane])

EXECUTOR(nop) {
    (void)warp;
    (void)insn;
    (void)lanes;
}

/* Memory is sequentially consistent here, so that a fence only tells that somebody may be waiting.
 */
EXECUTOR(fence) {
    (void)insn;
    (void)lanes;
    warp->spun = true;
}

/* Parts are registers of 16 bits (also for 8-bit parts), 32 or 64. */
static unsigned part_bytes(const struct insn *insn) {
    return (unsigned)insn->register_bytes / insn->vector;
}

EXECUTOR(mov_unpack) {
    unsigned part = part_bytes(insn), lane_bytes = part < 2 ? 2 : part;
    const unsigned char *from = lane_vector(warp, insn->operands[0]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned char whole[16];
        memcpy(whole, from + (size_t)lane * insn->register_bytes, insn->register_bytes);
        for (unsigned i = 0; i < insn->vector; i++) {
            uint64_t bits = 0;
            memcpy(&bits, whole + i * part, part);
            memcpy((unsigned char *)lane_vector(warp, insn->operands[1 + i]) + lane * lane_bytes,
                   &bits, lane_bytes);
        }
    }
}

EXECUTOR(mov_pack) {
    unsigned part = part_bytes(insn), lane_bytes = part < 2 ? 2 : part;
    unsigned char *to = lane_vector(warp, insn->operands[0]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned char whole[16];
        for (unsigned i = 0; i < insn->vector; i++)
            memcpy(whole + i * part,
                   (unsigned char *)lane_vector(warp, insn->operands[1 + i]) + lane * lane_bytes,
                   part);
        memcpy(to + (size_t)lane * insn->register_bytes, whole, insn->register_bytes);
    }
}

static void write_same(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                       uint64_t bits) {
    unsigned char *to = lane_vector(warp, insn->operands[0]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        memcpy(to + (size_t)__builtin_ctz(rest) * insn->register_bytes, &bits,
               insn->register_bytes);
}

EXECUTOR(mov_clock) {
    warp->spun = true;
    write_same(warp, insn, lanes, special_clock(warp, (enum special)insn->immediate));
}

EXECUTOR(mov_local) {
    write_same(warp, insn, lanes, warp->frame->local_base + (uint64_t)insn->immediate);
}

/* Generic addresses of .shared and .local have a window in their upper bits; those of .global and
 * .const are the same in both forms. */
static uint64_t window_of(const struct insn *insn) {
    return insn->space == SPACE_SHARED  ? ADDRESS_OF(WINDOW_SHARED)
           : insn->space == SPACE_LOCAL ? ADDRESS_OF(WINDOW_LOCAL)
                                        : 0;
}
EXECUTOR(cvta_u64) {
    uint64_t *d = VECTOR_AT(uint64_t, 0), window = window_of(insn);
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    WRITE_LANES(d, a[lane] + window);
}
EXECUTOR(cvta_to_u64) {
    uint64_t *d = VECTOR_AT(uint64_t, 0), window = window_of(insn);
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    WRITE_LANES(d, a[lane] - window);
}
EXECUTOR(cvta_u32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1);
    WRITE_LANES(d, a[lane]);
}
EXECUTOR(cvta_to_u32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1);
    WRITE_LANES(d, a[lane]);
}

EXECUTOR(isspacep) {
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    const struct launch *launch = warp->block->launch;
    lane_mask result = 0;
    FOR_EACH_LANE(lane) {
        uint64_t window = a[lane] >> ADDRESS_SHIFT;
        bool is_const = window < launch->allocation_count && launch->allocations[window].is_const;
        bool inside = false;
        switch (insn->space) {
        case SPACE_SHARED:
            inside = window == WINDOW_SHARED;
            break;
        case SPACE_LOCAL:
            inside = window == WINDOW_LOCAL;
            break;
        case SPACE_CONST:
            inside = is_const;
            break;
        case SPACE_PARAM:
            inside = window == WINDOW_PARAM;
            break;
        default:
            inside = window >= WINDOW_FIRST_VARIABLE && !is_const;
            break;
        }
        result |= (lane_mask)(inside ? 1u : 0u) << lane;
    }
    write_predicate(warp, insn->operands[0], result, lanes);
}

UNARY(cvt_s64_s32, int64_t, int32_t, a[lane])
UNARY(cvt_u64_u32, uint64_t, uint32_t, a[lane])
UNARY(cvt_u32_u64, uint32_t, uint64_t, a[lane])
UNARY(cvt_f32_s32, float, int32_t, a[lane])
UNARY(cvt_f64_s32, double, int32_t, a[lane])
UNARY(cvt_f64_f32, double, float, a[lane])
UNARY(cvt_f32_f64, float, double, a[lane])

/* A source lane: exactly one of the three holds it. */
struct scalar {
    enum { SCALAR_SIGNED, SCALAR_UNSIGNED, SCALAR_FLOAT } kind;
    int64_t s;
    uint64_t u;
    double f;
};

static float bf16_to_f32(uint16_t bits) {
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
}

/* Round to nearest even by adding half of the last kept place, as integers carry into exponents. */
static uint16_t f32_to_bf16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    if (value != value)
        return 0x7fff;
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

static struct scalar read_scalar(enum ptx_type type, const unsigned char *from) {
    struct scalar value = {.kind = SCALAR_UNSIGNED};
    unsigned bits = ptx_type_bits(type);
    if (ptx_type_is_float(type)) {
        value.kind = SCALAR_FLOAT;
        float narrow;
        _Float16 half;
        uint16_t brain;
        switch (type) {
        case PTX_f64:
            memcpy(&value.f, from, 8);
            break;
        case PTX_f16:
            memcpy(&half, from, 2);
            value.f = (double)half;
            break;
        case PTX_bf16:
            memcpy(&brain, from, 2);
            value.f = (double)bf16_to_f32(brain);
            break;
        default:
            memcpy(&narrow, from, 4);
            value.f = (double)narrow;
            break;
        }
        return value;
    }
    memcpy(&value.u, from, bits / 8);
    if (ptx_type_is_signed(type)) {
        value.kind = SCALAR_SIGNED;
        value.s = (int64_t)(value.u << (64 - bits)) >> (64 - bits);
    }
    return value;
}

/* Float to integer clamps to the range of the target; NaN gives 0 (9.7.9.21). */
static uint64_t float_to_integer(double value, enum ptx_type type, unsigned mode) {
    switch (mode) {
    case ROUND_RN:
        value = rint(value); /* the host rounds to nearest even here */
        break;
    case ROUND_RM:
        value = floor(value);
        break;
    case ROUND_RP:
        value = ceil(value);
        break;
    default:
        value = trunc(value);
        break;
    }
    unsigned bits = ptx_type_bits(type);
    if (value != value)
        return 0;
    if (ptx_type_is_signed(type)) {
        double limit = ldexp(1.0, (int)bits - 1);
        if (value >= limit)
            return ((uint64_t)1 << (bits - 1)) - 1;
        if (value < -limit)
            return (uint64_t)1 << (bits - 1);
        return (uint64_t)(int64_t)value;
    }
    if (value <= 0)
        return 0;
    if (value >= ldexp(1.0, (int)bits))
        return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    return (uint64_t)value;
}

/* .sat between integers clamps; without it the bits are cut off. */
static uint64_t integer_to_integer(struct scalar value, enum ptx_type type, bool sat) {
    unsigned bits = ptx_type_bits(type);
    if (!sat)
        return value.kind == SCALAR_SIGNED ? (uint64_t)value.s : value.u;
    bool negative = value.kind == SCALAR_SIGNED && value.s < 0;
    uint64_t highest = ptx_type_is_signed(type) ? ((uint64_t)1 << (bits - 1)) - 1
                       : bits == 64             ? UINT64_MAX
                                                : ((uint64_t)1 << bits) - 1;
    if (negative) {
        if (!ptx_type_is_signed(type))
            return 0;
        int64_t lowest = (int64_t)(~(uint64_t)0 << (bits - 1));
        return (uint64_t)(value.s < lowest ? lowest : value.s);
    }
    uint64_t positive = value.kind == SCALAR_SIGNED ? (uint64_t)value.s : value.u;
    return positive > highest ? highest : positive;
}

static int fe_mode(unsigned mode) {
    return mode == ROUND_RZ   ? FE_TOWARDZERO
           : mode == ROUND_RM ? FE_DOWNWARD
           : mode == ROUND_RP ? FE_UPWARD
                              : FE_TONEAREST;
}

static uint64_t to_float(struct scalar value, enum ptx_type type, const struct insn *insn,
                         enum ptx_type source) {
    unsigned mode = insn->rounding & ROUNDING_MODE;
    bool ftz = insn->rounding & ROUNDING_FTZ;
    volatile double wide = value.f;
    if (ftz && source == PTX_f32 && fabs(wide) < 0x1p-126)
        wide = copysign(0.0, wide);
    if (insn->rounding & ROUNDING_INTEGRAL)
        wide = mode == ROUND_RZ   ? trunc(wide)
               : mode == ROUND_RM ? floor(wide)
               : mode == ROUND_RP ? ceil(wide)
                                  : rint(wide);
    fesetround(fe_mode(mode));
    if (value.kind == SCALAR_SIGNED)
        wide = (double)value.s;
    else if (value.kind == SCALAR_UNSIGNED)
        wide = (double)value.u;
    volatile float narrow = value.kind == SCALAR_SIGNED     ? (float)value.s
                            : value.kind == SCALAR_UNSIGNED ? (float)value.u
                                                            : (float)wide;
    fesetround(FE_TONEAREST);
    if (insn->rounding & ROUNDING_SAT) {
        wide = wide > 0 ? (wide < 1 ? wide : 1) : 0;
        narrow = narrow > 0 ? (narrow < 1 ? narrow : 1) : 0;
    }
    if (ftz && type == PTX_f32 && fabsf(narrow) < 0x1p-126f)
        narrow = copysignf(0.0f, narrow);
    uint64_t bits = 0;
    double double_value = wide;
    float float_value = narrow;
    _Float16 half = (_Float16)wide;
    uint16_t brain = f32_to_bf16(narrow);
    switch (type) {
    case PTX_f64:
        memcpy(&bits, &double_value, 8);
        break;
    case PTX_f16:
        memcpy(&bits, &half, 2);
        break;
    case PTX_bf16:
        bits = brain;
        break;
    default:
        memcpy(&bits, &float_value, 4);
        break;
    }
    return bits;
}

EXECUTOR(cvt_generic) {
    enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->type2;
    const unsigned char *source = lane_vector(warp, insn->operands[1]);
    unsigned char *d = lane_vector(warp, insn->operands[0]);
    unsigned source_bytes = insn->vector, bits = ptx_type_bits(to);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct scalar value = read_scalar(from, source + (size_t)lane * source_bytes);
        uint64_t result;
        if (ptx_type_is_float(to))
            result = to_float(value, to, insn, from);
        else if (value.kind == SCALAR_FLOAT)
            result = float_to_integer(value.f, to, insn->rounding & ROUNDING_MODE);
        else
            result = integer_to_integer(value, to, insn->rounding & ROUNDING_SAT);
        if (bits < 64) /* a wider destination is filled by the type's own extension */
            result = ptx_type_is_signed(to)
                         ? (uint64_t)((int64_t)(result << (64 - bits)) >> (64 - bits))
                         : result & (((uint64_t)1 << bits) - 1);
        memcpy(d + (size_t)lane * insn->register_bytes, &result, insn->register_bytes);
    }
}

/* cvt.rn.f16x2.f32 d, a, b: a becomes the high half. */
EXECUTOR(cvt_f16x2_f32) {
    _Float16 *d = VECTOR_AT(_Float16, 0);
    const float *a = VECTOR_AT(float, 1), *b = VECTOR_AT(float, 2);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        d[2 * lane] = (_Float16)b[lane];
        d[2 * lane + 1] = (_Float16)a[lane];
    }
}
