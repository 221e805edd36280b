/* cvt (PTX ISA 9.7.9.21): between integers and floats of any width, packed halves and 8-bit floats.
 *
 * One general executor widens the source to 64 bits without loss, so that only the last step
 * rounds or saturates. The common pairs have vector loops of their own. */
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/executors/scalar.h"
#include "sandbox/simgpu/state/lanes.h"

#include <fenv.h>

UNARY(cvt_s64_s32, int64_t, int32_t, a[lane])
UNARY(cvt_u64_u32, uint64_t, uint32_t, a[lane])
UNARY(cvt_u32_u64, uint32_t, uint64_t, a[lane])
UNARY(cvt_f32_s32, float, int32_t, a[lane])
UNARY(cvt_f64_s32, double, int32_t, a[lane])
UNARY(cvt_f64_f32, double, float, a[lane])
UNARY(cvt_f32_f64, float, double, a[lane])

static double round_integral(double value, unsigned mode) {
    switch (mode) {
    case ROUND_RN:
        return rint(value); /* the host rounds to nearest even here */
    case ROUND_RM:
        return floor(value);
    case ROUND_RP:
        return ceil(value);
    default:
        return trunc(value);
    }
}

/* Float to integer clamps to the range of the target. NaN gives 0, or the most negative number's
 * bits where one of the two types has 64 bits. */
static uint64_t float_to_integer(double value, enum ptx_type from, enum ptx_type to,
                                 unsigned mode) {
    unsigned bits = ptx_type_bits(to);
    if (value != value)
        return from == PTX_f64 || bits == 64 ? (uint64_t)1 << (bits - 1) : 0;
    value = round_integral(value, mode);
    if (ptx_type_is_signed(to)) {
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

/* An integer as a double: rounded to odd for narrower targets, in the given mode for f64 itself. */
static double integer_to_double(struct scalar value, enum ptx_type to, unsigned mode) {
    bool negative = value.kind == SCALAR_SIGNED && value.s < 0;
    uint64_t magnitude = negative                      ? 0 - (uint64_t)value.s
                         : value.kind == SCALAR_SIGNED ? (uint64_t)value.s
                                                       : value.u;
    if (to != PTX_f64) {
        double odd = narrow_from_u64(magnitude);
        return negative ? -odd : odd;
    }
    static const int modes[] = {
        [ROUND_DEFAULT] = FE_TONEAREST, [ROUND_RN] = FE_TONEAREST, [ROUND_RZ] = FE_TOWARDZERO,
        [ROUND_RM] = FE_DOWNWARD,       [ROUND_RP] = FE_UPWARD,    [ROUND_RNA] = FE_TONEAREST};
    volatile uint64_t whole = value.u;
    volatile int64_t with_sign = value.s;
    fesetround(modes[mode]);
    volatile double result = value.kind == SCALAR_SIGNED ? (double)with_sign : (double)whole;
    fesetround(FE_TONEAREST);
    return result;
}

/* A double's NaN keeps the upper bits of its payload on the hardware; all others are canonical. */
static uint32_t quiet_nan(double value, const struct narrow_format *format) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t payload = (bits & 0xfffffffffffffu) >> (52 - format->fraction);
    uint32_t quiet = (uint32_t)1 << (format->fraction - 1);
    return (uint32_t)(bits >> 63 << (format->bits - 1)) | format->infinity | quiet |
           (uint32_t)payload;
}

static uint64_t to_float(struct scalar value, enum ptx_type to, const struct insn *insn,
                         enum ptx_type from) {
    unsigned mode = insn->rounding & ROUNDING_MODE;
    bool ftz = insn->rounding & ROUNDING_FTZ;
    double wide = value.kind == SCALAR_FLOAT ? value.f : integer_to_double(value, to, mode);
    if (insn->rounding & ROUNDING_INTEGRAL)
        wide = round_integral(wide, mode);
    if (insn->rounding & ROUNDING_SAT)
        wide = wide > 0 ? (wide < 1 ? wide : 1) : 0;
    if (insn->extra & EXTRA_RELU && wide == wide && signbit(wide))
        wide = 0;
    const struct narrow_format *format = narrow_format_of(to);
    uint64_t bits = 0;
    if (!format) {
        memcpy(&bits, &wide, 8);
        return bits;
    }
    if (wide != wide && (from == PTX_f64 || (from == PTX_bf16 && to == PTX_f32)))
        return quiet_nan(wide, format);
    bits = narrow_encode(wide, format, mode, insn->extra & EXTRA_SATFINITE);
    if (ftz && to == PTX_f32 && (bits & 0x7fffffffu) < 0x00800000u)
        bits &= 0x80000000u;
    return to == PTX_tf32 ? bits << 13 : bits;
}

/* cvt.rna.tf32 cuts a NaN; the other roundings make the canonical one. */
static uint64_t tf32_nan(const unsigned char *source) {
    uint32_t bits;
    memcpy(&bits, source, sizeof bits);
    return bits & 0xffffe000u;
}

/* .ftz: an H200 flushes f32 operands and results, but not on the way to f16. */
EXECUTOR(cvt_generic) {
    enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->type2;
    const unsigned char *source = lane_vector(warp, insn->operands[1]);
    unsigned char *d = lane_vector(warp, insn->operands[0]);
    unsigned source_bytes = insn->source_bytes, bits = ptx_type_bits(to);
    bool flushes = insn->rounding & ROUNDING_FTZ && from == PTX_f32 && to != PTX_f16;
    unsigned mode = insn->rounding & ROUNDING_MODE;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct scalar value = scalar_read(from, source + (size_t)lane * source_bytes);
        if (flushes && fabs(value.f) < 0x1p-126)
            value.f = copysign(0.0, value.f);
        uint64_t result;
        if (to == PTX_tf32 && value.f != value.f && mode == ROUND_RNA)
            result = tf32_nan(source + (size_t)lane * source_bytes);
        else if (ptx_type_is_float(to))
            result = to_float(value, to, insn, from);
        else if (value.kind == SCALAR_FLOAT)
            result = float_to_integer(value.f, from, to, mode);
        else
            result = integer_to_integer(value, to, insn->rounding & ROUNDING_SAT);
        if (bits < 64) /* a wider destination is filled by the type's own extension */
            result = ptx_type_is_signed(to)
                         ? (uint64_t)((int64_t)(result << (64 - bits)) >> (64 - bits))
                         : result & (((uint64_t)1 << bits) - 1);
        memcpy(d + (size_t)lane * insn->register_bytes, &result, insn->register_bytes);
    }
}

/* Packed targets: from two f32 (the first becomes the upper half) or from a packed source. */
EXECUTOR(cvt_pair) {
    enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->type2;
    unsigned to_bytes = ptx_type_bits(to) / 8, from_bytes = ptx_type_bits(from) / 8;
    unsigned char *d = lane_vector(warp, insn->operands[0]);
    const unsigned char *a = lane_vector(warp, insn->operands[1]);
    const unsigned char *b = from == PTX_f32 ? lane_vector(warp, insn->operands[2]) : a;
    size_t upper = from == PTX_f32 ? 0 : from_bytes / 2u;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        size_t lane = (size_t)__builtin_ctz(rest);
        uint64_t high = to_float(scalar_read(from, a + lane * from_bytes + upper), to, insn, from);
        uint64_t low = to_float(scalar_read(from, b + lane * from_bytes), to, insn, from);
        uint64_t result = high << (4 * to_bytes) | low;
        memcpy(d + lane * to_bytes, &result, to_bytes);
    }
}

/* cvt.pack.sat (9.7.9.22): a and b, clamped, become the two lowest parts of d, a above b; c's low
 * half moves up above them. */
#define PACK(name, width, lowest, highest, shifted)                                                \
    EXECUTOR(name) {                                                                               \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const int32_t *a = VECTOR_AT(int32_t, 1), *b = VECTOR_AT(int32_t, 2);                      \
        const uint32_t *c = VECTOR_AT(uint32_t, (shifted) ? 3 : 1);                                \
        const uint32_t mask = ((uint32_t)1 << (width)) - 1;                                        \
        WRITE_LANES(d, (clamp_s32(a[lane], lowest, highest) & mask) << (width) |                   \
                           (clamp_s32(b[lane], lowest, highest) & mask) |                          \
                           ((shifted) ? c[lane] << (2 * (width)) % 32 : 0));                       \
    }
static inline uint32_t clamp_s32(int32_t value, int32_t lowest, int32_t highest) {
    return (uint32_t)(value < lowest ? lowest : value > highest ? highest : value);
}
PACK(cvt_pack_u16, 16, 0, UINT16_MAX, false)
PACK(cvt_pack_s16, 16, INT16_MIN, INT16_MAX, false)
PACK(cvt_pack_u8, 8, 0, UINT8_MAX, true)
PACK(cvt_pack_s8, 8, INT8_MIN, INT8_MAX, true)
PACK(cvt_pack_u4, 4, 0, 15, true)
PACK(cvt_pack_s4, 4, -8, 7, true)
PACK(cvt_pack_u2, 2, 0, 3, true)
PACK(cvt_pack_s2, 2, -2, 1, true)
