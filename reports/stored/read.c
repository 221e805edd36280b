/* A stored report, from its bytes to struct report: json.c's report_json(), backwards.
 *
 * Before jansson builds a value of it the document is looked through once: how deep it nests and
 * how many values it holds bound the memory that a hostile one can take. Members that this version
 * does not know are left out: optional ones do not raise the schema's number. */
#include "reports/stored/stored.h"

#include "reports/json_parts.h"
#include "reports/protection.h"
#include "reports/stored/base64.h"
#include "reports/stored/document.h"
#include "reports/stored/parts.h"
#include "sandbox/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum verdict stored_read_verdict(struct member_reader *reader, const json_t *object) {
    const char *names[VERDICT_COUNT];
    for (size_t i = 0; i < VERDICT_COUNT; i++)
        names[i] = verdict_infos[i].name;
    size_t verdict =
        member_choice(reader, object, "verdict", MEMBER_REQUIRED, names, VERDICT_COUNT, "verdict");
    return verdict < VERDICT_COUNT ? (enum verdict)verdict : VERDICT_INTERNAL_ERROR;
}

/* ---- the submission and what the compiler said ------------------------------------------------
 */

static void read_sha256(struct member_reader *reader, const json_t *object, char sha256[65]) {
    cleanup_free char *text = member_text(reader, object, "sha256", MEMBER_OPTIONAL);
    if (!text)
        return;
    if (strlen(text) != 64 || strspn(text, "0123456789abcdef") != 64)
        member_fail(reader, "sha256", "must be 64 hexadecimal digits");
    else
        memcpy(sha256, text, 65);
}

static void read_source(struct member_reader *reader, const json_t *object, struct report *report) {
    size_t length;
    report->source =
        member_bytes(reader, object, "source", MEMBER_OPTIONAL, &report->source_length);
    cleanup_free char *encoded =
        member_bytes(reader, object, "source_base64", MEMBER_OPTIONAL, &length);
    if (!encoded)
        return;
    free(report->source);
    report->source = NULL;
    if (!base64_decode(encoded, length, &report->source, &report->source_length))
        member_fail(reader, "source_base64", "is no base64");
}

static void read_submission(struct member_reader *reader, const json_t *object,
                            struct report *report) {
    object = member_object(reader, object, "submission", MEMBER_REQUIRED);
    size_t mark = member_enter(reader, "submission");
    report->file = member_text(reader, object, "file", MEMBER_OPTIONAL);
    read_sha256(reader, object, report->sha256);
    read_source(reader, object, report);
    member_leave(reader, mark);
}

static void read_diagnostic(struct member_reader *reader, const json_t *object,
                            struct build_diagnostic *diagnostic) {
    static const char *const severities[] = {
        [BUILD_ERROR] = "error", [BUILD_WARNING] = "warning", [BUILD_NOTE] = "note"};
    diagnostic->severity =
        (enum build_severity)member_choice(reader, object, "severity", MEMBER_REQUIRED, severities,
                                           ARRAY_LENGTH(severities), "severity");
    if (reader->failed)
        diagnostic->severity = BUILD_ERROR;
    member_buffer(reader, object, "file", MEMBER_REQUIRED, diagnostic->file,
                  sizeof diagnostic->file);
    diagnostic->line =
        (unsigned)member_integer(reader, object, "line", MEMBER_OPTIONAL, 1, UINT_MAX);
    diagnostic->column =
        (unsigned)member_integer(reader, object, "column", MEMBER_OPTIONAL, 1, UINT_MAX);
    member_buffer(reader, object, "text", MEMBER_REQUIRED, diagnostic->text,
                  sizeof diagnostic->text);
}

static void read_diagnostics(struct member_reader *reader, const json_t *object,
                             struct report *report) {
    const json_t *list = member_list(reader, object, "diagnostics", MEMBER_REQUIRED,
                                     STORED_MOST_DIAGNOSTICS, &report->diagnostic_count);
    report->diagnostics = mem_calloc(report->diagnostic_count + 1, sizeof *report->diagnostics);
    size_t mark = member_enter(reader, "diagnostics");
    for (size_t i = 0; i < report->diagnostic_count && !reader->failed; i++) {
        size_t element = member_enter_element(reader, i);
        read_diagnostic(reader, member_element(reader, list, i), &report->diagnostics[i]);
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

static void read_build(struct member_reader *reader, const json_t *object, struct report *report) {
    object = member_object(reader, object, "build", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "build");
    report->build_message = member_text(reader, object, "message", MEMBER_REQUIRED);
    report->build_hint = member_text(reader, object, "hint", MEMBER_OPTIONAL);
    member_leave(reader, mark);
}

/* ---- the whole --------------------------------------------------------------------------------*/

static void read_protection(struct member_reader *reader, const json_t *object,
                            struct protection *protection) {
    object = member_object(reader, object, "jail", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "jail");
    size_t kind = member_choice(reader, object, "kind", MEMBER_REQUIRED, &protection_names[1],
                                PROTECTION_KIND_COUNT - 1, "kind of jail");
    protection->kind = reader->failed ? PROTECTION_UNKNOWN : (enum protection_kind)(kind + 1);
    const struct {
        const char *key;
        const char **limiter;
    } limits[] = {{"memory", &protection->memory},
                  {"processes", &protection->processes},
                  {"cpu", &protection->cpu}};
    for (size_t i = 0; i < ARRAY_LENGTH(limits); i++) {
        size_t limiter =
            member_choice(reader, object, limits[i].key, MEMBER_REQUIRED, protection_limiters,
                          PROTECTION_LIMITER_COUNT, "way to limit it");
        *limits[i].limiter = limiter < PROTECTION_LIMITER_COUNT ? protection_limiters[limiter] : "";
    }
    member_leave(reader, mark);
}

static void read_environment(struct member_reader *reader, const json_t *object,
                             struct report *report) {
    object = member_object(reader, object, "environment", MEMBER_REQUIRED);
    size_t mark = member_enter(reader, "environment");
    report->environment = member_text(reader, object, "machine", MEMBER_OPTIONAL);
    report->compiler = member_text(reader, object, "compiler", MEMBER_OPTIONAL);
    read_protection(reader, object, &report->protection);
    member_leave(reader, mark);
}

static void read_group(struct member_reader *reader, const json_t *object,
                       struct report_group *group) {
    group->name = member_text(reader, object, "name", MEMBER_REQUIRED);
    group->score = member_number(reader, object, "score", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    group->max_score =
        member_number(reader, object, "max_score", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    group->case_count = member_size(reader, object, "cases", MEMBER_REQUIRED, STORED_MOST_CASES);
    group->passed_count =
        member_size(reader, object, "passed_cases", MEMBER_REQUIRED, group->case_count);
}

static void read_groups(struct member_reader *reader, const json_t *object, struct report *report) {
    const json_t *list = member_list(reader, object, "groups", MEMBER_REQUIRED, STORED_MOST_GROUPS,
                                     &report->group_count);
    report->groups = mem_calloc(report->group_count + 1, sizeof *report->groups);
    size_t mark = member_enter(reader, "groups");
    for (size_t i = 0; i < report->group_count && !reader->failed; i++) {
        size_t element = member_enter_element(reader, i);
        read_group(reader, member_element(reader, list, i), &report->groups[i]);
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

static void read_cases(struct member_reader *reader, const json_t *object, struct report *report) {
    size_t count, capacity = 0;
    const json_t *list =
        member_list(reader, object, "cases", MEMBER_REQUIRED, STORED_MOST_CASES, &count);
    size_t mark = member_enter(reader, "cases");
    for (size_t i = 0; i < count && !reader->failed; i++) {
        size_t element = member_enter_element(reader, i);
        stored_read_case(reader, member_element(reader, list, i),
                         mem_push(&report->cases, &report->case_count, &capacity));
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

static char *read_language(struct member_reader *reader, const json_t *object) {
    static const char *const languages[] = {"en", "zh"};
    size_t language = member_choice(reader, object, "language", MEMBER_OPTIONAL, languages,
                                    ARRAY_LENGTH(languages), "language");
    return language < ARRAY_LENGTH(languages) ? mem_strdup(languages[language]) : NULL;
}

static void read_report(struct member_reader *reader, const json_t *object, struct report *report) {
    report->exercise = member_text(reader, object, "exercise", MEMBER_OPTIONAL);
    report->title = member_text(reader, object, "title", MEMBER_OPTIONAL);
    report->language = read_language(reader, object);
    read_submission(reader, object, report);
    report->engine = member_text(reader, object, "engine", MEMBER_OPTIONAL);
    report->withholds_seed = json_is_null(json_object_get(object, "seed"));
    if (!report->withholds_seed)
        report->seed = member_unsigned(reader, object, "seed", MEMBER_REQUIRED);
    report->score = member_number(reader, object, "score", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    report->max_score =
        member_number(reader, object, "max_score", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    report->pass_mark =
        member_number(reader, object, "pass_mark", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    report->passed = member_bool(reader, object, "passed", MEMBER_REQUIRED);
    report->verdict = stored_read_verdict(reader, object);
    report->message = member_text(reader, object, "message", MEMBER_OPTIONAL);
    report->cap_reason = member_text(reader, object, "cap_reason", MEMBER_OPTIONAL);
    report->cap = member_number(reader, object, "cap", MEMBER_OPTIONAL, 0, STORED_MOST_POINTS);
    read_groups(reader, object, report);
    read_cases(reader, object, report);
    read_build(reader, object, report);
    read_diagnostics(reader, object, report);
    stored_read_sizes(reader, object, "constants", MEMBER_REQUIRED, &report->constants,
                      &report->constant_count);
    read_environment(reader, object, report);
    report->wall_ms =
        member_number(reader, object, "wall_ms", MEMBER_OPTIONAL, 0, STORED_MOST_MILLISECONDS);
    report->compile_ms =
        member_number(reader, object, "compile_ms", MEMBER_OPTIONAL, 0, STORED_MOST_MILLISECONDS);
}

static void append_report(struct member_reader *reader, const json_t *object,
                          struct stored_reports *stored) {
    if (!document_is_report(reader, object))
        return;
    struct report *report = mem_zalloc(sizeof *report);
    *mem_push(&stored->reports, &stored->count, &stored->capacity) = report;
    read_report(reader, object, report);
}

static void append_reports(struct member_reader *reader, const json_t *root,
                           struct stored_reports *stored) {
    if (!json_object_get(root, "submissions")) {
        append_report(reader, root, stored);
        return;
    }
    size_t count;
    document_check_schema(reader, root);
    const json_t *list =
        member_list(reader, root, "submissions", MEMBER_REQUIRED, STORED_MOST_REPORTS, &count);
    size_t mark = member_enter(reader, "submissions");
    for (size_t i = 0; i < count && !reader->failed; i++) {
        size_t element = member_enter_element(reader, i);
        append_report(reader, member_element(reader, list, i), stored);
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

enum status stored_read(const char *text, size_t length, const char *name,
                        struct stored_reports *stored, struct error *error) {
    json_t *root;
    enum status status = document_parse(text, length, name, &root, error);
    if (status != STATUS_OK)
        return status;
    struct member_reader reader = {.error = error};
    size_t before = stored->count;
    append_reports(&reader, root, stored);
    while (reader.failed && stored->count > before)
        report_free(stored->reports[--stored->count]);
    json_decref(root);
    text_free(&reader.path);
    if (reader.failed)
        error_place(error, name, 0, 0, NULL, 0);
    return reader.failed ? STATUS_INVALID : STATUS_OK;
}

void stored_free(struct stored_reports *stored) {
    for (size_t i = 0; i < stored->count; i++)
        report_free(stored->reports[i]);
    free(stored->reports);
    *stored = (struct stored_reports){0};
}
