/* The YAML tree: what it refuses, where it says so, and the typed accessors. */
#include "grader/exercise/yaml.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum status parse(const char *source, struct yaml_document **document, struct error *error) {
    *document = NULL;
    return yaml_parse("x.yaml", source, strlen(source), document, error);
}

static void loads_a_tree_with_positions(void **state) {
    (void)state;
    struct yaml_document *document;
    struct error error;
    assert_int_equal(parse("# a comment\n"
                           "title: \xe7\x9f\xa9\xe9\x98\xb5 # three bytes each\n"
                           "list: [\"\xe4\xb8\x80\", 2]\n"
                           "map:\n"
                           "  inner: |\n"
                           "    text\n",
                           &document, &error),
                     STATUS_OK);
    const struct yaml_node *root = document->root;
    assert_int_equal(root->kind, YAML_MAPPING);
    assert_int_equal(root->count, 3);
    const struct yaml_node *title = yaml_get(root, "title");
    assert_string_equal(title->text, "\xe7\x9f\xa9\xe9\x98\xb5");
    assert_int_equal(title->line, 2);
    assert_int_equal(title->column, 8);
    const struct yaml_node *list = yaml_get(root, "list");
    assert_int_equal(list->count, 2);
    assert_false(list->items[0]->plain);
    assert_true(list->items[1]->plain);
    assert_int_equal(list->items[1]->line, 3);
    /* In bytes: `list: ["` is eight, the character three, `", ` three more. */
    assert_int_equal(list->items[1]->column, 15);
    const struct yaml_node *map = yaml_get(root, "map");
    assert_int_equal(map->keys[0]->line, 5);
    assert_int_equal(map->keys[0]->column, 3);
    assert_string_equal(yaml_get(map, "inner")->text, "text\n");
    assert_null(yaml_get(map, "outer"));
    assert_null(yaml_get(NULL, "outer"));
    yaml_document_free(document);
}

/* A second key after a byte order mark was "did not find expected <document start>". */
static void skips_a_byte_order_mark(void **state) {
    (void)state;
    struct yaml_document *document;
    struct error error;
    assert_int_equal(parse("\xef\xbb\xbf"
                           "a: 1\r\nb: 2\r\n",
                           &document, &error),
                     STATUS_OK);
    assert_int_equal(document->root->count, 2);
    assert_int_equal(document->root->keys[0]->column, 1);
    assert_string_equal(document->root->items[1]->text, "2");
    yaml_document_free(document);
}

struct refusal {
    const char *source;
    unsigned line, column;
    const char *message; /* a part of it */
};

static const struct refusal refusals[] = {
    {"", 0, 0, "empty"},
    {"# only a comment\n", 0, 0, "empty"},
    {"a: 1\nb: 2\na: 3\n", 3, 1, "the key a is here twice; the first one is on line 1"},
    {"m:\n  x: 1\n  x: 2\n", 3, 3, "here twice"},
    {"a: &anchor 1\n", 1, 4, "anchors"},
    {"a: &anchor [1]\n", 1, 4, "anchors"},
    {"a: *alias\n", 1, 4, "aliases"},
    {"*alias : 1\n", 1, 1, "aliases"},
    {"a: !!str 1\n", 1, 4, "tags"},
    {"a: !local {x: 1}\n", 1, 4, "tags"},
    {"a: 1\n---\nb: 2\n", 2, 1, "second document"},
    {"a: [1, 2\n", 2, 1, "not valid YAML"},
    {"a: 1\n\tb: 2\n", 2, 1, "not valid YAML"},
    {"? [1, 2]\n: 3\n", 1, 3, "plain name"},
    {"? {a: 1}\n: 3\n", 1, 3, "plain name"},
    {"a: \"x\\0y\"\n", 1, 4, "NUL"},
    {"a: \xff\xfe\n", 1, 4, "UTF-8"},
    {"a: 1\nb: \x01\n", 2, 4, "UTF-8"},
    {"[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]", 1, 18, "too deep"},
};

static void refuses(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(refusals); i++) {
        const struct refusal *row = &refusals[i];
        struct yaml_document *document;
        struct error error = {0};
        if (parse(row->source, &document, &error) != STATUS_INVALID)
            fail_msg("accepted: %s", row->source);
        if (!strstr(error.message, row->message))
            fail_msg("%s: message is: %s", row->source, error.message);
        if (error.line != row->line || error.column != row->column)
            fail_msg("%s: at %u:%u, not %u:%u", row->source, error.line, error.column, row->line,
                     row->column);
        assert_string_equal(error.file, "x.yaml");
    }
}

static void tab_gets_a_hint_and_the_line(void **state) {
    (void)state;
    struct yaml_document *document;
    struct error error;
    assert_int_equal(parse("a:\n\tb: 2\n", &document, &error), STATUS_INVALID);
    assert_non_null(strstr(error.hint, "spaces"));
    assert_string_equal(error.excerpt, "\tb: 2");
}

static void caps_size_and_count(void **state) {
    (void)state;
    struct error error;
    struct yaml_document *document = NULL;
    char *large = mem_zalloc(YAML_MAX_BYTES + 1);
    memset(large, 'a', YAML_MAX_BYTES + 1);
    assert_int_equal(yaml_parse("x", large, YAML_MAX_BYTES + 1, &document, &error), STATUS_INVALID);
    free(large);
    struct text many = {0};
    text_append_char(&many, '[');
    for (int i = 0; i <= YAML_MAX_NODES; i++)
        text_append(&many, "1,");
    text_append_char(&many, ']');
    assert_int_equal(yaml_parse("x", many.data, many.length, &document, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "too many"));
    text_free(&many);
    assert_int_equal(yaml_load("/nonexistent/x.yaml", &document, &error), STATUS_INVALID);
}

struct scalar_row {
    const char *yaml;
    bool integer_valid;
    int64_t integer;
    bool number_valid;
    double number;
};

static const struct scalar_row scalars[] = {
    {"16", true, 16, true, 16},
    {"-1", true, -1, true, -1},
    {"+7", true, 7, true, 7},
    {"0", true, 0, true, 0},
    {"1_000_000", true, 1000000, true, 1000000},
    {"9223372036854775807", true, INT64_MAX, true, 0x1p63},
    {"9223372036854775808", false, 0, true, 0x1p63},
    {"1__0", false, 0, false, 0},
    {"1_", false, 0, false, 0},
    {"010", false, 0, true, 10},
    {"0x10", false, 0, false, 0},
    {"1.5", false, 0, true, 1.5},
    {"1e3", false, 0, true, 1000},
    {"1e999", false, 0, false, 0},
    {".nan", false, 0, false, 0},
    {"nan", false, 0, false, 0},
    {"inf", false, 0, false, 0},
    {"\"16\"", false, 0, false, 0},
    {"'16'", false, 0, false, 0},
    {"sixteen", false, 0, false, 0},
    {"1 2", false, 0, false, 0},
    {"~", false, 0, false, 0},
    {"", false, 0, false, 0},
    {"[1]", false, 0, false, 0},
    {"{a: 1}", false, 0, false, 0},
};

static void reads_numbers(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(scalars); i++) {
        const struct scalar_row *row = &scalars[i];
        char source[64];
        snprintf(source, sizeof source, "v: %s\n", row->yaml);
        struct yaml_document *document;
        struct error error;
        assert_int_equal(parse(source, &document, &error), STATUS_OK);
        const struct yaml_node *node = yaml_get(document->root, "v");
        int64_t integer = -99;
        double number = -99;
        bool valid =
            yaml_integer(document, node, "v", INT64_MIN, INT64_MAX, &integer, &error) == STATUS_OK;
        if (valid != row->integer_valid || (valid && integer != row->integer))
            fail_msg("integer %s: %d %lld", row->yaml, valid, (long long)integer);
        valid = yaml_number(document, node, "v", -INFINITY, INFINITY, &number, &error) == STATUS_OK;
        if (valid != row->number_valid || (valid && number != row->number))
            fail_msg("number %s: %d %g", row->yaml, valid, number);
        yaml_document_free(document);
    }
}

static void names_what_was_expected(void **state) {
    (void)state;
    struct yaml_document *document;
    struct error error;
    static const char *const choices[] = {"error", "warning", "ignore"};
    static const char *const keys[] = {"width", "level", "flag", "name"};
    assert_int_equal(parse("width: 70\nlevel: warnning\nflag: yes\nname:\n", &document, &error),
                     STATUS_OK);
    const struct yaml_node *root = document->root;
    int64_t integer;
    assert_int_equal(
        yaml_integer(document, yaml_get(root, "width"), "width", 1, 64, &integer, &error),
        STATUS_INVALID);
    assert_string_equal(error.message, "width: expected a whole number from 1 to 64, found \"70\"");
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 8);
    assert_string_equal(error.excerpt, "width: 70");
    size_t index;
    assert_int_equal(
        yaml_choice(document, yaml_get(root, "level"), "level", choices, 3, &index, &error),
        STATUS_INVALID);
    assert_string_equal(error.message,
                        "level: expected error, warning or ignore, found \"warnning\"");
    assert_string_equal(error.hint, "did you mean warning?");
    bool flag;
    assert_int_equal(yaml_boolean(document, yaml_get(root, "flag"), "flag", &flag, &error),
                     STATUS_INVALID);
    const char *text;
    assert_int_equal(yaml_string(document, yaml_get(root, "name"), "name", &text, &error),
                     STATUS_INVALID);
    assert_string_equal(error.message, "name: expected text, found nothing");
    assert_int_equal(yaml_check_keys(document, root, "course", keys, 4, &error), STATUS_OK);
    assert_int_equal(yaml_check_keys(document, root, "course", keys, 3, &error), STATUS_INVALID);
    assert_int_equal(error.line, 4);
    const struct yaml_node *value;
    assert_int_equal(yaml_require(document, root, "course", "roster", &value, &error),
                     STATUS_INVALID);
    assert_string_equal(error.message, "course: the key roster is missing");
    yaml_document_free(document);
    assert_int_equal(parse("widht: 3\n", &document, &error), STATUS_OK);
    assert_int_equal(yaml_check_keys(document, document->root, "course", keys, 4, &error),
                     STATUS_INVALID);
    assert_string_equal(error.hint, "did you mean width?");
    yaml_document_free(document);
}

static void cuts_long_and_multibyte_text(void **state) {
    (void)state;
    struct text source = {0};
    text_append(&source, "v: x");
    for (int i = 0; i < 100; i++)
        text_append(&source, "\xe7\x9f\xa9");
    struct yaml_document *document;
    struct error error;
    assert_int_equal(parse(text_string(&source), &document, &error), STATUS_OK);
    char buffer[YAML_DESCRIPTION_BYTES];
    const char *words = yaml_describe(yaml_get(document->root, "v"), buffer);
    size_t length = strlen(words);
    assert_true(length < YAML_DESCRIPTION_BYTES);
    assert_string_equal(words + length - 4, "...\"");
    assert_int_equal((unsigned char)words[length - 5], 0xa9);
    yaml_document_free(document);
    text_free(&source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_a_tree_with_positions),
        cmocka_unit_test(skips_a_byte_order_mark),
        cmocka_unit_test(refuses),
        cmocka_unit_test(tab_gets_a_hint_and_the_line),
        cmocka_unit_test(caps_size_and_count),
        cmocka_unit_test(reads_numbers),
        cmocka_unit_test(names_what_was_expected),
        cmocka_unit_test(cuts_long_and_multibyte_text),
    };
    return cmocka_run_group_tests_name("yaml", tests, NULL, NULL);
}
