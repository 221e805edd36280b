/* Runs of tokens (as winnowing has them: Schleimer, Wilkerson and Aiken, 2003, here without its
 * choice, for sources are short), and words. Names that everyone uses are no words. */
#include "grader/similarity/source.h"

#include "grader/source/source_lexer.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <ctype.h>
#include <string.h>

enum { MAX_TOKENS = 32768, SHORTEST_NAME = 3, SHORTEST_COMMENT = 6, LONGEST_WORD = 120 };

static uint64_t hash_bytes_of(const char *text, size_t length, uint64_t seed) {
    uint64_t hash = 1469598103934665603u ^ seed;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return mix_word(hash, 1);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static uint64_t token_value(const struct source_token *token) {
    switch (token->kind) {
    case SOURCE_NAME:
        return source_name_is_known(token->start, token->length)
                   ? hash_bytes_of(token->start, token->length, 1)
                   : 7;
    case SOURCE_STRING:
        return 11;
    case SOURCE_NUMBER: /* its suffix is spelling */
    case SOURCE_SIGN:
        break;
    case SOURCE_COMMENT:
    case SOURCE_END:
        return 0;
    }
    size_t length = token->length;
    while (length > 1 && strchr("uUlLfF", token->start[length - 1]) && token->start[1] != 'x')
        length--;
    return hash_bytes_of(token->start, length, 2);
}

static bool is_include(const struct source_token *sign, const char *end) {
    const char *at = sign->start + 1;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return *sign->start == '#' && end - at > 7 && memcmp(at, "include", 7) == 0;
}

void source_runs(const char *text, size_t length, struct feature_set *set) {
    struct source_lexer lexer = {.next = text, .end = text + length, .line = 1};
    uint64_t values[SOURCE_RUN] = {0};
    uint32_t lines[SOURCE_RUN] = {0};
    for (size_t count = 0; count < MAX_TOKENS;) {
        struct source_token token = source_lexer_next(&lexer);
        if (token.kind == SOURCE_END)
            break;
        if (token.kind == SOURCE_COMMENT)
            continue;
        if (token.kind == SOURCE_SIGN && is_include(&token, lexer.end)) {
            while (lexer.next < lexer.end && *lexer.next != '\n')
                lexer.next++;
            continue;
        }
        values[count % SOURCE_RUN] = token_value(&token);
        lines[count++ % SOURCE_RUN] = token.line;
        uint64_t hash = 3;
        for (size_t i = 0; i < SOURCE_RUN && count >= SOURCE_RUN; i++)
            hash = mix_word(hash ^ values[(count + i) % SOURCE_RUN], i + 1);
        if (count >= SOURCE_RUN)
            *mem_push(&set->items, &set->count, &set->capacity) =
                (struct feature){.key = hash, .line = lines[count % SOURCE_RUN]};
    }
    feature_set_finish(set, FEATURE_MAX_EQUAL);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_common_name(const char *name, size_t length) {
    static const char *const common[] = {
        "acc",    "bid",   "block",  "col",    "cols",   "column", "count",  "dst",
        "end",    "first", "gid",    "half",   "height", "idx",    "index",  "input",
        "lane",   "last",  "left",   "len",    "length", "local",  "mask",   "max",
        "min",    "num",   "offset", "out",    "output", "pos",    "result", "right",
        "row",    "rows",  "sdata",  "shared", "size",   "src",    "start",  "step",
        "stride", "sum",   "temp",   "thread", "tid",    "tile",   "tmp",    "total",
        "val",    "value", "warp",   "width",  "TILE",   "BLOCK",  "SIZE",   "half2"};
    for (size_t i = 0; i < ARRAY_LENGTH(common); i++)
        if (strlen(common[i]) == length && memcmp(common[i], name, length) == 0)
            return true;
    return length < SHORTEST_NAME || source_name_is_known(name, length);
}

static void add_word(struct feature_set *set, const char *text, const char *start, size_t length,
                     uint64_t key, uint32_t line) {
    *mem_push(&set->items, &set->count, &set->capacity) =
        (struct feature){.key = key,
                         .line = line,
                         .offset = (uint32_t)(start - text),
                         .length = (uint32_t)(length < LONGEST_WORD ? length : LONGEST_WORD)};
}

/* A comment by its letters and digits: its lines one by one, so that a reflowed one counts less. */
static void add_comment(struct feature_set *set, const char *text,
                        const struct source_token *token) {
    const char *end = token->start + token->length;
    uint32_t line = token->line;
    for (const char *at = token->start; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        uint64_t hash = 5;
        size_t letters = 0;
        while (at < stop && !isalnum((unsigned char)*at) && (unsigned char)*at < 0x80)
            at++;
        for (const char *c = at; c < stop; c++)
            if (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80) {
                hash = mix_word(hash ^ (uint64_t)tolower((unsigned char)*c), 1);
                letters++;
            }
        if (letters >= SHORTEST_COMMENT)
            add_word(set, text, at, (size_t)(stop - at), hash, line);
        at = newline ? newline + 1 : end;
    }
}

/* Spaces before the end of a line, and tabs after spaces, are seldom meant. */
static void add_habits(struct feature_set *set, const char *text, size_t length) {
    const char *end = text + length;
    uint32_t number = 1;
    for (const char *at = text; at < end && number < MAX_TOKENS; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (stop > at && stop[-1] == '\r')
            stop--;
        size_t size = (size_t)(stop - at);
        bool trailing = size > 8 && (stop[-1] == ' ' || stop[-1] == '\t');
        if (trailing || memmem(at, size, " \t", 2))
            add_word(set, text, at, size, hash_bytes_of(at, size, 13), number);
        at = newline ? newline + 1 : end;
    }
}

void source_words(const char *text, size_t length, struct feature_set *set) {
    struct source_lexer lexer = {.next = text, .end = text + length, .line = 1};
    for (size_t count = 0; count < MAX_TOKENS; count++) {
        struct source_token token = source_lexer_next(&lexer);
        if (token.kind == SOURCE_END)
            break;
        if (token.kind == SOURCE_COMMENT)
            add_comment(set, text, &token);
        else if ((token.kind == SOURCE_NAME && !is_common_name(token.start, token.length)) ||
                 (token.kind == SOURCE_STRING && token.length >= SHORTEST_COMMENT))
            add_word(set, text, token.start, token.length,
                     hash_bytes_of(token.start, token.length, 17), token.line);
    }
    add_habits(set, text, length);
    feature_set_finish(set, 1);
}
