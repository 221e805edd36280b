/* The reader of fat binaries: which text it takes, and that it reads nothing outside of them. */
#include "sandbox/runtime/fatbin.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PTX = 1, MACHINE_CODE = 2, LZ4 = 0x2000, ZSTD = 0x8000, HEAD = 64 };

static void put(struct text *out, uint64_t value, size_t bytes) {
    text_append_bytes(out, (const char *)&value, bytes);
}

static void put_entry(struct text *out, unsigned kind, unsigned architecture, unsigned flags,
                      const char *body, size_t length) {
    size_t start = out->length;
    put(out, kind, 2);
    put(out, 0x101, 2);
    put(out, HEAD, 4);
    put(out, length, 8);
    put(out, 0, 8);
    put(out, 0, 4);
    put(out, architecture, 4);
    put(out, 0, 8);
    put(out, flags, 8);
    while (out->length < start + HEAD)
        put(out, 0, 1);
    text_append_bytes(out, body, length);
}

static void close_container(struct text *out, const struct text *entries) {
    put(out, 0xba55ed50, 4);
    put(out, 1, 2);
    put(out, 16, 2);
    put(out, entries->length, 8);
    text_append_bytes(out, text_string((struct text *)(uintptr_t)entries), entries->length);
}

static enum fatbin_state find(struct text *entries, const char **text, size_t *length) {
    struct text container = {0};
    close_container(&container, entries);
    /* a copy to the byte, so that a sanitizer sees what reads beyond it */
    char *exact = mem_dup(container.data, container.length);
    size_t bytes = container.length;
    text_free(&container);
    static char *kept;
    free(kept);
    kept = exact;
    assert_int_equal(fatbin_length(exact), bytes);
    for (size_t cut = 16; cut < bytes; cut++) {
        char *part = mem_dup(exact, cut);
        assert_int_equal(fatbin_find(part, cut, text, length), FATBIN_DAMAGED);
        free(part);
    }
    return fatbin_find(exact, bytes, text, length);
}

static void takes_the_newest_text_without_its_padding(void **state) {
    (void)state;
    cleanup_text struct text entries = {0};
    const char *text;
    size_t length;
    put_entry(&entries, MACHINE_CODE, 100, 0, "\177ELF", 4);
    put_entry(&entries, PTX, 80, 0, "old\0\0\0\0\0", 8);
    put_entry(&entries, PTX, 90, 0, "newest\0\0", 8);
    put_entry(&entries, PTX, 75, 0, "oldest\0\0", 8);
    assert_int_equal(find(&entries, &text, &length), FATBIN_PTX);
    assert_int_equal(length, 6);
    assert_memory_equal(text, "newest", 6);
}

static void prefers_a_text_that_is_not_compressed(void **state) {
    (void)state;
    cleanup_text struct text entries = {0};
    const char *text;
    size_t length;
    put_entry(&entries, PTX, 90, LZ4, "????", 4);
    assert_int_equal(find(&entries, &text, &length), FATBIN_COMPRESSED);
    put_entry(&entries, PTX, 80, 0, "text", 4);
    put_entry(&entries, PTX, 100, ZSTD, "????", 4);
    assert_int_equal(find(&entries, &text, &length), FATBIN_PTX);
    assert_memory_equal(text, "text", 4);
}

static void says_what_is_missing(void **state) {
    (void)state;
    cleanup_text struct text entries = {0};
    const char *text;
    size_t length;
    assert_int_equal(find(&entries, &text, &length), FATBIN_EMPTY);
    put_entry(&entries, MACHINE_CODE, 90, 0, "code", 4);
    assert_int_equal(find(&entries, &text, &length), FATBIN_NO_PTX);
}

static void refuses_lengths_that_lead_outside(void **state) {
    (void)state;
    static const struct {
        size_t at, bytes;
        uint64_t value;
    } lies[] = {{4, 4, 0},          {4, 4, 63},        {4, 4, UINT32_MAX},     {8, 8, 5},
                {8, 8, UINT64_MAX}, {8, 8, INT64_MAX}, {8, 8, UINT64_MAX - 63}};
    for (size_t i = 0; i < ARRAY_LENGTH(lies); i++) {
        cleanup_text struct text entries = {0};
        const char *text;
        size_t length;
        put_entry(&entries, PTX, 80, 0, "text", 4);
        memcpy(entries.data + lies[i].at, &lies[i].value, lies[i].bytes);
        assert_int_equal(find(&entries, &text, &length), FATBIN_DAMAGED);
    }
    unsigned char head[16] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    memset(head + 8, 0xff, 8);
    assert_int_equal(fatbin_length(head), 0);
    head[0] = 0;
    memset(head + 8, 0, 8);
    assert_int_equal(fatbin_length(head), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_newest_text_without_its_padding),
        cmocka_unit_test(prefers_a_text_that_is_not_compressed),
        cmocka_unit_test(says_what_is_missing),
        cmocka_unit_test(refuses_lengths_that_lead_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
