/* Bytes as base64: the examples of RFC 4648, every byte, and what is no base64. */
#include "reports/stored/base64.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_examples(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_free char *text = base64_encode(rows[i][0], strlen(rows[i][0]));
        cleanup_free char *data = NULL;
        size_t length;
        assert_string_equal(text, rows[i][1]);
        assert_true(base64_decode(text, strlen(text), &data, &length));
        assert_int_equal(length, strlen(rows[i][0]));
        assert_string_equal(data, rows[i][0]);
    }
}

static void test_every_byte(void **state) {
    (void)state;
    unsigned char bytes[256];
    for (unsigned i = 0; i < 256; i++)
        bytes[i] = (unsigned char)i;
    for (size_t size = 0; size <= sizeof bytes; size++) {
        cleanup_free char *text = base64_encode(bytes, size);
        cleanup_free char *data = NULL;
        size_t length;
        assert_true(base64_decode(text, strlen(text), &data, &length));
        assert_int_equal(length, size);
        assert_memory_equal(data, bytes, size);
    }
}

static void test_what_is_none(void **state) {
    (void)state;
    static const char *const rows[] = {
        "Z", "Zg", "Zg=", "Zg===", "====", "Z===", "Zg==Zg==", "Z g=", "Zm9\n"};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        char *data = NULL;
        size_t length;
        assert_false(base64_decode(rows[i], strlen(rows[i]), &data, &length));
        assert_null(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_what_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
