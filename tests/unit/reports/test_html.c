/* The HTML report's words: each in both languages with the same blanks, text of others only as
 * text, and what is said of a wrong output is what the picture shows. */
#include "reports/html/html.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *id, *english, *chinese;
} strings[] = {
#define STRING(ID, english, chinese) {#ID, english, chinese},
#include "reports/html/strings.def"
#undef STRING
};

/* A bit for each {0} ... {9}. */
static unsigned blanks_of(const char *text) {
    unsigned blanks = 0;
    for (const char *at = text; (at = strchr(at, '{')); at++)
        if (at[1] >= '0' && at[1] <= '9' && at[2] == '}')
            blanks |= 1u << (at[1] - '0');
    return blanks;
}

static void both_languages_have_the_same_blanks(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(strings); i++)
        if (blanks_of(strings[i].english) != blanks_of(strings[i].chinese) ||
            !strings[i].english[0] || !strings[i].chinese[0])
            fail_msg("%s: \"%s\" and \"%s\"", strings[i].id, strings[i].english,
                     strings[i].chinese);
}

static void blanks_are_filled_in_the_language_s_order(void **state) {
    (void)state;
    cleanup_text struct text english = {0}, chinese = {0};
    const struct html en = {.language = 0}, zh = {.language = 1};
    html_fill(&en, &english, SAY_CASES_PASSED, "3", "7", NULL);
    html_fill(&zh, &chinese, SAY_CASES_PASSED, "3", "7", NULL);
    assert_string_equal(text_string(&english), "3 of 7 pass");
    assert_string_equal(text_string(&chinese), "7 个中通过 3 个");
}

static void text_of_others_stays_text(void **state) {
    (void)state;
    cleanup_text struct text out = {0};
    struct html h = {.out = &out};
    html_say(&h, SAY_THREAD, "<b>{1}", NULL);
    html_foreign(&h, " \"&'");
    html_prose(&h, " `a<b` ` c");
    assert_string_equal(text_string(&out), "thread &lt;b&gt;{1} &quot;&amp;&#39;"
                                           " <code>a&lt;b</code> ` c");
}

static struct hazard read_past(unsigned line) {
    return (struct hazard){.kind = HAZARD_OUT_OF_BOUNDS,
                           .line = line,
                           .count = 1,
                           .file = "a.cu",
                           .message = "read past `M<1>`",
                           .variable = "M[1]"};
}

static void expect_page(const char *language, struct report_case *item, const char *lead,
                        const char *lines) {
    cleanup_text struct text out = {0};
    char file[] = "a.cu", group[] = "boundary";
    struct report_group groups[] = {{.name = group, .max_score = 30, .case_count = 1}};
    struct report report = {.file = file,
                            .language = (char *)(uintptr_t)language,
                            .groups = groups,
                            .group_count = 1,
                            .cases = item,
                            .case_count = 1};
    const struct report *const reports[] = {&report};
    assert_int_equal(report_format_find("html")->write(reports, 1, NULL, &out, NULL), STATUS_OK);
    assert_non_null(strstr(text_string(&out), lead));
    assert_non_null(strstr(text_string(&out), lines));
}

static void what_a_finding_says_is_prose(void **state) {
    (void)state;
    struct hazard hazards[] = {read_past(15), read_past(16), read_past(17)};
    char name[] = "small";
    struct report_case item = {
        .name = name, .verdict = VERDICT_HAZARD, .hazards = hazards, .hazard_count = 2};
    expect_page("en", &item, "read past <code>M&lt;1&gt;</code></p>", "line 15, also line 16");
    item.hazard_count = 3;
    expect_page("en", &item, "read past <code>", "line 15, also lines 16, 17");
    expect_page("zh", &item, "out-of-bounds，第 15 行", "第 15 行，还有第 16、17 行");
}

/* An address of the host is past no array's end. */
static void a_pointer_of_the_host_is_named_in_the_headline(void **state) {
    (void)state;
    struct hazard hazard = read_past(9);
    char name[] = "small";
    struct report_case item = {
        .name = name, .verdict = VERDICT_HAZARD, .hazards = &hazard, .hazard_count = 1};
    expect_page("en", &item, "<h1>A thread goes past the end", "past the end of an array</span>");
    hazard.fix = FIX_HOST_POINTER;
    expect_page("en", &item, "<h1>The kernel is given a pointer of the host</h1>",
                "class=\"what\">The kernel is given a pointer of the host</span>");
}

/* All folders of a single submission stand in the last line, which repeats the command. */
static void a_single_submission_goes_by_its_folder_and_name(void **state) {
    (void)state;
    char file[] = "/home/ada/course/dot.cu", exercise[] = "dot", group[] = "boundary", name[] = "a";
    struct report_group groups[] = {{.name = group, .max_score = 30, .case_count = 1}};
    struct report_case item = {.name = name, .verdict = VERDICT_PASS};
    struct report report = {.file = file,
                            .exercise = exercise,
                            .groups = groups,
                            .group_count = 1,
                            .cases = &item,
                            .case_count = 1};
    const struct report *const reports[] = {&report, &report};
    cleanup_text struct text one = {0}, two = {0};
    assert_int_equal(report_format_find("html")->write(reports, 1, NULL, &one, NULL), STATUS_OK);
    assert_non_null(strstr(text_string(&one), "</b> <code>course/dot.cu</code>"));
    assert_non_null(strstr(text_string(&one), "-e dot --seed 0 /home/ada/course/dot.cu</code>"));
    assert_int_equal(report_format_find("html")->write(reports, 2, NULL, &two, NULL), STATUS_OK);
    assert_non_null(strstr(text_string(&two), "</b> <code>/home/ada/course/dot.cu</code>"));
}

/* An output of this many elements in rows, drawn with '.' and 'w'. */
static void expect(const char *cells, unsigned height, unsigned width, bool wrapped,
                   const char *said) {
    struct report_difference d = {.present = true,
                                  .rows = height,
                                  .columns = width,
                                  .wrapped = wrapped,
                                  .window = {.rows = height,
                                             .columns = width,
                                             .height = height,
                                             .width = width,
                                             .cells = mem_strdup(cells)}};
    for (const char *c = cells; *c; c++) {
        d.differing += *c == 'w';
        d.total += *c != ' ';
    }
    cleanup_text struct text out = {0};
    const struct html h = {.language = 0};
    html_describe_wrong(&h, &d, &out);
    assert_string_equal(text_string(&out), said);
    report_difference_free(&d);
}

static void what_is_said_is_what_is_seen(void **state) {
    (void)state;
    expect("..w"
           "..w",
           2, 3, false, "The last column is wrong");
    expect(".ww"
           ".ww",
           2, 3, false, "The last 2 columns are wrong");
    expect("..."
           "www",
           2, 3, false, "The last row is wrong");
    expect("w.."
           "w..",
           2, 3, false, "The first column is wrong");
    expect("..w"
           "...",
           2, 3, false, "");
    expect("w.w"
           "w.w",
           2, 3, false, "");
    expect("...."
           ".ww ",
           2, 4, true, "The last 2 elements are wrong");
    expect("...w"
           "...w",
           2, 4, true, "");
}

/* Each second column of four is wrong in the map of a larger output, where a cell stands for two.
 */
static void a_column_of_a_map_is_not_taken_for_whole(void **state) {
    (void)state;
    struct report_difference d = {
        .present = true,
        .rows = 4,
        .columns = 4,
        .differing = 3,
        .total = 16,
        .window = {.rows = 2, .columns = 2, .height = 2, .width = 2, .cells = mem_strdup("....")},
        .map = {.rows = 4, .columns = 4, .height = 2, .width = 2, .cells = mem_strdup(".w.w")}};
    cleanup_text struct text out = {0};
    const struct html h = {.language = 0};
    html_describe_wrong(&h, &d, &out);
    assert_string_equal(text_string(&out), "");
    d.differing = 4;
    html_describe_wrong(&h, &d, &out);
    assert_string_equal(text_string(&out), "The last column is wrong");
    report_difference_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_languages_have_the_same_blanks),
        cmocka_unit_test(blanks_are_filled_in_the_language_s_order),
        cmocka_unit_test(text_of_others_stays_text),
        cmocka_unit_test(what_a_finding_says_is_prose),
        cmocka_unit_test(a_pointer_of_the_host_is_named_in_the_headline),
        cmocka_unit_test(a_single_submission_goes_by_its_folder_and_name),
        cmocka_unit_test(what_is_said_is_what_is_seen),
        cmocka_unit_test(a_column_of_a_map_is_not_taken_for_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
