/* random_texts COUNT FILE...: texts with a few lines, words and bytes changed, in turn each file's,
 * where there is no libFuzzer. A word is replaced by another of the same file more often than by
 * noise, so that much of what comes out passes the first checks. */
#include "fuzz.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20, MOST_CHANGES = 4, LONGEST_WORD = 64 };

static uint64_t random_state;

static size_t random_below(size_t limit) {
    random_state = mix_word(random_state, 1);
    return limit ? (size_t)(random_state % limit) : 0;
}

struct span {
    size_t start, length;
};

/* A word, with the delimiters of YAML and CSV between words; or a whole line. */
static struct span random_span(const struct text *text, const char *delimiters) {
    size_t start = random_below(text->length), end = start;
    while (start && !strchr(delimiters, text->data[start - 1]) && end - start < LONGEST_WORD)
        start--;
    while (end < text->length && !strchr(delimiters, text->data[end]) &&
           end - start < 4 * LONGEST_WORD)
        end++;
    return (struct span){start, end - start};
}

static void replace(struct text *text, struct span span, const char *with, size_t length) {
    struct text changed = {0};
    text_append_bytes(&changed, text->data, span.start);
    text_append_bytes(&changed, with, length);
    text_append_bytes(&changed, text->data + span.start + span.length,
                      text->length - span.start - span.length);
    text_free(text);
    *text = changed;
}

static void change(struct text *text) {
    static const char words[] = " \n,;:{}[]\"'\t#";
    static const char lines[] = "\n";
    static const char *const noise[] = {"",   "-1",       "1e308", "99999999999999999999",
                                        "~",  "[]",       "{}",    "true",
                                        "\"", "\xff\xfe", "Z",     "&a",
                                        "*a", "!!x",      "| \n",  "\\u202e",
                                        "\t", "\r\n",     "0x7",   "2026-02-30T25:61:61+99:99"};
    const char *delimiters = random_below(3) ? words : lines;
    struct span to = random_span(text, delimiters), from = random_span(text, delimiters);
    cleanup_free char *copy = mem_strndup(text->data + from.start, from.length);
    const char *word = noise[random_below(ARRAY_LENGTH(noise))];
    switch (random_below(9)) {
    case 0: /* one byte */
        to.length = to.start < text->length;
        replace(text, to,
                &(char){(char)(random_below(8) ? ' ' + random_below(95) : random_below(256))}, 1);
        return;
    case 1:
        replace(text, to, word, strlen(word));
        return;
    case 2: /* gone */
        replace(text, to, "", 0);
        return;
    case 3: /* once more */
        to.length = 0;
        replace(text, to, copy, strlen(copy));
        return;
    default:
        replace(text, to, copy, strlen(copy));
    }
}

static void try_text(const char *original, size_t length, uint64_t seed) {
    struct text text = {0};
    random_state = seed;
    text_append_bytes(&text, original, length);
    for (size_t i = random_below(MOST_CHANGES) + 1; i > 0 && text.length; i--)
        change(&text);
    uint8_t *exact = mem_dup(text_string(&text), text.length);
    LLVMFuzzerTestOneInput(exact, text.length);
    free(exact);
    text_free(&text);
}

int main(int argc, char **argv) {
    uint64_t count = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    size_t file_count = argc > 2 ? (size_t)argc - 2 : 0;
    for (size_t i = 0; i < file_count; i++) {
        cleanup_free char *text = NULL;
        size_t length;
        struct error error = {0};
        if (file_read(argv[i + 2], MAX_BYTES, &text, &length, &error) != STATUS_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        for (uint64_t seed = i; seed < count; seed += file_count)
            try_text(text, length, seed);
    }
    return count ? 0 : 1;
}
