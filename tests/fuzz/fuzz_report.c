/* Bytes as a stored report. What is read is written in every format, and the JSON among them must
 * be read again as the same report. With WARPGRADE_MUST_LOAD an input that cannot be read is a
 * failure: a corpus that ends at its first check tests nothing more. */
#include "fuzz.h"

#include "reports/stored/stored.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_all(const struct stored_reports *stored, struct text *json) {
    static const struct report_options looks[] = {{0},
                                                  {.color = true, .verbose = true, .width = 60}};
    for (size_t i = 0; i < report_format_count; i++)
        for (size_t look = 0; look < ARRAY_LENGTH(looks); look++) {
            cleanup_text struct text out = {0};
            bool is_json = strcmp(report_formats[i].name, "json") == 0;
            if (is_json)
                text_clear(json);
            report_formats[i].write((const struct report *const *)stored->reports, stored->count,
                                    &looks[look], is_json ? json : &out, NULL);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct stored_reports stored = {0}, again = {0};
    struct error error = {0};
    cleanup_text struct text bytes = {0}, first = {0}, second = {0};
    text_append_bytes(&bytes, data, size); /* ends with a NUL, as a file that was read does */
    if (stored_read(text_string(&bytes), size, "report", &stored, &error) != STATUS_OK) {
        stored_free(&stored);
        if (error.message[0] && !getenv("WARPGRADE_MUST_LOAD"))
            return 0;
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    write_all(&stored, &first);
    if (stored_read(text_string(&first), first.length, "again", &again, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    write_all(&again, &second);
    if (first.length != second.length || memcmp(first.data, second.data, first.length) != 0)
        abort();
    stored_free(&stored);
    stored_free(&again);
    return 0;
}
