/* A case of a stored report: json.c's case_json(), backwards. */
#include "reports/stored/parts.h"

#include "reports/json_parts.h"
#include "reports/report.h"
#include "sandbox/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void stored_read_sizes(struct member_reader *reader, const json_t *object, const char *key,
                       enum member_need need, struct report_size **sizes, size_t *count) {
    const json_t *table = member_object(reader, object, key, need);
    size_t most = json_object_size(table), capacity = 0;
    const char *name;
    json_t *value;
    if (most > STORED_MOST_SIZES)
        member_fail(reader, key, "has %zu members; at most %d are read", most, STORED_MOST_SIZES);
    if (reader->failed || !table)
        return;
    size_t mark = member_enter(reader, key);
    json_object_foreach((json_t *)table, name, value) {
        struct report_size *size = mem_push(sizes, count, &capacity);
        size->name = mem_strdup(name);
        size->value = member_integer(reader, table, name, MEMBER_REQUIRED, INT64_MIN, INT64_MAX);
    }
    member_leave(reader, mark);
}

void stored_read_counters(struct member_reader *reader, const json_t *object,
                          struct counters *counters) {
    size_t mark = member_enter(reader, "counters");
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        *counter_at(counters, i) =
            member_unsigned(reader, object, counter_infos[i].name, MEMBER_OPTIONAL);
    member_leave(reader, mark);
}

/* ---- hazards --------------------------------------------------------------------------------- */

static void read_threads(struct member_reader *reader, const json_t *object,
                         struct hazard *hazard) {
    const json_t *list = member_list(reader, object, "threads", MEMBER_REQUIRED,
                                     ENGINE_HAZARD_THREADS, &hazard->thread_count);
    size_t mark = member_enter(reader, "threads");
    for (size_t i = 0; i < hazard->thread_count; i++) {
        size_t element = member_enter_element(reader, i);
        const json_t *thread = member_element(reader, list, i);
        hazard->threads[i].block = stored_read_dim3(reader, thread, "block");
        hazard->threads[i].thread = stored_read_dim3(reader, thread, "thread");
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

static unsigned read_line(struct member_reader *reader, const json_t *object, const char *key,
                          enum member_need need) {
    return (unsigned)member_integer(reader, object, key, need, 1, UINT_MAX);
}

static enum hazard_kind read_kind(struct member_reader *reader, const json_t *object) {
    const char *names[HAZARD_COUNT];
    for (size_t i = 0; i < HAZARD_COUNT; i++)
        names[i] = hazard_infos[i].name;
    size_t kind =
        member_choice(reader, object, "kind", MEMBER_REQUIRED, names, HAZARD_COUNT, "hazard");
    return kind < HAZARD_COUNT ? (enum hazard_kind)kind : (enum hazard_kind)0;
}

static enum hazard_fix read_fix(struct member_reader *reader, const json_t *object) {
    char *names[FIX_COUNT];
    for (size_t i = 0; i < FIX_COUNT; i++)
        names[i] = json_fix_name((enum hazard_fix)i);
    size_t fix = member_choice(reader, object, "fix", MEMBER_OPTIONAL, (const char *const *)names,
                               FIX_COUNT, "fix");
    for (size_t i = 0; i < FIX_COUNT; i++)
        free(names[i]);
    return fix < FIX_COUNT ? (enum hazard_fix)fix : FIX_OF_PAGE;
}

void stored_read_hazard(struct member_reader *reader, const json_t *object, struct hazard *hazard) {
    static const char *const severities[] = {"error", "warning"};
    hazard->kind = read_kind(reader, object);
    hazard->severity = member_choice(reader, object, "severity", MEMBER_REQUIRED, severities,
                                     ARRAY_LENGTH(severities), "severity") == SEVERITY_WARNING
                           ? SEVERITY_WARNING
                           : SEVERITY_ERROR;
    member_buffer(reader, object, "file", MEMBER_REQUIRED, hazard->file, sizeof hazard->file);
    hazard->line = read_line(reader, object, "line", MEMBER_OPTIONAL);
    hazard->column = read_line(reader, object, "column", MEMBER_OPTIONAL);
    hazard->count = member_unsigned(reader, object, "count", MEMBER_REQUIRED);
    member_buffer(reader, object, "message", MEMBER_REQUIRED, hazard->message,
                  sizeof hazard->message);
    read_threads(reader, object, hazard);
    member_buffer(reader, object, "variable", MEMBER_OPTIONAL, hazard->variable,
                  sizeof hazard->variable);
    hazard->fix = read_fix(reader, object);
    stored_read_scene(reader, object, &hazard->scene);
    const json_t *other = member_object(reader, object, "other", MEMBER_OPTIONAL);
    if (!other)
        return;
    size_t mark = member_enter(reader, "other");
    member_buffer(reader, other, "file", MEMBER_REQUIRED, hazard->other_file,
                  sizeof hazard->other_file);
    hazard->other_line = read_line(reader, other, "line", MEMBER_REQUIRED);
    member_leave(reader, mark);
}

/* Each by itself where the document has them so, else those that it has as one for a cause. */
static void read_hazards(struct member_reader *reader, const json_t *object,
                         struct report_case *item) {
    size_t capacity = 0, count;
    const char *key = "findings";
    const json_t *list =
        member_list(reader, object, key, MEMBER_OPTIONAL, STORED_MOST_HAZARDS, &count);
    if (!list) {
        key = "hazards";
        list = member_list(reader, object, key, MEMBER_REQUIRED, STORED_MOST_HAZARDS, &count);
    }
    size_t mark = member_enter(reader, key);
    for (size_t i = 0; i < count && !reader->failed; i++) {
        size_t element = member_enter_element(reader, i);
        stored_read_hazard(reader, member_element(reader, list, i),
                           mem_push(&item->hazards, &item->hazard_count, &capacity));
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

/* ---- what was wrong, and how fast it was ----------------------------------------------------- */

static void read_difference(struct member_reader *reader, const json_t *object,
                            struct report_difference *d) {
    object = member_object(reader, object, "first_difference", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "first_difference");
    d->present = true;
    d->output = member_text(reader, object, "output", MEMBER_OPTIONAL);
    d->index = member_text(reader, object, "index", MEMBER_OPTIONAL);
    d->flat_index = member_unsigned(reader, object, "flat_index", MEMBER_REQUIRED);
    d->expected = member_real(reader, object, "expected", MEMBER_REQUIRED);
    d->never_written = member_bool(reader, object, "never_written", MEMBER_REQUIRED);
    d->actual =
        member_real(reader, object, "actual", d->never_written ? MEMBER_OPTIONAL : MEMBER_REQUIRED);
    d->allowed = member_real(reader, object, "allowed", MEMBER_REQUIRED);
    d->is_integer = member_bool(reader, object, "is_integer", MEMBER_OPTIONAL);
    d->differing = member_unsigned(reader, object, "differing", MEMBER_REQUIRED);
    d->total = member_unsigned(reader, object, "total", MEMBER_REQUIRED);
    stored_read_grids(reader, object, d);
    member_leave(reader, mark);
}

static void read_cause(struct member_reader *reader, const json_t *object,
                       struct report_cause *cause) {
    static const char *const sources[] = {"mutant", "pattern"};
    object = member_object(reader, object, "cause", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "cause");
    cause->present = true;
    cause->id = member_text(reader, object, "id", MEMBER_OPTIONAL);
    cause->is_mistake = member_choice(reader, object, "source", MEMBER_REQUIRED, sources,
                                      ARRAY_LENGTH(sources), "source of a cause") == 0;
    cause->text = member_text(reader, object, "text", MEMBER_OPTIONAL);
    cause->evidence = member_text(reader, object, "evidence", MEMBER_OPTIONAL);
    member_leave(reader, mark);
}

static void read_time(struct member_reader *reader, const json_t *object,
                      struct report_time *time) {
    static const char *const kinds[] = {"modelled", "measured"};
    object = member_object(reader, object, "time", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "time");
    time->present = true;
    time->measured = member_choice(reader, object, "kind", MEMBER_REQUIRED, kinds,
                                   ARRAY_LENGTH(kinds), "kind of time") == 1;
    time->median_ms = member_real(reader, object, "median_ms", MEMBER_REQUIRED);
    time->ci_low_ms = member_real(reader, object, "ci_low_ms", MEMBER_REQUIRED);
    time->ci_high_ms = member_real(reader, object, "ci_high_ms", MEMBER_REQUIRED);
    time->ratio_to_reference = member_real(reader, object, "ratio_to_reference", MEMBER_REQUIRED);
    member_leave(reader, mark);
}

void stored_read_case(struct member_reader *reader, const json_t *object,
                      struct report_case *item) {
    static const char *const engines[] = {"cuda"};
    item->name = member_text(reader, object, "name", MEMBER_REQUIRED);
    item->group = member_text(reader, object, "group", MEMBER_REQUIRED);
    stored_read_sizes(reader, object, "sizes", MEMBER_REQUIRED, &item->sizes, &item->size_count);
    stored_read_launch(reader, object, item);
    item->essential = member_bool(reader, object, "essential", MEMBER_OPTIONAL);
    item->verdict = stored_read_verdict(reader, object);
    item->score = member_number(reader, object, "score", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    item->max_score =
        member_number(reader, object, "max_score", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    item->found_on_card = member_choice(reader, object, "engine", MEMBER_OPTIONAL, engines,
                                        ARRAY_LENGTH(engines), "engine of a case") == 0;
    item->message = member_text(reader, object, "message", MEMBER_OPTIONAL);
    item->hint = member_text(reader, object, "hint", MEMBER_OPTIONAL);
    read_difference(reader, object, &item->difference);
    item->tolerance = member_text(reader, object, "tolerance", MEMBER_OPTIONAL);
    read_cause(reader, object, &item->cause);
    read_hazards(reader, object, item);
    const json_t *counters = member_object(reader, object, "counters", MEMBER_OPTIONAL);
    item->has_counters = counters != NULL;
    stored_read_counters(reader, counters, &item->counters);
    read_time(reader, object, &item->time);
    stored_read_speed(reader, member_object(reader, object, "speed", MEMBER_OPTIONAL),
                      &item->speed);
    item->printed = member_text(reader, object, "printed", MEMBER_OPTIONAL);
    item->wall_ms =
        member_number(reader, object, "wall_ms", MEMBER_OPTIONAL, 0, STORED_MOST_MILLISECONDS);
}
