/* Time zones against the C library's, and instants as COURSE.yaml writes them. */
#include "course_fixture.h"

#include "grader/course/course_private.h"
#include "grader/course/course_zone.h"

#include <time.h>

static struct course_zone *zone_named(const char *name) {
    struct course_zone *zone;
    struct error error;
    if (course_zone_load(name, &zone, &error) != STATUS_OK)
        fail_msg("%s: %s", name, error.message);
    return zone;
}

/* 1970 to 2100: the table of a zone's file, and the rule that follows it. */
static void offsets_are_those_of_the_c_library(void **state) {
    (void)state;
    static const char *const names[] = {
        "Europe/Zurich", "America/New_York",  "Asia/Kathmandu", "Australia/Lord_Howe",
        "Europe/Dublin", "Africa/Casablanca", "America/Havana", "Pacific/Apia",
        "America/Nuuk",  "Asia/Shanghai",     "Asia/Tehran",    "Etc/UTC",
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
        struct course_zone *zone = zone_named(names[i]);
        assert_int_equal(setenv("TZ", names[i], 1), 0);
        tzset();
        for (time_t instant = 0; instant < 4102444800; instant += 86400 * 3 + 1237) {
            struct tm date;
            char name[COURSE_ZONE_NAME];
            assert_non_null(localtime_r(&instant, &date));
            if (course_zone_offset(zone, instant, name) != date.tm_gmtoff ||
                strcmp(name, date.tm_zone) != 0)
                fail_msg("%s at %ld: %d %s, not %ld %s", names[i], (long)instant,
                         course_zone_offset(zone, instant, NULL), name, date.tm_gmtoff,
                         date.tm_zone);
        }
        course_zone_free(zone);
    }
    unsetenv("TZ");
    tzset();
}

/* To the second, in the table and where only the rule is left. */
static void offsets_change_at_their_instant(void **state) {
    (void)state;
    static const int64_t changes[] = {1792890000, 1774746000, 4096573200};
    struct course_zone *zone = zone_named("Europe/Zurich");
    for (unsigned i = 0; i < ARRAY_LENGTH(changes); i++) {
        bool to_summer = i == 1;
        assert_int_equal(course_zone_offset(zone, changes[i] - 1, NULL), to_summer ? 3600 : 7200);
        assert_int_equal(course_zone_offset(zone, changes[i], NULL), to_summer ? 7200 : 3600);
    }
    course_zone_free(zone);
}

static void rules_have_every_form(void **state) {
    (void)state;
    struct course_zone_rule rule;
    const struct {
        const char *text;
        int64_t instant;
        int32_t offset;
    } rows[] = {
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1792889999, 7200}, /* 2026-10-25 00:59:59 UTC */
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1792890000, 3600},
        {"EST5EDT,M3.2.0,M11.1.0", 1772953199, -18000}, /* 2026-03-08 06:59:59 UTC */
        {"EST5EDT,M3.2.0,M11.1.0", 1772953200, -14400},
        {"AAA0BBB,J60,J300", 1835490000, 3600}, /* 1 March 2028: 29 February is not counted */
        {"AAA0BBB,J60,J300", 1835402400, 0},    /* 29 February, 02:00 */
        {"AAA0BBB,59,300", 1835402400, 3600},   /* day 59 from 0 is 29 February */
        {"NZST-12NZDT,M9.5.0,M4.1.0/3", 1798761600, 46800}, /* southern summer, over the new year */
        {"<+0330>-3:30", 0, 12600},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        assert_true(course_zone_rule_parse(rows[i].text, &rule));
        assert_int_equal(rule.offset[course_zone_rule_at(&rule, rows[i].instant)], rows[i].offset);
    }
    static const char *const wrong[] = {"",
                                        "CET",
                                        "CET-1CEST",
                                        "<+03-3",
                                        "CET-1CEST,M13.1.0,M10.5.0",
                                        "CET-1CEST,",
                                        "CET-1x,M3.5.0,M10.5.0/3x",
                                        "CET-200",
                                        "CET-1CEST,M3.6.0,M10.5.0"};
    for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++)
        if (course_zone_rule_parse(wrong[i], &rule))
            fail_msg("%s is taken for a rule", wrong[i]);
}

static void unknown_zones_are_named(void **state) {
    (void)state;
    static const char *const names[] = {"Europe/Zurch",     "CEST-2", "/etc/passwd",
                                        "../../etc/passwd", "Europe", "",
                                        "Europe/Zurich\n"};
    for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
        struct course_zone *zone;
        struct error error = {0};
        assert_int_equal(course_zone_load(names[i], &zone, &error), STATUS_INVALID);
        assert_null(zone);
        assert_non_null(strstr(error.message, "time zone"));
        if (i == 0)
            assert_non_null(strstr(error.hint, "did you mean Europe/Zurich?"));
    }
    /* A machine without tzdata says so. */
    struct course_zone *zone;
    struct error error = {0};
    setenv("TZDIR", "/nowhere", 1);
    assert_int_equal(course_zone_load("Europe/Zurich", &zone, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.hint, "tzdata"));
    assert_int_equal(course_zone_load("UTC", &zone, &error), STATUS_OK);
    assert_int_equal(course_zone_offset(zone, 0, NULL), 0);
    course_zone_free(zone);
    unsetenv("TZDIR");
}

/* Every change of bytes gives a zone or an error, and never reads beyond the file. */
static void damaged_files_are_refused(void **state) {
    (void)state;
    char *data;
    size_t length;
    uint64_t random = 88172645463325252u;
    assert_int_equal(file_read("/usr/share/zoneinfo/Europe/Zurich", 1 << 16, &data, &length, NULL),
                     STATUS_OK);
    for (int i = 0; i < 3000; i++) {
        size_t cut = i % 3 ? length : random % length;
        char *copy = mem_dup(data, length);
        for (int k = 0; k < 1 + i % 4; k++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            copy[random % length] = (char)(random >> 32);
        }
        char *exact = mem_dup(copy, cut);
        struct course_zone *zone;
        if (course_zone_parse("x", exact, cut, &zone, NULL) == STATUS_OK) {
            int64_t instants[2];
            assert_true(course_zone_instants(zone, 1790978340, instants) <= 2);
            course_zone_free(zone);
        }
        free(exact);
        free(copy);
    }
    free(data);
}

static void reads_instants(void **state) {
    (void)state;
    struct course_zone *zone = zone_named("Europe/Zurich");
    const struct {
        const char *text;
        int64_t instant;
    } rows[] = {
        {"2026-10-02T23:59:00+02:00", 1790978340},
        {"2026-10-02 23:59", 1790978340},
        {"2026-10-02T21:59:00Z", 1790978340},
        {"2026-10-02t21:59z", 1790978340},
        {"2026-10-02T23:59+0200", 1790978340},
        {"2026-10-02T16:59-05", 1790978340},
        {"2026-10-03T03:29:00+05:30", 1790978340},
        {"2026-10-02", 1790978399},             /* 23:59:59 */
        {"2026-10-02Z", 1790985599},            /* 23:59:59 UTC */
        {"2026-12-02T12:00", 1796209200},       /* winter */
        {"2028-02-29T12:00:00Z", 1835438400},   /* a leap day */
        {"2026-10-25T02:30+02:00", 1792888200}, /* the first of two, by its offset */
        {"2026-10-25T02:30+01:00", 1792891800},
        {"2026-10-25", 1792969199}, /* the day has 25 hours */
        {"2026-03-29", 1774821599}, /* and this one 23 */
        {"1970-01-01T00:00:00Z", 0},
        {"9999-12-31T23:59:59Z", 253402300799},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        int64_t instant = -1;
        size_t offset;
        struct error error = {0};
        if (course_instant_parse(rows[i].text, zone, &instant, &offset, &error) != STATUS_OK ||
            instant != rows[i].instant)
            fail_msg("%s gave %lld and \"%s\"", rows[i].text, (long long)instant, error.message);
    }
    course_zone_free(zone);
    /* Where clocks are put back at midnight, a date alone ends with the second 23:59:59. */
    zone = zone_named("America/Sao_Paulo");
    int64_t instant;
    size_t offset;
    assert_int_equal(course_instant_parse("2018-02-17", zone, &instant, &offset, NULL), STATUS_OK);
    assert_true(instant == 1518922799); /* 2018-02-18 02:59:59 UTC */
    course_zone_free(zone);
}

static void reads_durations(void **state) {
    (void)state;
    const struct {
        const char *text;
        int64_t seconds;
    } rows[] = {{"90s", 90},       {"15m", 900}, {"2h", 7200}, {"1d", 86400},       {"1w", 604800},
                {"1d12h", 129600}, {"0", 0},     {"0m", 0},    {"3660d", 316224000}};
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        int64_t seconds = -1;
        assert_true(course_duration_parse(rows[i].text, &seconds));
        assert_true(seconds == rows[i].seconds);
    }
    static const char *const wrong[] = {"",    "15",   "m",     "-1d",         "1y",
                                        "1 d", "1.5h", "3661d", "9999999999s", "1d2"};
    for (unsigned i = 0; i < ARRAY_LENGTH(wrong); i++)
        if (course_duration_parse(wrong[i], &(int64_t){0}))
            fail_msg("%s is taken for a duration", wrong[i]);
}

/* The day of 25 hours: late days have 24, an extension by days keeps the time of day. */
static void days_over_a_change_of_clocks(void **state) {
    (void)state;
    struct course *course = load("course: c\nexercises: [dot]\ntimezone: Europe/Zurich\n"
                                 "deadlines: {dot: 2026-10-24}\n"
                                 "late: {percent_a_day: 10, max_days: 3}\n"
                                 "students: [{id: a, repository: r}, {id: b, repository: q}]\n"
                                 "extensions: [{student: b, by: 2d}]\n");
    assert_true(course_deadline(course, 0, 0) == 1792879199);
    assert_true(course_days_late(course, 0, 0, 1792879199 + 86400) == 1);
    assert_true(course_days_late(course, 0, 0, 1792879199 + 86401) == 2);
    assert_true(course_last_instant(course, 0, 0) == 1792879199 + 3 * 86400);
    assert_true(course_deadline(course, 1, 0) == 1792879199 + 2 * 86400 + 3600);
    cleanup_text struct text out = {0};
    course_append_instant(course, course_deadline(course, 1, 0), &out);
    assert_string_equal(text_string(&out), "2026-10-26 23:59:59 CET");
    course_free(course);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_are_those_of_the_c_library),
        cmocka_unit_test(offsets_change_at_their_instant),
        cmocka_unit_test(rules_have_every_form),
        cmocka_unit_test(unknown_zones_are_named),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(reads_instants),
        cmocka_unit_test(reads_durations),
        TEST(days_over_a_change_of_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
