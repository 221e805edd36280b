/* random_reports COUNT FILE...: stored reports with a few values changed, in turn each file's,
 * where there is no libFuzzer. Bytes changed at random would be no JSON; here whole values become
 * others, so that what a reader or a writer takes for granted of a value is missing. */
#include "fuzz.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 16 << 20, MOST_CHANGES = 4 };

static uint64_t random_state;

static size_t random_below(size_t limit) {
    random_state = mix_word(random_state, 1);
    return limit ? (size_t)(random_state % limit) : 0;
}

static json_t *random_value(void) {
    static const char *const values[] = {
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "4294967295",
        "9223372036854775807",
        "1e308",
        "0.5",
        "\"\"",
        "\"nan\"",
        "\"inf\"",
        "\"18446744073709551615\"",
        "\"met\"",
        "\"pass\"",
        "\"error\"",
        "\"cuda\"",
        "\"zh\"",
        "\"\\u001b[31m<b>\\u202e&\\n=1\"",
        "\"a\\u0000b\"",
        "[]",
        "{}",
        "[1,2,3]",
        "[{}]",
        "{\"n\": 1}",
    };
    return json_loads(values[random_below(ARRAY_LENGTH(values))], JSON_DECODE_ANY | JSON_ALLOW_NUL,
                      NULL);
}

/* Changes one value somewhere below, the deeper the likelier; false where there is none. */
static bool change(json_t *value) {
    size_t count = json_is_array(value) ? json_array_size(value) : json_object_size(value);
    if (!count)
        return false;
    size_t index = random_below(count);
    void *place = json_object_iter(value);
    for (size_t i = 0; i < index && place; i++)
        place = json_object_iter_next(value, place);
    json_t *below = place ? json_object_iter_value(place) : json_array_get(value, index);
    if (random_below(4) && change(below))
        return true;
    if (place && random_below(4) == 0)
        json_object_del(value, json_object_iter_key(place));
    else if (place)
        json_object_iter_set_new(value, place, random_value());
    else if (random_below(3) == 0)
        json_array_append(value, below); /* once more */
    else
        json_array_set_new(value, index, random_value());
    return true;
}

static void try_report(const json_t *original, uint64_t seed) {
    random_state = seed;
    json_t *report = json_deep_copy(original);
    for (size_t i = random_below(MOST_CHANGES) + 1; i > 0; i--)
        change(report);
    char *text = json_dumps(report, 0);
    LLVMFuzzerTestOneInput((const uint8_t *)text, strlen(text));
    free(text);
    json_decref(report);
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
        json_t *original = json_loadb(text, length, JSON_ALLOW_NUL, NULL);
        for (uint64_t seed = i; seed < count; seed += file_count)
            try_report(original, seed);
        json_decref(original);
    }
    return count ? 0 : 1;
}
