/* The text report without -v: a screen, one finding, and no word about speed while a case is wrong.
 */
#include "reports/advice.h"
#include "reports/report.h"
#include "reports/text/text_case.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 20, WIDTH = 80, SCREEN = 24 };

/* A report whose strings are literals; nothing frees it. */
struct fixture {
    struct report report;
    struct report_case cases[CASES];
    struct report_group groups[3];
    struct report_size sizes[CASES];
    char names[CASES][32];
};

static char exercise[] = "dot", name_n[] = "n", boundary[] = "boundary", generated[] = "generated",
            speed[] = "speed";
static char file[] = "dot.cu", source[] = "a\nb\nc\n", summary[] = "it is wrong";
static char message[] = "3 of 90 elements of P are wrong; the first is P[17]", output[] = "P";
static char index_text[] = "[17]", hint[] = "Which element has no thread?";
static char not_reached[] = "speed counts only where every correctness case passes";

/* 12 boundary cases, of which the first `passing` pass, 7 generated ones and speed. */
static void fill(struct fixture *f, size_t passing) {
    *f = (struct fixture){
        .groups = {{boundary, 0, 60, 12, passing}, {generated, 0, 20, 7, 0}, {speed, 0, 20, 1, 0}}};
    f->report = (struct report){.exercise = exercise,
                                .file = file,
                                .source = source,
                                .source_length = 6,
                                .max_score = 100,
                                .pass_mark = 60,
                                .verdict = VERDICT_WRONG_ANSWER,
                                .message = summary,
                                .groups = f->groups,
                                .group_count = 3,
                                .cases = f->cases,
                                .case_count = CASES};
    for (size_t i = 0; i < CASES; i++) {
        bool last = i + 1 == CASES, passes = i < passing;
        snprintf(f->names[i], sizeof f->names[i], i < 12 ? "case-%zu" : "generated-%zu", i);
        f->sizes[i] = (struct report_size){name_n, (int64_t)i + 30};
        f->cases[i] = (struct report_case){.name = last ? speed : f->names[i],
                                           .group = last     ? speed
                                                    : i < 12 ? boundary
                                                             : generated,
                                           .sizes = &f->sizes[i],
                                           .size_count = 1,
                                           .verdict = last     ? VERDICT_SKIPPED
                                                      : passes ? VERDICT_PASS
                                                               : VERDICT_WRONG_ANSWER,
                                           .message = last     ? not_reached
                                                      : passes ? NULL
                                                               : message,
                                           .hint = last || passes ? NULL : hint};
        if (!last && !passes)
            f->cases[i].difference = (struct report_difference){.present = true,
                                                                .output = output,
                                                                .index = index_text,
                                                                .expected = 1,
                                                                .actual = 2,
                                                                .allowed = 1e-6,
                                                                .differing = 3,
                                                                .total = 90};
    }
}

static void write_options(const struct report *report, const struct report_options *options,
                          struct text *out) {
    struct error error = {0};
    text_clear(out);
    assert_int_equal(report_format_find("text")->write(&report, 1, options, out, &error),
                     STATUS_OK);
}

static void write_screen(const struct report *report, unsigned rows, struct text *out) {
    write_options(report, &(struct report_options){.rows = rows, .width = WIDTH}, out);
}

static void write_report(const struct report *report, bool verbose, struct text *out) {
    write_options(
        report, &(struct report_options){.verbose = verbose, .rows = SCREEN, .width = WIDTH}, out);
}

/* Where there is no screen. */
static void write_page(const struct report *report, struct text *out) {
    write_options(report, NULL, out);
}

static size_t count(const char *text, const char *word) {
    size_t found = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        found++;
    return found;
}

static void expect(const struct text *out, const char *string) {
    if (!strstr(text_string(out), string))
        fail_msg("no \"%s\" in\n%s", string, text_string(out));
}

static void one_case_in_full_and_the_others_counted(void **state) {
    (void)state;
    struct fixture f;
    cleanup_text struct text out = {0};
    fill(&f, 5);
    write_report(&f.report, false, &out);
    assert_true(count(text_string(&out), "\n") <= SCREEN);
    assert_int_equal(count(text_string(&out), "expected"), 1);
    assert_int_equal(count(text_string(&out), hint), 1);
    expect(&out, "case-5: wrong answer (n = 35)");
    expect(&out, "also wrong 6 of 12 boundary (n = 36, 37, 38, ...)\n");
    expect(&out, "more       -v shows everything\n");
    write_report(&f.report, true, &out);
    assert_int_equal(count(text_string(&out), "expected"), 14);
}

static void nothing_of_speed_while_a_case_is_wrong(void **state) {
    (void)state;
    struct fixture f;
    cleanup_text struct text out = {0};
    fill(&f, 0);
    f.cases[CASES - 1].speed.present = true;
    f.cases[CASES - 1].verdict = VERDICT_TOO_SLOW;
    write_report(&f.report, false, &out);
    assert_int_equal(count(text_string(&out), "too slow"), 0);
    f.cases[CASES - 1].speed.present = false;
    f.cases[CASES - 1].verdict = VERDICT_SKIPPED;
    write_report(&f.report, false, &out);
    assert_int_equal(count(text_string(&out), "speed"), 0);
    write_report(&f.report, true, &out);
    expect(&out, not_reached);
}

/* A known cause says more than the first case. */
static void the_case_with_a_cause_is_the_one(void **state) {
    (void)state;
    struct fixture f;
    char text[] = "the tail is missing", evidence[] = "it shows";
    cleanup_text struct text out = {0};
    fill(&f, 0);
    f.cases[3].cause = (struct report_cause){true, "missing-tail", false, text, evidence};
    write_report(&f.report, false, &out);
    expect(&out, "case-3: wrong answer");
    expect(&out, "probably   the tail is missing\n");
    assert_int_equal(count(text_string(&out), hint), 1);
}

static struct hazard race(unsigned line, enum hazard_severity severity, const char *variable) {
    struct hazard hazard = {.kind = HAZARD_SHARED_RACE,
                            .severity = severity,
                            .line = line,
                            .count = line,
                            .file = "dot.cu",
                            .message = "no barrier orders them",
                            .fix = FIX_BLOCK_BARRIER};
    snprintf(hazard.variable, sizeof hazard.variable, "%s", variable);
    return hazard;
}

static void one_finding_in_full_and_a_line_for_each_of_the_others(void **state) {
    (void)state;
    struct fixture f;
    struct hazard found[8];
    char name[2] = "a";
    cleanup_text struct text out = {0};
    fill(&f, 0);
    for (unsigned i = 0; i < ARRAY_LENGTH(found); i++, name[0]++)
        found[i] = race(i + 1, SEVERITY_ERROR, name);
    f.cases[0].verdict = VERDICT_HAZARD;
    f.cases[0].hazards = found;
    f.cases[0].hazard_count = ARRAY_LENGTH(found);
    f.cases[0].difference.present = false;
    write_page(&f.report, &out);
    assert_int_equal(count(text_string(&out), "shared-race at"), 6);
    assert_int_equal(count(text_string(&out), "fix  "), 1);
    expect(&out, "... and 2 more findings; -v shows them\n");
    expect(&out, "\u2717 case-1 (n = 31): wrong answer: P[17] is 2, expected 1\n");
    expect(&out, "warpgrade explain shared-race; -v shows everything\n");
    const char *first = strstr(text_string(&out), hint), *fix = strstr(text_string(&out), "fix  ");
    assert_true(first && first < fix);
    write_report(&f.report, false, &out); /* what the exercise says comes first, and stays */
    size_t small = count(text_string(&out), "\n");
    assert_in_range(small, 1, SCREEN);
    expect(&out, hint);
    expect(&out, "shared-race at dot.cu:1");
    expect(&out, "no barrier orders them");
    expect(&out, "explain shared-race");
    expect(&out, "warpgrade grade -e dot");
    assert_int_equal(count(text_string(&out), "fix  "), 0);
    write_screen(&f.report, 1, &out); /* a smaller one scrolls */
    expect(&out, "shared-race at dot.cu:1");
    assert_int_equal(count(text_string(&out), "\n"), small);
    write_screen(&f.report, 100, &out);
    assert_int_equal(count(text_string(&out), "shared-race at"), 6);
    assert_int_equal(count(text_string(&out), "fix  "), 1);
}

static void groups_that_passed_share_a_line(void **state) {
    (void)state;
    struct fixture f;
    cleanup_text struct text out = {0};
    fill(&f, 12);
    f.groups[0].score = 60;
    f.groups[2] = (struct report_group){speed, 20, 20, 1, 1};
    f.cases[CASES - 1].verdict = VERDICT_PASS;
    write_report(&f.report, false, &out);
    expect(&out, "  \u2713 boundary, speed: 80 of 80 points, all 13 cases passed\n");
    expect(&out, "  generated  ");
    assert_int_equal(count(text_string(&out), "\n  boundary "), 0);
    write_report(&f.report, true, &out);
    expect(&out, "\n  boundary ");
}

/* What follows says the rest in full. */
static void the_message_is_a_line(void **state) {
    (void)state;
    struct fixture f;
    char long_message[] = "5 of 20 cases pass; wrong answer: an element of the output that has a "
                          "name that is long";
    cleanup_text struct text out = {0};
    fill(&f, 5);
    f.report.message = long_message;
    write_report(&f.report, false, &out);
    expect(&out, "\n  5 of 20 cases pass; wrong answer\n");
    write_report(&f.report, true, &out);
    expect(&out, "that is long\n");
}

static void the_message_does_not_end_in_parentheses(void **state) {
    (void)state;
    struct fixture f;
    char long_message[] = "0 of 21 cases pass; skipped in 19 cases (not run: the kernel did not "
                          "end in two cases before this one)";
    cleanup_text struct text out = {0};
    fill(&f, 5);
    f.report.message = long_message;
    write_report(&f.report, false, &out);
    expect(&out, "\n  0 of 21 cases pass\n");
}

/* A wrong result comes before what is a warning alone. */
static void a_wrong_case_comes_before_a_warning(void **state) {
    (void)state;
    struct fixture f;
    struct hazard warning = race(2, SEVERITY_WARNING, "s");
    cleanup_text struct text out = {0};
    fill(&f, 0);
    f.cases[0].hazards = &warning;
    f.cases[0].hazard_count = 1;
    write_report(&f.report, false, &out);
    const char *wrong = strstr(text_string(&out), "case-0: wrong answer");
    const char *line = strstr(text_string(&out), "! shared-race at dot.cu:2");
    assert_true(wrong && line && wrong < line);
    assert_int_equal(count(text_string(&out), "fix  "), 0);
}

static void an_excerpt_keeps_sixty_columns_of_code(void **state) {
    (void)state;
    struct fixture f;
    struct hazard error = race(1, SEVERITY_ERROR, "s");
    char code[] = "123456789 123456789 123456789 123456789 123456789 1234567890\n";
    cleanup_text struct text out = {0};
    fill(&f, 0);
    f.report.source = code;
    f.report.source_length = strlen(code);
    f.cases[0].verdict = VERDICT_HAZARD;
    f.cases[0].hazards = &error;
    f.cases[0].hazard_count = 1;
    write_report(&f.report, false, &out);
    expect(&out, code);
}

/* With a hazard, a wrong case and speed there is no sentence of ours in another language. */
static void a_percent_more_or_less_is_as_fast(void **state) {
    (void)state;
    const struct {
        double ratio;
        const char *words;
    } rows[] = {{0.991, "as fast as the tuned kernel"},
                {1.01, "as fast as the tuned kernel"},
                {0.9, "0.9 times as long"},
                {1.02, "1.02 times as long"}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_text struct text out = {0};
        struct report_time time = {
            .present = true, .median_ms = 1, .ratio_to_reference = rows[i].ratio};
        text_case_append_time(&out, LANGUAGE_EN, &time);
        assert_non_null(strstr(text_string(&out), rows[i].words));
    }
}

static void a_chinese_report_is_chinese(void **state) {
    (void)state;
    static const char *const english[] = {" of ",    "points",  "passed", "cases",  "wrong",
                                          "expect",  "actual",  " line",  "also",   "fix",
                                          "hint",    "failing", "more",   "again",  "barrier",
                                          " thread", " block",  "time",   "modell", "seed"};
    struct fixture f;
    struct hazard error = race(1, SEVERITY_ERROR, "s");
    char zh[] = "zh", chinese[] = "第一个是 P[17]", why[] = "第 2 行",
         limiter[] = "DRAM-bound：占 90%";
    struct report_threshold threshold = {.name = why,
                                         .state = THRESHOLD_MISSED,
                                         .value = 2,
                                         .target = 1,
                                         .max_score = 5,
                                         .why = why};
    cleanup_text struct text out = {0};
    for (unsigned kind = 0; kind < 3; kind++) {
        fill(&f, kind == 2 ? CASES - 1 : 3);
        f.report.language = zh;
        f.report.message = chinese;
        for (size_t i = 0; i < CASES; i++) {
            f.cases[i].message = chinese;
            f.cases[i].hint = chinese;
            f.cases[i].name = chinese;
        }
        f.cases[5].hazards = &error;
        f.cases[5].hazard_count = kind == 0;
        f.cases[CASES - 1].speed = (struct report_speed){.present = kind == 2,
                                                         .thresholds = &threshold,
                                                         .threshold_count = 1,
                                                         .limiter = limiter};
        write_report(&f.report, false, &out);
        char *again = strstr(text_string(&out), "warpgrade grade"), *page;
        if (again)
            *again = '\0';
        while ((page = strstr(text_string(&out), "shared-race")) != NULL)
            memset(page, '-', strlen("shared-race"));
        for (size_t i = 0; i < ARRAY_LENGTH(english); i++)
            if (strstr(text_string(&out), english[i]))
                fail_msg("\"%s\" in\n%s", english[i], text_string(&out));
    }
}

/* The first reason has no hint of its own: the one of the next threshold that is missed is given.
 */
static void a_hint_of_another_threshold_is_better_than_none(void **state) {
    (void)state;
    static struct fixture f;
    char slow[] = "line 9 takes the most time", stores[] = "line 9 stores each time",
         own[] = "Where does your sum live?", met[] = "Of what is met.";
    struct report_threshold thresholds[] = {
        {.name = slow, .state = THRESHOLD_MISSED, .why = slow},
        {.name = slow, .state = THRESHOLD_MET, .hint = met},
        {.name = stores, .state = THRESHOLD_MISSED, .why = stores, .hint = own},
    };
    fill(&f, CASES - 1);
    f.cases[CASES - 1].speed = (struct report_speed){
        .present = true, .thresholds = thresholds, .threshold_count = ARRAY_LENGTH(thresholds)};
    f.cases[CASES - 1].verdict = VERDICT_TOO_SLOW;
    cleanup_text struct text out = {0};
    write_report(&f.report, false, &out);
    assert_non_null(strstr(text_string(&out), slow));
    assert_non_null(strstr(text_string(&out), own));
    assert_null(strstr(text_string(&out), met));
}

/* Of the reason that is shown only what helps in general is known: the exercise's own is better. */
static void an_exercise_s_hint_comes_before_what_helps_in_general(void **state) {
    (void)state;
    static struct fixture f;
    char slow[] = "line 9 takes the most time", stores[] = "line 9 stores each time",
         own[] = "Where does your sum live?";
    char *general = mem_strdup(advice_fix(WASTE_STORES, LANGUAGE_EN));
    struct report_threshold thresholds[] = {
        {.name = slow, .state = THRESHOLD_PART, .why = slow, .hint = general},
        {.name = stores, .state = THRESHOLD_MISSED, .why = stores, .hint = own},
    };
    fill(&f, CASES - 1);
    f.cases[CASES - 1].speed = (struct report_speed){
        .present = true, .thresholds = thresholds, .threshold_count = ARRAY_LENGTH(thresholds)};
    f.cases[CASES - 1].verdict = VERDICT_TOO_SLOW;
    cleanup_text struct text out = {0};
    write_report(&f.report, false, &out);
    const char *found = strstr(text_string(&out), own), *after = strstr(text_string(&out), "→ fix");
    assert_non_null(found);
    assert_true(!after || after > found);
    free(general);
}

/* In time, but with too many sectors: "too slow" would be wrong. */
static void a_counter_that_misses_its_target_is_not_slow(void **state) {
    (void)state;
    static struct fixture f;
    char time[] = "time", sectors[] = "sectors per request", many[] = "line 9 reads 8 sectors";
    struct report_threshold thresholds[] = {
        {.name = time, .state = THRESHOLD_MET, .modelled = true},
        {.name = sectors, .state = THRESHOLD_MISSED, .value = 8, .target = 4.5, .why = many},
        {.name = sectors, .state = THRESHOLD_MISSED, .value = 1234567, .target = 98765},
    };
    fill(&f, CASES - 1);
    struct report_case *item = &f.cases[CASES - 1];
    item->speed = (struct report_speed){
        .present = true, .thresholds = thresholds, .threshold_count = ARRAY_LENGTH(thresholds)};
    item->verdict = f.report.verdict = VERDICT_TOO_SLOW;
    cleanup_text struct text out = {0};
    write_report(&f.report, false, &out);
    expect(&out, "! speed: a target is missed\n");
    expect(&out, "1,234,567");
    expect(&out, "at most 98,765");
    assert_null(strstr(text_string(&out), "too slow"));
    assert_string_equal(report_verdict(LANGUAGE_EN, &f.report), "a target is missed");
    thresholds[0].state = THRESHOLD_MISSED;
    write_report(&f.report, false, &out);
    expect(&out, "! speed: too slow\n");
}

/* Each stage that took time has a line, and what no stage took is the rest. */
static void stages_add_up_to_the_whole(void **state) {
    (void)state;
    static struct fixture f;
    fill(&f, 3);
    f.report.wall_ms = 100;
    f.report.stage_ms[REPORT_STAGE_CASES] = 30;
    f.report.stage_ms[REPORT_STAGE_SPEED] = 62.5;
    const struct report *one = &f.report;
    struct report_options options = {.timing = true, .width = WIDTH};
    cleanup_text struct text out = {0};
    assert_int_equal(report_format_find("text")->write(&one, 1, &options, &out, NULL), STATUS_OK);
    const char *timing = strstr(text_string(&out), "  timing ");
    assert_non_null(timing);
    assert_string_equal(timing, "  timing        100.0 ms  in all\n"
                                "                 30.0 ms  running the cases\n"
                                "                 62.5 ms  the speed case, and what a card runs\n"
                                "                  7.5 ms  the rest: expected results, points\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_case_in_full_and_the_others_counted),
        cmocka_unit_test(nothing_of_speed_while_a_case_is_wrong),
        cmocka_unit_test(the_case_with_a_cause_is_the_one),
        cmocka_unit_test(one_finding_in_full_and_a_line_for_each_of_the_others),
        cmocka_unit_test(groups_that_passed_share_a_line),
        cmocka_unit_test(the_message_is_a_line),
        cmocka_unit_test(the_message_does_not_end_in_parentheses),
        cmocka_unit_test(a_wrong_case_comes_before_a_warning),
        cmocka_unit_test(an_excerpt_keeps_sixty_columns_of_code),
        cmocka_unit_test(a_percent_more_or_less_is_as_fast),
        cmocka_unit_test(a_chinese_report_is_chinese),
        cmocka_unit_test(a_hint_of_another_threshold_is_better_than_none),
        cmocka_unit_test(an_exercise_s_hint_comes_before_what_helps_in_general),
        cmocka_unit_test(a_counter_that_misses_its_target_is_not_slow),
        cmocka_unit_test(stages_add_up_to_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
