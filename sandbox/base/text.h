/* A growing byte string: always NUL-terminated, may hold NUL bytes, never fails.
 * `struct text t = {0};` is empty and valid. */
#ifndef WARPGRADE_SANDBOX_BASE_TEXT_H
#define WARPGRADE_SANDBOX_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *data; /* NULL while empty; use text_string() where a C string is needed */
    size_t length;
    size_t capacity;
};

void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const void *data, size_t length);
void text_append_char(struct text *text, char character);
void text_append_repeated(struct text *text, char character, size_t count);
__attribute__((format(printf, 2, 3))) void text_printf(struct text *text, const char *format, ...);
void text_vprintf(struct text *text, const char *format, va_list arguments);
void text_clear(struct text *text); /* keeps the memory */
void text_free(struct text *text);
const char *text_string(const struct text *text); /* "" where empty; owned by text */
char *text_steal(struct text *text);              /* caller frees; text is empty afterwards */

/* The ending of a regular noun: "" for one, else "s". */
const char *text_plural(uint64_t count);
/* Of a name in C++ or PTX. */
bool text_is_symbol_character(char character);
/* For qsort() of an array of strings. */
int text_compare(const void *left, const void *right);

#define cleanup_text __attribute__((cleanup(text_free)))

/* The closest of `count` names to `word` by edit distance (Damerau-Levenshtein, adjacent swaps
 * count as one, as does leaving out an end), or NULL when none is near enough to be worth a "did
 * you mean". */
const char *text_closest(const char *word, const char *const *names, size_t count);

#endif
