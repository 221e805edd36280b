/* Statements: assignments, control flow, local arrays, calls, and what threads tell one another
 * through shared memory, shuffles, votes and atomics. What needs all threads of a block or of a
 * warp is emitted only where all of them come (`uniform`). */
#include "tests/fuzz/arithmetic/generator.h"

enum { MAX_NESTED = 2, MAX_EXPRESSION = 3 };

static void block(struct generator *g, unsigned depth, bool uniform) {
    EMIT("{\n");
    for (unsigned count = 1 + draw(g, 3); count; count--)
        emit_statement(g, depth + 1, uniform);
    EMIT("}\n");
}

static void assign(struct generator *g) {
    static const enum type types[] = {TYPE_u8,  TYPE_u16,  TYPE_u32, TYPE_u32,  TYPE_u64,
                                      TYPE_u64, TYPE_u128, TYPE_f16, TYPE_bf16, TYPE_f32,
                                      TYPE_f32, TYPE_f64,  TYPE_f64};
    enum type type = DRAW_OF(g, types);
    EMIT("%s = ", draw_variable(g, type).text);
    if (type == TYPE_f64)
        EMIT("canonical(");
    emit_expression(g, type, MAX_EXPRESSION);
    EMIT("%s;\n", type == TYPE_f64 ? ")" : "");
}

/* Conditions differ between threads. */
static void branch(struct generator *g, unsigned depth) {
    EMIT("if (");
    emit_condition(g, 1);
    EMIT(")\n");
    block(g, depth, false);
    if (draw_one_in(g, 2)) {
        EMIT("else\n");
        block(g, depth, false);
    }
}

/* As many turns for all threads, as many as each thread says, or until a condition holds. */
static void loop(struct generator *g, unsigned depth, bool uniform) {
    unsigned kind = draw(g, 3);
    EMIT("#pragma unroll 1\nfor (u32 i%u = 0; ", depth);
    if (kind == 0)
        EMIT("i%u < %u; i%u++)\n", depth, 2 + draw(g, 3), depth);
    else if (kind == 1)
        EMIT("i%u < 1 + (tid & 3); i%u++)\n", depth, depth);
    else
        EMIT("i%u < 4; i%u++) {\n", depth, depth);
    block(g, depth, uniform && kind == 0);
    if (kind == 2) {
        EMIT("if (");
        emit_condition(g, 1);
        EMIT(") break;\n}\n");
    }
}

static void choose(struct generator *g, unsigned depth) {
    EMIT("switch (%s & 3) {\n", draw_variable(g, TYPE_u32).text);
    for (unsigned i = 0; i < 3; i++) {
        EMIT("case %u:\n", i);
        block(g, depth, false);
        EMIT("%s", draw_one_in(g, 4) ? "[[fallthrough]];\n" : "break;\n");
    }
    EMIT("default:\n");
    block(g, depth, false);
    EMIT("}\n");
}

static void local_array(struct generator *g) {
    static const enum type types[] = {TYPE_u8, TYPE_u32, TYPE_u64, TYPE_f32};
    enum type type = DRAW_OF(g, types);
    struct name index = draw_variable(g, TYPE_u32);
    EMIT("{ %s list[4] = {%s, %s, %s, %s};\n", type_rows[type].c, draw_variable(g, type).text,
         draw_variable(g, type).text, draw_variable(g, type).text, draw_variable(g, type).text);
    EMIT("list[%s & 3] = ", index.text);
    emit_expression(g, type, 1);
    EMIT(";\n%s = list[%s & 3]; }\n", draw_variable(g, type).text, draw_variable(g, TYPE_u32).text);
}

static void call(struct generator *g) {
    struct name to = draw_variable(g, TYPE_u32);
    g->calls = true;
    EMIT("%s = function%u(%s, %s, %s, %s);\n", to.text, g->number, draw_variable(g, TYPE_u32).text,
         draw_variable(g, TYPE_u64).text, draw_variable(g, TYPE_f32).text,
         draw_variable(g, TYPE_f64).text);
}

/* Each thread writes its word and reads another's. */
static void exchange(struct generator *g) {
    EMIT("__syncthreads();\nexchanged[tid] = ");
    emit_expression(g, TYPE_u64, 1);
    EMIT(";\n__syncthreads();\n%s ^= exchanged[(tid * %u + %u) %% %u];\n",
         draw_variable(g, TYPE_u64).text, 1 + 2 * draw(g, 8), draw(g, 64), ARITHMETIC_THREADS);
}

/* Sums, minima and the like do not depend on who comes first. */
static void totals(struct generator *g) {
    static const char *const operations[] = {"Add", "Min", "Max", "And", "Or", "Xor"};
    bool wide = draw_one_in(g, 3), is_signed = !wide && draw_one_in(g, 3);
    enum type type = wide ? TYPE_u64 : TYPE_u32;
    const char *array = wide ? "wide_totals" : "totals",
               *as = is_signed ? "s32" : type_rows[type].c;
    EMIT("__syncthreads();\nif (tid < 8)\n%s[tid] = (%s)0x%llxull;\n__syncthreads();\n", array,
         type_rows[type].c, (unsigned long long)draw_bits(g));
    EMIT("atomic%s((%s *)&%s[%s & 7], (%s)", DRAW_OF(g, operations), as, array,
         draw_variable(g, TYPE_u32).text, as);
    emit_expression(g, type, 1);
    EMIT(");\n__syncthreads();\n%s = %s[tid & 7];\n", draw_variable(g, type).text, array);
}

/* A thread alone with its word, whose old values are therefore known: in shared or global memory,
 * or one of both. */
static void own_word(struct generator *g) {
    static const enum type types[] = {TYPE_u32, TYPE_u64, TYPE_f32, TYPE_f64};
    static const char *const operations[] = {"Add", "Exch", "Min", "Max", "And",
                                             "Or",  "Xor",  "Inc", "Dec"};
    enum type type = DRAW_OF(g, types);
    bool is_float = type_rows[type].kind == KIND_FLOAT, is_double = type == TYPE_f64;
    const char *c = type_rows[type].c;
    struct name old = draw_variable(g, type), now = draw_variable(g, type);
    unsigned place = draw(g, 3);
    EMIT("{ %s *word = ", c);
    if (place == 2)
        EMIT("(%s & 1 ? own_%s + tid : scratch_%s + tid)", draw_variable(g, TYPE_u32).text, c, c);
    else
        EMIT(place ? "scratch_%s + tid" : "own_%s + tid", c);
    EMIT(";\n*word = %s;\n%s = ", draw_variable(g, type).text, old.text);
    const char *operation = is_float ? operations[draw(g, is_double ? 1 : 2)]
                                     : operations[draw(g, type == TYPE_u32 ? 9 : 7)];
    if (!is_float && draw_one_in(g, 5))
        EMIT("atomicCAS(word, %s, %s);\n", draw_variable(g, type).text,
             draw_variable(g, type).text);
    else
        EMIT("%satomic%s(word, %s)%s;\n", is_double ? "canonical(" : "", operation,
             draw_variable(g, type).text, is_double ? ")" : "");
    EMIT("%s = %s*word%s; }\n", now.text, is_double ? "canonical(" : "", is_double ? ")" : "");
}

static void shuffle(struct generator *g) {
    static const enum type types[] = {TYPE_u32, TYPE_u64, TYPE_f32, TYPE_f64};
    static const char *const kinds[] = {"xor", "up", "down"};
    enum type type = DRAW_OF(g, types);
    unsigned width = 32u >> draw(g, 3);
    struct name to = draw_variable(g, type), from = draw_variable(g, type);
    if (draw_one_in(g, 3))
        EMIT("%s = __shfl_sync(~0u, %s, %s & 63, %u);\n", to.text, from.text,
             draw_variable(g, TYPE_u32).text, width);
    else
        EMIT("%s = __shfl_%s_sync(~0u, %s, %u, %u);\n", to.text, DRAW_OF(g, kinds), from.text,
             draw(g, width), width);
}

static void vote(struct generator *g) {
    static const char *const votes[] = {"__ballot_sync", "(u32)__any_sync", "(u32)__all_sync"};
    struct name to = draw_variable(g, TYPE_u32), from = draw_variable(g, TYPE_u32);
    static const char *const reductions[] = {"__reduce_add_sync", "__reduce_min_sync",
                                             "__reduce_max_sync", "__reduce_and_sync",
                                             "__reduce_or_sync",  "__reduce_xor_sync"};
    switch (draw(g, 5)) {
    case 0:
        EMIT("%s = __match_any_sync(~0u, %s & 3);\n", to.text, from.text);
        return;
    case 1:
        EMIT("{ int same; %s ^= __match_all_sync(~0u, %s >> 31, &same); %s += same; }\n", to.text,
             from.text, to.text);
        return;
    case 2:
    case 3: {
        unsigned which = draw(g, 6);
        EMIT("%s = (u32)%s(~0u, %s%s);\n", to.text, reductions[which],
             which < 3 && draw_one_in(g, 2) ? "(int)" : "", from.text);
        return;
    }
    default:
        EMIT("%s = %s(~0u, ", to.text, DRAW_OF(g, votes));
        emit_condition(g, 1);
        EMIT(");\n");
    }
}

/* The lanes for which a condition holds, among themselves. */
static void some_lanes(struct generator *g) {
    EMIT("{ bool takes = ");
    emit_condition(g, 1);
    EMIT(";\nu32 lanes = __ballot_sync(~0u, takes);\nif (takes) {\n");
    EMIT("%s = __shfl_sync(lanes, %s, __ffs(lanes) - 1);\n", draw_variable(g, TYPE_u32).text,
         draw_variable(g, TYPE_u32).text);
    EMIT("%s += __reduce_add_sync(lanes, %s);\n} }\n", draw_variable(g, TYPE_u32).text,
         draw_variable(g, TYPE_u32).text);
}

static void together(struct generator *g) {
    switch (draw(g, 5)) {
    case 0:
        exchange(g);
        return;
    case 1:
        totals(g);
        return;
    case 2:
        shuffle(g);
        return;
    case 3:
        vote(g);
        return;
    default:
        some_lanes(g);
    }
}

void emit_statement(struct generator *g, unsigned depth, bool uniform) {
    if (g->statements >= g->limit)
        return;
    g->statements++;
    switch (draw(g, 16)) {
    case 0:
    case 1:
    case 2:
        assign(g);
        return;
    case 3:
    case 4:
    case 5:
        emit_row(g);
        return;
    case 6:
        emit_conversion(g);
        return;
    case 7:
        if (draw_one_in(g, 2))
            emit_carry_chain(g);
        else
            emit_video(g);
        return;
    case 8:
        if (depth < MAX_NESTED) {
            branch(g, depth);
            return;
        }
        break;
    case 9:
        if (depth < MAX_NESTED) {
            loop(g, depth, uniform);
            return;
        }
        break;
    case 10:
        if (depth < MAX_NESTED && draw_one_in(g, 2)) {
            choose(g, depth);
            return;
        }
        local_array(g);
        return;
    case 11:
        call(g);
        return;
    case 12:
        own_word(g);
        return;
    case 13:
    case 14:
        if (uniform) {
            together(g);
            return;
        }
        break;
    default:
        break;
    }
    emit_row(g);
}
