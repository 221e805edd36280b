/* Inline PTX of the rows of isa.def that are a function of registers: a new row is tried on cards
 * from its first day. What may follow a base name besides its key is a line of `modifiers`; what is
 * no plain function, or not the same everywhere, a line of `left_out`. */
#include "sandbox/simgpu/program/isa.h"
#include "tests/fuzz/arithmetic/generator.h"

#include <string.h>

/* Words of a group are alternatives, "" among them where none is allowed; groups follow one another
 * in the mnemonic. The first line whose base and type fit counts: type NULL is any. */
static const struct {
    const char *base, *type;
    const char *groups[4][7];
} modifiers[] = {
    {"add", "f32", {{".rn", ".rz", ".rm", ".rp"}, {"", ".ftz"}, {"", ".sat"}}},
    {"sub", "f32", {{".rn", ".rz", ".rm", ".rp"}, {"", ".ftz"}, {"", ".sat"}}},
    {"mul", "f32", {{".rn", ".rz", ".rm", ".rp"}, {"", ".ftz"}, {"", ".sat"}}},
    {"fma", "f32", {{".rn", ".rz", ".rm", ".rp"}, {"", ".ftz"}, {"", ".sat"}}},
    {"mad", "f32", {{".rn", ".rz", ".rm", ".rp"}, {"", ".ftz"}, {"", ".sat"}}},
    {"div", "f32", {{".rn", ".rz", ".rm", ".rp"}, {"", ".ftz"}}},
    {"rcp", "f32", {{".rn", ".rz", ".rm", ".rp"}, {"", ".ftz"}}},
    {"sqrt", "f32", {{".rn", ".rz", ".rm", ".rp"}, {"", ".ftz"}}},
    {"add", "f64", {{".rn", ".rz", ".rm", ".rp"}}},
    {"sub", "f64", {{".rn", ".rz", ".rm", ".rp"}}},
    {"mul", "f64", {{".rn", ".rz", ".rm", ".rp"}}},
    {"fma", "f64", {{".rn", ".rz", ".rm", ".rp"}}},
    {"mad", "f64", {{".rn", ".rz", ".rm", ".rp"}}},
    {"div", "f64", {{".rn", ".rz", ".rm", ".rp"}}},
    {"rcp", "f64", {{".rn", ".rz", ".rm", ".rp"}}},
    {"sqrt", "f64", {{".rn", ".rz", ".rm", ".rp"}}},
    {"add", "f16", {{".rn"}, {"", ".ftz"}, {"", ".sat"}}},
    {"sub", "f16", {{".rn"}, {"", ".ftz"}, {"", ".sat"}}},
    {"mul", "f16", {{".rn"}, {"", ".ftz"}, {"", ".sat"}}},
    {"fma", "f16", {{".rn"}, {"", ".ftz"}, {"", ".sat", ".relu"}}},
    {"add", "f16x2", {{".rn"}, {"", ".ftz"}, {"", ".sat"}}},
    {"sub", "f16x2", {{".rn"}, {"", ".ftz"}, {"", ".sat"}}},
    {"mul", "f16x2", {{".rn"}, {"", ".ftz"}, {"", ".sat"}}},
    {"fma", "f16x2", {{".rn"}, {"", ".ftz"}, {"", ".sat", ".relu"}}},
    {"add", "bf16", {{".rn"}}},
    {"sub", "bf16", {{".rn"}}},
    {"mul", "bf16", {{".rn"}}},
    {"fma", "bf16", {{".rn"}, {"", ".relu"}}},
    {"add", "bf16x2", {{".rn"}}},
    {"sub", "bf16x2", {{".rn"}}},
    {"mul", "bf16x2", {{".rn"}}},
    {"fma", "bf16x2", {{".rn"}, {"", ".relu"}}},
    {"abs", "f32", {{"", ".ftz"}}},
    {"neg", "f32", {{"", ".ftz"}}},
    {"abs", "f16", {{"", ".ftz"}}},
    {"neg", "f16", {{"", ".ftz"}}},
    {"abs", "f16x2", {{"", ".ftz"}}},
    {"neg", "f16x2", {{"", ".ftz"}}},
    {"min", "f32", {{"", ".ftz"}, {"", ".NaN"}}},
    {"max", "f32", {{"", ".ftz"}, {"", ".NaN"}}},
    {"min", "f16", {{"", ".ftz"}, {"", ".NaN"}}},
    {"max", "f16", {{"", ".ftz"}, {"", ".NaN"}}},
    {"min", "f16x2", {{"", ".ftz"}, {"", ".NaN"}}},
    {"max", "f16x2", {{"", ".ftz"}, {"", ".NaN"}}},
    {"min", "bf16", {{"", ".NaN"}}},
    {"max", "bf16", {{"", ".NaN"}}},
    {"min", "bf16x2", {{"", ".NaN"}}},
    {"max", "bf16x2", {{"", ".NaN"}}},
    {"add", "s32", {{"", ".sat"}}},
    {"sub", "s32", {{"", ".sat"}}},
    {"mad.hi", "s32", {{"", ".sat"}}},
    {"mad24.hi", "s32", {{"", ".sat"}}},
    {"setp", "f64", {{".eq", ".ne", ".lt", ".geu", ".ltu", ".num", ".nan"}}},
    {"setp", "f", {{".eq", ".ne", ".lt", ".geu", ".ltu", ".num", ".nan"}, {"", ".ftz"}}},
    {"setp", "bf", {{".eq", ".ne", ".lt", ".geu", ".leu", ".num", ".nan"}}},
    {"setp", "b", {{".eq", ".ne"}}},
    {"setp", "u", {{".lo", ".ls", ".hi", ".hs", ".eq", ".lt", ".ge"}}},
    {"setp", NULL, {{".eq", ".ne", ".lt", ".le", ".gt", ".ge"}}},
    {"set", "f64", {{".eq", ".ne", ".lt", ".geu", ".ltu", ".num", ".nan"}}},
    {"set", "f", {{".eq", ".ne", ".lt", ".geu", ".ltu", ".num", ".nan"}, {"", ".ftz"}}},
    {"set", "b", {{".eq", ".ne"}}},
    {"set", NULL, {{".eq", ".ne", ".lt", ".le", ".gt", ".ge"}}},
};

/* Beginnings of keys. */
static const char *const left_out[] = {
    "sin",
    "cos",
    "lg2",
    "ex2",
    "tanh",
    "rsqrt", /* approximate */
    "activemask",
    "nanosleep",
    "cvta",
    "isspacep",
    "mapa", /* no function of registers */
    "add.cc",
    "addc",
    "sub.cc",
    "subc",
    "mad.lo.cc",
    "mad.hi.cc",
    "madc", /* chain.c */
    "mov.f16",
    "mov.bf16",
    "selp.f16",
    "mov.b128", /* ptxas has no such type there */
    "cvt",      /* conversion.c */
    /* ptxas 13.0 loses their result before a shift of 16 bits, and in a branch */
    "cnot.b32",
    "set.f32",
};

/* Keys that need compute capability 9.0. */
static const char *const newer[] = {
    "add.bf16",  "sub.bf16",  "mul.bf16",  "setp.bf16", "add.s16x2", "add.u16x2",
    "min.s16x2", "min.u16x2", "max.s16x2", "max.u16x2", "min.relu",  "max.relu",
};

struct shape {
    const char *key;
    size_t head;          /* the key's bytes before its first type */
    const char *types[2]; /* of the operands; the second is the first where there is one */
    size_t lengths[2];
    const char *operands;
};

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_ptx_type(const char *word, size_t length) {
    return type_of_ptx(word, length) != TYPE_COUNT || (length == 4 && memcmp(word, "pred", 4) == 0);
}

enum type type_of_ptx(const char *ptx, size_t length) {
    static const struct {
        const char *ptx;
        enum type type;
    } known[] = {
        {"b16", TYPE_u16},   {"u16", TYPE_u16},     {"s16", TYPE_u16}, {"b32", TYPE_u32},
        {"u32", TYPE_u32},   {"s32", TYPE_u32},     {"b64", TYPE_u64}, {"u64", TYPE_u64},
        {"s64", TYPE_u64},   {"u16x2", TYPE_u32},   {"f16", TYPE_f16}, {"s16x2", TYPE_u32},
        {"bf16", TYPE_bf16}, {"f16x2", TYPE_f16x2}, {"f32", TYPE_f32}, {"bf16x2", TYPE_bf16x2},
        {"f64", TYPE_f64},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].ptx) == length && memcmp(known[i].ptx, ptx, length) == 0)
            return known[i].type;
    return TYPE_COUNT;
}

/* False where the row is none of ours. */
static bool shape_of(const struct isa_form *form, unsigned target, struct shape *shape) {
    *shape = (struct shape){.key = form->key, .operands = form->operands};
    if (form->flow != FLOW_EXECUTE || form->operands[strspn(form->operands, "DEUPabeupo")])
        return false;
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (begins(form->key, left_out[i]))
            return false;
    for (size_t i = 0; i < sizeof newer / sizeof *newer && target < 90; i++)
        if (begins(form->key, newer[i]))
            return false;
    unsigned found = 0;
    for (const char *word = form->key; *word && found < 2;) {
        size_t length = strcspn(word, ".");
        if (is_ptx_type(word, length)) {
            if (!found)
                shape->head = (size_t)(word - form->key) - 1;
            shape->types[found] = word;
            shape->lengths[found++] = length;
        }
        word += length + (word[length] == '.');
    }
    if (found == 1) {
        shape->types[1] = shape->types[0];
        shape->lengths[1] = shape->lengths[0];
    }
    return found > 0;
}

unsigned row_count(unsigned target) {
    unsigned count = 0;
    struct shape shape;
    for (size_t i = FORM_NONE + 1; i < isa_form_count; i++)
        count += shape_of(&isa_forms[i], target, &shape);
    return count;
}

static void row_at(unsigned index, unsigned target, struct shape *shape) {
    for (size_t i = FORM_NONE + 1; i < isa_form_count; i++)
        if (shape_of(&isa_forms[i], target, shape) && index-- == 0)
            return;
}

/* The type that a line of `modifiers` speaks of is the last one of the operands. */
static bool modifiers_fit(size_t line, const struct shape *shape) {
    const char *base = modifiers[line].base, *type = modifiers[line].type;
    size_t length = strlen(base);
    if (strncmp(shape->key, base, length) != 0 || length != shape->head)
        return false;
    if (!type)
        return true;
    const char *of = shape->types[1];
    size_t type_length = strlen(type);
    return type_length <= 2
               ? strncmp(of, type, type_length) == 0
               : type_length == shape->lengths[1] && memcmp(of, type, type_length) == 0;
}

static void emit_modifiers(struct generator *g, const struct shape *shape) {
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        if (!modifiers_fit(i, shape))
            continue;
        for (unsigned group = 0; group < 4 && modifiers[i].groups[group][0]; group++) {
            unsigned count = 0;
            while (count < 7 && modifiers[i].groups[group][count])
                count++;
            EMIT("%s", modifiers[i].groups[group][draw(g, count)]);
        }
        return;
    }
}

static enum type widened(enum type type) {
    return type == TYPE_u16 ? TYPE_u32 : TYPE_u64;
}

/* The C type of an operand's letter. */
static enum type operand_type(const struct shape *shape, char letter) {
    enum type first = type_of_ptx(shape->types[0], shape->lengths[0]);
    switch (letter) {
    case 'D':
    case 'a':
        return first == TYPE_COUNT ? TYPE_u32 : first; /* a predicate */
    case 'b':
        return type_of_ptx(shape->types[1], shape->lengths[1]);
    case 'E':
    case 'e':
        return widened(first);
    default:
        return TYPE_u32;
    }
}

static bool is_predicate(const struct shape *shape, char letter) {
    return letter == 'P' || letter == 'p' || letter == 'o' ||
           (letter == 'D' && shape->lengths[0] == 4 && shape->types[0][0] == 'p');
}

void emit_canonical(struct generator *g, enum type type, const char *variable) {
    if (type == TYPE_f64)
        EMIT("%s = canonical(%s);\n", variable, variable);
}

/* Sources are different variables where there are enough: the least of x and x is x, with a NaN
 * that is not the canonical one, if an assembler sees it. */
static void emit_source(struct generator *g, const struct shape *shape, size_t operand,
                        unsigned first) {
    char letter = shape->operands[operand];
    enum type type = operand_type(shape, letter);
    const struct type_row *row = &type_rows[type];
    bool divides = begins(shape->key, "div.") || begins(shape->key, "rem.");
    struct name name = name_variable(g, type, (first + (unsigned)operand) % g->in_scope[type]);
    EMIT("\"%s\"(", row->constraint);
    if (divides && operand == 2 && row->kind == KIND_INTEGER) /* by zero: any number */
        EMIT("(%s)(%s | 1)", row->c, name.text);
    else if (begins(shape->key, "fns") && operand > 1) /* bits that there are */
        EMIT("(%s & 31) - %u", name.text, operand == 2 ? 0u : 16u);
    else if (letter == 'u' && begins(shape->key, "bf")) /* places and lengths have eight bits */
        EMIT("%s & 255", name.text);
    else
        EMIT("%s", name.text);
    EMIT(")");
}

/* asm("{ .reg .pred p, q0, q1; <inputs to predicates> <row>; <predicate to result> }" ...): operand
 * 0 is the result, the others follow in order. */
void emit_row(struct generator *g) {
    struct shape shape;
    unsigned count = row_count(g->target);
    row_at((g->number * 7 + g->rows_used++) % count, g->target, &shape);
    const char *letters = shape.operands;
    size_t operands = strlen(letters);
    bool optional = operands && letters[operands - 1] == 'o',
         combines = optional && draw_one_in(g, 2);
    bool table = begins(shape.key, "lop3");
    if (optional && !combines)
        operands--;
    enum type result =
        is_predicate(&shape, letters[0]) ? TYPE_u32 : operand_type(&shape, letters[0]);
    struct name to = draw_variable(g, result);
    EMIT("asm(\"{ .reg .pred p, q0, q1, q2; ");
    unsigned predicates = 0;
    for (size_t i = 1; i < operands; i++)
        if (is_predicate(&shape, letters[i]))
            EMIT("setp.gt.s32 q%u, %%%zu, 77; ", predicates++, i);
    EMIT("%.*s", (int)shape.head, shape.key);
    size_t before_flags = g->out->length;
    emit_modifiers(g, &shape);
    if (combines) { /* setp.lt.and{.ftz}: after the comparison */
        static const char *const booleans[] = {".and", ".or", ".xor"};
        const char *flags = g->out->data + before_flags;
        bool ftz = strlen(flags) > 4 && strcmp(flags + strlen(flags) - 4, ".ftz") == 0;
        if (ftz)
            g->out->length -= 4;
        EMIT("%s%s", DRAW_OF(g, booleans), ftz ? ".ftz" : "");
    }
    EMIT("%s %s", shape.key + shape.head, is_predicate(&shape, letters[0]) ? "p" : "%0");
    predicates = 0;
    for (size_t i = 1; i < operands; i++)
        if (is_predicate(&shape, letters[i]))
            EMIT(", q%u", predicates++);
        else if (table && i + 1 == operands)
            EMIT(", %u", draw(g, 256));
        else
            EMIT(", %%%zu", i);
    EMIT("; %s}\" : \"=%s\"(%s) : ",
         is_predicate(&shape, letters[0]) ? "selp.u32 %0, 1, 0, p; " : "",
         type_rows[result].constraint, to.text);
    unsigned first = draw(g, VARIABLES);
    for (size_t i = 1; i < operands && !(table && i + 1 == operands); i++) {
        EMIT("%s", i > 1 ? ", " : "");
        emit_source(g, &shape, i, first);
    }
    EMIT(");\n");
    emit_canonical(g, result, to.text);
}
