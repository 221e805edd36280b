/* Whole numbers are printed whole; small and huge ones with an exponent. */
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
    double value;
    int digits;
    const char *text;
} rows[] = {
    {0, 4, "0"},
    {16384, 4, "16384"},
    {16384.4, 4, "16384"},
    {-1048576, 3, "-1048576"},
    {2147483648.0, 9, "2147483648"},
    {0.1, 9, "0.1"},
    {1.0 / 3, 4, "0.3333"},
    {999.6, 3, "1000"},
    {0.0000152587890625, 3, "1.53e-05"},
    {999999999999999, 9, "999999999999999"},
    {1e15, 9, "1e+15"},
    {1e300, 9, "1e+300"},
    {-NAN, 9, "nan"},
    {-INFINITY, 9, "-inf"},
    {-0.0, 9, "0"},
};

static void numbers_keep_the_digits_before_the_point(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        assert_string_equal(decimal(rows[i].value, rows[i].digits).text, rows[i].text);
}

static void large_counts_are_grouped(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } counts[] = {{0, "0"},
                  {9999, "9999"},
                  {10000, "10,000"},
                  {1234567, "1,234,567"},
                  {-123456, "-123,456"},
                  {0.00001234, "1.234e-05"},
                  {12345.5, "12,345.5"},
                  {999999999999999, "999,999,999,999,999"},
                  {1e300, "1e+300"},
                  {-INFINITY, "-inf"}};
    for (size_t i = 0; i < ARRAY_LENGTH(counts); i++)
        assert_string_equal(decimal_grouped(counts[i].value, 15).text, counts[i].text);
}

static void points_are_never_rounded_up(void **state) {
    (void)state;
    static const struct {
        double points;
        const char *text;
    } scores[] = {{59.996, "59.99"},  {100.0 / 3, "33.33"}, {83.3333, "83.33"}, {60, "60"},
                  {0.1 + 0.2, "0.3"}, {-0.0, "0"},          {1e6, "1000000"}};
    for (size_t i = 0; i < ARRAY_LENGTH(scores); i++)
        assert_string_equal(decimal_points(scores[i].points).text, scores[i].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_keep_the_digits_before_the_point),
        cmocka_unit_test(large_counts_are_grouped),
        cmocka_unit_test(points_are_never_rounded_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
