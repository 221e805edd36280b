/* Whole kernels: the prelude, loads and stores of all variables, and what stands between. */
#include "tests/fuzz/arithmetic/generator.h"

#include "sandbox/base/mix.h"

#include <stdio.h>
#include <string.h>

enum { KERNEL_STATEMENTS = 10 };

const struct type_row type_rows[TYPE_COUNT] = {
#define TYPE(id, c, bits, letter, constraint, kind) {c, bits, letter, constraint, kind},
    ARITHMETIC_TYPES(TYPE)
#undef TYPE
};

/* Divisions by 0, and of the lowest number by -1, are not defined in C. */
static const char prelude[] =
    "typedef signed char s8;\ntypedef unsigned char u8;\ntypedef short s16;\n"
    "typedef unsigned short u16;\ntypedef int s32;\ntypedef unsigned u32;\n"
    "typedef long long s64;\ntypedef unsigned long long u64;\n"
    "typedef __int128 s128;\ntypedef unsigned __int128 u128;\n"
    "template <class T> __device__ __forceinline__ T quotient(T a, T b) {\n"
    "    return b == 0 || b == (T)-1 ? a : (T)(a / b);\n}\n"
    "template <class T> __device__ __forceinline__ T remainder_of(T a, T b) {\n"
    "    return b == 0 || b == (T)-1 ? b : (T)(a % b);\n}\n"
    "template <class T> __device__ __forceinline__ T lesser(T a, T b) { return a < b ? a : b; }\n"
    "template <class T> __device__ __forceinline__ T greater(T a, T b) { return a > b ? a : b; }\n"
    "template <class T> __device__ __forceinline__ T less_than(T a, T b) { return a < b; }\n"
    "__device__ __forceinline__ double canonical(double x) {\n"
    "    return x == x ? x : __longlong_as_double(0x7ff8000000000000ll);\n}\n"
    "__device__ __forceinline__ float canonical_float(float x) {\n"
    "    return x == x ? x : __uint_as_float(0x7fffffff);\n}\n"
    "__device__ __forceinline__ float lesser_float(float x, float y) {\n"
    "    return canonical_float(fminf(x, y));\n}\n"
    "__device__ __forceinline__ float greater_float(float x, float y) {\n"
    "    return canonical_float(fmaxf(x, y));\n}\n"
    "__device__ __forceinline__ u64 double_bits(double x) {\n"
    "    return (u64)__double_as_longlong(canonical(x));\n}\n"
    "__device__ __forceinline__ double double_of_bits(u64 x) {\n"
    "    return canonical(__longlong_as_double((s64)x));\n}\n"
    "__device__ __forceinline__ float float_of_f16(u16 x) {\n"
    "    float y; asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(y) : \"h\"(x)); return y;\n}\n"
    "__device__ __forceinline__ float float_of_bf16(u16 x) {\n"
    "    return __uint_as_float((u32)x << 16);\n}\n"
    "__device__ __noinline__ u32 greatest_divisor(u32 a, u32 b) {\n"
    "    return b ? greatest_divisor(b, a % b) : a;\n}\n";

uint64_t draw_bits(struct generator *g) {
    return mix_word(g->seed, ++g->drawn);
}

unsigned draw(struct generator *g, unsigned choices) {
    return (unsigned)(draw_bits(g) % choices);
}

bool draw_one_in(struct generator *g, unsigned n) {
    return draw(g, n) == 0;
}

struct name draw_variable(struct generator *g, enum type type) {
    return name_variable(g, type, draw(g, g->in_scope[type]));
}

struct name name_variable(struct generator *g, enum type type, unsigned index) {
    struct name name;
    snprintf(name.text, sizeof name.text, "%c%u", type_rows[type].letter, index);
    g->used[type] |= (uint8_t)(1 << index);
    return name;
}

/* Where the variables of a type begin in the words of a thread. */
static unsigned slots_of(enum type type) {
    return type_rows[type].bits > 64 ? 2 : 1;
}

void arithmetic_slot_name(unsigned slot, char name[16]) {
    for (unsigned type = 0; type < TYPE_COUNT; type++) {
        unsigned slots = slots_of((enum type)type) * VARIABLES;
        if (slot < slots) {
            bool wide = slots > VARIABLES;
            snprintf(name, 16, "%c%u%s", type_rows[type].letter, wide ? slot / 2 : slot,
                     !wide      ? ""
                     : slot % 2 ? ".high"
                                : ".low");
            return;
        }
        slot -= slots;
    }
    snprintf(name, 16, "?");
}

/* A function of a few parameters that is called, not inlined. */
static void function(struct text *out, uint64_t seed, unsigned number) {
    struct generator whole = {.out = out, .seed = ~seed, .number = number}, *g = &whole;
    g->in_scope[TYPE_u32] = g->in_scope[TYPE_u64] = 1;
    g->in_scope[TYPE_f32] = g->in_scope[TYPE_f64] = 1;
    EMIT("__device__ __noinline__ u32 function%u(u32 r0, u64 d0, float f0, double g0) {\n"
         "if (",
         number);
    emit_condition(g, 1);
    EMIT(")\nreturn ");
    emit_expression(g, TYPE_u32, 2);
    EMIT(";\nf0 = ");
    emit_expression(g, TYPE_f32, 2);
    EMIT(";\ng0 = canonical(");
    emit_expression(g, TYPE_f64, 2);
    EMIT(");\nreturn ");
    emit_expression(g, TYPE_u32, 3);
    EMIT(";\n}\n");
}

/* Calls `emit` for the variables that the kernel uses, with the slot of each. */
static void for_each_used(struct generator *g,
                          void (*emit)(struct generator *, enum type, unsigned, unsigned)) {
    unsigned slot = 0;
    for (unsigned type = 0; type < TYPE_COUNT; type++)
        for (unsigned i = 0; i < VARIABLES; i++, slot += slots_of((enum type)type))
            if (g->used[type] >> i & 1)
                emit(g, (enum type)type, i, slot * ARITHMETIC_THREADS);
}

static void load_variable(struct generator *g, enum type type, unsigned index, unsigned at) {
    const struct type_row *row = &type_rows[type];
    EMIT("%s %c%u = ", row->c, row->letter, index);
    if (type == TYPE_u128)
        EMIT("(u128)in[%u + tid] << 64 | in[%u + tid];\n", at + ARITHMETIC_THREADS, at);
    else if (type == TYPE_f32)
        EMIT("__uint_as_float((u32)in[%u + tid]);\n", at);
    else if (type == TYPE_f64)
        EMIT("double_of_bits(in[%u + tid]);\n", at);
    else
        EMIT("(%s)in[%u + tid];\n", row->c, at);
}

static void store_variable(struct generator *g, enum type type, unsigned index, unsigned at) {
    if (type == TYPE_u128)
        EMIT("out[%u + tid] = (u64)q%u;\nout[%u + tid] = (u64)(q%u >> 64);\n", at, index,
             at + ARITHMETIC_THREADS, index);
    else if (type == TYPE_f32)
        EMIT("out[%u + tid] = __float_as_uint(f%u);\n", at, index);
    else if (type == TYPE_f64)
        EMIT("out[%u + tid] = double_bits(g%u);\n", at, index);
    else
        EMIT("out[%u + tid] = %c%u;\n", at, type_rows[type].letter, index);
}

static void kernel(struct text *out, uint64_t seed, unsigned number, unsigned target,
                   unsigned limit) {
    cleanup_text struct text body = {0};
    struct generator whole = {
        .out = &body, .seed = seed, .number = number, .target = target, .limit = limit};
    struct generator *g = &whole;
    memset(g->in_scope, VARIABLES, sizeof g->in_scope);
    for (unsigned i = 0; i < KERNEL_STATEMENTS; i++)
        emit_statement(g, 0, true);
    g->out = out;
    if (g->calls)
        function(out, seed, number);
    EMIT("extern \"C\" __global__ void k%u(const u64 *in, u64 *out, u64 *scratch) {\n"
         "__shared__ u64 exchanged[64], wide_totals[8], own_u64[64];\n"
         "__shared__ u32 totals[8], own_u32[64];\n__shared__ float own_float[64];\n"
         "__shared__ double own_double[64];\n"
         "u64 *scratch_u64 = scratch;\nu32 *scratch_u32 = (u32 *)(scratch + 64);\n"
         "float *scratch_float = (float *)(scratch + 128);\n"
         "double *scratch_double = (double *)(scratch + 192);\nu32 tid = threadIdx.x;\n",
         number);
    for_each_used(g, load_variable);
    text_append(out, text_string(&body));
    for_each_used(g, store_variable);
    EMIT("}\n");
}

void arithmetic_source(uint64_t seed, unsigned first, unsigned count, unsigned target,
                       unsigned limit, struct text *source) {
    text_append(source, prelude);
    for (unsigned number = first; number < first + count; number++)
        kernel(source, mix_word(seed, number + 1), number, target, limit);
}
