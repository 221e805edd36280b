/* Tokens for the operators of mutation. No parser: an operator looks at a few tokens around a
 * place, and what it makes is compiled, so that a reading that was wrong costs a mutant and no
 * more. */
#include "grader/source/code.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The longest first. Not `>>`, which may end two lists of template arguments: `>>=` is enough. */
static const char *const joined[] = {"<<<", ">>>", "<<=", ">>=", "...", "->", "++", "--",
                                     "<<",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=",
                                     "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "::"};

static size_t sign_length(const char *at, const char *end) {
    for (size_t i = 0; i < ARRAY_LENGTH(joined); i++) {
        size_t length = strlen(joined[i]);
        if ((size_t)(end - at) >= length && memcmp(at, joined[i], length) == 0)
            return length;
    }
    return 1;
}

/* Is there a line end between the two that no backslash hides? */
static bool is_line_over(const char *from, const char *to) {
    for (const char *at = from; at < to; at++)
        if (*at == '\n' && (at == from || at[-1] != '\\'))
            return true;
    return false;
}

static void match_brackets(struct code *code) {
    cleanup_free size_t *open = mem_calloc(code->count + 1, sizeof *open);
    size_t depth = 0;
    for (size_t i = 0; i < code->count; i++) {
        struct code_token *token = &code->tokens[i];
        token->match = CODE_NONE;
        if (token->kind != SOURCE_SIGN || token->length != 1)
            continue;
        if (strchr("([{", *token->start))
            open[depth++] = i;
        else if (strchr(")]}", *token->start) && depth) {
            token->match = open[--depth];
            code->tokens[token->match].match = i;
        }
    }
}

void code_read(const char *source, size_t length, struct code *code) {
    struct source_lexer lexer = {source, source + length, 1};
    struct source_token next;
    size_t capacity = 0;
    const char *directive = NULL, *before = source;
    *code = (struct code){.source = source, .length = length};
    while ((next = source_lexer_next(&lexer)).kind != SOURCE_END) {
        bool begins_line = code->count == 0 || is_line_over(before, next.start);
        before = next.start + next.length;
        if (next.kind == SOURCE_COMMENT)
            continue;
        if (directive && is_line_over(directive, next.start))
            directive = NULL;
        if (begins_line && !directive && *next.start == '#')
            directive = next.start;
        if (next.kind == SOURCE_SIGN) {
            next.length = sign_length(next.start, lexer.end);
            lexer.next = before = next.start + next.length;
        }
        *mem_push(&code->tokens, &code->count, &capacity) =
            (struct code_token){.kind = next.kind,
                                .start = next.start,
                                .length = next.length,
                                .line = next.line,
                                .is_fixed = directive != NULL};
    }
    match_brackets(code);
}

void code_free(struct code *code) {
    free(code->tokens);
    *code = (struct code){0};
}

void code_fix_others(struct code *code, const char *kernel) {
    for (size_t i = 0; kernel && i < code->count; i++) {
        if (!code_is(code, i, "__global__"))
            continue;
        bool is_own = false;
        size_t body = i;
        for (; body < code->count && !code_is(code, body, "{") && !code_is(code, body, ";"); body++)
            is_own |= code_is(code, body, kernel) && code_is(code, body + 1, "(");
        size_t end = code_is(code, body, "{") ? code->tokens[body].match : CODE_NONE;
        for (size_t at = body; !is_own && end != CODE_NONE && at < end; at++)
            code->tokens[at].is_fixed = true;
    }
}

bool code_is(const struct code *code, size_t index, const char *word) {
    size_t length = strlen(word);
    return index < code->count && code->tokens[index].length == length &&
           memcmp(code->tokens[index].start, word, length) == 0;
}

bool code_is_name(const struct code *code, size_t index) {
    return index < code->count && code->tokens[index].kind == SOURCE_NAME;
}

bool code_is_one_of(const struct code *code, size_t index, const char *const *words) {
    for (; *words; words++)
        if (code_is(code, index, *words))
            return true;
    return false;
}

size_t code_forward(const struct code *code, size_t index, const char *const *words) {
    for (size_t i = index + 1; i < code->count; i++) {
        if (code_is_one_of(code, i, words))
            return i;
        if (strchr("([{", *code->tokens[i].start) && code->tokens[i].kind == SOURCE_SIGN) {
            if (code->tokens[i].match == CODE_NONE)
                return CODE_NONE;
            i = code->tokens[i].match;
        } else if (strchr(")]}", *code->tokens[i].start) && code->tokens[i].kind == SOURCE_SIGN)
            return CODE_NONE;
    }
    return CODE_NONE;
}

size_t code_backward(const struct code *code, size_t index, const char *const *words) {
    for (size_t i = index; i-- > 0;) {
        if (code_is_one_of(code, i, words))
            return i;
        if (strchr(")]}", *code->tokens[i].start) && code->tokens[i].kind == SOURCE_SIGN) {
            if (code->tokens[i].match == CODE_NONE)
                return CODE_NONE;
            i = code->tokens[i].match;
        } else if (strchr("([{", *code->tokens[i].start) && code->tokens[i].kind == SOURCE_SIGN)
            return CODE_NONE;
    }
    return CODE_NONE;
}

static size_t after(const struct code *code, size_t bracket) {
    size_t match = bracket < code->count ? code->tokens[bracket].match : CODE_NONE;
    return match == CODE_NONE ? code->count : match + 1;
}

size_t code_statement_end(const struct code *code, size_t index) {
    static const char *const semicolon[] = {";", NULL};
    if (code_is(code, index, "{"))
        return after(code, index);
    if (code_is(code, index, "for") || code_is(code, index, "while"))
        return code_statement_end(code, after(code, index + 1));
    if (code_is(code, index, "if")) {
        size_t end = code_statement_end(code, after(code, index + 1));
        return code_is(code, end, "else") ? code_statement_end(code, end + 1) : end;
    }
    if (code_is(code, index, ";"))
        return index + 1;
    size_t end = index < code->count ? code_forward(code, index, semicolon) : CODE_NONE;
    return end == CODE_NONE ? code->count : end + 1;
}
