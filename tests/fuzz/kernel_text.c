/* Statements of PTX by bytes: see kernel_text.h.
 *
 * Registers are used as they come: the mistakes that follow (races, values that nothing has
 * written, threads that wait for ever) are what a student makes, and the simulated GPU has to name
 * them. Most addresses are masked into their buffers, because a kernel that ends at its first
 * access shows little. */
#include "kernel_text.h"

enum {
    MAX_DEPTH = 3,
    MAX_STATEMENTS = 48,
    REGISTERS = 12,
    PREDICATES = 6,
    RARE = 240,
    RARE_COUNT = 6
};

struct source {
    const uint8_t *data;
    size_t size, at;
    struct text *out;
    unsigned statements, labels;
    bool lines;
};

static unsigned take(struct source *source, unsigned choices) {
    uint8_t byte = source->at < source->size ? source->data[source->at] : 0;
    source->at++;
    return byte % choices;
}

static unsigned reg(struct source *source) {
    return take(source, REGISTERS);
}

#define EMIT(...)  text_printf(source->out, __VA_ARGS__)
#define PICK(list) (list)[take(source, sizeof(list) / sizeof *(list))]

/* %x1 becomes the address of a word; the space of the buffer is returned. */
static const char *address(struct source *source) {
    static const char *const bases[] = {"%a", "%b", "%a", "%s", "%l"};
    static const char *const spaces[] = {".global", ".global", "", ".shared", ".local"};
    static const unsigned masks[] = {KERNEL_WORDS - 1, KERNEL_WORDS - 1, 31, 63, 7};
    unsigned which = take(source, 5), index = reg(source), free_index = take(source, 16);
    EMIT("and.b32 %%t0, %%r%u, %u;\n", index, free_index ? masks[which] : masks[which] * 4 + 3);
    EMIT("mul.wide.u32 %%x0, %%t0, 4;\nadd.s64 %%x1, %s, %%x0;\n", bases[which]);
    return spaces[which];
}

static const char *global_address(struct source *source) {
    unsigned index = reg(source);
    EMIT("and.b32 %%t0, %%r%u, %u;\nmul.wide.u32 %%x0, %%t0, 4;\n", index, KERNEL_WORDS - 1);
    EMIT("add.s64 %%x1, %s, %%x0;\n", take(source, 2) ? "%a" : "%b");
    return ".global";
}

static void load(struct source *source) {
    static const char *const orders[] = {
        "", ".volatile", ".relaxed.gpu", "", ".acquire.gpu", ".relaxed.cta", ".volatile"};
    const char *space = address(source), *order = PICK(orders);
    if (order[0] && space[0] == '.' && space[1] == 'l')
        order = "";
    EMIT("ld%s%s.u32 %%r%u, [%%x1];\n", order, space, reg(source));
}

static void store(struct source *source) {
    static const char *const orders[] = {"", ".volatile", ".relaxed.gpu", "", ".release.gpu"};
    const char *space = address(source), *order = PICK(orders);
    if (order[0] && space[0] == '.' && space[1] == 'l')
        order = "";
    EMIT("st%s%s.u32 [%%x1], %%r%u;\n", order, space, reg(source));
}

static void atomic(struct source *source) {
    static const char *const operations[] = {"add.u32", "exch.b32", "or.b32", "and.b32",
                                             "max.u32", "min.s32",  "inc.u32"};
    global_address(source);
    unsigned kind = take(source, 4);
    if (kind == 0)
        EMIT("atom.global.cas.b32 %%r%u, [%%x1], %%r%u, %%r%u;\n", reg(source), reg(source),
             reg(source));
    else if (kind == 1)
        EMIT("red.global.add.u32 [%%x1], %%r%u;\n", reg(source));
    else
        EMIT("atom.global.%s %%r%u, [%%x1], %%r%u;\n", PICK(operations), reg(source), reg(source));
}

static void shared_atomic(struct source *source) {
    static const char *const operations[] = {"add.u32", "exch.b32", "or.b32", "max.u32"};
    EMIT("and.b32 %%t0, %%r%u, 63;\nmul.wide.u32 %%x0, %%t0, 4;\nadd.s64 %%x1, %%s, %%x0;\n",
         reg(source));
    if (take(source, 3) == 0)
        EMIT("atom.shared.cas.b32 %%r%u, [%%x1], %%r%u, %%r%u;\n", reg(source), reg(source),
             reg(source));
    else
        EMIT("atom.shared.%s %%r%u, [%%x1], %%r%u;\n", PICK(operations), reg(source), reg(source));
}

/* A card divides along a way of its own where exponents are far apart. */
static void divide(struct source *source) {
    EMIT("cvt.rn.f32.u32 %%f0, %%r%u;\nmov.b32 %%f1, %%r%u;\ndiv.rn.f32 %%f0, %%f0, %%f1;\n"
         "mov.b32 %%r%u, %%f0;\n",
         reg(source), reg(source), reg(source));
}

static void wide_access(struct source *source) {
    EMIT("and.b32 %%t0, %%r%u, %u;\nmul.wide.u32 %%x0, %%t0, 8;\n", reg(source),
         KERNEL_WORDS / 2 - 1);
    EMIT("add.s64 %%x1, %s, %%x0;\n", take(source, 2) ? "%a" : "%b");
    unsigned first = reg(source), second = (first + 1 + take(source, REGISTERS - 1)) % REGISTERS;
    if (take(source, 2))
        EMIT("ld.global.v2.u32 {%%r%u, %%r%u}, [%%x1];\n", first, second);
    else
        EMIT("st.global.v2.u32 [%%x1], {%%r%u, %%r%u};\n", first, second);
}

/* `first`: 1 of a texture, 2 of a surface. Numbers that are no handles stand for nothing. */
static void handle(struct source *source, unsigned first) {
    if (take(source, 16))
        EMIT("mov.u64 %%x0, %u;\n", first + 2 * take(source, 2));
    else
        EMIT("cvt.u64.u32 %%x0, %%r%u;\n", reg(source));
}

static void texture(struct source *source) {
    static const char *const forms[] = {"tex.2d.v4.u32.s32", "tex.2d.v4.u32.f32",
                                        "tld4.r.2d.v4.u32.f32"};
    unsigned kind = take(source, 4), first = reg(source);
    handle(source, 1);
    if (kind == 3) {
        EMIT("txq.height.b32 %%r%u, [%%x0];\n", first);
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        EMIT("%s %%t%u, %%r%u;\n", kind ? "cvt.rn.f32.u32" : "mov.b32", i, reg(source));
    EMIT("%s {%%r%u, %%r%u, %%r%u, %%r%u}, [%%x0, {%%t0, %%t1}];\n", forms[kind], first,
         (first + 1) % REGISTERS, (first + 2) % REGISTERS, (first + 3) % REGISTERS);
}

static void surface(struct source *source) {
    static const char *const boundaries[] = {"clamp", "zero", "clamp", "trap"};
    const char *boundary = PICK(boundaries);
    unsigned kind = take(source, 4), data = reg(source);
    EMIT("shl.b32 %%t0, %%r%u, 2;\nand.b32 %%t1, %%r%u, 15;\n", reg(source), reg(source));
    handle(source, 2);
    if (kind == 0)
        EMIT("suld.b.2d.b32.%s %%r%u, [%%x0, {%%t0, %%t1}];\n", boundary, data);
    else if (kind == 1)
        EMIT("suld.b.2d.v2.b16.%s {%%n0, %%n1}, [%%x0, {%%t0, %%t1}];\n"
             "mov.b32 %%r%u, {%%n0, %%n1};\n",
             boundary, data);
    else if (kind == 2)
        EMIT("sust.b.2d.b32.%s [%%x0, {%%t0, %%t1}], %%r%u;\n", boundary, data);
    else
        EMIT("sured.b.add.2d.u32.%s [%%x0, {%%t0, %%t1}], %%r%u;\n", boundary, data);
}

static void arithmetic(struct source *source) {
    static const char *const operations[] = {"add.u32",    "sub.u32",  "mul.lo.u32", "xor.b32",
                                             "and.b32",    "min.u32",  "shl.b32",    "shr.u32",
                                             "add.cc.u32", "subc.u32", "div.u32",    "rem.u32"};
    if (take(source, 4) == 0) {
        EMIT("mov.u32 %%r%u, %u;\n", reg(source), take(source, 9));
        return;
    }
    EMIT("%s %%r%u, %%r%u, %%r%u;\n", PICK(operations), reg(source), reg(source), reg(source));
}

static void compare(struct source *source) {
    static const char *const comparisons[] = {"eq", "ne", "lt", "ge"};
    EMIT("setp.%s.u32 %%p%u, %%r%u, ", PICK(comparisons), take(source, PREDICATES), reg(source));
    if (take(source, 2))
        EMIT("%%r%u;\n", reg(source));
    else
        EMIT("%u;\n", take(source, 40));
}

static void exchange(struct source *source) {
    switch (take(source, 5)) {
    case 0:
        EMIT("shfl.sync.down.b32 %%r%u, %%r%u, %u, 31, 0xffffffff;\n", reg(source), reg(source),
             take(source, 32));
        return;
    case 1:
        EMIT("vote.sync.ballot.b32 %%r%u, %%p%u, 0xffffffff;\n", reg(source),
             take(source, PREDICATES));
        return;
    case 2:
        EMIT("bar.warp.sync 0xffffffff;\n");
        return;
    case 3:
        EMIT("activemask.b32 %%r%u;\n", reg(source));
        return;
    default:
        EMIT("bar.sync 0;\n");
    }
}

static void order(struct source *source) {
    static const char *const fences[] = {"membar.gl", "membar.cta", "fence.acq_rel.gpu",
                                         "fence.sc.gpu", "nanosleep.u32 20"};
    EMIT("%s;\n", PICK(fences));
}

static void block(struct source *source, unsigned depth);

static void branch(struct source *source, unsigned depth) {
    unsigned label = source->labels++;
    compare(source);
    EMIT("@%s%%p%u bra L%u;\n", take(source, 2) ? "" : "!", take(source, PREDICATES), label);
    block(source, depth);
    EMIT("L%u:\n", label);
}

/* This many turns, with a counter that no statement inside uses. */
static void loop(struct source *source, unsigned depth) {
    unsigned label = source->labels++;
    EMIT("mov.u32 %%c%u, %u;\nL%u:\n", depth, 1 + take(source, 6), label);
    block(source, depth);
    EMIT("sub.u32 %%c%u, %%c%u, 1;\nsetp.ne.u32 %%q, %%c%u, 0;\n@%%q bra L%u;\n", depth, depth,
         depth, label);
}

/* Reads the same word, or one word after the other, until it holds something; one in four for
 * ever. */
static void poll(struct source *source, unsigned depth) {
    static const char *const loads[] = {"ld.volatile.global.u32", "ld.acquire.gpu.global.u32",
                                        "ld.relaxed.gpu.global.u32"};
    unsigned label = source->labels++, value = reg(source), walk = take(source, 3);
    bool endless = take(source, 4) == 0;
    EMIT("mov.u32 %%c%u, %u;\n", depth, 2 + take(source, 30));
    global_address(source);
    EMIT("L%u:\n", label);
    if (walk == 1)
        global_address(source);
    else if (walk == 2)
        EMIT("add.s64 %%x1, %%x1, 0;\n");
    if (take(source, 3))
        EMIT("%s %%r%u, [%%x1];\n", PICK(loads), value);
    else
        EMIT("atom.global.cas.b32 %%r%u, [%%x1], 0, 1;\n", value);
    if (take(source, 3) == 0)
        block(source, MAX_DEPTH);
    EMIT("setp.%s.u32 %%q, %%r%u, %u;\n", take(source, 2) ? "ne" : "lt", value, take(source, 4));
    if (!endless)
        EMIT("sub.u32 %%c%u, %%c%u, 1;\nsetp.ne.and.u32 %%q, %%c%u, 0, %%q;\n", depth, depth,
             depth);
    EMIT("@%%q bra L%u;\n", label);
}

static void statement(struct source *source, unsigned depth) {
    unsigned which = take(source, 256);
    source->statements++;
    if (source->lines) /* two statements each, as an expression has several instructions */
        EMIT(".loc 1 %u 1\n", 1 + source->statements / 2);
    switch (which - RARE < RARE_COUNT ? which : which % 16) {
    case 0:
    case 1:
    case 2:
        load(source);
        return;
    case 3:
    case 4:
        store(source);
        return;
    case 5:
    case 6:
        atomic(source);
        return;
    case 7:
        order(source);
        return;
    case 8:
        exchange(source);
        return;
    case 9:
    case 10:
        if (depth < MAX_DEPTH)
            branch(source, depth + 1);
        return;
    case 11:
        if (depth < MAX_DEPTH)
            loop(source, depth + 1);
        return;
    case 12:
        if (depth < MAX_DEPTH)
            poll(source, depth + 1);
        return;
    case 13:
        compare(source);
        return;
    case RARE:
    case RARE + 1:
        shared_atomic(source);
        return;
    case RARE + 2:
        divide(source);
        return;
    case RARE + 3:
        wide_access(source);
        return;
    case RARE + 4:
        texture(source);
        return;
    case RARE + 5:
        surface(source);
        return;
    default:
        arithmetic(source);
    }
}

static void block(struct source *source, unsigned depth) {
    for (unsigned count = 1 + take(source, 5);
         count-- && source->statements < MAX_STATEMENTS && source->at < source->size;)
        statement(source, depth);
}

void kernel_text(const uint8_t *data, size_t size, bool lines, struct text *ptx) {
    struct source whole = {.data = data, .size = size, .out = ptx, .lines = lines};
    struct source *source = &whole;
    EMIT(".version 8.0\n.target sm_80\n.address_size 64\n%s"
         ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u32 pn)\n{\n"
         ".reg .u64 %%a, %%b, %%s, %%l, %%x<2>;\n.reg .u32 %%r<%u>, %%t<2>, %%c<%u>;\n"
         ".reg .pred %%p<%u>, %%q;\n.reg .f32 %%f<2>;\n.reg .b16 %%n<2>;\n.shared .align 16 .b8 "
         "sm[256];\n.local "
         ".align 16 .b8 lm[32];\n"
         "ld.param.u64 %%a, [pa];\nld.param.u64 %%b, [pb];\ncvta.to.global.u64 %%a, %%a;\n"
         "mov.u64 %%s, sm;\nmov.u64 %%l, lm;\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%ctaid.x;\n"
         "mov.u32 %%r2, %%ntid.x;\nld.param.u32 %%r3, [pn];\nmov.u32 %%r4, 0;\n",
         lines ? ".file 1 \"k.cu\"\n" : "", REGISTERS, MAX_DEPTH + 2, PREDICATES);
    while (whole.at < size && whole.statements < MAX_STATEMENTS)
        statement(source, 0);
    EMIT("ret;\n}\n");
}
