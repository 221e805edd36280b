/* The class report of three classes against golden files, and what must hold for any class:
 * whatever a name is, a page holds no markup of it and a mail no header. */
#include "tests/golden/class_fixtures.h"
#include "tests/golden/golden_file.h"
#include "tests/golden/hostile_string.h"
#include "tests/golden/markup.h"
#include "tests/support/clean.h"

#include "reports/utf8.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

enum { MOST_PAGE_BYTES = 2000 * 1000, MOST_COLUMNS = 78, VALUE_COLUMN = 12 };

static void check_page(struct text *page) {
    char problem[CLEAN_PROBLEM_BYTES], markup[MARKUP_PROBLEM_BYTES];
    if (!clean_output(text_string(page), page->length, problem))
        fail_msg("%s", problem);
    if (!markup_is_ours_with_files(text_string(page), page->length, markup))
        fail_msg("%s", markup);
}

static void check_html(const struct class_report *report, const struct class_options *options,
                       const char *name) {
    cleanup_text struct text page = {0};
    class_report_html(report, options, &page);
    check_page(&page);
    golden_cut_style(&page);
    golden_compare("class", name, "html", &page);
}

static void check_json(const struct class_report *report, const char *name) {
    cleanup_text struct text json = {0};
    class_report_json(report, &json);
    golden_compare("class", name, "json", &json);
}

static void check_letter(const struct class_report *report, size_t student, const char *name) {
    cleanup_text struct text text = {0}, mail = {0};
    class_report_student(report, student, &text);
    golden_compare("class", name, "txt", &text);
    if (class_report_mail(report, student, "gpu@example.org", &mail))
        golden_compare("class", name, "eml", &mail);
}

static void test_tiny(void **state) {
    (void)state;
    struct class_fixture *f = class_fixture_tiny();
    check_html(&f->report, NULL, "tiny");
    check_json(&f->report, "tiny");
    check_letter(&f->report, 0, "tiny-right");
    check_letter(&f->report, 1, "tiny-absent");
    class_fixture_free(f);
}

static void test_full(void **state) {
    (void)state;
    struct class_fixture *f = class_fixture_full(LANGUAGE_EN);
    check_html(&f->report, NULL, "full");
    check_json(&f->report, "full");
    check_letter(&f->report, 7, "full-markup");
    check_letter(&f->report, 11, "full-header");
    check_letter(&f->report, 21, "full-unjudged");
    check_letter(&f->report, 33, "full-override");
    class_fixture_free(f);
}

static void test_chinese(void **state) {
    (void)state;
    struct class_fixture *f = class_fixture_full(LANGUAGE_ZH);
    check_html(&f->report, NULL, "chinese");
    check_letter(&f->report, 15, "chinese-late");
    class_fixture_free(f);
}

static void test_large(void **state) {
    (void)state;
    const struct class_options options = {.anonymous = true};
    struct class_fixture *f = class_fixture_usual(400, 12, LANGUAGE_EN);
    cleanup_text struct text page = {0};
    class_report_html(&f->report, NULL, &page);
    assert_true(page.length < MOST_PAGE_BYTES);
    check_page(&page);
    class_fixture_free(f);
    f = class_fixture_usual(400, 3, LANGUAGE_EN);
    check_html(&f->report, &options, "large-anonymous");
    class_fixture_free(f);
}

static void test_empty(void **state) {
    (void)state;
    for (unsigned language = 0; language < LANGUAGE_COUNT; language++) {
        const struct class_report nothing = {.language = (enum language)language};
        cleanup_text struct text page = {0}, json = {0};
        class_report_html(&nothing, NULL, &page);
        check_page(&page);
        class_report_json(&nothing, &json);
        assert_true(json.length > 0);
    }
}

/* ---- what can never happen ------------------------------------------------------------------- */

static void test_anonymous(void **state) {
    (void)state;
    const struct class_options options = {.anonymous = true};
    struct class_fixture *f = class_fixture_full(LANGUAGE_EN);
    cleanup_text struct text page = {0};
    class_report_html(&f->report, &options, &page);
    for (size_t i = 0; i < f->report.student_count; i++) {
        cleanup_free char *folder = mem_printf("%s/", f->students[i].id);
        assert_null(strstr(page.data, folder));
        if (i < CLASS_FIXTURE_HOSTILE)
            assert_null(strstr(page.data, f->students[i].name));
    }
    assert_null(strstr(page.data, "src/"));
    class_fixture_free(f);
}

/* Lines of at most 78 columns, but for one word that cannot be broken, as a path. */
static void check_columns(const char *text) {
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), columns = utf8_columns(line, length);
        size_t value = 0; /* after the label */
        while (value < length && utf8_columns(line, value) < VALUE_COLUMN)
            value++;
        if (columns > MOST_COLUMNS && memchr(line + value, ' ', length - value))
            fail_msg("%zu columns: %.*s", columns, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void check_letter_is_clean(const struct text *text) {
    char problem[CLEAN_PROBLEM_BYTES];
    if (!clean_output(text->data, text->length, problem))
        fail_msg("%s", problem);
    check_columns(text->data);
}

static void check_json_reads(const struct text *json) {
    char problem[CLEAN_PROBLEM_BYTES];
    json_t *document = json_loadb(json->data, json->length, 0, NULL);
    assert_non_null(document);
    json_decref(document);
    if (!clean_output(json->data, json->length, problem))
        fail_msg("%s", problem);
}

static void test_letters(void **state) {
    (void)state;
    struct class_fixture *f = class_fixture_full(LANGUAGE_EN);
    for (size_t i = 0; i < f->report.student_count; i++) {
        cleanup_text struct text text = {0};
        class_report_student(&f->report, i, &text);
        check_letter_is_clean(&text);
        assert_null(strstr(text.data, "\nBcc"));
        assert_null(strstr(text.data, "/etc/passwd"));
        assert_null(strstr(text.data, "evil.example/x"));
    }
    class_fixture_free(f);
}

/* ASCII lines that end with CRLF, the headers that we write and no other. */
static void check_mail(const struct text *mail) {
    static const char *const headers[] = {"From: ",
                                          "To: ",
                                          "Subject: ",
                                          "Date: ",
                                          "MIME-Version: ",
                                          "Content-Type: ",
                                          "Content-Transfer-Encoding: ",
                                          "X-Unsent: ",
                                          " "};
    bool in_head = true;
    for (const char *line = mail->data; *line;) {
        size_t length = strcspn(line, "\r\n"), known = 0;
        assert_true(length <= MOST_COLUMNS);
        assert_memory_equal(line + length, "\r\n", 2);
        for (size_t i = 0; i < length; i++)
            assert_true(line[i] >= ' ' && line[i] <= '~');
        in_head &= length > 0;
        while (in_head && known < ARRAY_LENGTH(headers) &&
               strncmp(line, headers[known], strlen(headers[known])) != 0)
            known++;
        if (in_head && known == ARRAY_LENGTH(headers))
            fail_msg("a header that is not ours: %.*s", (int)length, line);
        line += length + 2;
    }
}

static void test_mails(void **state) {
    (void)state;
    for (unsigned language = 0; language < LANGUAGE_COUNT; language++) {
        struct class_fixture *f = class_fixture_full((enum language)language);
        for (size_t i = 0; i < f->report.student_count; i++) {
            cleanup_text struct text mail = {0};
            bool has_address = i != 11 && i != 12;
            assert_int_equal(class_report_mail(&f->report, i, "x@y.org\r\nBcc: z", &mail),
                             has_address);
            if (!has_address) {
                assert_int_equal(mail.length, 0);
                continue;
            }
            assert_memory_equal(mail.data, "To: ", 4); /* a sender that is none is left out */
            check_mail(&mail);
        }
        class_fixture_free(f);
    }
}

static void test_addresses(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",          "a",        "@b.org",        "a@",        "a b@c.org",   "a@b..",
        ".a@b.org",  "a.@b.org", "a..b@c.org",    "a@-b.org",  "\"a\"@b.org", "a@b.org, c@d.org",
        "a@b.org\n", "ä@b.org",  "a@[127.0.0.1]", "<a@b.org>", "a@b@c.org"};
    struct class_fixture *f = class_fixture_tiny();
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        cleanup_text struct text mail = {0};
        f->students[0].mail = wrong[i];
        if (class_report_mail(&f->report, 0, NULL, &mail))
            fail_msg("%s is an address", wrong[i]);
    }
    cleanup_text struct text mail = {0};
    f->students[0].mail = "o'neil+gpu_2026@mail.example.org";
    assert_true(class_report_mail(&f->report, 0, NULL, &mail));
    assert_non_null(strstr(mail.data, "<o'neil+gpu_2026@mail.example.org>"));
    class_fixture_free(f);
}

/* Every text of a class is anything. */
static void spoil(struct class_fixture *f, const char **string, uint32_t *random) {
    *(char **)mem_push(&f->strings, &f->string_count, &f->string_capacity) = hostile_string(random);
    *string = f->strings[f->string_count - 1];
}

static void spoil_class(struct class_fixture *f, uint32_t *random) {
    for (size_t i = 0; i < f->report.exercise_count; i++) {
        spoil(f, &f->exercises[i].id, random);
        spoil(f, &f->exercises[i].title, random);
    }
    for (size_t i = 0; i < f->report.student_count; i++) {
        struct class_student *student = &f->students[i];
        spoil(f, &student->name, random);
        spoil(f, i % 2 ? &student->id : &student->page, random);
    }
    for (size_t i = 0; i < f->report.student_count * f->report.exercise_count; i++) {
        struct class_cell *c = &f->cells[i];
        const char **strings[] = {&c->verdict,     &c->hazard,      &c->cause,       &c->message,
                                  &c->cause_text,  &c->next,        &c->file,        &c->excerpt,
                                  &c->limiter,     &c->commit,      &c->penalty_why, &c->report,
                                  &c->override_by, &c->override_why};
        spoil(f, strings[hostile_random(random) % ARRAY_LENGTH(strings)], random);
        spoil(f, strings[hostile_random(random) % ARRAY_LENGTH(strings)], random);
        c->state = (enum class_state)(hostile_random(random) % CLASS_STATE_COUNT);
    }
    spoil(f, &f->report.course, random);
    spoil(f, &f->report.engine, random);
    spoil(f, &f->report.tool, random);
    spoil(f, &f->report.late_policy, random);
    spoil(f, &f->report.reports_at, random);
}

static void test_random_texts(void **state) {
    (void)state;
    enum { ROUNDS = 40 };
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        uint32_t random = round * 7919;
        struct class_fixture *f = class_fixture_usual(6, 3, (enum language)(round % 2));
        spoil_class(f, &random);
        cleanup_text struct text page = {0}, json = {0};
        class_report_html(&f->report, NULL, &page);
        check_page(&page);
        class_report_json(&f->report, &json);
        check_json_reads(&json);
        for (size_t i = 0; i < f->report.student_count; i++) {
            cleanup_text struct text text = {0}, mail = {0};
            class_report_student(&f->report, i, &text);
            check_letter_is_clean(&text);
            assert_true(class_report_mail(&f->report, i, NULL, &mail));
            check_mail(&mail);
        }
        class_fixture_free(f);
    }
}

/* Numbers that no gradebook should hold. */
static void test_odd_numbers(void **state) {
    (void)state;
    static const double odd[] = {-1, 1e300, -1e300, 0.0 / 1, 1e18};
    struct class_fixture *f = class_fixture_full(LANGUAGE_EN);
    for (size_t i = 0; i < f->report.student_count; i++)
        for (size_t j = 0; j < f->report.exercise_count; j++) {
            struct class_cell *cell = &f->cells[i * f->report.exercise_count + j];
            cell->state = (enum class_state)(i % CLASS_STATE_COUNT);
            cell->score = i % 7 ? odd[i % 5] : strtod("nan", NULL);
            cell->final_score = i % 6 ? odd[(i + 1) % 5] : strtod("inf", NULL);
            cell->penalty = odd[(i + 2) % 5];
            cell->ratio_to_tuned = i % 5 ? odd[(i + 3) % 5] : strtod("nan", NULL);
            cell->late_seconds = i % 2 ? INT64_MAX : INT64_MIN;
            cell->committed = (struct class_time){i % 2 ? INT64_MAX : INT64_MIN, INT32_MIN};
            cell->excerpt_line = UINT32_MAX;
            cell->flags = UINT32_MAX;
        }
    f->exercises[0].max_score = 0;
    f->exercises[1].max_score = strtod("nan", NULL);
    f->exercises[2].pass_mark = strtod("inf", NULL);
    f->exercises[3].deadline.at = INT64_MIN;
    f->report.made = (struct class_time){253402300799, INT32_MAX};
    cleanup_text struct text page = {0}, json = {0}, text = {0};
    class_report_html(&f->report, NULL, &page);
    check_page(&page);
    class_report_json(&f->report, &json);
    check_json_reads(&json);
    for (size_t i = 0; i < f->report.student_count; i++)
        class_report_student(&f->report, i, &text);
    class_fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiny),         cmocka_unit_test(test_full),
        cmocka_unit_test(test_chinese),      cmocka_unit_test(test_large),
        cmocka_unit_test(test_empty),        cmocka_unit_test(test_anonymous),
        cmocka_unit_test(test_letters),      cmocka_unit_test(test_mails),
        cmocka_unit_test(test_addresses),    cmocka_unit_test(test_odd_numbers),
        cmocka_unit_test(test_random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
