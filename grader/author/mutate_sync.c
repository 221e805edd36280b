/* Operators on what threads tell each other: barriers, masks, atomics, shared arrays. */
#include "grader/author/mutate_private.h"

#include "sandbox/base/memory.h"

#include <string.h>

/* Calls as statements of their own: `name(...);` */
static void drop_calls(const struct mutator *mutator, const char *name) {
    const struct code *code = mutator->code;
    for (size_t i = 0; i < code->count; i++) {
        if (!code_is(code, i, name) || code->tokens[i].is_fixed || !code_is(code, i + 1, "("))
            continue;
        size_t close = code->tokens[i + 1].match;
        bool is_statement = close != CODE_NONE && code_is(code, close + 1, ";");
        size_t first = i;
        /* block.sync(), this_thread_block().sync() */
        while (first >= 2 && (code_is(code, first - 1, ".") || code_is(code, first - 1, "::"))) {
            first -= 2;
            if (code_is(code, first, ")") && code->tokens[first].match != CODE_NONE)
                first = code->tokens[first].match - 1;
        }
        if (is_statement)
            mutator_replace(mutator, first, close + 1, ";");
    }
}

void mutate_barrier(const struct mutator *mutator) {
    drop_calls(mutator, "__syncthreads");
    drop_calls(mutator, "sync");
}

void mutate_syncwarp(const struct mutator *mutator) {
    drop_calls(mutator, "__syncwarp");
}

static bool is_exchange(const struct code *code, size_t index) {
    static const char *const calls[] = {"__shfl_sync",
                                        "__shfl_up_sync",
                                        "__shfl_down_sync",
                                        "__shfl_xor_sync",
                                        "__ballot_sync",
                                        "__any_sync",
                                        "__all_sync",
                                        "__syncwarp",
                                        "__match_any_sync",
                                        "__reduce_add_sync",
                                        NULL};
    return code_is_one_of(code, index, calls) && code_is(code, index + 1, "(");
}

void mutate_mask(const struct mutator *mutator) {
    static const char *const ends[] = {",", ")", NULL};
    const struct code *code = mutator->code;
    for (size_t i = 0; i < code->count; i++) {
        if (!is_exchange(code, i) || code->tokens[i].is_fixed || code_is(code, i + 2, ")"))
            continue;
        size_t end = code_forward(code, i + 1, ends);
        if (end != CODE_NONE && end > i + 2)
            mutator_replace(mutator, i + 2, end - 1, "0x0000ffffu");
    }
}

/* atomicAdd(p, v) becomes *(p) += (v); where its value is used, what it was is made again. */
static char *plain_update(const char *name, const char *place, const char *value, bool is_used) {
    static const struct {
        const char *name, *sign, *back;
    } sums[] = {{"atomicAdd", "+=", "-"},
                {"atomicSub", "-=", "+"},
                {"atomicOr", "|=", NULL},
                {"atomicAnd", "&=", NULL},
                {"atomicXor", "^=", "^"}};
    for (size_t i = 0; i < ARRAY_LENGTH(sums); i++)
        if (strcmp(name, sums[i].name) == 0 && (!is_used || sums[i].back))
            return is_used ? mem_printf("((*(%s) %s (%s)) %s (%s))", place, sums[i].sign, value,
                                        sums[i].back, value)
                           : mem_printf("*(%s) %s (%s)", place, sums[i].sign, value);
    bool is_max = strcmp(name, "atomicMax") == 0;
    if (!is_used && (is_max || strcmp(name, "atomicMin") == 0))
        return mem_printf("*(%s) = %s(*(%s), (%s))", place, is_max ? "max" : "min", place, value);
    if (!is_used && strcmp(name, "atomicExch") == 0)
        return mem_printf("*(%s) = (%s)", place, value);
    return NULL;
}

void mutate_atomic(const struct mutator *mutator) {
    static const char *const comma[] = {",", NULL};
    const struct code *code = mutator->code;
    for (size_t i = 1; i + 1 < code->count; i++) {
        if (!code_is_name(code, i) || !code_is(code, i + 1, "(") || code->tokens[i].is_fixed ||
            code->tokens[i].length < 7 || memcmp(code->tokens[i].start, "atomic", 6) != 0)
            continue;
        size_t close = code->tokens[i + 1].match, between = code_forward(code, i + 1, comma);
        if (close == CODE_NONE || between == CODE_NONE || between > close ||
            code_forward(code, between, comma) != CODE_NONE)
            continue;
        static const char *const before[] = {";", "{", "}", ")", "else", NULL};
        bool is_used = !code_is(code, close + 1, ";") || !code_is_one_of(code, i - 1, before);
        cleanup_free char *name = mutator_words(mutator, i, i);
        cleanup_free char *place = mutator_words(mutator, i + 2, between - 1);
        cleanup_free char *value = mutator_words(mutator, between + 1, close - 1);
        cleanup_free char *plain = plain_update(name, place, value, is_used);
        if (plain)
            mutator_replace(mutator, i, close, plain);
    }
}

/* Each extent of each array: [BLOCK] becomes [(BLOCK) - 1]. */
void mutate_shared(const struct mutator *mutator) {
    static const char *const semicolon[] = {";", NULL};
    const struct code *code = mutator->code;
    for (size_t i = 0; i < code->count; i++) {
        if (!code_is(code, i, "__shared__") || code->tokens[i].is_fixed)
            continue;
        size_t end = code_forward(code, i, semicolon);
        for (size_t at = i; end != CODE_NONE && at < end; at++) {
            size_t close = code_is(code, at, "[") ? code->tokens[at].match : CODE_NONE;
            if (close == CODE_NONE || close == at + 1)
                continue;
            cleanup_free char *extent = mutator_words(mutator, at + 1, close - 1);
            cleanup_free char *shorter = mem_printf("(%s) - 1", extent);
            mutator_replace(mutator, at + 1, close - 1, shorter);
        }
    }
}
