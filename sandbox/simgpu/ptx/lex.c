/* Cuts PTX text into tokens.
 *
 * One rule makes the parser simple: dots and `::` inside a name belong to it, so that a whole
 * mnemonic (`cp.async.cg.shared.global`) and a special register (`%tid.x`) are one token each. A
 * name that begins with a dot is a directive, and ends at the next dot. Comments and blanks vanish
 * here. */
#include "sandbox/simgpu/ptx/lex.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c) || c == '.';
}

static void skip_blanks(struct lexer *lexer) {
    while (lexer->next < lexer->end) {
        char c = *lexer->next;
        if (c == '\n') {
            lexer->line++;
            lexer->next++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lexer->next++;
        } else if (c == '/' && lexer->end - lexer->next > 1 && lexer->next[1] == '/') {
            const char *newline = memchr(lexer->next, '\n', (size_t)(lexer->end - lexer->next));
            lexer->next = newline ? newline : lexer->end;
        } else if (c == '/' && lexer->end - lexer->next > 1 && lexer->next[1] == '*') {
            lexer->next += 2;
            while (
                lexer->next < lexer->end &&
                !(lexer->next[0] == '*' && lexer->end - lexer->next > 1 && lexer->next[1] == '/')) {
                if (*lexer->next == '\n')
                    lexer->line++;
                lexer->next++;
            }
            lexer->next = lexer->end - lexer->next > 2 ? lexer->next + 2 : lexer->end;
        } else {
            return;
        }
    }
}

static int hex_value(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Exactly `digits` hexadecimal digits: the form of 0f and 0d literals. */
static struct token lex_hex_float(struct lexer *lexer, struct token token, unsigned digits,
                                  enum token_kind kind) {
    const char *at = lexer->next + 2;
    uint64_t bits = 0;
    unsigned seen = 0;
    while (at < lexer->end && hex_value(*at) >= 0 && seen < digits) {
        bits = bits << 4 | (uint64_t)hex_value(*at++);
        seen++;
    }
    token.kind = seen == digits ? kind : TOKEN_BAD;
    token.bits = bits;
    token.span.length = (uint32_t)(at - lexer->next);
    lexer->next = at;
    return token;
}

static struct token lex_decimal_float(struct lexer *lexer, struct token token, size_t length) {
    char copy[64];
    if (length >= sizeof copy) {
        token.kind = TOKEN_BAD;
        return token;
    }
    memcpy(copy, lexer->next, length);
    copy[length] = '\0';
    double value = strtod(copy, NULL);
    memcpy(&token.bits, &value, sizeof value);
    token.kind = TOKEN_F64;
    token.span.length = (uint32_t)length;
    lexer->next += length;
    return token;
}

static struct token lex_number(struct lexer *lexer, struct token token) {
    const char *at = lexer->next;
    size_t left = (size_t)(lexer->end - at);
    if (left > 2 && at[0] == '0' && (at[1] == 'f' || at[1] == 'F'))
        return lex_hex_float(lexer, token, 8, TOKEN_F32);
    if (left > 2 && at[0] == '0' && (at[1] == 'd' || at[1] == 'D'))
        return lex_hex_float(lexer, token, 16, TOKEN_F64);
    unsigned base = 10;
    if (left > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
    } else if (left > 2 && at[0] == '0' && (at[1] == 'b' || at[1] == 'B')) {
        base = 2;
        at += 2;
    } else {
        const char *scan = at;
        while (scan < lexer->end && is_digit(*scan))
            scan++;
        if (scan < lexer->end && (*scan == '.' || *scan == 'e' || *scan == 'E')) {
            while (scan < lexer->end &&
                   (is_digit(*scan) || *scan == '.' || *scan == 'e' || *scan == 'E' ||
                    ((*scan == '+' || *scan == '-') && (scan[-1] == 'e' || scan[-1] == 'E'))))
                scan++;
            return lex_decimal_float(lexer, token, (size_t)(scan - lexer->next));
        }
        if (*at == '0')
            base = 8;
    }
    bool overflow = false;
    for (; at < lexer->end && hex_value(*at) >= 0 && (unsigned)hex_value(*at) < base; at++) {
        overflow |= token.bits > (UINT64_MAX - (uint64_t)hex_value(*at)) / base;
        token.bits = token.bits * base + (uint64_t)hex_value(*at);
    }
    if (at < lexer->end && *at == 'U')
        at++;
    token.kind = overflow || (at < lexer->end && is_name_part(*at)) ? TOKEN_BAD : TOKEN_INTEGER;
    token.span.length = (uint32_t)(at - lexer->next);
    lexer->next = at;
    return token;
}

static struct token lex_name(struct lexer *lexer, struct token token) {
    const char *at = lexer->next + 1;
    bool directive = *lexer->next == '.'; /* ".reg.b16" is two of them */
    while (at < lexer->end && !(directive && *at == '.')) {
        if (is_name_part(*at))
            at++;
        else if (*at == ':' && lexer->end - at > 2 && at[1] == ':' && is_name_part(at[2]))
            at += 2;
        else
            break;
    }
    token.kind = directive ? TOKEN_DIRECTIVE : TOKEN_NAME;
    token.span.length = (uint32_t)(at - lexer->next);
    lexer->next = at;
    return token;
}

static struct token lex_string(struct lexer *lexer, struct token token) {
    const char *at = ++lexer->next;
    while (at < lexer->end && *at != '"' && *at != '\n')
        at += *at == '\\' && lexer->end - at > 1 ? 2 : 1;
    token.kind = at < lexer->end && *at == '"' ? TOKEN_STRING : TOKEN_BAD;
    token.span.start = lexer->next;
    token.span.length = (uint32_t)(at - lexer->next);
    lexer->next = at < lexer->end ? at + 1 : lexer->end;
    return token;
}

struct token lex_next(struct lexer *lexer) {
    skip_blanks(lexer);
    struct token token = {.kind = TOKEN_END, .span = {lexer->next, 0}, .line = lexer->line};
    if (lexer->next >= lexer->end)
        return token;
    char c = *lexer->next;
    if (is_digit(c))
        return lex_number(lexer, token);
    if (is_name_start(c) ||
        (c == '.' && lexer->end - lexer->next > 1 && is_name_start(lexer->next[1])))
        return lex_name(lexer, token);
    if (c == '"')
        return lex_string(lexer, token);
    token.kind = TOKEN_SIGN;
    token.sign = c;
    token.span.length = 1;
    lexer->next++;
    return token;
}
