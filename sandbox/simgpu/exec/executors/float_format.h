/* Floating-point formats narrower than double, and correct rounding into them.
 *
 * Everything that ends in a narrow format is computed in double first, exactly or rounded to odd:
 * an inexact result gets an odd last bit, so that no later rounding mistakes it for a tie. With
 * 53 bits that makes the second rounding correct in every mode for formats of up to 51 bits
 * (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
 * rounding to odd", 2008). One description serves all formats, from e2m1 to f32. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_EXECUTORS_FLOAT_FORMAT_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_EXECUTORS_FLOAT_FORMAT_H

#include "sandbox/simgpu/program/program.h"

#include <math.h>
#include <string.h>

/* The only NaN that f32 operations make on the hardware; a double's keeps its payload. */
static inline float canonical_f32(float value) {
    static const uint32_t bits = 0x7fffffff;
    float nan;
    memcpy(&nan, &bits, sizeof nan);
    return value == value ? value : nan;
}

struct narrow_format {
    uint8_t bits, fraction, bias;
    bool has_sign;
    uint32_t largest;       /* finite */
    uint32_t infinity, nan; /* infinity == nan: the format has none */
};

/* The format of a scalar type, or of one half of a packed one; NULL: not a narrow format. */
static inline const struct narrow_format *narrow_format_of(enum ptx_type type) {
    static const struct narrow_format f32 = {32, 23, 127, true, 0x7f7fffff, 0x7f800000, 0x7fffffff};
    /* the lower 13 bits of tf32 are 0 */
    static const struct narrow_format tf32 = {19, 10, 127, true, 0x3fbff, 0x3fc00, 0x3ffff};
    static const struct narrow_format f16 = {16, 10, 15, true, 0x7bff, 0x7c00, 0x7fff};
    static const struct narrow_format bf16 = {16, 7, 127, true, 0x7f7f, 0x7f80, 0x7fff};
    static const struct narrow_format e4m3 = {8, 3, 7, true, 0x7e, 0x7f, 0x7f};
    static const struct narrow_format e5m2 = {8, 2, 15, true, 0x7b, 0x7c, 0x7f};
    static const struct narrow_format e2m3 = {6, 3, 1, true, 0x1f, 0x1f, 0x1f};
    static const struct narrow_format e3m2 = {6, 2, 3, true, 0x1f, 0x1f, 0x1f};
    switch (type) {
    case PTX_f32:
        return &f32;
    case PTX_tf32:
        return &tf32;
    case PTX_f16:
    case PTX_f16x2:
        return &f16;
    case PTX_bf16:
    case PTX_bf16x2:
        return &bf16;
    case PTX_e4m3x2:
        return &e4m3;
    case PTX_e5m2x2:
        return &e5m2;
    case PTX_e2m3x2:
        return &e2m3;
    case PTX_e3m2x2:
        return &e3m2;
    default:
        return NULL;
    }
}

static inline double narrow_decode(uint32_t bits, const struct narrow_format *format) {
    uint32_t sign = bits >> (format->bits - 1) & 1;
    bits &= ((uint32_t)1 << (format->bits - 1)) - 1;
    uint32_t exponent = bits >> format->fraction, one = (uint32_t)1 << format->fraction;
    uint32_t significand = (bits & (one - 1)) | (exponent ? one : 0);
    double value =
        bits > format->largest
            ? (bits == format->infinity && format->infinity != format->nan ? INFINITY : NAN)
            : ldexp((double)significand,
                    (int)(exponent ? exponent : 1) - format->bias - format->fraction);
    return sign ? -value : value;
}

static inline bool narrow_rounds_up(unsigned mode, bool negative, double rest, bool odd) {
    switch (mode) {
    case ROUND_RZ:
        return false;
    case ROUND_RM:
        return negative && rest > 0;
    case ROUND_RP:
        return !negative && rest > 0;
    case ROUND_RNA:
        return rest >= 0.5;
    default:
        return rest > 0.5 || (rest == 0.5 && odd);
    }
}

/* The value's bits in the format. `finite`: what is too large becomes the largest number. */
static inline uint32_t narrow_encode(double value, const struct narrow_format *format,
                                     unsigned mode, bool finite) {
    if (value != value)
        return format->nan;
    bool negative = signbit(value);
    uint32_t sign = negative ? (uint32_t)1 << (format->bits - 1) : 0;
    value = fabs(value);
    uint32_t overflow = finite || (value <= 0x1.fffffffffffffp1023 &&
                                   (mode == ROUND_RZ || mode == (negative ? ROUND_RP : ROUND_RM)))
                            ? format->largest
                            : format->infinity;
    if (value == 0 || value > 0x1.fffffffffffffp1023)
        return sign | (value == 0 ? 0 : overflow);
    int exponent, lowest = 1 - format->bias;
    frexp(value, &exponent); /* value = 0.1xxx * 2^exponent */
    exponent = exponent - 1 > lowest ? exponent - 1 : lowest;
    if (exponent > 128)
        return sign | overflow;
    double scaled = ldexp(value, format->fraction - exponent), whole = floor(scaled);
    uint64_t significand = (uint64_t)whole;
    significand += narrow_rounds_up(mode, negative, scaled - whole, significand & 1);
    /* the leading bit of the significand adds one to the exponent, a carry another */
    uint64_t bits = ((uint64_t)(exponent - lowest) << format->fraction) + significand;
    return sign | (bits > format->largest ? overflow : (uint32_t)bits);
}

/* x + y, rounded to odd: the error of the sum (Knuth's 2Sum) says where the exact one lies. */
static inline double narrow_add(double x, double y) {
    double sum = x + y, part = sum - x;
    double error = (x - (sum - part)) + (y - part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    bool inexact = error > 0 || error < 0;
    if (inexact && !(bits & 1))
        bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

static inline double narrow_from_u64(uint64_t value) {
    if (value >> 53 == 0)
        return (double)value;
    unsigned dropped = 11 - (unsigned)__builtin_clzll(value);
    uint64_t kept = value >> dropped, rest = value & (((uint64_t)1 << dropped) - 1);
    return ldexp((double)(kept | (rest != 0)), (int)dropped);
}

#endif
