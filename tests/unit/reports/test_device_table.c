/* The list of devices, the table of one, and the sentence about assumed numbers. */
#include "reports/device.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct device_profile small(void) {
    return (struct device_profile){
        .id = "own",
        .name = "evil\x1b[2J",
        .clock_mhz = 1455.5,
        .l2_bytes = 4194304,
        .origins = {[DEVICE_NUMBER_clock_mhz] = DEVICE_MEASURED,
                    [DEVICE_NUMBER_l2_bytes] = DEVICE_DOCUMENTED,
                    [DEVICE_NUMBER_dram_gbps... DEVICE_NUMBER_COUNT - 1] = DEVICE_ASSUMED}};
}

/* A line of the text begins with these words. */
static void assert_line(const char *text, const char *line) {
    const char *at = strstr(text, line);
    if (!at || (at != text && at[-1] != '\n'))
        fail_msg("no line \"%s\" in\n%s", line, text);
}

static void shows_each_number_with_its_origin(void **state) {
    (void)state;
    struct device_profile device = small();
    struct device_notes notes = {
        .numbers = {[DEVICE_NUMBER_clock_mhz] = (char *)"nvidia-smi\x1b[2J"}};
    cleanup_text struct text out = {0};
    report_device_text(&device, &notes, false, &out);
    const char *text = text_string(&out);
    cleanup_text struct text counts = {0};
    struct device_provenance all = device_provenance(&device);
    text_printf(&counts,
                "evil\\x1b[2J: 1 measured, 1 documented, %u assumed, %u of which nothing is said\n",
                all.counts[DEVICE_ASSUMED], all.counts[DEVICE_UNSAID]);
    assert_line(text, text_string(&counts));
    text_clear(&counts);
    text_printf(&counts, "  assumed: %u of the ", all.counts[DEVICE_ASSUMED]);
    assert_line(text, text_string(&counts));
    assert_non_null(
        strstr(text, " rates and latencies of its profile; modelled times are a guess\n"));
    assert_line(text, "  clock_mhz                   1455.5 MHz            measured    nvidia-smi");
    assert_line(text, "  l2_bytes                    4194304 bytes         documented  \n");
    assert_line(text, "  fp32_lanes                  0 per clock           -           \n");
    assert_null(strchr(text, '\x1b'));
    assert_null(strstr(text, "checked"));
    notes.checked = (char *)"beside a card";
    device.checked = true;
    text_clear(&out);
    report_device_text(&device, &notes, false, &out);
    assert_line(text_string(&out), "  modelled times checked: beside a card\n");
    assert_null(strstr(text_string(&out), "guess"));
}

static void lists_devices_below_a_heading(void **state) {
    (void)state;
    struct device_profile device = small();
    cleanup_text struct text out = {0};
    report_device_heading(&out);
    size_t heading = out.length;
    report_device_row(&device, false, &out);
    assert_non_null(strstr(text_string(&out) + heading, "  a guess\n"));
    assert_null(strchr(text_string(&out), '\x1b'));
}

static void says_nothing_of_a_profile_that_is_no_guess(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    struct device_provenance rates = {.counts = {[DEVICE_UNSAID] = 60}};
    report_append_guess(&out, LANGUAGE_EN, &rates);
    report_append_assumed(&out, LANGUAGE_EN, &rates);
    assert_int_equal(out.length, 0);
    rates.counts[DEVICE_ASSUMED] = 61;
    report_append_assumed(&out, LANGUAGE_EN, &rates);
    assert_string_equal(text_string(&out), "61 of the 121 rates and latencies of its profile");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_each_number_with_its_origin),
        cmocka_unit_test(lists_devices_below_a_heading),
        cmocka_unit_test(says_nothing_of_a_profile_that_is_no_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
