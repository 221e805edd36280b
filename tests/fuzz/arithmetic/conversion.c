/* cvt between all pairs of types, with every rounding and flag that the pair may have (PTX ISA
 * 9.7.9.21), and cvt.pack. */
#include "tests/fuzz/arithmetic/generator.h"

#include <stdio.h>
#include <string.h>

struct end {
    const char *ptx;
    enum type type; /* of the C variable: 8-bit integers travel in 16 bits */
    unsigned bits;
    bool is_float;
};

static const struct end ends[] = {
    {"u8", TYPE_u16, 8, false},    {"s8", TYPE_u16, 8, false},   {"u16", TYPE_u16, 16, false},
    {"s16", TYPE_u16, 16, false},  {"u32", TYPE_u32, 32, false}, {"s32", TYPE_u32, 32, false},
    {"u64", TYPE_u64, 64, false},  {"s64", TYPE_u64, 64, false}, {"f16", TYPE_f16, 16, true},
    {"bf16", TYPE_bf16, 16, true}, {"f32", TYPE_f32, 32, true},  {"f64", TYPE_f64, 64, true},
};

/* Forms that are no pair of `ends`, whole. */
struct whole {
    const char *ptx;
    enum type to;
    enum type from[3];
    unsigned count, target;
};
static const struct whole wholes[] = {
    {"cvt.rn.f16x2.f32", TYPE_f16x2, {TYPE_f32, TYPE_f32}, 2, 80},
    {"cvt.rz.f16x2.f32", TYPE_f16x2, {TYPE_f32, TYPE_f32}, 2, 80},
    {"cvt.rn.relu.f16x2.f32", TYPE_f16x2, {TYPE_f32, TYPE_f32}, 2, 80},
    {"cvt.rz.relu.f16x2.f32", TYPE_f16x2, {TYPE_f32, TYPE_f32}, 2, 80},
    {"cvt.rn.bf16x2.f32", TYPE_bf16x2, {TYPE_f32, TYPE_f32}, 2, 80},
    {"cvt.rz.bf16x2.f32", TYPE_bf16x2, {TYPE_f32, TYPE_f32}, 2, 80},
    {"cvt.rn.relu.bf16x2.f32", TYPE_bf16x2, {TYPE_f32, TYPE_f32}, 2, 80},
    {"cvt.rz.relu.bf16x2.f32", TYPE_bf16x2, {TYPE_f32, TYPE_f32}, 2, 80},
    {"cvt.rn.relu.f16.f32", TYPE_f16, {TYPE_f32}, 1, 80},
    {"cvt.rz.relu.f16.f32", TYPE_f16, {TYPE_f32}, 1, 80},
    {"cvt.rn.relu.bf16.f32", TYPE_bf16, {TYPE_f32}, 1, 80},
    {"cvt.rz.relu.bf16.f32", TYPE_bf16, {TYPE_f32}, 1, 80},
    {"cvt.rna.tf32.f32", TYPE_u32, {TYPE_f32}, 1, 80},
    {"cvt.rn.tf32.f32", TYPE_u32, {TYPE_f32}, 1, 90},
    {"cvt.rz.tf32.f32", TYPE_u32, {TYPE_f32}, 1, 90},
    {"cvt.rn.relu.tf32.f32", TYPE_u32, {TYPE_f32}, 1, 90},
    {"cvt.rz.relu.tf32.f32", TYPE_u32, {TYPE_f32}, 1, 90},
    {"cvt.rn.satfinite.e4m3x2.f32", TYPE_u16, {TYPE_f32, TYPE_f32}, 2, 90},
    {"cvt.rn.satfinite.relu.e4m3x2.f32", TYPE_u16, {TYPE_f32, TYPE_f32}, 2, 90},
    {"cvt.rn.satfinite.e5m2x2.f32", TYPE_u16, {TYPE_f32, TYPE_f32}, 2, 90},
    {"cvt.rn.satfinite.relu.e5m2x2.f32", TYPE_u16, {TYPE_f32, TYPE_f32}, 2, 90},
    {"cvt.rn.satfinite.e4m3x2.f16x2", TYPE_u16, {TYPE_f16x2}, 1, 90},
    {"cvt.rn.satfinite.relu.e5m2x2.f16x2", TYPE_u16, {TYPE_f16x2}, 1, 90},
    {"cvt.rn.f16x2.e4m3x2", TYPE_f16x2, {TYPE_u16}, 1, 90},
    {"cvt.rn.relu.f16x2.e5m2x2", TYPE_f16x2, {TYPE_u16}, 1, 90},
    {"cvt.pack.sat.u16.s32", TYPE_u32, {TYPE_u32, TYPE_u32}, 2, 80},
    {"cvt.pack.sat.s16.s32", TYPE_u32, {TYPE_u32, TYPE_u32}, 2, 80},
    {"cvt.pack.sat.u8.s32.b32", TYPE_u32, {TYPE_u32, TYPE_u32, TYPE_u32}, 3, 80},
    {"cvt.pack.sat.s8.s32.b32", TYPE_u32, {TYPE_u32, TYPE_u32, TYPE_u32}, 3, 80},
    {"cvt.pack.sat.u4.s32.b32", TYPE_u32, {TYPE_u32, TYPE_u32, TYPE_u32}, 3, 80},
    {"cvt.pack.sat.s4.s32.b32", TYPE_u32, {TYPE_u32, TYPE_u32, TYPE_u32}, 3, 80},
    {"cvt.pack.sat.u2.s32.b32", TYPE_u32, {TYPE_u32, TYPE_u32, TYPE_u32}, 3, 80},
    {"cvt.pack.sat.s2.s32.b32", TYPE_u32, {TYPE_u32, TYPE_u32, TYPE_u32}, 3, 80},
};

static void emit_asm(struct generator *g, const char *ptx, enum type to, const enum type *from,
                     unsigned count) {
    struct name result = draw_variable(g, to);
    EMIT("asm(\"%s %%0", ptx);
    for (unsigned i = 0; i < count; i++)
        EMIT(", %%%u", i + 1);
    EMIT(";\" : \"=%s\"(%s) : ", type_rows[to].constraint, result.text);
    for (unsigned i = 0; i < count; i++)
        EMIT("%s\"%s\"(%s)", i ? ", " : "", type_rows[from[i]].constraint,
             draw_variable(g, from[i]).text);
    EMIT(");\n");
    emit_canonical(g, to, result.text);
}

static void emit_whole(struct generator *g) {
    const struct whole *form;
    do
        form = &DRAW_OF(g, wholes);
    while (form->target > g->target);
    emit_asm(g, form->ptx, form->to, form->from, form->count);
}

static bool is_bf16(const struct end *end) {
    return end->type == TYPE_bf16;
}

/* ptxas converts bf16 from and to all but itself and 8 bits, on 9.0; from f32 with .rn and .rz. */
static bool exists(const struct generator *g, const struct end *to, const struct end *from) {
    if (!is_bf16(to) && !is_bf16(from))
        return true;
    if (to->type == from->type || to->bits == 8 || from->bits == 8)
        return false;
    return g->target >= 90 || (is_bf16(to) && from->type == TYPE_f32);
}

static const char *rounding_of(struct generator *g, const struct end *to, const struct end *from) {
    static const char *const modes[] = {".rn", ".rz", ".rm", ".rp"};
    static const char *const whole_modes[] = {".rni", ".rzi", ".rmi", ".rpi"};
    bool narrows = to->is_float && (!from->is_float || to->bits < from->bits ||
                                    (to->bits == from->bits && to->type != from->type));
    if (to->is_float && from->type == TYPE_f32 && is_bf16(to))
        return modes[draw(g, 2)];
    if (narrows)
        return DRAW_OF(g, modes);
    if (from->is_float && (!to->is_float || to->type == from->type))
        return DRAW_OF(g, whole_modes);
    return "";
}

/* Where a number of the source may lie outside the target's range, or be above 1. */
static bool may_saturate(const struct end *to, const struct end *from) {
    bool to_signed = to->ptx[0] == 's', from_signed = from->ptx[0] == 's';
    if (is_bf16(to) || is_bf16(from))
        return false;
    if (to->is_float || from->is_float)
        return to->is_float;
    return to_signed == from_signed ? to->bits < from->bits : from_signed || to->bits <= from->bits;
}

void emit_conversion(struct generator *g) {
    if (draw_one_in(g, 4)) {
        emit_whole(g);
        return;
    }
    const struct end *to, *from;
    do {
        to = &DRAW_OF(g, ends);
        from = &DRAW_OF(g, ends);
    } while (!exists(g, to, from));
    const char *rounding = rounding_of(g, to, from);
    bool has_f32 =
        (to->type == TYPE_f32 || from->type == TYPE_f32) && !is_bf16(to) && !is_bf16(from);
    bool ftz = has_f32 && draw_one_in(g, 3);
    bool sat = draw_one_in(g, 3) && may_saturate(to, from);
    char ptx[64];
    snprintf(ptx, sizeof ptx, "cvt%s%s%s.%s.%s", rounding, ftz ? ".ftz" : "", sat ? ".sat" : "",
             to->ptx, from->ptx);
    emit_asm(g, ptx, to->type, &from->type, 1);
}
