/* Disguises, token by token: none knows C++, and each does only what is safe where it looks. */
#include "tests/similarity/disguise.h"

#include "grader/source/source_lexer.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const disguise_names[DISGUISE_COUNT] = {
    "same bytes", "renamed",     "reordered", "comments",    "formatted",
    "macros",     "loops",       "helper",    "dead code",   "constants",
    "operands",   "expressions", "all of it", "other sizes", "64 bits"};

/* ---- tokens ---------------------------------------------------------------------------------- */

struct tokens {
    struct source_token *items;
    size_t count, capacity;
    const char *text, *end;
};

static struct tokens read_tokens(const char *source) {
    struct tokens tokens = {.text = source, .end = source + strlen(source)};
    struct source_lexer lexer = {.next = source, .end = tokens.end, .line = 1};
    for (;;) {
        struct source_token token = source_lexer_next(&lexer);
        *mem_push(&tokens.items, &tokens.count, &tokens.capacity) = token;
        if (token.kind == SOURCE_END)
            return tokens;
    }
}

static bool is(const struct tokens *tokens, size_t index, const char *word) {
    if (index >= tokens->count)
        return false;
    const struct source_token *token = &tokens->items[index];
    return token->length == strlen(word) && memcmp(token->start, word, token->length) == 0;
}

/* A line of the preprocessor: none of the disguises of statements goes there. */
static bool in_directive(const struct tokens *tokens, size_t index) {
    const char *at = tokens->items[index].start;
    while (at > tokens->text && at[-1] != '\n')
        at--;
    while (*at == ' ' || *at == '\t')
        at++;
    return *at == '#';
}

/* What stands before a token and after the one before it. */
static void append_gap(struct text *out, const struct tokens *tokens, size_t index) {
    const char *from =
        index ? tokens->items[index - 1].start + tokens->items[index - 1].length : tokens->text;
    text_append_bytes(out, from, (size_t)(tokens->items[index].start - from));
}

static void append_token(struct text *out, const struct tokens *tokens, size_t index) {
    text_append_bytes(out, tokens->items[index].start, tokens->items[index].length);
}

static void append_range(struct text *out, const struct tokens *tokens, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        append_gap(out, tokens, i);
        append_token(out, tokens, i);
    }
}

/* The token after the bracket that belongs to the one at `index`. */
static size_t after_bracket(const struct tokens *tokens, size_t index) {
    size_t depth = 0;
    for (; index < tokens->count; index++) {
        depth += is(tokens, index, "(") || is(tokens, index, "{");
        if ((is(tokens, index, ")") || is(tokens, index, "}")) && --depth == 0)
            return index + 1;
    }
    return tokens->count - 1;
}

static size_t after_statement(const struct tokens *tokens, size_t index) {
    if (is(tokens, index, "{"))
        return after_bracket(tokens, index);
    if (is(tokens, index, "for") || is(tokens, index, "while") || is(tokens, index, "if")) {
        bool branch = is(tokens, index, "if");
        index = after_statement(tokens, after_bracket(tokens, index + 1));
        return branch && is(tokens, index, "else") ? after_statement(tokens, index + 1) : index;
    }
    while (index < tokens->count - 1 && !is(tokens, index, ";"))
        index = is(tokens, index, "(") || is(tokens, index, "{") ? after_bracket(tokens, index)
                                                                 : index + 1;
    return index + 1;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_library_name(const struct source_token *token) {
    static const char *const names[] = {"BLOCK_SIZE",
                                        "ITEMS",
                                        "PLANES",
                                        "TILE_WIDTH",
                                        "reduce",
                                        "transpose",
                                        "histogram",
                                        "matmul",
                                        "softmax",
                                        "stencil",
                                        "saxpy",
                                        "fmaxf",
                                        "expf",
                                        "exp2f",
                                        "fmaf",
                                        "min",
                                        "max",
                                        "INFINITY",
                                        "make_float2",
                                        "make_float4",
                                        "uchar4",
                                        "cooperative_groups",
                                        "h",
                                        "this_thread_block",
                                        "tiled_partition",
                                        "thread_rank",
                                        "meta_group_rank",
                                        "shfl_down",
                                        "sync",
                                        "size",
                                        "once"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        if (strlen(names[i]) == token->length && memcmp(names[i], token->start, token->length) == 0)
            return true;
    return source_name_is_known(token->start, token->length);
}

static bool is_own_name(const struct tokens *tokens, size_t index) {
    return tokens->items[index].kind == SOURCE_NAME && !is_library_name(&tokens->items[index]);
}

static void rename_names(const struct tokens *tokens, struct text *out) {
    for (size_t i = 0; i < tokens->count; i++) {
        append_gap(out, tokens, i);
        if (!is_own_name(tokens, i)) {
            append_token(out, tokens, i);
            continue;
        }
        size_t first = 0; /* of this name: its number */
        while (tokens->items[first].length != tokens->items[i].length ||
               memcmp(tokens->items[first].start, tokens->items[i].start,
                      tokens->items[i].length) != 0)
            first++;
        text_printf(out, "%c%zu_", (int)('p' + first % 9), first);
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

/* "float a = b;": what it sets, where it is such a statement. */
static const struct source_token *set_by(const struct tokens *tokens, size_t from, size_t to) {
    const struct source_token *name = NULL;
    size_t depth = 1;
    for (size_t i = from; i < to && depth; i++)
        depth += (size_t)is(tokens, i, "(") - (size_t)is(tokens, i, ")");
    for (size_t i = from; i < to; i++) {
        if (is(tokens, i, "(") || !depth)
            return NULL;
        if (is(tokens, i, "="))
            return i + 1 < to && is(tokens, i + 1, "=") ? NULL : name;
        if (is(tokens, i, ",") || tokens->items[i].kind == SOURCE_COMMENT ||
            is(tokens, i, "return"))
            return NULL;
        if (is_own_name(tokens, i) && !name)
            name = &tokens->items[i];
    }
    return NULL;
}

static bool mentions(const struct tokens *tokens, size_t from, size_t to,
                     const struct source_token *name) {
    for (size_t i = from; i < to; i++) {
        bool equal = tokens->items[i].length == name->length &&
                     memcmp(tokens->items[i].start, name->start, name->length) == 0;
        if (equal || is(tokens, i, "*") || is(tokens, i, "["))
            if (equal)
                return true;
    }
    return false;
}

static bool may_swap(const struct tokens *tokens, size_t first, size_t second, size_t end) {
    const struct source_token *a = set_by(tokens, first, second), *b = set_by(tokens, second, end);
    bool begins = first && (is(tokens, first - 1, ";") || is(tokens, first - 1, "{") ||
                            is(tokens, first - 1, "}"));
    if (!begins || !a || !b || in_directive(tokens, first) || in_directive(tokens, second))
        return false;
    for (size_t i = first; i < end; i++) /* what has an effect beyond its name stays */
        if (is(tokens, i, "+") && (is(tokens, i + 1, "+") || is(tokens, i + 1, "=")))
            return false;
    return !mentions(tokens, second, end, a) && !mentions(tokens, first, second, b);
}

static void reorder(const struct tokens *tokens, struct text *out) {
    for (size_t i = 0; i + 1 < tokens->count;) {
        size_t second = i, end = i;
        while (second + 1 < tokens->count && !is(tokens, second, ";") && !is(tokens, second, "{") &&
               !is(tokens, second, "}"))
            second++;
        for (end = ++second; end + 1 < tokens->count && !is(tokens, end, ";"); end++)
            if (is(tokens, end, "{") || is(tokens, end, "}"))
                break;
        if (is(tokens, second - 1, ";") && is(tokens, end, ";") &&
            may_swap(tokens, i, second, end + 1)) {
            append_range(out, tokens, second, end + 1);
            append_range(out, tokens, i, second);
            i = end + 1;
        } else {
            append_range(out, tokens, i, second);
            i = second;
        }
    }
    append_gap(out, tokens, tokens->count - 1);
}

/* ---- looks ----------------------------------------------------------------------------------- */

static void other_comments(const struct tokens *tokens, struct text *out) {
    size_t number = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        append_gap(out, tokens, i);
        if (tokens->items[i].kind == SOURCE_COMMENT)
            text_append(out, i ? "" : "// my own solution");
        else
            append_token(out, tokens, i);
        if (is(tokens, i, "{"))
            text_printf(out, " /* part %zu begins here */", ++number);
    }
}

static void format(const struct tokens *tokens, struct text *out) {
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        const char *after = tokens->items[i].start + tokens->items[i].length;
        bool line = in_directive(tokens, i) || tokens->items[i].kind == SOURCE_COMMENT;
        append_token(out, tokens, i);
        if (line)
            append_gap(out, tokens, i + 1);
        else if (is(tokens, i, ";") || is(tokens, i, "{") || is(tokens, i, "}") ||
                 in_directive(tokens, i + 1))
            text_append(out, "\n\t");
        else if (*after == ' ' || *after == '\n')
            text_append(out, "\n      ");
    }
    text_append(out, "\n");
}

/* After the last #include, where others would be too early. */
static const char *after_includes(const char *source) {
    const char *at = source;
    for (const char *next = source; (next = strstr(next, "#include")); next++)
        at = strchr(next, '\n') + 1;
    return at;
}

static void macros(const struct tokens *tokens, struct text *out) {
    const char *begin = after_includes(tokens->text);
    bool defined = false;
    for (size_t i = 0; i < tokens->count; i++) {
        append_gap(out, tokens, i);
        if (!defined && tokens->items[i].start >= begin && is(tokens, i, "#")) {
            text_append(out, "#define ME(axis) threadIdx.axis\n#define OWN(axis) blockIdx.axis\n"
                             "#define WAIT_FOR_ALL __syncthreads()\n#define REAL float\n");
            defined = true;
        }
        bool index = is(tokens, i, "threadIdx") || is(tokens, i, "blockIdx");
        if (defined && index && is(tokens, i + 1, ".")) {
            text_append(out, is(tokens, i, "threadIdx") ? "ME(" : "OWN(");
            append_token(out, tokens, i + 2);
            text_append(out, ")");
            i += 2;
        } else if (defined && is(tokens, i, "__syncthreads")) {
            text_append(out, "WAIT_FOR_ALL");
            i += 2;
        } else if (defined && is(tokens, i, "float")) {
            text_append(out, "REAL");
        } else {
            append_token(out, tokens, i);
        }
    }
}

/* ---- code ------------------------------------------------------------------------------------ */

static bool is_plain_loop(const struct tokens *tokens, size_t index, size_t end) {
    size_t semicolons = 0, head = after_bracket(tokens, index + 1);
    if (!is(tokens, index, "for") || in_directive(tokens, index - 1))
        return false; /* a pragma stands before it */
    for (size_t i = index; i < head; i++)
        semicolons += is(tokens, i, ";");
    for (size_t i = index; i < end; i++)
        if (is(tokens, i, "continue"))
            return false;
    return semicolons == 2 && !is(tokens, index + 2, ";");
}

/* for (a; b; c) d becomes { a; while (b) { d c; } } */
static void loops(const struct tokens *tokens, size_t from, size_t to, struct text *out) {
    for (size_t i = from; i < to; i++) {
        size_t end = i ? after_statement(tokens, i) : 0;
        if (!i || !is_plain_loop(tokens, i, end)) {
            append_gap(out, tokens, i);
            append_token(out, tokens, i);
            continue;
        }
        size_t head = after_bracket(tokens, i + 1), first = i + 2, second, third;
        for (second = first; !is(tokens, second, ";");)
            second++;
        for (third = ++second; !is(tokens, third, ";");)
            third++;
        text_append(out, "\n{ ");
        append_range(out, tokens, first, second);
        text_append(out, " while (");
        append_range(out, tokens, second, third);
        text_append(out, ") { ");
        loops(tokens, head, end, out);
        append_range(out, tokens, third + 1, head - 1);
        text_append(out, "; } }");
        i = end - 1;
    }
}

/* The kernel's body becomes a function that the kernel calls. */
static void helper(const struct tokens *tokens, struct text *out) {
    size_t kernel = 0;
    while (kernel + 1 < tokens->count && !is(tokens, kernel, "__global__"))
        kernel++;
    size_t open = kernel + 3, close = after_bracket(tokens, open), end;
    end = after_bracket(tokens, close);
    append_range(out, tokens, 0, kernel);
    text_append(out, "\n__device__ void does_the_work");
    append_range(out, tokens, open, end);
    text_append(out, "\n");
    append_range(out, tokens, kernel, close);
    text_append(out, "\n{\n    does_the_work(");
    for (size_t i = open; i < close; i++)
        if (is(tokens, i, ",") || i + 1 == close) {
            append_token(out, tokens, i - 1);
            append_token(out, tokens, i);
        }
    text_append(out, ";\n}");
    append_range(out, tokens, end, tokens->count);
}

/* Some of it is removed by the compiler, some is not. */
static void dead_code(const struct tokens *tokens, struct text *out) {
    bool in_kernel = false, done = false;
    for (size_t i = 0; i < tokens->count; i++) {
        append_gap(out, tokens, i);
        append_token(out, tokens, i);
        in_kernel = in_kernel || is(tokens, i, "__global__");
        if (in_kernel && !done && is(tokens, i, "{")) {
            text_append(out, "\n    int spare = threadIdx.x * 17 + 3;\n    float leftover[4];\n"
                             "    for (int s = 0; s < 4; s++)\n        leftover[s] = spare * s;\n"
                             "    if (blockDim.x * 31 + spare == 0x7fffabcd)\n        return;\n");
            done = true;
        }
    }
}

static void constants(const struct tokens *tokens, struct text *out) {
    for (size_t i = 0; i < tokens->count; i++) {
        const struct source_token *token = &tokens->items[i];
        char *end = NULL;
        unsigned long value = token->kind == SOURCE_NUMBER ? strtoul(token->start, &end, 0) : 0;
        append_gap(out, tokens, i);
        bool whole = end == token->start + token->length && token->length;
        if (!whole || value > 1 << 20 || value < 2 || is(tokens, i - 1, "<"))
            append_token(out, tokens, i);
        else if ((value & (value - 1)) == 0)
            text_printf(out, "(1 << %d)", __builtin_ctzl(value));
        else
            text_printf(out, i % 2 ? "0x%lx" : "(%lu - 3)", i % 2 ? value : value + 3);
    }
}

static bool is_operand(const struct tokens *tokens, size_t index) {
    return is_own_name(tokens, index) || is(tokens, index, "BLOCK_SIZE");
}

/* a * b and a + b of names, where nothing beside them binds more tightly. */
static void operands(const struct tokens *tokens, struct text *out) {
    for (size_t i = 0; i < tokens->count; i++) {
        bool open = i && (is(tokens, i - 1, "(") || is(tokens, i - 1, "=") ||
                          is(tokens, i - 1, "[") || is(tokens, i - 1, "<"));
        bool close = is(tokens, i + 3, ")") || is(tokens, i + 3, ";") || is(tokens, i + 3, "]");
        bool swaps = open && close && is_operand(tokens, i) && is_operand(tokens, i + 2) &&
                     (is(tokens, i + 1, "*") || is(tokens, i + 1, "+"));
        append_gap(out, tokens, i);
        if (swaps) {
            append_token(out, tokens, i + 2);
            append_range(out, tokens, i + 1, i + 2);
            text_append(out, " ");
            append_token(out, tokens, i);
            i += 2;
        } else {
            append_token(out, tokens, i);
        }
    }
}

/* name += expression; becomes name = (expression) + name; */
static void split(const struct tokens *tokens, struct text *out) {
    for (size_t i = 0; i < tokens->count; i++) {
        bool begins = i && (is(tokens, i - 1, ";") || is(tokens, i - 1, "{") ||
                            is(tokens, i - 1, "}") || is(tokens, i - 1, ")"));
        append_gap(out, tokens, i);
        append_token(out, tokens, i);
        if (!begins || !is_own_name(tokens, i) || !is(tokens, i + 1, "+") ||
            !is(tokens, i + 2, "="))
            continue;
        size_t end = after_statement(tokens, i), depth = 1;
        for (size_t j = i; j < end && depth; j++)
            depth += (size_t)is(tokens, j, "(") - (size_t)is(tokens, j, ")");
        if (!depth || !is(tokens, end - 1, ";")) /* the third part of a for */
            continue;
        text_append(out, " = (");
        append_range(out, tokens, i + 3, end - 1);
        text_append(out, ") + ");
        append_token(out, tokens, i);
        text_append(out, ";");
        i = end - 1;
    }
}

/* #define BLOCK_SIZE 256 becomes 128, #define ITEMS 4 becomes 8. */
static void sizes(const struct tokens *tokens, struct text *out) {
    for (size_t i = 0; i < tokens->count; i++) {
        bool size = i > 1 && is(tokens, i - 2, "define") &&
                    (is(tokens, i - 1, "BLOCK_SIZE") || is(tokens, i - 1, "ITEMS") ||
                     is(tokens, i - 1, "PLANES"));
        append_gap(out, tokens, i);
        unsigned long value = size ? strtoul(tokens->items[i].start, NULL, 10) : 0;
        if (size)
            text_printf(out, "%lu", value > 64 ? value / 2 : 2 * value);
        else
            append_token(out, tokens, i);
    }
}

/* int becomes long long where it is no parameter of the kernel and no cast. */
static void widths(const struct tokens *tokens, struct text *out) {
    size_t depth = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        depth += (size_t)is(tokens, i, "{") - (size_t)is(tokens, i, "}");
        append_gap(out, tokens, i);
        if (depth && is(tokens, i, "int") && !is(tokens, i - 1, "unsigned") &&
            !is(tokens, i + 1, ")"))
            text_append(out, "long long");
        else
            append_token(out, tokens, i);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static char *apply_all(const char *source) {
    static const enum disguise order[] = {DISGUISE_SPLIT,  DISGUISE_OPERANDS,  DISGUISE_REORDER,
                                          DISGUISE_LOOPS,  DISGUISE_DEAD_CODE, DISGUISE_CONSTANTS,
                                          DISGUISE_HELPER, DISGUISE_RENAME,    DISGUISE_COMMENTS,
                                          DISGUISE_MACRO,  DISGUISE_FORMAT};
    char *text = mem_strdup(source);
    for (size_t i = 0; i < ARRAY_LENGTH(order); i++) {
        char *next = disguise_apply(order[i], text);
        free(text);
        text = next;
    }
    return text;
}

char *disguise_apply(enum disguise disguise, const char *source) {
    if (disguise == DISGUISE_NONE)
        return mem_strdup(source);
    if (disguise == DISGUISE_ALL)
        return apply_all(source);
    static void (*const changes[])(const struct tokens *,
                                   struct text *) = {[DISGUISE_RENAME] = rename_names,
                                                     [DISGUISE_REORDER] = reorder,
                                                     [DISGUISE_COMMENTS] = other_comments,
                                                     [DISGUISE_FORMAT] = format,
                                                     [DISGUISE_MACRO] = macros,
                                                     [DISGUISE_HELPER] = helper,
                                                     [DISGUISE_DEAD_CODE] = dead_code,
                                                     [DISGUISE_CONSTANTS] = constants,
                                                     [DISGUISE_OPERANDS] = operands,
                                                     [DISGUISE_SPLIT] = split,
                                                     [DISGUISE_SIZES] = sizes,
                                                     [DISGUISE_WIDTHS] = widths};
    struct tokens tokens = read_tokens(source);
    struct text out = {0};
    if (disguise == DISGUISE_LOOPS)
        loops(&tokens, 0, tokens.count, &out);
    else
        changes[disguise](&tokens, &out);
    free(tokens.items);
    return text_steal(&out);
}
