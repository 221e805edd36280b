/* Sentences are translated by their form.
 *
 * A row of translate.def is what some room prints, with `%s` for whatever it puts in: a name, a
 * number, another sentence. A text has that form when the row's own words stand in it in their
 * order, the first at its beginning and the last at its end; what lies between fills the blanks of
 * the Chinese sentence, and is translated itself where it is a sentence too. The first row that
 * fits counts. Texts may come from a worker: they are only searched and copied. */
#include "reports/translate.h"

#include "sandbox/base/error.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BLANKS = 16,
    MOST_NESTED = 3, /* sentences within a sentence */
};

struct span {
    const char *start;
    size_t length;
};

static const struct {
    const char *english, *chinese;
} rows[] = {
#define TRANSLATION(en, zh) {en, zh},
#include "reports/translate.def"
#undef TRANSLATION
};

/* Where the row's words stand in the text; NULL: nowhere. */
static const char *find_words(struct span text, const char *words, size_t length, bool first,
                              bool last) {
    if (text.length < length)
        return NULL;
    const char *at = text.start;
    if (!first && !last)
        return memmem(at, text.length, words, length);
    if (!first)
        at += text.length - length;
    return memcmp(at, words, length) == 0 ? at : NULL;
}

static bool has_form(const char *form, struct span text, struct span blanks[MOST_BLANKS]) {
    size_t count = 0;
    for (bool first = true;; first = false) {
        const char *blank = strstr(form, "%s");
        size_t length = blank ? (size_t)(blank - form) : strlen(form);
        const char *at = find_words(text, form, length, first, !blank);
        if (!at || count == MOST_BLANKS)
            return false;
        if (!first)
            blanks[count++] = (struct span){text.start, (size_t)(at - text.start)};
        text.length -= (size_t)(at - text.start) + length;
        text.start = at + length;
        if (!blank)
            return text.length == 0;
        form = blank + strlen("%s");
    }
}

static bool append(struct text *out, struct span text, unsigned nested);

/* "%s" is the next blank, and "%2$s" the second. */
static void fill(struct text *out, const char *chinese, const struct span *blanks,
                 unsigned nested) {
    size_t next = 0;
    for (const char *at = chinese; *at; at++) {
        if (*at != '%') {
            text_append_char(out, *at);
            continue;
        }
        size_t chosen = next++;
        if (isdigit((unsigned char)at[1])) {
            char *end;
            chosen = strtoul(at + 1, &end, 10) - 1;
            at = end;
        }
        at++; /* on the s */
        if (chosen < MOST_BLANKS)
            append(out, blanks[chosen], nested + 1);
    }
}

static bool append(struct text *out, struct span text, unsigned nested) {
    struct span blanks[MOST_BLANKS] = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(rows) && nested <= MOST_NESTED; i++)
        if (has_form(rows[i].english, text, blanks)) {
            fill(out, rows[i].chinese, blanks, nested);
            return true;
        }
    text_append_bytes(out, text.start, text.length);
    return false;
}

bool translate_append(struct text *out, enum language language, const char *english) {
    if (language == LANGUAGE_ZH)
        return append(out, (struct span){english, strlen(english)}, 0);
    text_append(out, english);
    return true;
}

char *translate_string(enum language language, const char *english) {
    struct text out = {0};
    translate_append(&out, language, english);
    return text_steal(&out);
}

void translate_in_place(enum language language, char *buffer, size_t size) {
    if (language == LANGUAGE_EN)
        return;
    cleanup_free char *translated = translate_string(language, buffer);
    size_t length = strnlen(translated, size - 1);
    while (length &&
           ((unsigned char)translated[length] & 0xc0) == 0x80) /* no part of a character */
        length--;
    memcpy(buffer, translated, length);
    buffer[length] = '\0';
}

void translate_error(enum language language, struct error *error) {
    translate_in_place(language, error->message, sizeof error->message);
    translate_in_place(language, error->hint, sizeof error->hint);
}
