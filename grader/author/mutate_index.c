/* Operators on what a thread works on: bounds, axes, subscripts, guards, strides. */
#include "grader/author/mutate_private.h"

#include "sandbox/base/memory.h"

#include <string.h>

static const struct {
    const char *sign, *other;
} comparisons[] = {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};

static const char *const condition_ends[] = {")", ";", "&&", "||", "?", ",", NULL};

/* The other sign of a comparison, or NULL. A list of template arguments has a `<`, too: it follows
 * a cast, `template` or a name of a type, and has its end before the statement's. */
static const char *other_sign(const struct code *code, size_t index) {
    const struct code_token *token = &code->tokens[index];
    if (token->is_fixed || token->kind != SOURCE_SIGN || index == 0)
        return NULL;
    const struct code_token *before = &code->tokens[index - 1];
    bool is_cast = before->length > 5 && before->kind == SOURCE_NAME &&
                   memcmp(before->start + before->length - 5, "_cast", 5) == 0;
    if (is_cast || code_is(code, index - 1, "template") || code_is(code, index - 1, "fragment"))
        return NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(comparisons); i++)
        if (code_is(code, index, comparisons[i].sign))
            return comparisons[i].other;
    return NULL;
}

/* `static_cast<float>(`: the `<` before it on the same level is no comparison. */
static bool ends_template(const struct code *code, size_t index) {
    static const char *const stops[] = {"<", ";", "&&", "||", NULL};
    size_t open = code_is(code, index, ">") ? code_backward(code, index, stops) : CODE_NONE;
    return open != CODE_NONE && code_is(code, open, "<") && !other_sign(code, open);
}

void mutate_bound(const struct mutator *mutator) {
    const struct code *code = mutator->code;
    for (size_t i = 0; i < code->count; i++) {
        const char *other = other_sign(code, i);
        if (other && !ends_template(code, i))
            mutator_replace(mutator, i, i, other);
    }
}

/* `i < n)` becomes `i < n - 1)`. */
void mutate_less_one(const struct mutator *mutator) {
    const struct code *code = mutator->code;
    for (size_t i = 0; i + 2 < code->count; i++) {
        bool is_bound = code_is(code, i, "<") || code_is(code, i, "<=");
        if (!is_bound || !other_sign(code, i))
            continue;
        size_t end = code_forward(code, i, condition_ends);
        for (size_t at = i + 1; at < code->count && end == CODE_NONE; at++)
            if (code_is(code, at, ")")) /* the level's end is the condition's */
                end = at;
        if (end == CODE_NONE || end == i + 1)
            continue;
        cleanup_free char *bound = mutator_words(mutator, i + 1, end - 1);
        cleanup_free char *less = mem_printf("%s - 1", bound);
        mutator_replace(mutator, i + 1, end - 1, less);
    }
}

/* Each use of x where the kernel knows y, too, and the other way round. */
void mutate_axes(const struct mutator *mutator) {
    static const char *const words[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct code *code = mutator->code;
    for (size_t w = 0; w < ARRAY_LENGTH(words); w++) {
        bool has_x = false, has_y = false;
        for (size_t i = 0; i + 2 < code->count; i++)
            if (code_is(code, i, words[w])) {
                has_x |= code_is(code, i + 2, "x");
                has_y |= code_is(code, i + 2, "y");
            }
        for (size_t i = 0; has_x && has_y && i + 2 < code->count; i++)
            if (code_is(code, i, words[w]) && !code->tokens[i].is_fixed) {
                bool is_x = code_is(code, i + 2, "x");
                cleanup_free char *other = mem_printf("%s.%s", words[w], is_x ? "y" : "x");
                if (is_x || code_is(code, i + 2, "y"))
                    mutator_replace(mutator, i, i + 2, other);
            }
    }
}

/* a[i][j] becomes a[j][i], but not in a declaration. */
void mutate_subscripts(const struct mutator *mutator) {
    const struct code *code = mutator->code;
    for (size_t i = 2; i < code->count; i++) {
        size_t close = code_is(code, i, "[") ? code->tokens[i].match : CODE_NONE;
        if (close == CODE_NONE || !code_is(code, close + 1, "[") || code_is_name(code, i - 2) ||
            code->tokens[close + 1].match == CODE_NONE || code->tokens[i].is_fixed)
            continue;
        size_t end = code->tokens[close + 1].match;
        if (close == i + 1 || end == close + 2)
            continue;
        cleanup_free char *first = mutator_words(mutator, i + 1, close - 1);
        cleanup_free char *second = mutator_words(mutator, close + 2, end - 1);
        cleanup_free char *swapped = mem_printf("[%s][%s]", second, first);
        if (strcmp(first, second) != 0)
            mutator_replace(mutator, i, end, swapped);
    }
}

void mutate_block_index(const struct mutator *mutator) {
    const struct code *code = mutator->code;
    for (size_t i = 0; i + 2 < code->count; i++)
        if (code_is(code, i, "blockIdx") && code_is(code, i + 1, ".") && !code->tokens[i].is_fixed)
            mutator_replace(mutator, i, i + 2, "0");
}

/* ---- guards ---------------------------------------------------------------------------------- */

static bool leaves(const struct code *code, size_t index) {
    static const char *const words[] = {"return", "continue", "break", NULL};
    return code_is_one_of(code, index + code_is(code, index, "{"), words);
}

/* if (c) return; never returns; any other `if` always does what it says. */
static void drop_if(const struct mutator *mutator, size_t index) {
    const struct code *code = mutator->code;
    size_t close = code_is(code, index + 1, "(") ? code->tokens[index + 1].match : CODE_NONE;
    if (close != CODE_NONE && close > index + 2)
        mutator_replace(mutator, index + 2, close - 1, leaves(code, close + 1) ? "false" : "true");
}

/* c ? a : b becomes a. */
static void drop_choice(const struct mutator *mutator, size_t question) {
    static const char *const before[] = {"=", "+=", ",", ";", "return", "?", ":", "{", "}", NULL};
    static const char *const colon[] = {":", NULL};
    const struct code *code = mutator->code;
    size_t start = code_backward(code, question, before);
    for (size_t at = question; at-- > 0 && start == CODE_NONE;)
        if (strchr("([{", *code->tokens[at].start) &&
            (code->tokens[at].match == CODE_NONE || code->tokens[at].match > question))
            start = at;
    if (start != CODE_NONE && start + 1 < question &&
        code_forward(code, question, colon) != CODE_NONE)
        mutator_replace(mutator, start + 1, question - 1, "true");
}

/* One operand of `a && b`: the other one is left. */
static void drop_operand(const struct mutator *mutator, size_t index) {
    static const char *const before[] = {"(", "&&", "||", "=", ";", "return", ",", "?", ":", NULL};
    const struct code *code = mutator->code;
    size_t end = code_forward(code, index, condition_ends), start = index;
    for (; start-- > 0 && !code_is_one_of(code, start, before);)
        if (strchr(")]", *code->tokens[start].start) && code->tokens[start].match != CODE_NONE)
            start = code->tokens[start].match;
    if (end == CODE_NONE)
        for (end = index + 1; end < code->count && !code_is(code, end, ")"); end++)
            if (code_is(code, end, "(") && code->tokens[end].match != CODE_NONE)
                end = code->tokens[end].match;
    const char *neutral = code_is(code, index, "&&") ? "true" : "false";
    if (start < index && start + 1 < index)
        mutator_replace(mutator, start + 1, index - 1, neutral);
    if (end < code->count && end > index + 1)
        mutator_replace(mutator, index + 1, end - 1, neutral);
}

void mutate_guard(const struct mutator *mutator) {
    const struct code *code = mutator->code;
    for (size_t i = 1; i < code->count; i++) {
        if (code->tokens[i].is_fixed)
            continue;
        if (code_is(code, i, "if"))
            drop_if(mutator, i);
        else if (code_is(code, i, "?"))
            drop_choice(mutator, i);
        else if (code_is(code, i, "&&") || code_is(code, i, "||"))
            drop_operand(mutator, i);
    }
}

/* ---- strides --------------------------------------------------------------------------------- */

void mutate_stride(const struct mutator *mutator) {
    static const struct {
        const char *sign, *step, *wrong;
    } steps[] = {{"/=", "2", "4"}, {"*=", "2", "4"}, {">>=", "1", "2"}, {"<<=", "1", "2"}};
    static const char *const ends[] = {";", ")", ",", NULL};
    const struct code *code = mutator->code;
    for (size_t i = 1; i + 2 < code->count; i++) {
        if (code->tokens[i].is_fixed)
            continue;
        for (size_t s = 0; s < ARRAY_LENGTH(steps); s++)
            if (code_is(code, i, steps[s].sign) && code_is(code, i + 1, steps[s].step))
                mutator_replace(mutator, i + 1, i + 1, steps[s].wrong);
        if (code_is(code, i, "gridDim") && code_is(code, i + 1, ".")) {
            /* A stride of the whole grid that forgets the grid or the block. */
            mutator_replace(mutator, i, i + 2, "1");
            continue;
        }
        /* i += STEP in a loop's head walks one too far, and each element twice. */
        size_t close = i;
        if (!code_is(code, i, "+=") || code_is(code, i + 1, "1"))
            continue;
        size_t end = code_forward(code, i, ends);
        for (close = i; close < code->count && end == CODE_NONE; close++)
            if (code_is(code, close, "(") && code->tokens[close].match != CODE_NONE)
                close = code->tokens[close].match;
            else if (code_is(code, close, ")"))
                end = close;
        size_t open = end != CODE_NONE && code_is(code, end, ")") ? code->tokens[end].match : 0;
        if (end == CODE_NONE || open == CODE_NONE || open == 0 || !code_is(code, open - 1, "for"))
            continue;
        cleanup_free char *step = mutator_words(mutator, i + 1, end - 1);
        cleanup_free char *longer = mem_printf("(%s) + 1", step);
        cleanup_free char *twice = mem_printf("((%s) + 1) / 2", step);
        mutator_replace(mutator, i + 1, end - 1, longer);
        mutator_replace(mutator, i + 1, end - 1, twice);
    }
}
