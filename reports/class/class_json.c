/* The class as JSON, for programs: class.schema.json. What the page counts stands beside the cells
 * that it was counted from. */
#include "reports/class/class_private.h"

#include "reports/escape.h"
#include "reports/json_parts.h"
#include "sandbox/base/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLASS_SCHEMA = 1 };

/* ---- values ---------------------------------------------------------------------------------- */

static json_t *text_or_null(const char *string) {
    return json_text(class_is_set(string) ? string : NULL);
}

/* ISO 8601 with the offset of the place: "2026-11-20T23:59:00+01:00". */
static json_t *time_json(struct class_time time) {
    cleanup_text struct text shown = {0};
    class_append_time(&shown, time); /* is it one that can be shown? */
    if (!shown.length)
        return json_null();
    const int32_t day = 24 * 60 * 60;
    int32_t offset = time.utc_offset > -day && time.utc_offset < day ? time.utc_offset : 0;
    int32_t minutes = (offset < 0 ? -offset : offset) / 60;
    time_t local = (time_t)(time.at + offset);
    struct tm parts;
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&local, &parts));
    return json_sprintf("%s%c%02d:%02d", text, offset < 0 ? '-' : '+', (int)(minutes / 60 % 24),
                        (int)(minutes % 60));
}

static json_t *ratio_json(double ratio) {
    if (!isfinite(ratio) || ratio <= 0)
        return json_null();
    return json_real(strtod(decimal(ratio, 6).text, NULL));
}

static json_t *count_json(size_t count) {
    return json_integer((json_int_t)count);
}

static json_t *positive_json(unsigned number) {
    return number ? json_integer(number) : json_null();
}

/* ---- an exercise ----------------------------------------------------------------------------- */

static json_t *cases_json(const struct class_exercise *exercise) {
    json_t *list = json_array();
    for (size_t i = 0; i < exercise->case_count; i++) {
        json_t *item = json_object();
        json_object_set_new(item, "name", text_or_null(exercise->cases[i].name));
        json_object_set_new(item, "ran", count_json(exercise->cases[i].ran));
        json_object_set_new(item, "failed", count_json(exercise->cases[i].failed));
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *findings_json(const struct class_report *report, const struct class_facts *facts) {
    json_t *list = json_array();
    for (size_t i = 0; i < facts->finding_count; i++) {
        const struct class_finding *finding = &facts->findings[i];
        const struct class_cell *cell = finding->example;
        json_t *item = json_object();
        bool is_hazard = class_is_set(cell->hazard);
        json_object_set_new(item, "verdict", text_or_null(is_hazard ? NULL : cell->verdict));
        json_object_set_new(item, "hazard", text_or_null(cell->hazard));
        json_object_set_new(item, "cause", text_or_null(is_hazard ? NULL : cell->cause));
        json_object_set_new(item, "students", count_json(finding->count));
        json_object_set_new(item, "example", json_text(report->students[finding->student].id));
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *counts_json(const struct class_facts *facts) {
    json_t *counts = json_object();
    json_object_set_new(counts, "passed", count_json(facts->standing[STANDING_PASSED]));
    json_object_set_new(counts, "not_passed", count_json(facts->standing[STANDING_FAILED]));
    json_object_set_new(counts, "not_decided", count_json(facts->standing[STANDING_UNDECIDED]));
    json_object_set_new(counts, "not_handed_in", count_json(facts->standing[STANDING_ABSENT]));
    json_object_set_new(counts, "graded", count_json(facts->graded));
    json_object_set_new(counts, "late", count_json(facts->late));
    return counts;
}

static json_t *speed_json(const struct class_facts *facts) {
    if (!facts->ratio_count)
        return json_null();
    json_t *speed = json_object(), *limiters = json_object();
    json_object_set_new(speed, "students", count_json(facts->ratio_count));
    json_object_set_new(speed, "median_ratio_to_tuned", ratio_json(facts->median_ratio));
    for (size_t i = 0; i < facts->limiter_count; i++) {
        cleanup_text struct text id = {0};
        escape_utf8(&id, facts->limiters[i].id, strlen(facts->limiters[i].id));
        json_object_set_new(limiters, text_string(&id), count_json(facts->limiters[i].count));
    }
    json_object_set_new(speed, "limiters", limiters);
    return speed;
}

static json_t *exercise_json(const struct class_report *report, const struct class_sum *sum,
                             size_t number) {
    const struct class_exercise *exercise = &report->exercises[number];
    const struct class_facts *facts = &sum->exercises[number];
    json_t *item = json_object();
    json_object_set_new(item, "id", json_text(exercise->id ? exercise->id : ""));
    json_object_set_new(item, "title", text_or_null(exercise->title));
    json_object_set_new(item, "max_score", json_points(exercise->max_score));
    json_object_set_new(item, "pass_mark",
                        exercise->pass_mark > 0 ? json_points(exercise->pass_mark) : json_null());
    json_object_set_new(item, "deadline", time_json(exercise->deadline));
    json_object_set_new(item, "counts", counts_json(facts));
    json_object_set_new(item, "median", facts->graded ? json_points(facts->median) : json_null());
    json_object_set_new(item, "findings", findings_json(report, facts));
    json_object_set_new(item, "cases", cases_json(exercise));
    json_object_set_new(item, "speed", speed_json(facts));
    return item;
}

/* ---- a student ------------------------------------------------------------------------------- */

static json_t *flags_json(const struct class_cell *cell) {
    json_t *list = json_array();
    for (unsigned i = 0; i < CLASS_FLAG_COUNT; i++)
        if (class_has_flag(cell, (enum class_flag)i))
            json_array_append_new(list, json_string(class_flag_names[i]));
    return list;
}

static json_t *finding_json(const struct class_cell *cell) {
    json_t *item = json_object();
    json_object_set_new(item, "verdict", text_or_null(cell->verdict));
    json_object_set_new(item, "hazard", text_or_null(cell->hazard));
    json_object_set_new(item, "cause", text_or_null(cell->cause));
    json_object_set_new(item, "message", text_or_null(cell->message));
    json_object_set_new(item, "cause_text", text_or_null(cell->cause_text));
    json_object_set_new(item, "next", text_or_null(cell->next));
    json_object_set_new(item, "file", text_or_null(cell->file));
    json_object_set_new(item, "line", positive_json(cell->line));
    return item;
}

static json_t *override_json(const struct class_cell *cell) {
    if (!class_is_set(cell->override_by))
        return json_null();
    json_t *item = json_object();
    json_object_set_new(item, "by", json_text(cell->override_by));
    json_object_set_new(item, "why", text_or_null(cell->override_why));
    json_object_set_new(item, "at", time_json(cell->override_at));
    return item;
}

static json_t *cell_json(const struct class_exercise *exercise, const struct class_cell *cell) {
    json_t *item = json_object();
    json_object_set_new(item, "exercise", json_text(exercise->id ? exercise->id : ""));
    json_object_set_new(item, "state", json_string(class_state_names[cell->state]));
    json_object_set_new(item, "score", json_points(cell->score));
    json_object_set_new(item, "penalty", json_points(cell->penalty));
    json_object_set_new(item, "penalty_why", text_or_null(cell->penalty_why));
    json_object_set_new(item, "final_score", json_points(cell->final_score));
    json_object_set_new(item, "passed", json_boolean(cell->passed));
    json_object_set_new(item, "finding", finding_json(cell));
    json_object_set_new(item, "ratio_to_tuned", ratio_json(cell->ratio_to_tuned));
    json_object_set_new(item, "ratio_measured", json_boolean(cell->ratio_measured));
    json_object_set_new(item, "limiter", text_or_null(cell->limiter));
    json_object_set_new(item, "commit", text_or_null(cell->commit));
    json_object_set_new(item, "committed", time_json(cell->committed));
    json_object_set_new(item, "deadline", time_json(class_deadline(exercise, cell)));
    json_object_set_new(item, "late_seconds",
                        json_integer(cell->late_seconds > 0 ? cell->late_seconds : 0));
    json_object_set_new(item, "attempts", json_integer(cell->attempts));
    json_object_set_new(item, "attempts_allowed", positive_json(cell->attempts_allowed));
    json_object_set_new(item, "flags", flags_json(cell));
    json_object_set_new(item, "override", override_json(cell));
    json_object_set_new(item, "report", text_or_null(cell->report));
    return item;
}

static json_t *student_json(const struct class_report *report, size_t number) {
    const struct class_student *student = &report->students[number];
    json_t *item = json_object(), *cells = json_array();
    bool has_total = student->max_total > 0;
    json_object_set_new(item, "id", json_text(student->id ? student->id : ""));
    json_object_set_new(item, "name", text_or_null(student->name));
    json_object_set_new(item, "mail", text_or_null(student->mail));
    json_object_set_new(item, "total", has_total ? json_points(student->total) : json_null());
    json_object_set_new(item, "max_total",
                        has_total ? json_points(student->max_total) : json_null());
    json_object_set_new(item, "page", text_or_null(student->page));
    for (size_t i = 0; i < report->exercise_count; i++)
        json_array_append_new(cells,
                              cell_json(&report->exercises[i], class_cell_at(report, number, i)));
    json_object_set_new(item, "cells", cells);
    return item;
}

void class_report_json(const struct class_report *report, struct text *out) {
    struct class_sum sum = class_sum_up(report);
    json_t *document = json_object(), *exercises = json_array(), *students = json_array();
    json_object_set_new(document, "schema", json_integer(CLASS_SCHEMA));
    json_object_set_new(document, "course", text_or_null(report->course));
    json_object_set_new(document, "language",
                        json_string(report->language == LANGUAGE_ZH ? "zh" : "en"));
    json_object_set_new(document, "made", time_json(report->made));
    json_object_set_new(document, "engine", text_or_null(report->engine));
    json_object_set_new(document, "tool", text_or_null(report->tool));
    json_object_set_new(document, "late_policy", text_or_null(report->late_policy));
    for (size_t i = 0; i < report->exercise_count; i++)
        json_array_append_new(exercises, exercise_json(report, &sum, i));
    for (size_t i = 0; i < report->student_count; i++)
        json_array_append_new(students, student_json(report, sum.order[i]));
    json_object_set_new(document, "exercises", exercises);
    json_object_set_new(document, "students", students);
    json_append(out, document);
    class_sum_free(&sum);
}
