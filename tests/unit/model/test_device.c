/* Device profiles: the ones that the program carries, a user's own, and what is refused where. */
#include "grader/base/file.h"
#include "grader/base/memory.h"
#include "grader/base/text.h"
#include "grader/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char *h200;
static size_t h200_length;

static int read_h200(void **state) {
    (void)state;
    return file_read("sandbox/devices/h200.yaml", 1 << 20, &h200, &h200_length, NULL) == STATUS_OK
               ? 0
               : -1;
}

static int free_h200(void **state) {
    (void)state;
    free(h200);
    return 0;
}

static void carries_the_eight_cards(void **state) {
    (void)state;
    static const struct {
        const char *id;
        double capability, multiprocessors;
    } cards[] = {{"a100", 80, 108},   {"h100", 90, 132},    {"h200", 90, 132}, {"l4", 89, 58},
                 {"rtx3090", 86, 82}, {"rtx4090", 89, 128}, {"t4", 75, 40},    {"v100", 70, 80}};
    for (size_t i = 0; i < ARRAY_LENGTH(cards); i++) {
        struct device_profile profile;
        struct error error = {0};
        if (device_load(cards[i].id, &profile, &error) != STATUS_OK)
            fail_msg("%s: %s:%u: %s", cards[i].id, error.file, error.line, error.message);
        assert_string_equal(profile.id, cards[i].id);
        assert_string_equal(device_id(i), cards[i].id);
        assert_true(profile.compute_capability == cards[i].capability);
        assert_true(profile.multiprocessors == cards[i].multiprocessors);
    }
    assert_null(device_id(ARRAY_LENGTH(cards)));
    assert_null(device_id(1000));
}

static void suggests_a_name(void **state) {
    (void)state;
    struct device_profile profile;
    struct error error = {0};
    assert_int_equal(device_load("h20O", &profile, &error), STATUS_INVALID);
    assert_string_equal(error.message, "there is no device profile h20O");
    assert_non_null(strstr(error.hint, "did you mean h200?"));
    assert_int_equal(device_load("abacus-12", &profile, &error), STATUS_INVALID);
    assert_null(strstr(error.hint, "did you mean"));
    assert_non_null(strstr(error.hint, "rtx4090"));
    assert_int_equal(device_load("", &profile, &error), STATUS_INVALID);
    assert_int_equal(device_load("./no/such.yaml", &profile, &error), STATUS_INVALID);
}

/* The H200's profile with one line changed. */
static enum status parse_with(const char *line, const char *replacement, struct error *error) {
    const char *at = strstr(h200, line);
    assert_non_null(at);
    struct text text = {0};
    text_append_bytes(&text, h200, (size_t)(at - h200));
    text_printf(&text, "%s", replacement);
    const char *rest =
        at + 1 + strcspn(at + 1, "\n"); /* each line is named with the newline before */
    text_append_bytes(&text, rest, strlen(rest));
    struct device_profile profile;
    *error = (struct error){0};
    enum status status =
        device_parse("my.yaml", "my", text_string(&text), text.length, &profile, error);
    text_free(&text);
    return status;
}

static unsigned line_of(const char *line) {
    unsigned number = 1;
    for (const char *at = h200, *end = strstr(h200, line); at < end; at++)
        number += *at == '\n';
    return number;
}

static void says_what_is_wrong_where(void **state) {
    (void)state;
    static const struct {
        const char *line, *replacement, *message, *hint;
        unsigned column;
    } cases[] = {
        {"\nclock_mhz:", "\nclok_mhz: 5", "the device profile: unknown key clok_mhz",
         "did you mean clock_mhz?", 1},
        {"\nclock_mhz:", "\nclock_mhz: fast",
         "clock_mhz: expected a number from 100 to 10000, found \"fast\"", "", 12},
        {"\nclock_mhz:", "\nclock_mhz: 99",
         "clock_mhz: expected a number from 100 to 10000, found \"99\"", "", 12},
        {"\nclock_mhz:", "\nclock_mhz: .inf",
         "clock_mhz: expected a number from 100 to 10000, found \".inf\"", "", 12},
        {"\nclock_mhz:", "\nclock_mhz: [1]",
         "clock_mhz: expected a number from 100 to 10000, found a list", "", 12},
        {"\nshared_bytes_per_sm:", "\nshared_bytes_per_sm: 16777216",
         "shared_bytes_per_sm: more than the 262144 bytes of l1_bytes, of which shared memory is "
         "a part",
         "", 22},
        {"\nshared_bytes_per_block:", "\nshared_bytes_per_block: 233473",
         "shared_bytes_per_block: more than the 233472 bytes of shared_bytes_per_sm", "", 25},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct error error;
        assert_int_equal(parse_with(cases[i].line, cases[i].replacement, &error), STATUS_INVALID);
        assert_string_equal(error.message, cases[i].message);
        assert_string_equal(error.hint, cases[i].hint);
        assert_string_equal(error.file, "my.yaml");
        assert_int_equal(error.line, line_of(cases[i].line) + 1);
        assert_int_equal(error.column, cases[i].column);
    }
}

static void wants_every_number(void **state) {
    (void)state;
    struct error error;
    assert_int_equal(parse_with("\nlaunch_us:", "", &error), STATUS_INVALID);
    assert_string_equal(error.message, "the device profile: the key launch_us is missing");
    assert_int_equal(parse_with("\nname:", "", &error), STATUS_INVALID);
    assert_string_equal(error.message, "the device profile: the key name is missing");
    assert_int_equal(parse_with("\nname:",
                                "\nname: a name of more than sixty-three bytes, which no table "
                                "of results has room for",
                                &error),
                     STATUS_INVALID);
    assert_string_equal(error.message, "name: at most 63 bytes on one line");
}

static void reads_a_file_of_ones_own(void **state) {
    (void)state;
    char path[] = "/tmp/warpgrade-device-XXXXXX.yaml";
    int descriptor = mkstemps(path, 5);
    assert_true(descriptor >= 0 && file_write_all(descriptor, h200, h200_length));
    close(descriptor);
    struct device_profile profile, carried;
    assert_int_equal(device_load(path, &profile, NULL), STATUS_OK);
    unlink(path);
    assert_int_equal(device_load("h200", &carried, NULL), STATUS_OK);
    assert_true(profile.dram_gbps == carried.dram_gbps);
    assert_int_equal(strncmp(profile.id, "warpgrade-device-", 17), 0);
    assert_null(strstr(profile.id, ".yaml"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_the_eight_cards),  cmocka_unit_test(suggests_a_name),
        cmocka_unit_test(says_what_is_wrong_where), cmocka_unit_test(wants_every_number),
        cmocka_unit_test(reads_a_file_of_ones_own),
    };
    return cmocka_run_group_tests(tests, read_h200, free_h200);
}
