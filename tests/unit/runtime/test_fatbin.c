/* The reader of fat binaries: which text it takes, and that it reads nothing outside of them. */
#include "sandbox/runtime/fatbin.h"

#include "sandbox/runtime/unpack.h"

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

static enum fatbin_state find(struct text *entries, struct fatbin_text *text) {
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
        assert_int_equal(fatbin_find(part, cut, text), FATBIN_DAMAGED);
        free(part);
    }
    return fatbin_find(exact, bytes, text);
}

static void takes_the_newest_text_without_its_padding(void **state) {
    (void)state;
    cleanup_text struct text entries = {0};
    struct fatbin_text text;
    put_entry(&entries, MACHINE_CODE, 100, 0, "\177ELF", 4);
    put_entry(&entries, PTX, 80, 0, "old\0\0\0\0\0", 8);
    put_entry(&entries, PTX, 90, 0, "newest\0\0", 8);
    put_entry(&entries, PTX, 75, 0, "oldest\0\0", 8);
    assert_int_equal(find(&entries, &text), FATBIN_PTX);
    assert_int_equal(text.format, FATBIN_PLAIN);
    assert_int_equal(text.length, 6);
    assert_memory_equal(text.bytes, "newest", 6);
}

static void tells_how_a_text_is_compressed(void **state) {
    (void)state;
    cleanup_text struct text entries = {0};
    struct fatbin_text text;
    put_entry(&entries, PTX, 80, LZ4, "abcd\0\0\0\0", 8);
    uint32_t packed = 5;
    uint64_t bytes = 4096;
    memcpy(entries.data + 16, &packed, sizeof packed);
    memcpy(entries.data + 56, &bytes, sizeof bytes);
    assert_int_equal(find(&entries, &text), FATBIN_PTX);
    assert_int_equal(text.format, FATBIN_LZ4);
    assert_int_equal(text.length, 5); /* its last byte may be a zero */
    assert_int_equal(text.text_bytes, 4096);
    put_entry(&entries, PTX, 100, ZSTD, "????", 4);
    assert_int_equal(find(&entries, &text), FATBIN_PTX);
    assert_int_equal(text.format, FATBIN_ZSTD);
    assert_int_equal(text.length, 4);
}

static void says_what_is_missing(void **state) {
    (void)state;
    cleanup_text struct text entries = {0};
    struct fatbin_text text;
    assert_int_equal(find(&entries, &text), FATBIN_EMPTY);
    put_entry(&entries, MACHINE_CODE, 90, 0, "code", 4);
    assert_int_equal(find(&entries, &text), FATBIN_NO_PTX);
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
        struct fatbin_text text;
        put_entry(&entries, PTX, 80, 0, "text", 4);
        memcpy(entries.data + lies[i].at, &lies[i].value, lies[i].bytes);
        assert_int_equal(find(&entries, &text), FATBIN_DAMAGED);
    }
    unsigned char head[16] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    memset(head + 8, 0xff, 8);
    assert_int_equal(fatbin_length(head), 0);
    head[0] = 0;
    memset(head + 8, 0, 8);
    assert_int_equal(fatbin_length(head), 0);
}

/* "abcabcabcabcX": three bytes as they are, nine from three back, one as it is. */
static const unsigned char block[] = {0x35, 'a', 'b', 'c', 3, 0, 0x10, 'X'};

static void unpacks_lz4(void **state) {
    (void)state;
    char made[13];
    assert_true(unpack_lz4(block, sizeof block, (unsigned char *)made, sizeof made));
    assert_memory_equal(made, "abcabcabcabcX", sizeof made);
    cleanup_free unsigned char *longer = mem_zalloc(1 + 3 + 600);
    memcpy(longer, "\xf0\xff\xff\x4b", 4); /* 15 + 255 + 255 + 75 literals */
    unsigned char out[600];
    assert_true(unpack_lz4(longer, 604, out, sizeof out));
    assert_false(unpack_lz4(longer, 604, out, sizeof out - 1));
}

static void unpacks_nothing_outside(void **state) {
    (void)state;
    for (size_t length = 0; length < sizeof block; length++) {
        for (size_t bytes = 0; bytes < 13; bytes++) { /* each to the byte, for a sanitizer */
            cleanup_free unsigned char *from = mem_dup(block, length ? length : 1);
            cleanup_free unsigned char *to = mem_alloc(bytes ? bytes : 1);
            if (length && bytes != 12 && bytes != 3)
                assert_false(unpack_lz4(from, length, to, bytes));
        }
    }
    static const struct {
        unsigned char bytes[8];
        size_t length;
    } wrong[] = {{{0x10, 'a', 2, 0, 0}, 5}, /* from before the beginning */
                 {{0x10, 'a', 0, 0, 0}, 5}, /* from nowhere */
                 {{0xf0, 255, 255, 255}, 4},
                 {{0x1f, 'a', 1, 0, 255, 255}, 6}};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        unsigned char to[64];
        assert_false(unpack_lz4(wrong[i].bytes, wrong[i].length, to, sizeof to));
    }
}

static void says_that_a_text_is_damaged(void **state) {
    (void)state;
    size_t length;
    const char *trouble = "";
    struct fatbin_text text = {
        .bytes = block, .length = sizeof block, .format = FATBIN_LZ4, .text_bytes = 13};
    cleanup_free char *made = unpack_text(&text, &length, &trouble);
    assert_int_equal(length, 13);
    assert_memory_equal(made, "abcabcabcabcX", 13);
    static const uint64_t lies[] = {0, 12, 14, UINT64_MAX, 1ull << 40};
    for (size_t i = 0; i < ARRAY_LENGTH(lies); i++)
        for (unsigned format = FATBIN_LZ4; format <= FATBIN_ZSTD; format++) {
            text.text_bytes = lies[i];
            text.format = (enum fatbin_format)format;
            assert_null(unpack_text(&text, &length, &trouble));
            assert_true(*trouble);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_newest_text_without_its_padding),
        cmocka_unit_test(tells_how_a_text_is_compressed),
        cmocka_unit_test(says_what_is_missing),
        cmocka_unit_test(refuses_lengths_that_lead_outside),
        cmocka_unit_test(unpacks_lz4),
        cmocka_unit_test(unpacks_nothing_outside),
        cmocka_unit_test(says_that_a_text_is_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
