/* Operators on values: what they begin with, how they are joined, how exact they are. */
#include "grader/author/mutate_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <string.h>

static const char *const type_words[] = {
    "float", "double", "int",    "unsigned", "long",    "char",     "short",   "bool", "size_t",
    "auto",  "half",   "__half", "uint32_t", "int64_t", "uint64_t", "uint8_t", NULL};

/* A number, with a sign or not, or INFINITY: `first` .. *last. */
static bool is_constant(const struct code *code, size_t first, size_t *last) {
    static const char *const names[] = {"INFINITY", "FLT_MAX", "INT_MAX", "INT_MIN", NULL};
    *last = first + code_is(code, first, "-");
    return *last < code->count &&
           (code->tokens[*last].kind == SOURCE_NUMBER || code_is_one_of(code, *last, names));
}

/* Inside of the parentheses of a `for`? */
static bool is_in_head(const struct code *code, size_t index) {
    for (size_t i = index; i-- > 0 && !code_is(code, i, "{") && !code_is(code, i, "}");)
        if (code_is(code, i, "(") && code->tokens[i].match != CODE_NONE &&
            code->tokens[i].match > index)
            return i > 0 && code_is(code, i - 1, "for");
    return false;
}

/* `T name = 0.0f;` loses its value, and `s[i] = 0;` goes. */
void mutate_initial(const struct mutator *mutator) {
    static const char *const statement[] = {";", "{", "}", ")", NULL};
    const struct code *code = mutator->code;
    for (size_t i = 2; i + 1 < code->count; i++) {
        size_t last, start;
        if (!code_is(code, i, "=") || code->tokens[i].is_fixed || is_in_head(code, i) ||
            !is_constant(code, i + 1, &last))
            continue;
        bool ends = code_is(code, last + 1, ";") || code_is(code, last + 1, ",");
        start = code_backward(code, i, statement);
        if (!ends || start == CODE_NONE)
            continue;
        bool is_const = false, is_declared = false;
        for (size_t at = start + 1; at < i; at++) {
            is_const |= code_is(code, at, "const") || code_is(code, at, "constexpr");
            is_declared |= code_is_one_of(code, at, type_words);
        }
        if (is_declared && !is_const)
            mutator_replace(mutator, i, last, "");
        else if (!is_declared && !is_const && code_is(code, last + 1, ";") && start + 1 < i)
            mutator_replace(mutator, start + 1, last + 1, ";");
    }
}

static const char *other_neutral(const struct code *code, size_t first, size_t last) {
    static const struct {
        const char *value, *other;
    } values[] = {{"0", "1"},    {"0.0f", "1.0f"},    {"0.f", "1.0f"},      {"0.0", "1.0"},
                  {"1", "0"},    {"1.0f", "0.0f"},    {"INFINITY", "0.0f"}, {"0u", "1u"},
                  {"0ull", "1"}, {"FLT_MAX", "0.0f"}, {"INT_MIN", "0"},     {"INT_MAX", "0"}};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++)
        if (code_is(code, last, values[i].value) && (first == last || values[i].value[0] != '0'))
            return values[i].other;
    return NULL;
}

/* What a variable, an element of an array or a choice begins with; a loop that begins at 1. */
void mutate_neutral(const struct mutator *mutator) {
    const struct code *code = mutator->code;
    for (size_t i = 1; i + 2 < code->count; i++) {
        size_t last;
        bool is_value = code_is(code, i, "=") || code_is(code, i, ":");
        if (!is_value || code->tokens[i].is_fixed || !is_constant(code, i + 1, &last))
            continue;
        const char *other = other_neutral(code, i + 1, last);
        if (other && (code_is(code, last + 1, ";") || code_is(code, last + 1, ",") ||
                      code_is(code, last + 1, ")")))
            mutator_replace(mutator, i + 1, last, other);
    }
}

void mutate_overwrite(const struct mutator *mutator) {
    const struct code *code = mutator->code;
    for (size_t i = 1; i < code->count; i++)
        if (code_is(code, i, "+=") && !code->tokens[i].is_fixed && !is_in_head(code, i))
            mutator_replace(mutator, i, i, "=");
}

/* Was the name declared with the type float, as a value, a pointer or an array? */
static bool is_float(const struct code *code, size_t name) {
    const struct code_token *token = &code->tokens[name];
    static const char *const between[] = {"*", "const", "__restrict__", ",", "&", NULL};
    for (size_t i = 1; i < code->count; i++) {
        if (code->tokens[i].length != token->length || !code_is_name(code, i) ||
            memcmp(code->tokens[i].start, token->start, token->length) != 0)
            continue;
        size_t at = i - 1;
        while (at > 0 && code_is_one_of(code, at, between) && !code_is(code, at, ","))
            at--;
        if (code_is(code, at, "float"))
            return true;
    }
    return false;
}

/* x = E; and x += E; where x is a float or an element of floats. */
void mutate_half(const struct mutator *mutator) {
    static const char *const statement[] = {";", "{", "}", ")", "else", NULL};
    static const char *const ends[] = {";", ",", NULL};
    const struct code *code = mutator->code;
    for (size_t i = 1; i + 1 < code->count; i++) {
        bool is_sum = code_is(code, i, "+=");
        if ((!is_sum && !code_is(code, i, "=")) || code->tokens[i].is_fixed ||
            is_in_head(code, i) || code_is(code, i + 1, "{"))
            continue;
        size_t start = code_backward(code, i, statement), end = code_forward(code, i, ends), last;
        if (start == CODE_NONE || end == CODE_NONE || start + 1 >= i)
            continue;
        bool is_declared = code_is(code, start + 1, "float");
        size_t name = start + 1 + is_declared;
        bool is_pointer = code_is(code, name, "*") && is_declared;
        name += code_is(code, name, "*");
        if (is_pointer || !code_is_name(code, name) || !is_float(code, name) ||
            (is_constant(code, i + 1, &last) && last + 1 == end))
            continue;
        cleanup_free char *value = mutator_words(mutator, i + 1, end - 1);
        cleanup_free char *place = mutator_words(mutator, start + 1, i - 1);
        cleanup_free char *rounded =
            is_sum ? mem_printf("%s = __half2float(__float2half(%s + (%s)))", place, place, value)
                   : mem_printf("= __half2float(__float2half(%s))", value);
        mutator_replace_with(mutator, is_sum ? start + 1 : i, end - 1, rounded, "cuda_fp16.h");
    }
}

void mutate_sign(const struct mutator *mutator) {
    const struct code *code = mutator->code;
    for (size_t i = 1; i + 1 < code->count; i++) {
        bool is_plus = code_is(code, i, "+"), is_minus = code_is(code, i, "-");
        const struct code_token *before = &code->tokens[i - 1];
        bool is_binary = before->kind == SOURCE_NAME || before->kind == SOURCE_NUMBER ||
                         code_is(code, i - 1, ")") || code_is(code, i - 1, "]");
        if ((is_plus || is_minus) && is_binary && !code->tokens[i].is_fixed &&
            !code_is(code, i - 1, "return"))
            mutator_replace(mutator, i, i, is_plus ? "-" : "+");
    }
}

void mutate_extremum(const struct mutator *mutator) {
    static const struct {
        const char *name, *other;
    } calls[] = {
        {"max", "min"},   {"min", "max"},   {"fmaxf", "fminf"},         {"fminf", "fmaxf"},
        {"fmax", "fmin"}, {"fmin", "fmax"}, {"atomicMax", "atomicMin"}, {"atomicMin", "atomicMax"}};
    const struct code *code = mutator->code;
    for (size_t i = 0; i + 1 < code->count; i++)
        for (size_t j = 0; j < ARRAY_LENGTH(calls); j++)
            if (code_is(code, i, calls[j].name) && code_is(code, i + 1, "(") &&
                !code->tokens[i].is_fixed)
                mutator_replace(mutator, i, i, calls[j].other);
}
