/* The pieces of JSON that more than one report is made of. jansson escapes; what it does not do is
 * accept bytes that are no UTF-8 and numbers that JSON has no form for, and hide what a terminal
 * would obey when someone looks at the file. */
#include "reports/json_parts.h"

#include "reports/hazards.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include "reports/escape.h"
#include "reports/json_pictures.h"
#include "reports/protection.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text_bytes(const char *string, size_t length) {
    cleanup_text struct text valid = {0};
    escape_utf8(&valid, string, length);
    return json_stringn(text_string(&valid), valid.length);
}

json_t *json_text(const char *string) {
    return string ? json_text_bytes(string, strlen(string)) : json_null();
}

json_t *json_shown(const char *string) {
    cleanup_text struct text shown = {0};
    if (!string)
        return json_null();
    escape_terminal(&shown, string, strlen(string), false);
    return json_stringn(text_string(&shown), shown.length);
}

json_t *json_double(double value) {
    if (isnan(value))
        return json_string("nan");
    if (isinf(value))
        return json_string(value > 0 ? "inf" : "-inf");
    return json_real(value == 0 ? 0.0 : value); /* no "-0.0" that depends on the sign of nothing */
}

json_t *json_points(double points) {
    double rounded = isfinite(points) ? strtod(decimal_points(points).text, NULL) : 0;
    return rounded == floor(rounded) && fabs(rounded) < 1e9 ? json_integer((json_int_t)rounded)
                                                            : json_real(rounded);
}

json_t *json_unsigned(uint64_t value) {
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_sprintf("%" PRIu64, value);
}

json_t *json_dim3(struct dim3 d) {
    return json_pack("[III]", (json_int_t)d.x, (json_int_t)d.y, (json_int_t)d.z);
}

static json_t *line_json(unsigned line) {
    return line ? json_integer(line) : json_null();
}

char *json_fix_name(enum hazard_fix fix) {
    static const char *const names[FIX_COUNT] = {
#define FIX(ID, sentence, chinese) #ID,
#include "sandbox/base/hazard_fix.def"
#undef FIX
    };
    char *name = mem_strdup(names[fix]);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    return name;
}

static json_t *fix_json(enum hazard_fix fix) {
    cleanup_free char *name = json_fix_name(fix);
    return json_text(fix == FIX_OF_PAGE ? NULL : name);
}

static json_t *hazard_json(const struct merged_hazard *merged) {
    const struct hazard *hazard = merged->first;
    json_t *also = json_array();
    for (size_t i = 0; i < merged->also_count; i++)
        json_array_append_new(also, line_json(merged->also_lines[i]));
    json_t *threads = json_array();
    for (size_t i = 0; i < hazard->thread_count && i < ENGINE_HAZARD_THREADS; i++)
        json_array_append_new(threads,
                              json_pack("{so so}", "block", json_dim3(hazard->threads[i].block),
                                        "thread", json_dim3(hazard->threads[i].thread)));
    json_t *other = json_null();
    if (hazard->other_line)
        other = json_pack("{so so}", "file", json_text(hazard->other_file), "line",
                          line_json(hazard->other_line));
    json_t *variable = hazard->variable[0] ? json_text(hazard->variable) : json_null();
    json_t *item = json_object();
    json_object_set_new(item, "kind", json_text(hazard_infos[hazard->kind].name));
    json_object_set_new(item, "severity",
                        json_string(hazard->severity == SEVERITY_WARNING ? "warning" : "error"));
    json_object_set_new(item, "file", json_text(hazard->file));
    json_object_set_new(item, "line", line_json(hazard->line));
    json_object_set_new(item, "column", line_json(hazard->column));
    json_object_set_new(item, "also_lines", also);
    json_object_set_new(item, "count", json_unsigned(merged->count));
    json_object_set_new(item, "message", json_text(hazard->message));
    json_object_set_new(item, "threads", threads);
    json_object_set_new(item, "other", other);
    json_object_set_new(item, "variable", variable);
    json_object_set_new(item, "fix", fix_json(merged->fix));
    json_set_scene(item, &hazard->scene);
    return item;
}

json_t *json_hazards(const struct hazard *hazards, size_t count) {
    struct merged_hazard *owned;
    hazards_merge_list(hazards, count, &owned, &count);
    cleanup_free struct merged_hazard *merged = owned;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, hazard_json(&merged[i]));
    return list;
}

json_t *json_findings(const struct hazard *hazards, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, hazard_json(&(struct merged_hazard){
                                        .first = &hazards[i],
                                        .fix = hazards[i].fix,
                                        .count = hazards[i].count,
                                    }));
    return list;
}

json_t *json_sampling(enum sampling sampling) {
    static const char *const labels[SAMPLING_COUNT] = {
#define SAMPLING(id, label, summary) label,
#include "sandbox/base/sampling.def"
#undef SAMPLING
    };
    return json_string(labels[sampling]);
}

json_t *json_sampled_errors(const double errors[SAMPLED_FIGURE_COUNT]) {
    json_t *object = json_object();
    for (size_t i = 0; i < SAMPLED_FIGURE_COUNT; i++)
        json_object_set_new(object, sampled_figure_names[i], json_double(errors[i]));
    return object;
}

void json_set_provenance(json_t *device, const struct device_provenance *rates) {
    if (rates->counts[DEVICE_UNSAID] == device_provenance_total(rates))
        return;
    json_t *object = json_object();
    for (size_t i = 0; i < DEVICE_ORIGIN_COUNT; i++)
        json_object_set_new(object, device_origin_names[i], json_integer(rates->counts[i]));
    json_object_set_new(object, "checked", json_boolean(rates->checked));
    json_object_set_new(object, "guess", json_boolean(device_is_guess(rates)));
    json_object_set_new(device, "provenance", object);
}

json_t *json_counters(const struct counters *counters) {
    json_t *object = json_object();
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        json_object_set_new(object, counter_infos[i].name,
                            json_unsigned(counter_value(counters, i)));
    return object;
}

json_t *json_protection(const struct protection *protection) {
    if (!protection->memory)
        return json_null();
    return json_pack("{ss ss ss ss}", "kind", protection_names[protection->kind], "memory",
                     protection->memory, "processes", protection->processes, "cpu",
                     protection->cpu);
}

static int append_chunk(const char *buffer, size_t size, void *data) {
    text_append_bytes(data, buffer, size);
    return 0;
}

static void append_document(struct text *out, json_t *value, size_t flags) {
    cleanup_text struct text document = {0};
    json_dump_callback(value, append_chunk, &document, flags);
    escape_json(out, text_string(&document), document.length);
    text_append_char(out, '\n');
    json_decref(value);
}

void json_append(struct text *out, json_t *value) {
    append_document(out, value, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
}

void json_append_shown(struct text *out, json_t *value) {
    append_document(out, value, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
}

void json_append_line(struct text *out, json_t *value) {
    append_document(out, value, JSON_REAL_PRECISION(15));
}
