/* A lexer that never fails: what it does not know is a sign of one character. */
#include "grader/source/source_lexer.h"

#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool begins_name(char c) {
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool goes_on(enum token_of_source kind, const char *at) {
    char c = *at, before = at[-1];
    if (begins_name(c) || isdigit((unsigned char)c))
        return true;
    if (kind != SOURCE_NUMBER)
        return false;
    return c == '.' || c == '\'' ||
           ((c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p'));
}

static const char *end_of_comment(const struct source_lexer *lexer) {
    const char *at = lexer->next + 2;
    if (lexer->next[1] == '/') {
        while (at < lexer->end && *at != '\n')
            at++;
        return at;
    }
    while (at + 1 < lexer->end && !(at[0] == '*' && at[1] == '/'))
        at++;
    return at + 1 < lexer->end ? at + 2 : lexer->end;
}

static const char *end_of_string(const struct source_lexer *lexer) {
    const char *at = lexer->next + 1;
    while (at < lexer->end && *at != *lexer->next && *at != '\n')
        at += *at == '\\' && at + 1 < lexer->end ? 2 : 1;
    return at < lexer->end && *at == *lexer->next ? at + 1 : at;
}

static const char *end_of(const struct source_lexer *lexer, enum token_of_source kind) {
    const char *at = lexer->next + 1;
    if (kind == SOURCE_COMMENT)
        return end_of_comment(lexer);
    if (kind == SOURCE_STRING)
        return end_of_string(lexer);
    if (kind != SOURCE_SIGN)
        while (at < lexer->end && goes_on(kind, at))
            at++;
    return at;
}

static enum token_of_source kind_at(const struct source_lexer *lexer) {
    const char *at = lexer->next;
    size_t left = (size_t)(lexer->end - at);
    if (left > 1 && at[0] == '/' && (at[1] == '/' || at[1] == '*'))
        return SOURCE_COMMENT;
    if (isdigit((unsigned char)*at) || (left > 1 && *at == '.' && isdigit((unsigned char)at[1])))
        return SOURCE_NUMBER;
    if (begins_name(*at))
        return SOURCE_NAME;
    return *at == '"' || *at == '\'' ? SOURCE_STRING : SOURCE_SIGN;
}

struct source_token source_lexer_next(struct source_lexer *lexer) {
    struct source_token token = {.kind = SOURCE_END};
    for (; lexer->next < lexer->end; lexer->next++) {
        char c = *lexer->next;
        bool continued = c == '\\' && lexer->next + 1 < lexer->end && lexer->next[1] == '\n';
        if (c == '\n')
            lexer->line++;
        else if (!isspace((unsigned char)c) && !continued)
            break;
    }
    token.line = lexer->line;
    token.start = lexer->next;
    if (lexer->next == lexer->end)
        return token;
    token.kind = kind_at(lexer);
    const char *end = end_of(lexer, token.kind);
    for (const char *at = lexer->next; at < end; at++)
        lexer->line += *at == '\n';
    token.length = (size_t)(end - token.start);
    lexer->next = end;
    return token;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *const known[] = {"__align__",
                                    "__constant__",
                                    "__device__",
                                    "__forceinline__",
                                    "__global__",
                                    "__host__",
                                    "__inline__",
                                    "__launch_bounds__",
                                    "__noinline__",
                                    "__restrict__",
                                    "__shared__",
                                    "__syncthreads",
                                    "__syncwarp",
                                    "alignas",
                                    "asm",
                                    "auto",
                                    "blockDim",
                                    "blockIdx",
                                    "bool",
                                    "break",
                                    "case",
                                    "char",
                                    "class",
                                    "const",
                                    "const_cast",
                                    "constexpr",
                                    "continue",
                                    "default",
                                    "define",
                                    "do",
                                    "double",
                                    "double2",
                                    "dim3",
                                    "else",
                                    "endif",
                                    "enum",
                                    "extern",
                                    "false",
                                    "float",
                                    "float2",
                                    "float3",
                                    "float4",
                                    "for",
                                    "goto",
                                    "gridDim",
                                    "half",
                                    "half2",
                                    "if",
                                    "ifdef",
                                    "ifndef",
                                    "include",
                                    "inline",
                                    "int",
                                    "int2",
                                    "int3",
                                    "int4",
                                    "long",
                                    "namespace",
                                    "nullptr",
                                    "operator",
                                    "pragma",
                                    "private",
                                    "public",
                                    "register",
                                    "reinterpret_cast",
                                    "restrict",
                                    "return",
                                    "short",
                                    "signed",
                                    "size_t",
                                    "sizeof",
                                    "static",
                                    "static_assert",
                                    "static_cast",
                                    "struct",
                                    "switch",
                                    "template",
                                    "this",
                                    "threadIdx",
                                    "true",
                                    "typedef",
                                    "typename",
                                    "uint2",
                                    "uint4",
                                    "undef",
                                    "union",
                                    "unroll",
                                    "unsigned",
                                    "using",
                                    "void",
                                    "volatile",
                                    "warpSize",
                                    "while",
                                    "x",
                                    "y",
                                    "z",
                                    "w"};

bool source_name_is_known(const char *name, size_t length) {
    static const char *const prefixes[] = {"__",    "atomic", "uint", "int8",
                                           "int16", "int32",  "int64"};
    for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
        if (strlen(known[i]) == length && memcmp(known[i], name, length) == 0)
            return true;
    for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++)
        if (length > strlen(prefixes[i]) && memcmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}
