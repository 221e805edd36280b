/* Size expressions, table-driven: a text and its value, or a text, the column and the complaint. */
#include "grader/exercise/expr.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct expr_name names[] = {{"n", 1000},        {"TILE_WIDTH", 16}, {"zero", 0},
                                         {"big", INT64_MAX}, {"low", INT64_MIN}, {"_x1", 7}};

struct value_row {
    const char *text;
    int64_t value;
};

static const struct value_row values[] = {
    {"0", 0},
    {"42", 42},
    {"1_000_000", 1000000},
    {"9223372036854775807", INT64_MAX},
    {"n", 1000},
    {"  n  ", 1000},
    {"_x1", 7},
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"10 - 4 - 3", 3},
    {"100 / 10 / 5", 2},
    {"2 * 7 % 4", 2},
    {"-7 / 2", -3},
    {"-7 % 2", -1},
    {"--3", 3},
    {"-(1 + 2)", -3},
    {"4 - -4", 8},
    {"ceil_div(n, 256)", 4},
    {"ceil_div(1024, 256)", 4},
    {"ceil_div(0, 256)", 0},
    {"ceil_div(-1, 256)", 0},
    {"ceil_div(-256, 256)", -1},
    {"ceil_div(big, 2)", INT64_C(1) << 62},
    {"round_up(n, TILE_WIDTH)", 1008},
    {"round_up(1008, TILE_WIDTH)", 1008},
    {"min(3, 1, 2)", 1},
    {"max(3)", 3},
    {"max(1, ceil_div(zero, 256))", 1},
    {"min(n, max(TILE_WIDTH, 5)) * 2", 32},
    {"pow2_ceil(0)", 1},
    {"pow2_ceil(1)", 1},
    {"pow2_ceil(3)", 4},
    {"pow2_ceil(4)", 4},
    {"pow2_ceil (n)", 1024},
    {"TILE_WIDTH * TILE_WIDTH * 4 * 2", 2048},
    {"low + 1", -INT64_MAX},
    {"low / 1", INT64_MIN},
    {"n\n+ 1", 1001},
};

struct error_row {
    const char *text;
    unsigned column;
    const char *message;
};

static const struct error_row parse_errors[] = {
    {"", 1, "ends too early"},
    {"1 +", 4, "ends too early"},
    {"(1", 3, "expected \")\""},
    {"1)", 2, "an operator or the end"},
    {"1 2", 3, "an operator or the end"},
    {"12abc", 3, "an operator"},
    {"1__0", 2, "an operator"},
    {"n $ 2", 3, "found \"$\""},
    {"* 2", 1, "a number, a name"},
    {"0x10", 2, "an operator"},
    {"9223372036854775808", 1, "64 bits"},
    {"ceil_div(n)", 1, "takes 2 arguments"},
    {"ceil_div(1, 2, 3)", 1, "takes 2 arguments"},
    {"1 + pow2_ceil(1, 2)", 5, "takes 1 argument"},
    {"max()", 5, "a number, a name"},
    {"min(1, 2", 9, "expected \",\""},
    {"ceildiv(n, 2)", 1, "unknown function ceildiv"},
    {"n.x", 2, "an operator or the end"},
    {"n + 1.5", 5, "a whole number"},
    {"1 + sqrt(n)", 5, "sqrt has no whole number"},
};

static const struct error_row value_errors[] = {
    {"n / zero", 3, "division by zero"},
    {"n % (1 - 1)", 3, "division by zero"},
    {"ceil_div(n, zero)", 1, "at least 1"},
    {"round_up(n, -1)", 1, "at least 1"},
    {"big + 1", 5, "64 bits"},
    {"low - 1", 5, "64 bits"},
    {"1 + big * 2", 9, "64 bits"},
    {"-low", 1, "64 bits"},
    {"low / -1", 5, "64 bits"},
    {"low % -1", 5, "64 bits"},
    {"round_up(big, 16)", 1, "64 bits"},
    {"pow2_ceil(big)", 1, "64 bits"},
    {"n + missing", 5, "unknown name missing"},
};

static void evaluates(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        struct expr *expr = NULL;
        struct error error = {0};
        if (expr_parse(values[i].text, &expr, &error) != STATUS_OK)
            fail_msg("%s: %s", values[i].text, error.message);
        int64_t value = -99;
        if (expr_evaluate(expr, names, ARRAY_LENGTH(names), &value, &error) != STATUS_OK)
            fail_msg("%s: %s", values[i].text, error.message);
        if (value != values[i].value)
            fail_msg("%s = %lld", values[i].text, (long long)value);
        assert_string_equal(expr_text(expr), values[i].text);
        expr_free(expr);
    }
}

static void refuses_at_the_column(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(parse_errors); i++) {
        const struct error_row *row = &parse_errors[i];
        struct expr *expr = NULL;
        struct error error = {0};
        if (expr_parse(row->text, &expr, &error) != STATUS_INVALID)
            fail_msg("accepted: %s", row->text);
        if (error.column != row->column || !strstr(error.message, row->message))
            fail_msg("%s: column %u: %s", row->text, error.column, error.message);
        assert_null(expr);
    }
}

static void checks_every_operation(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(value_errors); i++) {
        const struct error_row *row = &value_errors[i];
        struct expr *expr = NULL;
        struct error error = {0};
        assert_int_equal(expr_parse(row->text, &expr, &error), STATUS_OK);
        int64_t value;
        if (expr_evaluate(expr, names, ARRAY_LENGTH(names), &value, &error) != STATUS_INVALID)
            fail_msg("accepted: %s", row->text);
        if (error.column != row->column || !strstr(error.message, row->message))
            fail_msg("%s: column %u: %s", row->text, error.column, error.message);
        expr_free(expr);
    }
}

/* ---- in double precision --------------------------------------------------------------------- */

static bool look_up(const void *context, const char *name, double *value) {
    (void)context;
    for (size_t i = 0; i < 2; i++)
        if (strcmp(names[i].name, name) == 0) {
            *value = (double)names[i].value;
            return true;
        }
    *value = NAN; /* must not be taken */
    return strcmp(name, "nan") == 0;
}

static const struct {
    const char *text;
    double value;
} reals[] = {
    {"1.2", 1.2},
    {"4.5e-1", 0.45},
    {"2E+3", 2000},
    {"1_000.2_5", 1000.25},
    {"1.2 * n", 1200},
    {"n / 16 / 1000", 0.0625},
    {"7 / 2", 3.5},
    {"7 % 2.5", 2},
    {"-n + 0.5", -999.5},
    {"0 / 0", 0},
    {"1 / 0", INFINITY},
    {"-1 / 0", -INFINITY},
    {"1 / 0 - 1 / 0", 0},
    {"0 * (1 / 0)", 0},
    {"n % 0", 0},
    {"ceil_div(n, 256)", 4},
    {"round_up(n, TILE_WIDTH)", 1008},
    {"min(3.5, 1.5, 2)", 1.5},
    {"max(0.1, n)", 1000},
    {"pow2_ceil(1025)", 2048},
    {"pow2_ceil(1024)", 1024},
    {"pow2_ceil(0)", 1},
    {"sqrt(2.25)", 1.5},
    {"sqrt(-1)", 0},
    {"log(exp(1))", 1},
    {"abs(-n)", 1000},
    {"floor(-0.5)", -1},
    {"mod(7, 5)", 2},
    {"mod(-1, 5)", 4},
    {"mod(-5, 5)", 0},
    {"mod(1, -5)", -4},
    {"mod(1, 0)", 0},
};

static void evaluates_in_double_precision(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(reals); i++) {
        struct expr *expr = NULL;
        struct error error = {0};
        if (expr_parse_real(reals[i].text, &expr, &error) != STATUS_OK)
            fail_msg("%s: %s", reals[i].text, error.message);
        double value = -99;
        assert_true(expr_evaluate_real(expr, look_up, NULL, &value, NULL));
        if (value != reals[i].value)
            fail_msg("%s = %.17g", reals[i].text, value);
        expr_free(expr);
    }
}

/* A strip is evaluated at once; the second one must not see the first one's columns. */
static void evaluates_columns(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    double i[COUNT], out[COUNT + 1];
    for (size_t at = 0; at < COUNT; at++)
        i[at] = (double)at;
    const struct expr_column columns[] = {{"i", i, 0}, {"n", NULL, 1000}};
    struct expr *expr = NULL;
    assert_int_equal(expr_parse_real("log(sqrt(i * i - i + 2)) - 0.1 * n", &expr, NULL), STATUS_OK);
    out[COUNT] = -99;
    expr_evaluate_columns(expr, columns, 2, out, COUNT);
    for (size_t at = 0; at < COUNT; at++)
        assert_true(out[at] == log(sqrt(i[at] * i[at] - i[at] + 2)) - 0.1 * 1000);
    assert_true(out[COUNT] == -99);
    expr_free(expr);
    assert_int_equal(expr_parse_real("-i - log(i - 1)", &expr, NULL), STATUS_OK);
    expr_evaluate_columns(expr, columns, 2, out, 3);
    assert_true(isnan(out[0]) && out[1] == INFINITY && out[2] == -2);
    expr_free(expr);
}

static const struct error_row real_errors[] = {
    {"1.", 2, "an operator"},    {".5", 1, "a number, a name"}, {"1.5.2", 4, "an operator"},
    {"1e", 2, "an operator"},    {"1e+", 2, "an operator"},     {"1.5x", 4, "an operator"},
    {"1e999", 1, "larger than"}, {"2 <= 3", 3, "an operator"},  {"1 + mod(3)", 5, "takes 2"},
};

static void refuses_reals_at_the_column(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(real_errors); i++) {
        const struct error_row *row = &real_errors[i];
        struct expr *expr = NULL;
        struct error error = {0};
        if (expr_parse_real(row->text, &expr, &error) != STATUS_INVALID)
            fail_msg("accepted: %s", row->text);
        if (error.column != row->column || !strstr(error.message, row->message))
            fail_msg("%s: column %u: %s", row->text, error.column, error.message);
    }
}

static void names_what_has_no_value(void **state) {
    (void)state;
    static const char *const texts[] = {"n + missing", "1 / nan", "max(n, missing)"};
    static const char *const wanted[] = {"missing", "nan", "missing"};
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        struct expr *expr = NULL;
        double value;
        const char *missing = NULL;
        assert_int_equal(expr_parse_real(texts[i], &expr, NULL), STATUS_OK);
        assert_false(expr_evaluate_real(expr, look_up, NULL, &value, &missing));
        assert_string_equal(missing, wanted[i]);
        expr_free(expr);
    }
}

static void whole_numbers_have_no_fraction(void **state) {
    (void)state;
    struct expr *expr = NULL;
    assert_int_equal(expr_parse("1.5", &expr, NULL), STATUS_INVALID);
    assert_int_equal(expr_parse("1e3", &expr, NULL), STATUS_INVALID);
}

static void expect_refused(const char *text) {
    struct expr *expr = NULL;
    struct error error = {0};
    assert_int_equal(expr_parse(text, &expr, &error), STATUS_INVALID);
}

static void caps_hostile_input(void **state) {
    (void)state;
    struct text text = {0};
    text_append_repeated(&text, '(', 400);
    expect_refused(text_string(&text));
    text_clear(&text);
    text_append_repeated(&text, '-', 400);
    text_append(&text, "1");
    expect_refused(text_string(&text));
    text_clear(&text);
    text_append(&text, "1");
    for (int i = 0; i < 200; i++)
        text_append(&text, "+1");
    expect_refused(text_string(&text)); /* 401 nodes */
    text_clear(&text);
    text_append_repeated(&text, ' ', 600);
    text_append(&text, "1");
    expect_refused(text_string(&text));
    text_clear(&text);
    text_append_repeated(&text, 'a', 64);
    expect_refused(text_string(&text));
    text_free(&text);
    struct expr *expr = NULL;
    assert_int_equal(expr_parse("(", &expr, NULL), STATUS_INVALID); /* no error wanted */
}

static void suggests_the_function(void **state) {
    (void)state;
    struct expr *expr = NULL;
    struct error error;
    assert_int_equal(expr_parse("ceildiv(n, 2)", &expr, &error), STATUS_INVALID);
    assert_string_equal(error.hint, "did you mean ceil_div?");
    assert_int_equal(expr_parse("sqr(n)", &expr, &error), STATUS_INVALID);
    assert_null(strstr(error.hint, "sqrt")); /* would be refused in turn */
    assert_int_equal(expr_parse_real("sqr(n)", &expr, &error), STATUS_INVALID);
    assert_string_equal(error.hint, "did you mean sqrt?");
}

static void collect(const char *name, unsigned column, void *context) {
    text_printf(context, "%s@%u ", name, column);
}

static void visits_names(void **state) {
    (void)state;
    struct expr *expr;
    struct error error;
    struct text seen = {0};
    assert_int_equal(expr_parse("ceil_div(n, TILE) * min(n, 3)", &expr, &error), STATUS_OK);
    expr_visit_names(expr, collect, &seen);
    assert_string_equal(text_string(&seen), "n@10 TILE@13 n@25 ");
    text_free(&seen);
    expr_free(expr);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluates),
        cmocka_unit_test(refuses_at_the_column),
        cmocka_unit_test(checks_every_operation),
        cmocka_unit_test(evaluates_in_double_precision),
        cmocka_unit_test(evaluates_columns),
        cmocka_unit_test(refuses_reals_at_the_column),
        cmocka_unit_test(names_what_has_no_value),
        cmocka_unit_test(whole_numbers_have_no_fraction),
        cmocka_unit_test(caps_hostile_input),
        cmocka_unit_test(suggests_the_function),
        cmocka_unit_test(visits_names),
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
