/* min and max of every floating-point type with every modifier (PTX ISA 9.7.3.9, 9.7.4.7): .ftz,
 * .NaN (a NaN wins), .xorsign.abs (magnitudes, with the product's sign), .relu and a third input.
 *
 * Without .NaN the other operand wins over a NaN; a NaN result is the canonical one; -0 is smaller
 * than +0. The plain f32 and f64 forms have vector loops in exec_float.c. */
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/executors/float_format.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/warp.h"

struct pick {
    const struct narrow_format *format;
    uint32_t sign, normal;
    bool maximum, ftz, nan_wins, xorsign, relu;
};

static inline bool pick_is_nan(const struct pick *pick, uint32_t bits) {
    return (bits & ~pick->sign) > pick->format->infinity;
}

/* Order-preserving map of bits to integers. */
static inline int64_t pick_order(const struct pick *pick, uint32_t bits) {
    int64_t magnitude = bits & ~pick->sign;
    return bits & pick->sign ? -magnitude - 1 : magnitude;
}

static uint32_t pick_one(const struct pick *pick, uint32_t x, uint32_t y) {
    uint32_t sign = (x ^ y) & pick->sign;
    if (pick->xorsign) {
        x &= ~pick->sign;
        y &= ~pick->sign;
    }
    bool x_nan = pick_is_nan(pick, x), y_nan = pick_is_nan(pick, y);
    if (pick->nan_wins ? x_nan || y_nan : x_nan && y_nan)
        return pick->format->nan;
    bool x_wins = y_nan || (!x_nan && (pick_order(pick, x) < pick_order(pick, y)) != pick->maximum);
    return (x_wins ? x : y) | (pick->xorsign ? sign : 0);
}

static uint32_t pick_settle(const struct pick *pick, uint32_t bits) {
    bool nan = pick_is_nan(pick, bits);
    if (pick->relu && bits & pick->sign && !nan)
        return 0;
    return pick->ftz && (bits & ~pick->sign) < pick->normal ? bits & pick->sign : bits;
}

static uint32_t pick_read(const struct pick *pick, const unsigned char *vector, unsigned at) {
    uint32_t bits = 0;
    unsigned bytes = pick->format->bits / 8;
    memcpy(&bits, vector + (size_t)at * bytes, bytes);
    return pick->ftz && (bits & ~pick->sign) < pick->normal ? bits & pick->sign : bits;
}

static void pick_lanes(struct warp *warp, const struct insn *insn, lane_mask lanes, bool maximum) {
    const struct narrow_format *format = narrow_format_of((enum ptx_type)insn->type);
    struct pick pick = {.format = format,
                        .sign = (uint32_t)1 << (format->bits - 1),
                        .normal = (uint32_t)1 << format->fraction,
                        .maximum = maximum,
                        .ftz = insn->rounding & ROUNDING_FTZ,
                        .nan_wins = insn->extra & EXTRA_NAN,
                        .xorsign = insn->extra & EXTRA_XORSIGN_ABS,
                        .relu = insn->extra & EXTRA_RELU};
    unsigned bytes = format->bits / 8, count = ptx_type_bits((enum ptx_type)insn->type) / 8 / bytes;
    unsigned char *d = lane_vector(warp, insn->operands[0]);
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        for (unsigned part = 0; part < count; part++) {
            unsigned at = count * (unsigned)__builtin_ctz(rest) + part;
            uint32_t x = pick_read(&pick, lane_vector(warp, insn->operands[1]), at);
            for (unsigned slot = 2; slot < 4 && insn->operands[slot] != OPERAND_NONE; slot++)
                x = pick_one(&pick, x,
                             pick_read(&pick, lane_vector(warp, insn->operands[slot]), at));
            x = pick_settle(&pick, x);
            memcpy(d + (size_t)at * bytes, &x, bytes);
        }
}
EXECUTOR(min_float) {
    pick_lanes(warp, insn, lanes, false);
}
EXECUTOR(max_float) {
    pick_lanes(warp, insn, lanes, true);
}
