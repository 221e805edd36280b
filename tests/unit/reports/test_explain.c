/* Every hazard, verdict and counter has its page; every page is whole and links only to pages. */
#include "reports/explain.h"
#include "reports/explain_source.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_page(const char *id, enum explain_kind kind) {
    struct explain_page page;
    struct error error = {0};
    if (explain_find(id, &page, &error) != STATUS_OK)
        fail_msg("%s has no page below reports/explain/", id);
    assert_int_equal(page.kind, kind);
    if (strlen(page.body) < 80)
        fail_msg("the page of %s says next to nothing", id);
}

/* What thresholds know beside counters and metrics. */
static const char *const others[] = {
    "registers_per_thread", "theoretical_occupancy", "time_ms",         "ratio_to_tuned",
    "ratio_to_reference",   "fraction_of_baseline",  "fraction_of_roof"};

/* As a report names them: every part of the time, and two uses of the special functions' unit. */
static const char *const limiters[] = {
#define COST_PART(id, label, summary) label "-bound",
#include "sandbox/base/cost_part.def"
#undef COST_PART
};
static const char *const limiter_uses[] = {"double-precision-bound", "integer-division-bound"};

static void test_every_row_has_a_page(void **state) {
    (void)state;
    for (size_t i = 0; i < HAZARD_COUNT; i++)
        expect_page(hazard_infos[i].name, EXPLAIN_HAZARD);
    for (size_t i = 0; i < VERDICT_COUNT; i++)
        expect_page(verdict_infos[i].name, EXPLAIN_VERDICT);
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        expect_page(counter_infos[i].name, EXPLAIN_COUNTER);
    for (size_t i = 0; i < METRIC_COUNT; i++)
        expect_page(metric_infos[i].name, EXPLAIN_COUNTER);
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
        expect_page(others[i], EXPLAIN_COUNTER);
    for (size_t i = 0; i < ARRAY_LENGTH(limiters); i++)
        expect_page(limiters[i], EXPLAIN_LIMITER);
    for (size_t i = 0; i < ARRAY_LENGTH(limiter_uses); i++)
        expect_page(limiter_uses[i], EXPLAIN_LIMITER);
    expect_page("glossary", EXPLAIN_GLOSSARY);
}

/* A page whose id was renamed in its table would be found by no report. */
static void test_every_page_is_listed_once(void **state) {
    (void)state;
    struct explain_page page;
    size_t listed = 0;
    while (explain_at(listed, &page))
        listed++;
    assert_int_equal(listed, explain_count());
    assert_int_equal(listed, HAZARD_COUNT + VERDICT_COUNT + COUNTER_COUNT + METRIC_COUNT +
                                 ARRAY_LENGTH(others) + ARRAY_LENGTH(limiters) +
                                 ARRAY_LENGTH(limiter_uses) + 1); /* the glossary */
}

/* A page that covers several ids names what was asked for, with the summary of that. */
static void test_one_page_covers_several_ids(void **state) {
    (void)state;
    struct explain_page page, whole;
    cleanup_text struct text summary = {0};
    assert_int_equal(explain_find("dram_bytes", &page, NULL), STATUS_OK);
    assert_int_equal(explain_find("dram_read_sectors", &whole, NULL), STATUS_OK);
    assert_string_equal(page.id, "dram_bytes");
    assert_ptr_equal(page.body, whole.body);
    explain_summary(&page, &summary);
    assert_string_equal(text_string(&summary), metric_infos[METRIC_INDEX_dram_bytes].summary);
    assert_int_equal(explain_find("dram_byte", &page, NULL), STATUS_INVALID);
}

/* `covers` names only what has a row, and nothing that has a page of its own. */
static void test_covered_ids_exist(void **state) {
    (void)state;
    for (const struct explain_source *s = explain_sources; s->kind; s++) {
        struct explain_page page = {.head = s->text, .body = strstr(s->text, "\n\n")}, other;
        cleanup_text struct text list = {0};
        if (strchr(s->id, '.') || !explain_head(&page, "covers", &list))
            continue;
        char *rest = list.data;
        for (char *id = strtok_r(rest, ", ", &rest); id; id = strtok_r(NULL, ", ", &rest)) {
            double value;
            if (!metric_evaluate(&(struct counters){0}, id, &value))
                fail_msg("%s covers %s, which is no counter", s->id, id);
            assert_int_equal(explain_find(id, &other, NULL), STATUS_OK);
            if (other.head != s->text)
                fail_msg("%s covers %s, which another page explains", s->id, id);
        }
    }
}

static void test_every_hazard_has_a_fix_and_an_example(void **state) {
    (void)state;
    for (size_t i = 0; i < HAZARD_COUNT; i++) {
        cleanup_text struct text fix = {0};
        explain_fix(LANGUAGE_EN, FIX_OF_PAGE, (enum hazard_kind)i, &fix);
        if (fix.length < 20 || fix.length > 110 || text_string(&fix)[fix.length - 1] != '.')
            fail_msg("%s: the fix is not one sentence: \"%s\"", hazard_infos[i].name,
                     text_string(&fix));
        struct explain_page page;
        assert_int_equal(explain_find(hazard_infos[i].name, &page, NULL), STATUS_OK);
        if (i != HAZARD_UNSUPPORTED && !strstr(page.body, "```cuda"))
            fail_msg("%s: no example", page.id);
    }
}

/* Those that no example of ten lines brings about here: a card, or a fault of ours. */
static const char *const without_example[] = {
    "texture_sectors",      "ratio_to_tuned",   "ratio_to_reference",
    "fraction_of_baseline", "fraction_of_roof", "internal-error",
    "memory-limit",         "output-limit",     "glossary"};

static bool needs_example(const char *id) {
    for (size_t i = 0; i < ARRAY_LENGTH(without_example); i++)
        if (strcmp(without_example[i], id) == 0)
            return false;
    return true;
}

/* A test runs what stands below a fence with a word; of a hazard also the fix. */
static void test_pages_have_examples_that_are_run(void **state) {
    (void)state;
    for (const struct explain_source *s = explain_sources; s->kind; s++) {
        if (strchr(s->id, '.')) /* a translation, whose code is that of its page */
            continue;
        if (needs_example(s->id) && !strstr(s->text, "\n```cuda "))
            fail_msg("%s/%s: no example that a test runs", s->kind, s->id);
        if (strcmp(s->kind, "hazard") == 0 && !strstr(s->text, "\n```cuda clean\n// sim ") &&
            !strstr(s->text, "\n```cuda clean\n// run\n"))
            fail_msg("%s: no fix that a test runs", s->id);
    }
}

/* Appends the code of a page without its comments. */
static void append_code(const char *text, struct text *out) {
    bool code = false;
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        size_t length = (size_t)(end - line);
        if (strncmp(line, "```", 3) == 0) {
            code = !code;
        } else if (code) {
            const char *comment = memmem(line, length, " // ", 4);
            length = comment ? (size_t)(comment - line) : length;
            while (length && line[length - 1] == ' ')
                length--;
            text_append_bytes(out, line, length);
            text_append_char(out, '\n');
        }
        line = *end ? end + 1 : end;
    }
}

static bool is_chinese(const char *string) {
    for (; *string; string++)
        if ((unsigned char)*string >= 0xe4 && (unsigned char)*string <= 0xe9)
            return true;
    return false;
}

static void test_every_page_is_translated(void **state) {
    (void)state;
    struct explain_page page;
    for (size_t i = 0; explain_at(i, &page); i++) {
        struct explain_page other = page;
        cleanup_text struct text code = {0}, other_code = {0}, summary = {0}, fix = {0},
                                 other_fix = {0}, see = {0}, other_see = {0};
        if (!explain_translate(&other, LANGUAGE_ZH))
            fail_msg("%s is not translated", page.id);
        assert_string_equal(other.id, page.id);
        append_code(page.body, &code);
        append_code(other.body, &other_code);
        if (strcmp(text_string(&code), text_string(&other_code)) != 0)
            fail_msg("%s: the code differs in Chinese", page.id);
        explain_summary(&other, &summary);
        bool has_fix = explain_head(&page, "fix", &fix);
        if (!is_chinese(text_string(&summary)) ||
            has_fix != explain_head(&other, "fix", &other_fix) ||
            (has_fix && !is_chinese(text_string(&other_fix))))
            fail_msg("%s: the head is not Chinese", page.id);
        explain_head(&page, "see", &see);
        explain_head(&other, "see", &other_see);
        assert_string_equal(text_string(&see), text_string(&other_see));
    }
}

static void check_links(const struct explain_page *page) {
    cleanup_text struct text see = {0};
    if (!explain_head(page, "see", &see))
        fail_msg("%s: no related pages", page->id);
    char *rest = see.data;
    for (char *id = strtok_r(rest, ", ", &rest); id; id = strtok_r(NULL, ", ", &rest)) {
        struct explain_page other;
        if (explain_find(id, &other, NULL) != STATUS_OK)
            fail_msg("%s links to %s, which has no page", page->id, id);
        if (strcmp(id, page->id) == 0)
            fail_msg("%s links to itself", page->id);
    }
}

/* Titles of the CUDA C++ Programming Guide 13.0, a chapter's before that of its section. In 13.0
 * the sections on single instructions have moved to the Best Practices Guide. */
static bool is_section(const char *title, size_t length) {
    static const char *const titles[] = {"Assertion",
                                         "Asynchronous Concurrent Execution",
                                         "Atomic Functions",
                                         "C++ Language Support",
                                         "Compilation with NVCC",
                                         "Compute Capabilities",
                                         "Constant Memory",
                                         "Device Level",
                                         "Device Memory",
                                         "Device Memory Accesses",
                                         "Device Memory L2 Access Management",
                                         "Error Checking",
                                         "Events",
                                         "Execution Configuration",
                                         "Formatted Output",
                                         "Functions",
                                         "Hardware Multithreading",
                                         "Kernels",
                                         "Local Memory",
                                         "Maximize Instruction Throughput",
                                         "Maximize Memory Throughput",
                                         "Maximize Utilization",
                                         "Memory Fence Functions",
                                         "Memory Hierarchy",
                                         "Multiprocessor Level",
                                         "Occupancy Calculator",
                                         "Overall Performance Optimization Strategies",
                                         "Performance Guidelines",
                                         "SIMT Architecture",
                                         "Shared Memory",
                                         "Synchronization Functions",
                                         "Texture Functions",
                                         "Thread Hierarchy",
                                         "Variable Memory Space Specifiers",
                                         "Warp Matrix Functions",
                                         "Warp Shuffle Functions"};
    for (size_t i = 0; i < ARRAY_LENGTH(titles); i++)
        if (strlen(titles[i]) == length && strncmp(titles[i], title, length) == 0)
            return true;
    return false;
}

static void check_guide(const struct explain_page *page) {
    cleanup_text struct text guide = {0};
    if (!explain_head(page, "guide", &guide))
        fail_msg("%s: no section of the programming guide", page->id);
    for (const char *title = text_string(&guide); *title;) {
        size_t length = strcspn(title, ",");
        if (!is_section(title, length))
            fail_msg("%s: the programming guide has no section %.*s", page->id, (int)length, title);
        title += length;
        title += strspn(title, ", ");
    }
}

static void test_pages_are_whole(void **state) {
    (void)state;
    struct explain_page page;
    for (size_t i = 0; explain_at(i, &page); i++) {
        check_links(&page);
        cleanup_text struct text summary = {0};
        explain_summary(&page, &summary);
        if (!summary.length)
            fail_msg("%s: no summary", page.id);
        check_guide(&page);
        struct explain_page chinese = page;
        if (explain_translate(&chinese, LANGUAGE_ZH))
            check_guide(&chinese);
        size_t fences = 0;
        for (const char *fence = strstr(page.body, "```"); fence; fence = strstr(fence + 3, "```"))
            fences++;
        if (fences % 2)
            fail_msg("%s: a code block does not end", page.id);
        for (const char *line = page.head; *line; line = strchrnul(line, '\n') + 1) {
            if (strchrnul(line, '\n') - line > 108 && strncmp(line, "covers: ", 8) != 0)
                fail_msg("%s: a line is too long: %.40s...", page.id, line);
            if (!*strchrnul(line, '\n'))
                break;
        }
    }
}

static void test_unknown_id(void **state) {
    (void)state;
    struct explain_page page;
    struct error error = {0};
    assert_int_equal(explain_find("bariers", &page, &error), STATUS_INVALID);
    assert_non_null(strstr(error.hint, "explain barriers"));
    assert_int_equal(explain_find("../../etc/passwd", &page, &error), STATUS_INVALID);
    assert_non_null(strstr(error.hint, "lists all"));
}

static void test_rendering(void **state) {
    (void)state;
    struct explain_page page;
    assert_int_equal(explain_find("barrier-divergence", &page, NULL), STATUS_OK);
    cleanup_text struct text plain = {0}, color = {0}, list = {0};
    explain_text(&page, false, 80, &plain);
    explain_text(&page, true, 80, &color);
    assert_null(strchr(text_string(&plain), '\x1b'));
    assert_non_null(strchr(text_string(&color), '\x1b'));
    assert_non_null(
        strstr(text_string(&plain), "    for (int i = blockDim.x / 2; i > 0; i /= 2) {\n"));
    assert_non_null(strstr(text_string(&plain), "\nThe mistake\n"));
    assert_null(strstr(text_string(&plain), "```"));
    assert_null(strstr(text_string(&plain), "see: "));
    explain_list_text(LANGUAGE_EN, false, 100, &list);
    assert_non_null(strstr(text_string(&list), "\n  barrier-divergence "));
    assert_non_null(strstr(text_string(&list), "\n  theoretical_occupancy "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_has_a_page),
        cmocka_unit_test(test_every_page_is_listed_once),
        cmocka_unit_test(test_one_page_covers_several_ids),
        cmocka_unit_test(test_covered_ids_exist),
        cmocka_unit_test(test_every_hazard_has_a_fix_and_an_example),
        cmocka_unit_test(test_pages_have_examples_that_are_run),
        cmocka_unit_test(test_every_page_is_translated),
        cmocka_unit_test(test_pages_are_whole),
        cmocka_unit_test(test_unknown_id),
        cmocka_unit_test(test_rendering),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
