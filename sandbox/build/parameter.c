/* Comparing a kernel's parameter with what an exercise asks for: see build_parameter_matches().
 *
 * The compiler spells types canonically ("unsigned int", "long"), but the rules here take every
 * spelling of C, so that they do not depend on one compiler's taste. */
#include "sandbox/build/build.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ALIAS(words, type): type names as the sorted words of a declaration make them. */
static const struct {
    const char *words;
    enum element_type type;
} aliases[] = {
    {"char", ELEMENT_i8},
    {"char signed", ELEMENT_i8},
    {"int8_t", ELEMENT_i8},
    {"char unsigned", ELEMENT_u8},
    {"uint8_t", ELEMENT_u8},
    {"short", ELEMENT_i16},
    {"int short", ELEMENT_i16},
    {"int short signed", ELEMENT_i16},
    {"short signed", ELEMENT_i16},
    {"int16_t", ELEMENT_i16},
    {"short unsigned", ELEMENT_u16},
    {"int short unsigned", ELEMENT_u16},
    {"uint16_t", ELEMENT_u16},
    {"int", ELEMENT_i32},
    {"int signed", ELEMENT_i32},
    {"signed", ELEMENT_i32},
    {"int32_t", ELEMENT_i32},
    {"unsigned", ELEMENT_u32},
    {"int unsigned", ELEMENT_u32},
    {"uint32_t", ELEMENT_u32},
    {"uint", ELEMENT_u32},
    {"long", ELEMENT_i64},
    {"int long", ELEMENT_i64},
    {"long long", ELEMENT_i64},
    {"int long long", ELEMENT_i64},
    {"long signed", ELEMENT_i64},
    {"long long signed", ELEMENT_i64},
    {"int64_t", ELEMENT_i64},
    {"ptrdiff_t", ELEMENT_i64},
    {"long unsigned", ELEMENT_u64},
    {"int long unsigned", ELEMENT_u64},
    {"long long unsigned", ELEMENT_u64},
    {"int long long unsigned", ELEMENT_u64},
    {"uint64_t", ELEMENT_u64},
    {"size_t", ELEMENT_u64},
    {"__half", ELEMENT_f16},
    {"half", ELEMENT_f16},
    {"float", ELEMENT_f32},
    {"double", ELEMENT_f64},
};

enum { MAX_WORDS = 8, MAX_WORD = 32 };

struct spelling {
    char words[MAX_WORDS][MAX_WORD];
    size_t word_count;
    unsigned pointers;
    bool pointee_const;
    bool strange; /* references, functions, templates, too many words */
};

static int compare_words(const void *a, const void *b) {
    return strcmp(a, b);
}

static void take_word(struct spelling *spelling, const char *word, size_t length) {
    static const char *const ignored[] = {"volatile",   "restrict", "__restrict__",
                                          "__restrict", "struct",   "register"};
    if (length == 5 && memcmp(word, "const", 5) == 0) {
        if (spelling->pointers == 0)
            spelling->pointee_const = true; /* after the '*' it is about the pointer itself */
        return;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(ignored); i++)
        if (strlen(ignored[i]) == length && memcmp(word, ignored[i], length) == 0)
            return;
    if (spelling->word_count == MAX_WORDS || length >= MAX_WORD) {
        spelling->strange = true;
        return;
    }
    snprintf(spelling->words[spelling->word_count++], MAX_WORD, "%.*s", (int)length, word);
}

static struct spelling parse(const char *spelled) {
    struct spelling spelling = {0};
    for (const char *at = spelled; *at;) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
        if (length) {
            take_word(&spelling, at, length);
        } else if (*at == '*') {
            spelling.pointers++;
            length = 1;
        } else if (*at == '[') { /* T[4] as a parameter is T * */
            spelling.pointers++;
            length = strcspn(at, "]");
            length += at[length] == ']';
        } else {
            spelling.strange = spelling.strange || !isspace((unsigned char)*at);
            length = 1;
        }
        at += length;
    }
    qsort(spelling.words, spelling.word_count, MAX_WORD, compare_words);
    return spelling;
}

static bool width_matches(const char *spelled, enum element_type type, bool pointer,
                          bool *is_width) {
    unsigned bits;
    char rest[8] = "";
    *is_width = sscanf(spelled, "%u-%7s", &bits, rest) == 2 && strcmp(rest, "bit") == 0;
    return *is_width && bits == (pointer ? 64 : 8 * element_infos[type].bytes);
}

bool build_parameter_matches(const char *spelled, enum element_type type, bool pointer,
                             bool read_only) {
    bool is_width;
    bool same_width = width_matches(spelled, type, pointer, &is_width);
    if (is_width)
        return same_width;
    struct spelling spelling = parse(spelled);
    if (spelling.strange || spelling.pointers != (pointer ? 1U : 0U))
        return false;
    if (pointer && spelling.pointee_const && !read_only)
        return false;
    char joined[MAX_WORDS * (MAX_WORD + 1)] = "";
    size_t used = 0;
    for (size_t i = 0; i < spelling.word_count; i++)
        used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%s", i ? " " : "",
                                 spelling.words[i]);
    for (size_t i = 0; i < ARRAY_LENGTH(aliases); i++)
        if (strcmp(aliases[i].words, joined) == 0)
            return aliases[i].type == type;
    return false;
}

void build_kernel_describe(const struct build_kernel *kernel, struct text *out) {
    text_printf(out, "%s(", kernel->name);
    for (size_t i = 0; i < kernel->parameter_count; i++)
        text_printf(out, "%s%s", i ? ", " : "", kernel->parameters[i]);
    text_append(out, ")");
}
