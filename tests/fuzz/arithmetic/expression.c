/* Typed expressions of CUDA C. Operands may be anything, so that each operation is one that C
 * defines for all of them: unsigned arithmetic, shifts within the width, divisions through a
 * function that asks for the two cases first (see prelude in module.c). */
#include "tests/fuzz/arithmetic/generator.h"

static const char roundings[] = "nzud";

static const char *signed_name(enum type type) {
    static const char *const names[] = {"s8", "s16", "s32", "s64", "s128"};
    return names[type];
}

/* Narrow integers become int in C, whose products overflow: they are computed as u32. */
static const char *wide_name(enum type type) {
    return type_rows[type].bits < 32 ? "u32" : type_rows[type].c;
}

static enum type draw_integer(struct generator *g) {
    return (enum type)draw(g, TYPE_u128 + 1);
}

static void integer_constant(struct generator *g, enum type type) {
    static const uint64_t edges[] = {0, 1, 2, 3, 5, 7, 10, 31, 32, 100, 255, 0x8000, 0x10001};
    unsigned bits = type_rows[type].bits;
    uint64_t value = DRAW_OF(g, edges);
    switch (draw(g, 4)) {
    case 0:
        value = draw_bits(g);
        break;
    case 1:
        value = ~value;
        break;
    case 2:
        value = ((uint64_t)1 << ((bits > 64 ? 64 : bits) - 1)) - draw(g, 2);
        break;
    default:
        break;
    }
    if (bits > 64)
        EMIT("((u128)0x%llxull << 64 | 0x%llxull)", (unsigned long long)draw_bits(g),
             (unsigned long long)value);
    else
        EMIT("(%s)0x%llxull", type_rows[type].c,
             (unsigned long long)(bits == 64 ? value : value & (((uint64_t)1 << bits) - 1)));
}

static void float_constant(struct generator *g, enum type type) {
    static const char *const values[] = {
        "0.0",  "-0.0",  "1.0",   "-1.0",  "0.5",      "3.25",           "-1e-3",  "1e10",
        "-7.0", "255.5", "65504", "1e-30", "0x1p-126", "0x1.fffffep127", "0x1p31", "-0x1p63"};
    if (type == TYPE_f32 && draw_one_in(g, 4))
        EMIT("__uint_as_float(0x%xu)", (unsigned)(draw_bits(g) >> 32));
    else
        EMIT("(%s)%s", type_rows[type].c, DRAW_OF(g, values));
}

static void leaf(struct generator *g, enum type type) {
    if (g->in_scope[type] && !draw_one_in(g, 5)) {
        EMIT("%s", draw_variable(g, type).text);
        return;
    }
    switch (type_rows[type].kind) {
    case KIND_INTEGER:
        integer_constant(g, type);
        return;
    case KIND_FLOAT:
        float_constant(g, type);
        return;
    default:
        EMIT("(%s)0x%llxu", type_rows[type].c,
             (unsigned long long)(draw_bits(g) >> (64 - type_rows[type].bits)));
    }
}

/* Calls of intrinsics: the letters of `operands` are their types, 'R' stands for the letter of a
 * rounding. */
struct intrinsic {
    const char *text;
    enum type result;
    const char *operands;
};

static const struct intrinsic intrinsics[] = {
    {"(u32)__popc", TYPE_u32, "r"},
    {"(u32)__popcll", TYPE_u32, "d"},
    {"(u32)__clz", TYPE_u32, "r"},
    {"(u32)__clzll", TYPE_u32, "d"},
    {"(u32)__ffs", TYPE_u32, "r"},
    {"(u32)__ffsll", TYPE_u32, "d"},
    {"__brev", TYPE_u32, "r"},
    {"__brevll", TYPE_u64, "d"},
    {"(u32)__mulhi", TYPE_u32, "rr"},
    {"__umulhi", TYPE_u32, "rr"},
    {"(u64)__mul64hi", TYPE_u64, "dd"},
    {"__umul64hi", TYPE_u64, "dd"},
    {"(u32)__mul24", TYPE_u32, "rr"},
    {"__umul24", TYPE_u32, "rr"},
    {"__byte_perm", TYPE_u32, "rrr"},
    {"__funnelshift_l", TYPE_u32, "rrr"},
    {"__funnelshift_lc", TYPE_u32, "rrr"},
    {"__funnelshift_r", TYPE_u32, "rrr"},
    {"__funnelshift_rc", TYPE_u32, "rrr"},
    {"(u32)__sad", TYPE_u32, "rrr"},
    {"__usad", TYPE_u32, "rrr"},
    {"(u32)__hadd", TYPE_u32, "rr"},
    {"__urhadd", TYPE_u32, "rr"},
    {"__dp4a", TYPE_u32, "rrr"},
    {"__vadd2", TYPE_u32, "rr"},
    {"__vaddss4", TYPE_u32, "rr"},
    {"__vaddus2", TYPE_u32, "rr"},
    {"__vabsdiffu4", TYPE_u32, "rr"},
    {"__vabsdiffs2", TYPE_u32, "rr"},
    {"__vavgu4", TYPE_u32, "rr"},
    {"__vmaxs2", TYPE_u32, "rr"},
    {"__vminu4", TYPE_u32, "rr"},
    {"__vsubss2", TYPE_u32, "rr"},
    {"__vcmpgts4", TYPE_u32, "rr"},
    {"__vsetleu2", TYPE_u32, "rr"},
    {"__vsads4", TYPE_u32, "rr"},
    {"__vneg2", TYPE_u32, "r"},
    {"__vabs4", TYPE_u32, "r"},
    {"(u32)__float2int_rR", TYPE_u32, "f"},
    {"__float2uint_rR", TYPE_u32, "f"},
    {"(u64)__float2ll_rR", TYPE_u64, "f"},
    {"__float2ull_rR", TYPE_u64, "f"},
    {"(u32)__double2int_rR", TYPE_u32, "g"},
    {"__double2uint_rR", TYPE_u32, "g"},
    {"(u64)__double2ll_rR", TYPE_u64, "g"},
    {"__double2ull_rR", TYPE_u64, "g"},
    {"__float_as_uint", TYPE_u32, "f"},
    {"double_bits", TYPE_u64, "g"},
    {"(u32)__double2hiint", TYPE_u32, "g"},
    {"(u32)greatest_divisor", TYPE_u32, "rr"},

    {"__fadd_rR", TYPE_f32, "ff"},
    {"__fsub_rR", TYPE_f32, "ff"},
    {"__fmul_rR", TYPE_f32, "ff"},
    {"__fmaf_rR", TYPE_f32, "fff"},
    {"__fdiv_rR", TYPE_f32, "ff"},
    {"__frcp_rR", TYPE_f32, "f"},
    {"__fsqrt_rR", TYPE_f32, "f"},
    {"lesser_float", TYPE_f32, "ff"},
    {"greater_float", TYPE_f32, "ff"},
    {"fabsf", TYPE_f32, "f"},
    {"-", TYPE_f32, "f"},
    {"copysignf", TYPE_f32, "ff"},
    {"truncf", TYPE_f32, "f"},
    {"floorf", TYPE_f32, "f"},
    {"ceilf", TYPE_f32, "f"},
    {"rintf", TYPE_f32, "f"},
    {"__saturatef", TYPE_f32, "f"},
    {"__int2float_rR", TYPE_f32, "r"},
    {"__uint2float_rR", TYPE_f32, "r"},
    {"__ll2float_rR", TYPE_f32, "d"},
    {"__ull2float_rR", TYPE_f32, "d"},
    {"__double2float_rR", TYPE_f32, "g"},
    {"__uint_as_float", TYPE_f32, "r"},
    {"float_of_f16", TYPE_f32, "h"},
    {"float_of_bf16", TYPE_f32, "b"},

    {"__dadd_rR", TYPE_f64, "gg"},
    {"__dsub_rR", TYPE_f64, "gg"},
    {"__dmul_rR", TYPE_f64, "gg"},
    {"__fma_rR", TYPE_f64, "ggg"},
    {"__ddiv_rR", TYPE_f64, "gg"},
    {"__drcp_rR", TYPE_f64, "g"},
    {"__dsqrt_rR", TYPE_f64, "g"},
    {"fmin", TYPE_f64, "gg"},
    {"fmax", TYPE_f64, "gg"},
    {"fabs", TYPE_f64, "g"},
    {"-", TYPE_f64, "g"},
    {"trunc", TYPE_f64, "g"},
    {"floor", TYPE_f64, "g"},
    {"ceil", TYPE_f64, "g"},
    {"rint", TYPE_f64, "g"},
    {"__int2double_rn", TYPE_f64, "r"},
    {"__uint2double_rn", TYPE_f64, "r"},
    {"__ll2double_rR", TYPE_f64, "d"},
    {"__ull2double_rR", TYPE_f64, "d"},
    {"(double)", TYPE_f64, "f"},
    {"double_of_bits", TYPE_f64, "d"},
};
enum { INTRINSICS = sizeof intrinsics / sizeof *intrinsics };

static enum type type_of_letter(char letter) {
    for (unsigned type = 0; type < TYPE_COUNT; type++)
        if (type_rows[type].letter == letter)
            return (enum type)type;
    return TYPE_COUNT;
}

/* One of those with that result; there are some for u32, u64, f32 and f64. */
static void emit_intrinsic(struct generator *g, enum type type, unsigned depth) {
    unsigned at = draw(g, INTRINSICS);
    while (intrinsics[at].result != type)
        at = (at + 1) % INTRINSICS;
    const struct intrinsic *intrinsic = &intrinsics[at];
    char rounding = roundings[draw(g, 4)];
    EMIT("(");
    for (const char *c = intrinsic->text; *c; c++)
        text_append_char(g->out, *c == 'R' ? rounding : *c);
    EMIT("(");
    for (const char *operand = intrinsic->operands; *operand; operand++) {
        EMIT("%s", operand == intrinsic->operands ? "" : ", ");
        emit_expression(g, type_of_letter(*operand), depth - 1);
    }
    EMIT("))");
}

static void two_operands(struct generator *g, enum type type, const char *as, const char *operator,
                         unsigned depth) {
    EMIT("(%s)((%s)", type_rows[type].c, as);
    emit_expression(g, type, depth - 1);
    EMIT(" %s (%s)", operator, as);
    emit_expression(g, type, depth - 1);
    EMIT(")");
}

/* function<T>(a, b) of the prelude, signed or unsigned. */
static void call_template(struct generator *g, enum type type, const char *function,
                          unsigned depth) {
    const char *as = draw_one_in(g, 2) ? signed_name(type) : type_rows[type].c;
    EMIT("(%s)%s<%s>((%s)", type_rows[type].c, function, as, as);
    emit_expression(g, type, depth - 1);
    EMIT(", (%s)", as);
    emit_expression(g, type, depth - 1);
    EMIT(")");
}

static void shift(struct generator *g, enum type type, unsigned depth) {
    bool left = draw_one_in(g, 2), arithmetic = draw_one_in(g, 2);
    EMIT("(%s)((%s)", type_rows[type].c,
         left         ? wide_name(type)
         : arithmetic ? signed_name(type)
                      : type_rows[type].c);
    emit_expression(g, type, depth - 1);
    EMIT(" %s (", left ? "<<" : ">>");
    emit_expression(g, TYPE_u32, depth - 1);
    EMIT(" & %uu))", type_rows[type].bits - 1);
}

static void select_one(struct generator *g, enum type type, unsigned depth) {
    EMIT("(");
    emit_condition(g, depth - 1);
    EMIT(" ? ");
    emit_expression(g, type, depth - 1);
    EMIT(" : ");
    emit_expression(g, type, depth - 1);
    EMIT(")");
}

/* From another integer, by way of a signed or an unsigned one. */
static void integer_cast(struct generator *g, enum type type, unsigned depth) {
    enum type from = draw_integer(g);
    EMIT("(%s)(%s)", type_rows[type].c, draw_one_in(g, 2) ? signed_name(from) : type_rows[from].c);
    emit_expression(g, from, depth - 1);
}

static void integer(struct generator *g, enum type type, unsigned depth) {
    static const char *const operators[] = {"+", "-", "*", "&", "|", "^", "+", "*"};
    static const char *const functions[] = {"quotient", "remainder_of", "lesser", "greater",
                                            "less_than"};
    switch (draw(g, 9)) {
    case 0:
    case 1:
    case 2:
        two_operands(g, type, wide_name(type), DRAW_OF(g, operators), depth);
        return;
    case 3:
        call_template(g, type, DRAW_OF(g, functions), depth);
        return;
    case 4:
        shift(g, type, depth);
        return;
    case 5:
        EMIT("(%s)%s(%s)", type_rows[type].c, draw_one_in(g, 2) ? "~" : "-", wide_name(type));
        emit_expression(g, type, depth - 1);
        return;
    case 6:
        select_one(g, type, depth);
        return;
    case 7:
        if (type == TYPE_u32 || type == TYPE_u64) {
            emit_intrinsic(g, type, depth);
            return;
        }
        if (type == TYPE_u128) {
            EMIT("((u128)");
            emit_expression(g, TYPE_u64, depth - 1);
            EMIT(" << 64 | ");
            emit_expression(g, TYPE_u64, depth - 1);
            EMIT(")");
            return;
        }
        __attribute__((fallthrough));
    default:
        integer_cast(g, type, depth);
    }
}

void emit_expression(struct generator *g, enum type type, unsigned depth) {
    if (depth == 0 || draw_one_in(g, 5)) {
        leaf(g, type);
        return;
    }
    switch (type_rows[type].kind) {
    case KIND_INTEGER:
        integer(g, type, depth);
        return;
    case KIND_FLOAT:
        if (draw_one_in(g, 6))
            select_one(g, type, depth);
        else
            emit_intrinsic(g, type, depth);
        return;
    default: /* rows of the ISA table compute with halves */
        select_one(g, type, depth);
    }
}

void emit_condition(struct generator *g, unsigned depth) {
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
    static const enum type types[] = {TYPE_u8,  TYPE_u16,  TYPE_u32, TYPE_u32,
                                      TYPE_u64, TYPE_u128, TYPE_f32, TYPE_f64};
    enum type type = DRAW_OF(g, types);
    bool as_signed = type_rows[type].kind == KIND_INTEGER && draw_one_in(g, 2);
    const char *as = as_signed ? signed_name(type) : type_rows[type].c;
    EMIT("((%s)", as);
    emit_expression(g, type, depth);
    EMIT(" %s (%s)", DRAW_OF(g, operators), as);
    emit_expression(g, type, depth ? depth - 1 : 0);
    EMIT(")");
}
