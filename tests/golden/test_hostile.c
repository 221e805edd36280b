/* Whatever bytes a report is made of, each writer's output stays what it claims to be: text without
 * control characters, JSON that parses, XML that parses, one CSV row a submission. The goldens say
 * how things look; this says what can never happen. */
#include "tests/golden/fixtures.h"

#include "reports/escape.h"
#include "reports/formats/testcase.h"
#include "reports/stored/stored.h"
#include "sandbox/base/memory.h"
#include "tests/golden/hostile_string.h"
#include "tests/golden/markup.h"
#include "tests/support/clean.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

enum { ROUNDS = 200 };

static void replace(char **string, uint32_t *state) {
    free(*string);
    *string = hostile_string(state);
}

static void fill(char *buffer, size_t size, uint32_t *state) {
    cleanup_free char *string = hostile_string(state);
    snprintf(buffer, size, "%s", string);
}

static void spoil_speed(struct report_speed *speed, uint32_t *state) {
    if (!speed->present)
        return;
    replace(&speed->device_id, state);
    replace(&speed->device_name, state);
    replace(&speed->occupancy_limit, state);
    replace(&speed->limiter, state);
    for (size_t i = 0; i < speed->access_count; i++) {
        struct warp_access *access = &speed->accesses[i];
        fill(access->file, sizeof access->file, state);
        access->lanes = hostile_random(state);
        access->bytes = hostile_random(state) % 17;
        for (size_t lane = 0; lane < WARP_LANES; lane++)
            access->offsets[lane] = hostile_random(state) >> hostile_random(state) % 32;
    }
    for (size_t i = 0; i < speed->threshold_count; i++) {
        struct report_threshold *threshold = &speed->thresholds[i];
        replace(&threshold->name, state);
        replace(&threshold->metric, state);
        replace(&threshold->bound, state);
        replace(&threshold->why, state);
        replace(&threshold->hint, state);
        threshold->line = hostile_random(state) % 20;
        threshold->state =
            (enum report_threshold_state)(hostile_random(state) % THRESHOLD_STATE_COUNT);
        threshold->value = i % 2 ? INFINITY : -INFINITY;
    }
}

static void spoil_grid(struct report_grid *grid, uint32_t *state) {
    size_t cells = (size_t)grid->height * grid->width;
    for (size_t i = 0; i < cells; i++)
        if (hostile_random(state) % 4 == 0)
            grid->cells[i] = (char)(hostile_random(state) % 255 + 1);
    if (cells && hostile_random(state) % 2)
        grid->row = UINT64_MAX - hostile_random(state);
}

static void spoil_pictures(struct report_case *item, uint32_t random) {
    spoil_grid(&item->difference.window, &random);
    spoil_grid(&item->difference.map, &random);
    item->block = (struct dim3){hostile_random(&random) % 40, hostile_random(&random) % 40, 1};
}

static void spoil_scene(struct hazard_scene *scene, uint32_t *state) {
    scene->access = (enum scene_access)(hostile_random(state) % SCENE_ACCESS_COUNT);
    scene->other_access = (enum scene_access)(hostile_random(state) % SCENE_ACCESS_COUNT);
    scene->block_threads = hostile_random(state) % 2 ? hostile_random(state) % 1025 : 0;
    for (size_t i = 0; i < ENGINE_BLOCK_WARPS; i++) {
        scene->waiting[i] = hostile_random(state);
        scene->elsewhere[i] = hostile_random(state);
    }
    scene->element = (int64_t)((uint64_t)hostile_random(state) << 32 | hostile_random(state));
    scene->elements = hostile_random(state) % 2 ? UINT64_MAX - hostile_random(state) : 0;
}

static void spoil(struct report *report, uint32_t *state) {
    replace(&report->exercise, state);
    replace(&report->title, state);
    replace(&report->file, state);
    replace(&report->message, state);
    replace(&report->compiler, state);
    replace(&report->source, state);
    report->source_length = strlen(report->source);
    for (size_t i = 0; i < report->group_count; i++)
        replace(&report->groups[i].name, state);
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        fill(report->diagnostics[i].file, sizeof report->diagnostics[i].file, state);
        fill(report->diagnostics[i].text, sizeof report->diagnostics[i].text, state);
    }
    for (size_t i = 0; i < report->case_count; i++) {
        struct report_case *item = &report->cases[i];
        replace(&item->name, state);
        replace(&item->message, state);
        replace(&item->printed, state);
        replace(&item->hint, state);
        if (item->size_count)
            replace(&item->sizes[0].name, state);
        spoil_speed(&item->speed, state);
        spoil_pictures(item, *state | 1);
        for (size_t j = 0; j < item->hazard_count; j++) {
            struct hazard *hazard = &item->hazards[j];
            fill(hazard->file, sizeof hazard->file, state);
            fill(hazard->message, sizeof hazard->message, state);
            fill(hazard->variable, sizeof hazard->variable, state);
            spoil_scene(&hazard->scene, state);
            hazard->line = hostile_random(state) % 4;
            hazard->column = hostile_random(state) % 50;
        }
    }
}

static void expect_clean(const struct text *text) {
    char problem[CLEAN_PROBLEM_BYTES];
    if (!clean_output(text_string(text), text->length, problem))
        fail_msg("%s: %s", problem, text_string(text));
}

/* Gives a new reference. */
static json_t *parse(const char *json, size_t length) {
    json_error_t error;
    json_t *value = json_loadb(json, length, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    if (!value)
        fail_msg("line %d: %s\n%.*s", error.line, error.text, (int)length, json);
    return value;
}

static void expect_json(const struct text *text, const struct report *report) {
    (void)report;
    json_t *value = parse(text_string(text), text->length);
    /* jansson drops a string that is no UTF-8, and its key with it */
    assert_true(json_is_string(json_object_get(value, "message")));
    const json_t *item = json_array_get(json_object_get(value, "cases"), 0);
    assert_true(!item || json_is_string(json_object_get(item, "printed")));
    json_decref(value);
}

static size_t count_elements(const xmlNode *node, const char *name) {
    size_t count = 0;
    for (; node; node = node->next)
        if (node->type == XML_ELEMENT_NODE)
            count += (strcmp((const char *)node->name, name) == 0) +
                     count_elements(node->children, name);
    return count;
}

static void expect_xml(const struct text *text, const struct report *report) {
    xmlDocPtr document = xmlReadMemory(text_string(text), (int)text->length, "junit.xml", NULL,
                                       XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (!document)
        fail_msg("no XML: %s", text_string(text));
    const xmlNode *root = xmlDocGetRootElement(document);
    assert_string_equal((const char *)root->name, "testsuites");
    struct testcase *list;
    size_t tests = testcase_list(report, &list);
    free(list);
    assert_int_equal(count_elements(root, "testcase"), tests);
    /* of the suite: strict readers reject those of a test case */
    assert_int_equal(count_elements(root, "properties"), count_elements(root, "testsuite"));
    assert_int_equal(count_elements(root->children->next->children, "properties"), 1);
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%zu", tests);
    xmlChar *said = xmlGetProp(root, BAD_CAST "tests");
    assert_string_equal((const char *)said, wanted);
    xmlFree(said);
    xmlFreeDoc(document);
}

static void expect_csv(const struct text *text, const struct report *report) {
    (void)report;
    char problem[CLEAN_PROBLEM_BYTES];
    size_t rows = 0;
    for (size_t i = 0; i < text->length; i++)
        rows += text->data[i] == '\n';
    assert_int_equal(rows, 2);
    if (!clean_csv(text_string(text), text->length, problem))
        fail_msg("%s: %s", problem, text_string(text));
}

/* What people see of a JSON document is its strings, and so these are clean, too. */
static void expect_clean_strings(const json_t *value) {
    const char *key;
    const json_t *member;
    size_t i;
    if (json_is_string(value)) {
        const struct text text = {(char *)(uintptr_t)json_string_value(value),
                                  json_string_length(value), 0};
        expect_clean(&text);
    }
    json_array_foreach((json_t *)(uintptr_t)value, i, member) expect_clean_strings(member);
    json_object_foreach((json_t *)(uintptr_t)value, key, member) expect_clean_strings(member);
}

static void expect_shown_json(const struct text *text, const struct report *report) {
    (void)report;
    json_t *value = parse(text_string(text), text->length);
    expect_clean_strings(value);
    json_decref(value);
}

/* No link in a message's text, and no placeholder. */
static void expect_sarif(const struct text *text, const struct report *report) {
    expect_shown_json(text, report);
    json_t *value = parse(text_string(text), text->length);
    const json_t *run = json_array_get(json_object_get(value, "runs"), 0);
    const json_t *result;
    size_t i;
    json_array_foreach(json_object_get(run, "results"), i, result) {
        const char *said =
            json_string_value(json_object_get(json_object_get(result, "message"), "text"));
        assert_non_null(said);
        assert_null(strstr(said, "]("));
        for (const char *c = said; *c; c++)
            if (strchr("{}", *c)) {
                assert_int_equal(c[0], c[1]);
                c++;
            }
    }
    json_decref(value);
}

/* Every line is one of our commands, each with its properties, and nothing else is. */
static void expect_github(const struct text *text, const struct report *report) {
    (void)report;
    const char *line = text_string(text);
    while (*line) {
        const char *end = strchr(line, '\n');
        assert_non_null(end);
        const char *name = line + 2;
        size_t length = strcspn(name, " ");
        assert_memory_equal(line, "::", 2);
        assert_true((length == 5 && strncmp(name, "error", 5) == 0) ||
                    (length == 7 && strncmp(name, "warning", 7) == 0) ||
                    (length == 6 && strncmp(name, "notice", 6) == 0));
        const char *message = strstr(name, "::");
        assert_non_null(message);
        for (const char *c = name; c < message; c++)
            assert_true(*c != ':' && *c != '\r');
        const struct text rest = {(char *)(uintptr_t)(name), (size_t)(end - name), 0};
        expect_clean(&rest);
        line = end + 1;
    }
}

static void expect_classroom(const struct text *text, const struct report *report) {
    (void)report;
    assert_memory_equal(text_string(text), "result=", 7);
    assert_int_equal(strspn(text->data + 7, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                            "0123456789+/="),
                     text->length - 8);
}

static void expect_autolab(const struct text *text, const struct report *report) {
    expect_clean(text);
    const char *end = text->data + text->length - 1, *start = end;
    while (start > text->data && start[-1] != '\n')
        start--;
    /* Autolab would put quotes around a word before a colon. */
    for (const char *c = start + 1; c < end; c++)
        assert_false(*c == ':' && isalnum((unsigned char)c[-1]));
    json_t *value = parse(start, (size_t)(end - start));
    const json_t *scores = json_object_get(value, "scores");
    assert_int_equal(json_object_size(scores), 1);
    double score = json_number_value(json_object_iter_value(json_object_iter((json_t *)scores)));
    assert_true(fabs(score - report->score) < 0.01);
    json_decref(value);
}

/* Outside of code, what came from a report has no character that begins markup. */
static void expect_markdown(const struct text *text, const struct report *report) {
    (void)report;
    expect_clean(text);
    assert_null(strstr(text_string(text), "<script"));
    assert_null(strstr(text_string(text), "]("));
}

static void expect_html(const struct text *text, const struct report *report) {
    (void)report;
    char problem[MARKUP_PROBLEM_BYTES];
    expect_clean(text);
    if (!markup_is_ours(text_string(text), text->length, problem))
        fail_msg("%s: %s", problem, text_string(text));
}

static void expect_text(const struct text *text, const struct report *report) {
    (void)report;
    expect_clean(text);
}

static const struct expectation {
    const char *format;
    void (*check)(const struct text *text, const struct report *report);
    bool is_command; /* its lines begin with GitHub's commands */
} expectations[] = {
    {"text", expect_text, false},         {"json", expect_json, false},
    {"junit", expect_xml, false},         {"csv", expect_csv, false},
    {"sarif", expect_sarif, false},       {"gradescope", expect_shown_json, false},
    {"github", expect_github, true},      {"classroom", expect_classroom, false},
    {"gitlab", expect_shown_json, false}, {"markdown", expect_markdown, false},
    {"autolab", expect_autolab, false},   {"check50", expect_shown_json, false},
    {"html", expect_html, false},
};

static const struct expectation *expectation_of(const char *format) {
    for (size_t i = 0; i < ARRAY_LENGTH(expectations); i++)
        if (strcmp(expectations[i].format, format) == 0)
            return &expectations[i];
    return NULL;
}

static void expect_nothing_gets_through(const struct report *report, bool verbose, unsigned width) {
    const struct report_options options = {.verbose = verbose, .width = width};
    for (size_t i = 0; i < report_format_count; i++) {
        const struct expectation *expectation = expectation_of(report_formats[i].name);
        cleanup_text struct text out = {0};
        struct error error = {0};
        assert_int_equal(report_formats[i].write(&report, 1, &options, &out, &error), STATUS_OK);
        if (!expectation)
            fail_msg("nothing is said of what %s may never hold", report_formats[i].name);
        if (!expectation->is_command)
            expect_clean(&out);
        expectation->check(&out, report);
    }
}

static void test_nothing_gets_through(void **state) {
    (void)state;
    uint32_t random = 20240229;
    for (int round = 0; round < ROUNDS; round++) {
        struct report *report = fixtures[(size_t)round % fixture_count].make();
        spoil(report, &random);
        expect_nothing_gets_through(report, round % 2, 20 + hostile_random(&random) % 100);
        report_free(report);
    }
}

/* ---- stored reports -------------------------------------------------------------------------- */

/* Texts that are one of a few words, or a number: another one is refused. */
static bool is_fixed(const json_t *object, const char *key, const char *value) {
    static const char *const keys[] = {
        "verdict", "kind",         "severity", "fix",       "language", "sha256",
        "state",   "comparison",   "memory",   "processes", "cpu",      "source_base64",
        "access",  "other_access", "space",    "cells",     "version"};
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    bool of_cause = strcmp(key, "source") == 0 && json_object_get(object, "evidence");
    bool of_case = strcmp(key, "engine") == 0 && json_object_get(object, "group");
    bool number = strspn(value, "0123456789") == strlen(value) && *value;
    return of_cause || of_case || number || strcmp(value, "nan") == 0 || strstr(value, "inf");
}

static json_t *random_text(uint32_t *state) {
    cleanup_free char *string = hostile_string(state);
    cleanup_text struct text valid = {0};
    escape_utf8(&valid, string, strlen(string));
    return json_string(text_string(&valid));
}

/* In a file that somebody made up, what this program has chosen itself may be anything, too: the
 * name of a device, of a limiter, of a cause, of a compiler, of a size. */
static void spoil_texts(json_t *value, uint32_t *state) {
    const char *key;
    json_t *member;
    void *next;
    size_t i;
    json_array_foreach(value, i, member) spoil_texts(member, state);
    json_object_foreach_safe(value, next, key, member) {
        bool left_out = json_is_null(member) && strcmp(key, "printed") == 0;
        if (left_out)
            json_object_set_new(value, key, random_text(state));
        else if (json_is_string(member) && !is_fixed(value, key, json_string_value(member)))
            json_object_set_new(value, key, random_text(state));
        else if (strcmp(key, "sizes") == 0 || strcmp(key, "constants") == 0)
            json_object_set_new(value, key,
                                json_pack("{si}", "<b>\x1b[31m\u202e&=1;\n::error::x", 7));
        else
            spoil_texts(member, state);
    }
}

static void test_nothing_gets_through_a_stored_report(void **state) {
    (void)state;
    uint32_t random = 20261123;
    for (size_t i = 0; i < 2 * fixture_count; i++) {
        struct report *report = fixtures[i % fixture_count].make();
        const struct report *const list[] = {report};
        cleanup_text struct text json = {0};
        assert_int_equal(report_format_find("json")->write(list, 1, NULL, &json, NULL), STATUS_OK);
        report_free(report);
        json_t *root = parse(text_string(&json), json.length);
        spoil_texts(root, &random);
        cleanup_free char *edited = json_dumps(root, 0);
        struct stored_reports stored = {0};
        struct error error = {0};
        if (stored_read(edited, strlen(edited), fixtures[i % fixture_count].name, &stored,
                        &error) != STATUS_OK)
            fail_msg("%s", error.message);
        expect_nothing_gets_through(stored.reports[0], i % 2, 80);
        stored_free(&stored);
        json_decref(root);
    }
}

static void test_formats(void **state) {
    (void)state;
    assert_ptr_equal(report_format_find("json"), &report_formats[1]);
    assert_null(report_format_find("jason"));
    report_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_gets_through),
        cmocka_unit_test(test_nothing_gets_through_a_stored_report),
        cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
