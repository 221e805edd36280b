/* From a report to findings: hazards merged over cases, what the compiler said, and of the verdicts
 * that neither explains one each, with the first case that has it.
 *
 * Readers follow a finding from one report to the next by its fingerprint. It holds the file, the
 * rule, the variable and the text of the line, but no number of a line and nothing that depends on
 * the data, so that it stays the same while other lines change. */
#include "reports/formats/finding.h"

#include "reports/escape.h"
#include "reports/explain.h"
#include "reports/hazards.h"
#include "reports/message.h"
#include "reports/terminal.h"
#include "reports/text/text_case.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *submission_path(const struct report *report) {
    return report->file && *report->file ? report->file : "submission";
}

/* Hazards and the compiler know a file by its base name. */
static bool is_submission(const struct report *report, const char *file) {
    return !*file || strcmp(file, file_base_name(submission_path(report))) == 0;
}

static char *path_of(const struct report *report, const char *file) {
    return mem_strdup(is_submission(report, file) ? submission_path(report) : file);
}

static struct finding *add(struct findings *findings, const struct report *report,
                           enum finding_level level, enum finding_weight weight, const char *rule,
                           const char *file) {
    struct finding *finding = mem_push(&findings->items, &findings->count, &findings->capacity);
    finding->report = report;
    finding->level = level;
    finding->weight = weight;
    finding->rule = rule;
    finding->subject = "";
    finding->file = path_of(report, file);
    finding->in_submission = is_submission(report, file);
    return finding;
}

static void add_place(struct finding *finding, const char *file, unsigned line,
                      const char *message) {
    finding->places =
        mem_realloc(finding->places, finding->place_count + 1, sizeof *finding->places);
    finding->places[finding->place_count++] =
        (struct finding_place){path_of(finding->report, file), line, mem_strdup(message)};
}

/* ---- what the compiler said ------------------------------------------------------------------ */

static void add_diagnostics(struct findings *findings, const struct report *report) {
    struct finding *last = NULL; /* that a note belongs to */
    bool failed = false;
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct build_diagnostic *d = &report->diagnostics[i];
        if (d->severity == BUILD_NOTE) {
            if (last)
                add_place(last, d->file, d->line, d->text);
            continue;
        }
        bool error = d->severity == BUILD_ERROR;
        last = add(findings, report, error ? FINDING_ERROR : FINDING_WARNING,
                   error ? WEIGHT_BUILD : WEIGHT_REMARK,
                   error ? verdict_infos[VERDICT_COMPILE_ERROR].name : FINDING_COMPILER_WARNING,
                   d->file);
        last->line = d->line;
        last->column = d->column;
        last->message = mem_strdup(d->text);
        last->subject = d->text;
        last->subject_length = strlen(d->text);
        last->hint = error && !failed ? report->build_hint : NULL;
        failed |= error;
    }
    if (failed || !report->build_message)
        return;
    last = add(findings, report, FINDING_ERROR, WEIGHT_BUILD,
               verdict_infos[VERDICT_COMPILE_ERROR].name, "");
    last->message = mem_strdup(report->build_message);
    last->hint = report->build_hint;
}

/* ---- hazards --------------------------------------------------------------------------------- */

static void add_hazard(struct findings *findings, const struct report *report,
                       const struct merged_hazard *merged) {
    const struct hazard *hazard = merged->first;
    enum language language = language_from_name(report->language);
    bool warning = hazard->severity == SEVERITY_WARNING;
    struct finding *finding =
        add(findings, report, warning ? FINDING_WARNING : FINDING_ERROR,
            warning ? WEIGHT_REMARK : WEIGHT_HAZARD, hazard_infos[hazard->kind].name, hazard->file);
    cleanup_text struct text fix = {0};
    explain_fix(language, merged->fix, hazard->kind, &fix);
    cleanup_text struct text message = {0};
    hazards_append_message(&message, language, hazard);
    finding->line = hazard->line;
    finding->column = hazard->column;
    finding->message = text_steal(&message);
    finding->subject = hazard->variable; /* "s" of "s[131]" */
    finding->subject_length = strcspn(hazard->variable, "[");
    finding->hint = merged->hint;
    finding->fix = text_steal(&fix);
    finding->count = merged->count;
    finding->case_count = merged->case_count;
    if (hazard->other_line)
        add_place(finding, hazard->other_file, hazard->other_line, WORDS(language, second_place));
    for (size_t i = 0; i < merged->also_count; i++)
        add_place(finding, hazard->file, merged->also_lines[i], WORDS(language, same_mistake));
}

static void add_hazards(struct findings *findings, const struct report *report) {
    struct merged_hazard *list;
    size_t count;
    hazards_merge(report, &list, &count);
    for (size_t i = 0; i < count; i++)
        add_hazard(findings, report, &list[i]);
    free(list);
}

/* ---- cases that neither explains ------------------------------------------------------------- */

static bool is_explained(const struct report *report, const struct report_case *item) {
    if (item->verdict == VERDICT_PASS || item->verdict == VERDICT_SKIPPED)
        return true;
    if (item->verdict == VERDICT_COMPILE_ERROR && report->build_message)
        return true;
    return item->verdict != VERDICT_WRONG_ANSWER && hazards_decide(item);
}

/* The case to show for a verdict: the one whose cause is known, else the first. */
static const struct report_case *find_example(const struct report *report, enum verdict verdict,
                                              size_t *count) {
    const struct report_case *example = NULL;
    *count = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (item->verdict != verdict || is_explained(report, item))
            continue;
        ++*count;
        if (!example || (item->cause.present && !example->cause.present))
            example = item;
    }
    return example;
}

static const struct report_threshold *lost_threshold(const struct report_case *item) {
    for (size_t i = 0; i < item->speed.threshold_count; i++)
        if (item->speed.thresholds[i].state == THRESHOLD_MISSED && item->speed.thresholds[i].line)
            return &item->speed.thresholds[i];
    return NULL;
}

/* The exercise's word on what is lost: not each threshold has one. */
static const char *lost_hint(const struct report_case *item) {
    for (size_t i = 0; i < item->speed.threshold_count; i++)
        if (item->speed.thresholds[i].state == THRESHOLD_MISSED && item->speed.thresholds[i].hint)
            return item->speed.thresholds[i].hint;
    return NULL;
}

/* Where nothing was run for want of a file, an exercise or a compiler, nobody's program is wrong.
 */
static const char *rule_of(const struct report *report, enum verdict verdict) {
    return verdict == VERDICT_INTERNAL_ERROR && !report_was_graded(report)
               ? FINDING_NOT_GRADED
               : verdict_infos[verdict].name;
}

static void add_verdict(struct findings *findings, const struct report *report,
                        enum verdict verdict) {
    size_t count;
    const struct report_case *item = find_example(report, verdict, &count);
    if (!item)
        return;
    enum language language = language_from_name(report->language);
    bool slow = verdict == VERDICT_TOO_SLOW;
    struct finding *finding = add(findings, report, slow ? FINDING_WARNING : FINDING_ERROR,
                                  verdict == VERDICT_INTERNAL_ERROR ? WEIGHT_UNGRADED : WEIGHT_CASE,
                                  rule_of(report, verdict), "");
    cleanup_text struct text message = {0};
    if (report_was_graded(report))
        text_printf(&message, WORDS(language, case_named), item->name ? item->name : "");
    if (item->size_count) {
        text_append(&message, WORDS(language, open_parenthesis));
        text_case_append_sizes(&message, item->sizes, item->size_count);
        text_append(&message, WORDS(language, close_parenthesis));
    }
    text_printf(&message, "%s%s", message.length ? WORDS(language, colon) : "",
                item->message && *item->message ? item->message : verdict_infos[verdict].summary);
    if (item->cause.present && item->cause.text)
        text_printf(&message, "%s%s", WORDS(language, probable_cause), item->cause.text);
    const struct report_threshold *threshold = lost_threshold(item);
    finding->line = threshold ? threshold->line : 0;
    finding->message = text_steal(&message);
    finding->hint = item->hint;
    const char *fix = threshold && threshold->hint ? threshold->hint : lost_hint(item);
    finding->fix = fix ? mem_strdup(fix) : NULL;
    finding->case_count = count;
}

static bool has_error(const struct findings *findings, size_t from) {
    for (size_t i = from; i < findings->count; i++)
        if (findings->items[i].level == FINDING_ERROR)
            return true;
    return false;
}

static void add_report(struct findings *findings, const struct report *report) {
    size_t from = findings->count;
    add_diagnostics(findings, report);
    add_hazards(findings, report);
    for (unsigned verdict = 0; verdict < VERDICT_COUNT; verdict++)
        add_verdict(findings, report, (enum verdict)verdict);
    if (report->passed || has_error(findings, from))
        return;
    enum verdict verdict =
        report->verdict == VERDICT_PASS ? VERDICT_INTERNAL_ERROR : report->verdict;
    struct finding *finding =
        add(findings, report, FINDING_ERROR, report->case_count ? WEIGHT_CASE : WEIGHT_UNGRADED,
            verdict_infos[verdict].name, "");
    finding->message = mem_strdup(
        report->message && *report->message ? report->message : verdict_infos[verdict].summary);
    finding->hint = report->build_hint;
}

/* ---- the list -------------------------------------------------------------------------------- */

void finding_append_text(const struct finding *finding, struct text *out) {
    enum language language = language_from_name(finding->report->language);
    text_append(out, finding->message);
    if (finding->case_count > 1)
        text_printf(out, WORDS(language, in_n_cases), finding->case_count);
    if (finding->hint && *finding->hint)
        text_printf(out, "\n%s%s", WORDS(language, hint_is), finding->hint);
    if (finding->fix && *finding->fix)
        text_printf(out, "\n%s%s", WORDS(language, fix_is), finding->fix);
}

bool finding_source_line(const struct finding *finding, const char **line, size_t *length) {
    const struct report *report = finding->report;
    size_t offset = 0;
    if (!finding->in_submission || !finding->line || !report->source)
        return false;
    for (unsigned i = 1;
         terminal_next_line(report->source, report->source_length, &offset, line, length); i++)
        if (i == finding->line)
            return true;
    return false;
}

static struct hash_part trimmed(const char *text, size_t length) {
    while (length && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    return (struct hash_part){text, length};
}

static struct hash_part whole(const char *text) {
    return (struct hash_part){text, strlen(text)};
}

/* `nth`: how many before it in the list would have the same one. */
static void fingerprint(struct finding *finding, size_t nth) {
    const char *line = NULL;
    size_t length = 0;
    char number[32] = "";
    if (!finding_source_line(finding, &line, &length))
        snprintf(number, sizeof number, "%u", finding->line);
    char repeated[32];
    snprintf(repeated, sizeof repeated, "%zu", nth);
    const struct hash_part parts[] = {
        whole("warpgrade finding 1"),
        whole(finding->report->exercise ? finding->report->exercise : ""),
        whole(finding->rule),
        whole(finding->file),
        whole(number),
        trimmed(line, length),
        {finding->subject, finding->subject_length},
        whole(repeated),
    };
    struct text valid[ARRAY_LENGTH(parts)] = {0}; /* as a stored report has it */
    struct hash_part valid_parts[ARRAY_LENGTH(parts)];
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
        escape_utf8(&valid[i], parts[i].data, parts[i].length);
        valid_parts[i] = (struct hash_part){text_string(&valid[i]), valid[i].length};
    }
    struct sha256 hash = hash_parts(valid_parts, ARRAY_LENGTH(parts));
    hash_hex(&hash, finding->fingerprint);
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        text_free(&valid[i]);
}

struct known_fingerprint {
    char hex[65];
    size_t index, nth;
};

static int compare_known(const void *left, const void *right) {
    const struct known_fingerprint *a = left, *b = right;
    int order = strcmp(a->hex, b->hex);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static void fingerprint_all(struct findings *findings) {
    cleanup_free struct known_fingerprint *known = mem_calloc(findings->count, sizeof *known);
    for (size_t i = 0; i < findings->count; i++) {
        fingerprint(&findings->items[i], 0);
        memcpy(known[i].hex, findings->items[i].fingerprint, sizeof known[i].hex);
        known[i].index = i;
    }
    if (findings->count)
        qsort(known, findings->count, sizeof *known, compare_known);
    for (size_t i = 1; i < findings->count; i++)
        if (strcmp(known[i].hex, known[i - 1].hex) == 0) {
            known[i].nth = known[i - 1].nth + 1;
            fingerprint(&findings->items[known[i].index], known[i].nth);
        }
}

/* A sort that keeps what is equal in its order: by counting. */
static void sort_gravest_first(struct findings *findings) {
    struct findings sorted = {0};
    for (unsigned level = 0; level < FINDING_LEVEL_COUNT; level++)
        for (unsigned weight = 0; weight <= WEIGHT_REMARK; weight++)
            for (size_t i = 0; i < findings->count; i++)
                if (findings->items[i].level == level && findings->items[i].weight == weight)
                    *mem_push(&sorted.items, &sorted.count, &sorted.capacity) = findings->items[i];
    free(findings->items);
    *findings = sorted;
}

void findings_collect(const struct report *const *reports, size_t count,
                      struct findings *findings) {
    *findings = (struct findings){0};
    for (size_t i = 0; i < count; i++)
        add_report(findings, reports[i]);
    sort_gravest_first(findings);
    fingerprint_all(findings);
}

void findings_free(struct findings *findings) {
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->items[i];
        for (size_t j = 0; j < finding->place_count; j++) {
            free(finding->places[j].file);
            free(finding->places[j].message);
        }
        free(finding->places);
        free(finding->file);
        free(finding->message);
        free(finding->fix);
    }
    free(findings->items);
    *findings = (struct findings){0};
}
