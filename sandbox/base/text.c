/* The growing byte string of text.h, and the nearest-name search of every "did you mean". */
#include "sandbox/base/text.h"

#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct text *text, size_t more) {
    if (text->length + more + 1 <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < text->length + more + 1)
        capacity *= 2;
    text->data = mem_realloc(text->data, capacity, 1);
    text->capacity = capacity;
}

void text_append_bytes(struct text *text, const void *data, size_t length) {
    reserve(text, length);
    if (length)
        memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_append(struct text *text, const char *string) {
    text_append_bytes(text, string, strlen(string));
}

void text_append_char(struct text *text, char character) {
    text_append_bytes(text, &character, 1);
}

void text_append_repeated(struct text *text, char character, size_t count) {
    reserve(text, count);
    memset(text->data + text->length, character, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void text_vprintf(struct text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) {
        reserve(text, (size_t)length);
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void text_printf(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(text, format, arguments);
    va_end(arguments);
}

void text_clear(struct text *text) {
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

void text_free(struct text *text) {
    free(text->data);
    *text = (struct text){0};
}

const char *text_string(const struct text *text) {
    return text->data ? text->data : "";
}

char *text_steal(struct text *text) {
    char *data = text->data ? text->data : mem_strdup("");
    *text = (struct text){0};
    return data;
}

enum { LONGEST_NAME = 64, SHORTEST_WORD = 3 };

static size_t edit_distance(const char *a, const char *b) {
    size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST_NAME || columns > LONGEST_NAME)
        return LONGEST_NAME;
    size_t d[LONGEST_NAME + 1][LONGEST_NAME + 1];
    for (size_t i = 0; i <= rows; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= columns; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= columns; j++) {
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[rows][columns];
}

/* A word that was cut short ("repo") is one slip. */
static size_t slips(const char *word, const char *name) {
    size_t length = strlen(word), distance = edit_distance(word, name);
    bool cut_short = length >= SHORTEST_WORD && strncmp(word, name, length) == 0;
    return cut_short && distance > 1 ? 1 : distance;
}

const char *text_closest(const char *word, const char *const *names, size_t count) {
    const char *closest = NULL;
    size_t best = strlen(word) / 3 + 2; /* one slip in a short word, more in a long one */
    for (size_t i = 0; i < count; i++) {
        size_t distance = slips(word, names[i]);
        if (distance < best) {
            best = distance;
            closest = names[i];
        }
    }
    return closest;
}

const char *text_plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

bool text_is_symbol_character(char character) {
    return isalnum((unsigned char)character) || character == '_' || character == '$';
}

int text_compare(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}
