/* Device profiles: the ones that the program carries, a user's own, and what is refused where. */
#include "grader/exercise/device.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
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
        device_parse("my.yaml", "my", text_string(&text), text.length, &profile, NULL, error);
    text_free(&text);
    return status;
}

static unsigned line_of(const char *line) {
    unsigned number = 1;
    for (const char *at = h200, *end = strstr(h200, line); at < end; at++)
        number += *at == '\n';
    return number;
}

#define ORIGIN_HINT "assumed: \"why\", say; or the number alone, without value."
#define CLOCK_HINT  "clock_mhz: SM clock under load, in MHz."

static void says_what_is_wrong_where(void **state) {
    (void)state;
    static const struct {
        const char *line, *replacement, *message, *hint;
        unsigned column;
    } cases[] = {
        {"\nclock_mhz:", "\nclok_mhz: 5", "the device profile: unknown key clok_mhz",
         "did you mean clock_mhz?", 1},
        {"\nclock_mhz:", "\nclock_mhz: fast",
         "clock_mhz: expected a number from 100 to 10000, found \"fast\"", CLOCK_HINT, 12},
        {"\nclock_mhz:", "\nclock_mhz: 99",
         "clock_mhz: expected a number from 100 to 10000, found \"99\"", CLOCK_HINT, 12},
        {"\nclock_mhz:", "\nclock_mhz: .inf",
         "clock_mhz: expected a number from 100 to 10000, found \".inf\"", CLOCK_HINT, 12},
        {"\nclock_mhz:", "\nclock_mhz: [1]",
         "clock_mhz: expected a number from 100 to 10000, found a list", CLOCK_HINT, 12},
        {"\nshared_bytes_per_sm:", "\nshared_bytes_per_sm: 16777216",
         "shared_bytes_per_sm: more than the 262144 bytes of l1_bytes, of which shared memory is "
         "a part",
         "", 22},
        {"\nshared_bytes_per_sm:", "\nshared_bytes_per_sm: {value: 16777216, assumed: all}",
         "shared_bytes_per_sm: more than the 262144 bytes of l1_bytes, of which shared memory is "
         "a part",
         "", 30},
        {"\nclock_mhz:", "\nclock_mhz: {value: 99, measured: here}",
         "clock_mhz: expected a number from 100 to 10000, found \"99\"", CLOCK_HINT, 20},
        {"\nclock_mhz:", "\nclock_mhz: {value: 1500}",
         "clock_mhz: expected measured, documented or assumed beside value", ORIGIN_HINT, 12},
        {"\nclock_mhz:", "\nclock_mhz: {measured: here}", "clock_mhz: the key value is missing", "",
         12},
        {"\nclock_mhz:", "\nclock_mhz: {value: 1500, measurd: here}",
         "clock_mhz: unknown key measurd", "did you mean measured?", 26},
        {"\nclock_mhz:", "\nclock_mhz: {value: 1500, measured: here, assumed: there}",
         "clock_mhz: either measured, documented or assumed, found both measured and assumed", "",
         51},
        {"\nclock_mhz:", "\nclock_mhz: {value: 1500, measured: }",
         "measured: expected text, found nothing", "", 36},
        {"\nclock_mhz:", "\nclock_mhz: {value: 1500, measured: \"\"}",
         "measured: expected a text on one line that says where the number comes from", "", 36},
        {"\nclock_mhz:", "\nclock_mhz: {value: 1500, measured: \"on\\nlines\"}",
         "measured: expected a text on one line that says where the number comes from", "", 36},
        {"\nchecked:", "\nchecked: [yes]", "checked: expected text, found a list", "", 10},
        {"\nchecked:", "\nchecked: \"\"",
         "checked: expected a text on one line that says how "
         "modelled times were compared with a card's",
         "", 10},
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
    assert_string_equal(error.hint, "launch_us: an empty kernel, between two events, in us.");
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

/* Each number of a profile that the program carries says where it comes from
 * (sandbox/devices/README.md), and what is assumed as another card's is that card's. */
static bool is_publication(const char *note) {
    static const char *const publications[] = {
        "data sheet",        "programming guide", "cuda_occupancy.h",  "Turing white paper",
        "Volta white paper", "A100 white paper",  "GA102 white paper", "Ada white paper",
        "H100 white paper",  "Jia 2018",          "Jia 2019",          "Abdelkhalik 2022",
        "Luo 2024"};
    for (size_t i = 0; i < ARRAY_LENGTH(publications); i++)
        if (strncmp(note, publications[i], strlen(publications[i])) == 0)
            return true;
    return false;
}

/* "as the RTX 3090's" -> "rtx3090" */
static bool other_card(const char *note, char id[32]) {
    static const char words[] = "as the ";
    size_t length = 0;
    if (strncmp(note, words, strlen(words)) != 0)
        return false;
    for (const char *at = note + strlen(words); *at && *at != '\'' && length < 31; at++)
        if (*at != ' ')
            id[length++] = (char)tolower((unsigned char)*at);
    id[length] = '\0';
    return true;
}

static void check_origin(const struct device_profile *own, size_t index, const char *note) {
    const char *key = device_numbers[index].name;
    enum device_origin origin = own->origins[index];
    struct device_profile other;
    char card[32];
    if (origin == DEVICE_UNSAID || !note)
        fail_msg("%s: nothing says where %s comes from", own->id, key);
    if (origin == DEVICE_DOCUMENTED && (!is_publication(note) || strstr(note, "assumed")))
        fail_msg("%s: %s is documented in none of our publications: %s", own->id, key, note);
    if (origin != DEVICE_ASSUMED || !other_card(note, card))
        return;
    if (device_load(card, &other, NULL) != STATUS_OK)
        fail_msg("%s: %s is assumed as that of %s, which is no card", own->id, key, card);
    if (device_value(own, index) != device_value(&other, index))
        fail_msg("%s: %s is %g, assumed as %g of %s: sandbox/devices/carry.sh copies it", own->id,
                 key, device_value(own, index), device_value(&other, index), card);
}

static void every_number_has_an_origin(void **state) {
    (void)state;
    for (size_t i = 0; device_id(i); i++) {
        struct device_profile profile;
        struct device_notes notes;
        assert_int_equal(device_load_notes(device_id(i), &profile, &notes, NULL), STATUS_OK);
        for (size_t j = 0; j < DEVICE_NUMBER_COUNT; j++)
            check_origin(&profile, j, notes.numbers[j]);
        assert_int_equal(profile.checked, notes.checked != NULL);
        device_notes_free(&notes);
    }
}

static void keeps_the_origin_of_a_number(void **state) {
    (void)state;
    struct device_profile profile;
    struct device_notes notes;
    struct text text = {0};
    const char *at = strstr(h200, "\nclock_mhz:"), *rest = strchr(at + 1, '\n');
    text_append_bytes(&text, h200, (size_t)(at - h200));
    text_printf(&text, "\nclock_mhz:\n  value: 1500\n  documented: 'a, b: c'%s", rest);
    assert_int_equal(
        device_parse("my.yaml", "my", text_string(&text), text.length, &profile, &notes, NULL),
        STATUS_OK);
    assert_true(profile.clock_mhz == 1500);
    assert_int_equal(profile.origins[DEVICE_NUMBER_clock_mhz], DEVICE_DOCUMENTED);
    assert_string_equal(notes.numbers[DEVICE_NUMBER_clock_mhz], "a, b: c");
    assert_int_equal(profile.origins[DEVICE_NUMBER_alu_cycles], DEVICE_MEASURED);
    device_notes_free(&notes);
    text_clear(&text);
    text_append_bytes(&text, h200, (size_t)(at - h200));
    text_printf(&text, "\nclock_mhz: 1500%s", rest);
    assert_int_equal(
        device_parse("my.yaml", "my", text_string(&text), text.length, &profile, &notes, NULL),
        STATUS_OK);
    assert_int_equal(profile.origins[DEVICE_NUMBER_clock_mhz], DEVICE_UNSAID);
    assert_null(notes.numbers[DEVICE_NUMBER_clock_mhz]);
    device_notes_free(&notes);
    text_free(&text);
}

#define DEVICE_FIELD(name, role, unit, low, high, summary) +(DEVICE_##role == DEVICE_RATE)
enum {
    RATES = 0
#include "sandbox/base/device.def"
};
#undef DEVICE_FIELD

/* Of a profile of which these numbers of rates are of each origin, and all sizes are assumed. */
static struct device_provenance rates_of(const unsigned counts[DEVICE_ORIGIN_COUNT], bool checked) {
    struct device_profile device = {.checked = checked};
    size_t index = 0;
    for (enum device_origin origin = 0; origin < DEVICE_ORIGIN_COUNT; origin++)
        for (unsigned i = 0; i < counts[origin]; index++)
            if (device_numbers[index].role == DEVICE_RATE) {
                device.origins[index] = (unsigned char)origin;
                i++;
            }
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT; i++)
        if (device_numbers[i].role == DEVICE_SIZE)
            device.origins[i] = DEVICE_ASSUMED;
    return device_rate_provenance(&device);
}

static void calls_times_a_guess_that_rest_on_assumptions(void **state) {
    (void)state;
    static const struct {
        unsigned counts[DEVICE_ORIGIN_COUNT];
        bool checked, guess;
    } cases[] = {
        {{0}, false, false}, /* all of it plain: nothing is known */
        {{[DEVICE_ASSUMED] = RATES / 2}, false, false},
        {{[DEVICE_ASSUMED] = RATES / 2 + 1}, false, true},
        {{[DEVICE_ASSUMED] = RATES / 2 + 1}, true, false},
        {{[DEVICE_MEASURED] = 2, [DEVICE_DOCUMENTED] = 3, [DEVICE_ASSUMED] = RATES - 5},
         false,
         true},
        {{[DEVICE_MEASURED] = RATES - 5, [DEVICE_ASSUMED] = 5}, false, false},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct device_provenance rates = rates_of(cases[i].counts, cases[i].checked);
        for (size_t origin = DEVICE_MEASURED; origin < DEVICE_ORIGIN_COUNT; origin++)
            assert_int_equal(rates.counts[origin], cases[i].counts[origin]);
        assert_int_equal(device_is_guess(&rates), cases[i].guess);
    }
    for (size_t i = 0; device_id(i); i++) {
        struct device_profile profile;
        assert_int_equal(device_load(device_id(i), &profile, NULL), STATUS_OK);
        struct device_provenance rates = device_rate_provenance(&profile);
        assert_int_equal(device_is_guess(&rates), profile.compute_capability != 90);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_an_origin),
        cmocka_unit_test(keeps_the_origin_of_a_number),
        cmocka_unit_test(calls_times_a_guess_that_rest_on_assumptions),
        cmocka_unit_test(carries_the_eight_cards),
        cmocka_unit_test(suggests_a_name),
        cmocka_unit_test(says_what_is_wrong_where),
        cmocka_unit_test(wants_every_number),
        cmocka_unit_test(reads_a_file_of_ones_own),
    };
    return cmocka_run_group_tests(tests, read_h200, free_h200);
}
