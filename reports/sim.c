/* A launch by itself: no exercise, no score. The JSON is sim.schema.json's to the letter, plus
 * `message`, `printed` and `schedules`; the text puts what is wrong first and the numbers after it.
 */
#include "reports/sim.h"

#include "reports/device.h"
#include "reports/hazards.h"
#include "reports/json_parts.h"
#include "reports/message.h"
#include "reports/protection.h"
#include "reports/report.h"
#include "reports/terminal.h"
#include "reports/translate.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 1 };

static bool has_error(const struct engine_result *result) {
    for (size_t i = 0; i < result->hazard_count; i++)
        if (result->hazards[i].severity == SEVERITY_ERROR)
            return true;
    return false;
}

const char *report_sim_status(const struct engine_result *result) {
    return result->end != ENGINE_COMPLETED ? "error"
           : has_error(result)             ? "hazards"
           : result->hazard_count          ? "warnings"
                                           : "clean";
}

static double instructions_per_second(const struct engine_result *result) {
    double seconds = result->elapsed_ms / 1000;
    return seconds > 0 ? (double)result->counters.thread_instructions / seconds : 0;
}

static json_t *lines_json(const struct engine_result *result) {
    json_t *list = json_array();
    for (size_t i = 0; i < result->line_count; i++) {
        const struct line_counters *line = &result->lines[i];
        json_t *item = json_object();
        json_object_set_new(item, "file", json_text(line->file));
        json_object_set_new(item, "line", json_integer(line->line));
        json_t *counters = json_counters(&line->counters);
        json_object_update(item, counters);
        json_decref(counters);
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *schedules_json(const struct sim_schedules *schedules) {
    json_t *difference = json_null();
    if (schedules->differing) {
        difference = json_object();
        json_object_set_new(difference, "schedule", json_integer(schedules->first));
        json_object_set_new(difference, "argument", json_integer((json_int_t)schedules->argument));
        json_object_set_new(difference, "buffer", json_text(schedules->buffer));
        json_object_set_new(difference, "index", json_unsigned(schedules->index));
        json_object_set_new(difference, "natural", json_double(schedules->natural));
        json_object_set_new(difference, "other", json_double(schedules->other));
    }
    json_t *object = json_object();
    json_object_set_new(object, "run", json_integer(schedules->run ? schedules->run : 1));
    json_object_set_new(object, "differing", json_integer(schedules->differing));
    json_object_set_new(object, "first_difference", difference);
    return object;
}

static json_t *optimised_json(const struct sim_optimised *optimised) {
    json_t *object = json_object(), *lines = json_array();
    for (size_t i = 0; i < optimised->line_count; i++)
        json_array_append_new(lines, json_integer(optimised->lines[i]));
    json_object_set_new(object, "hidden_hazards", json_integer((json_int_t)optimised->hidden));
    json_object_set_new(object, "all", json_boolean(optimised->all));
    json_object_set_new(object, "lines", lines);
    return object;
}

static json_t *device_json(const struct sim_report *report) {
    const struct launch_profile *profile = &report->result->profile;
    if (!report->device || !profile->present)
        return json_null();
    json_t *object = json_object();
    struct device_provenance rates = device_rate_provenance(report->device);
    json_object_set_new(object, "id", json_text(report->device->id));
    json_set_provenance(object, &rates);
    json_object_set_new(object, "blocks", json_unsigned(profile->blocks));
    json_object_set_new(object, "blocks_simulated", json_unsigned(profile->blocks_simulated));
    json_object_set_new(object, "sampling", json_sampling(profile->sampling));
    json_object_set_new(object, "relative_error",
                        json_double(profile_largest_error(profile->errors)));
    json_object_set_new(object, "relative_errors", json_sampled_errors(profile->errors));
    return object;
}

void report_sim_json(const struct sim_report *report, struct text *out) {
    const struct engine_result *result = report->result;
    bool known = report->registers_per_thread != 0;
    json_t *counters = json_counters(&result->counters);
    json_object_set_new(counters, "registers_per_thread",
                        known ? json_integer(report->registers_per_thread) : json_null());
    json_object_set_new(counters, "theoretical_occupancy",
                        known ? json_double(report->theoretical_occupancy) : json_null());
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_integer(SCHEMA_VERSION));
    json_object_set_new(object, "kernel", json_text(report->kernel));
    json_object_set_new(object, "status", json_string(report_sim_status(result)));
    json_object_set_new(object, "message",
                        result->message[0] ? json_text(result->message) : json_null());
    json_object_set_new(object, "hazards", json_hazards(result->hazards, result->hazard_count));
    json_object_set_new(object, "schedules", schedules_json(&report->schedules));
    json_object_set_new(object, "optimised_away", optimised_json(&report->optimised));
    json_object_set_new(object, "device", device_json(report));
    json_object_set_new(object, "counters", counters);
    json_object_set_new(object, "lines", lines_json(result));
    json_object_set_new(object, "printed",
                        json_text_bytes(text_string(&result->printed), result->printed.length));
    json_object_set_new(object, "printed_cut", json_boolean(result->printed_cut));
    json_object_set_new(object, "jail", json_protection(&report->protection));
    json_object_set_new(object, "elapsed_ms", json_double(result->elapsed_ms));
    json_object_set_new(object, "thread_instructions_per_second",
                        json_double(instructions_per_second(result)));
    json_append(out, object);
}

static void print_printed(const struct terminal *t, const struct engine_result *result) {
    const char *data = text_string(&result->printed);
    size_t length = result->printed.length;
    for (size_t i = 0; i < length;) {
        const char *newline = memchr(data + i, '\n', length - i);
        size_t end = newline ? (size_t)(newline - data) : length;
        terminal_foreign_bytes(t, PEN_PLAIN, data + i, end - i);
        text_append_char(t->out, '\n');
        i = end + 1;
    }
    if (result->printed_cut)
        terminal_print(t, PEN_DIM, WORDS(t->language, printed_cut));
    if (length)
        text_append_char(t->out, '\n');
}

/* 1234567 as "1,234,567": these numbers are read, not parsed; --json has them for programs. */
static void append_grouped(struct text *out, uint64_t value) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text_append_char(out, ',');
        text_append_char(out, digits[i]);
    }
}

static void print_counter(const struct terminal *t, const char *name, const char *value,
                          const char *note) {
    terminal_printf(t, PEN_PLAIN, "  %-27s %16s", name, value);
    if (note)
        terminal_printf(t, PEN_DIM, "  %s", note);
    text_append_char(t->out, '\n');
}

static void print_counters(const struct terminal *t, const struct counters *counters,
                           unsigned registers, double occupancy) {
    cleanup_text struct text value = {0};
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        if (!counter_value(counters, i))
            continue;
        text_clear(&value);
        append_grouped(&value, counter_value(counters, i));
        cleanup_free char *summary = translate_string(t->language, counter_infos[i].summary);
        print_counter(t, counter_infos[i].name, text_string(&value), summary);
    }
    if (registers) {
        text_clear(&value);
        text_printf(&value, "%u", registers);
        print_counter(t, "registers_per_thread", text_string(&value),
                      WORDS(t->language, registers_as_allocated));
        text_clear(&value);
        text_printf(&value, "%.0f %%", 100 * occupancy);
        print_counter(t, "theoretical_occupancy", text_string(&value),
                      WORDS(t->language, resident_warps));
    }
}

static size_t count_findings(const struct engine_result *result) {
    struct merged_hazard *merged;
    size_t count;
    hazards_merge_list(result->hazards, result->hazard_count, &merged, &count);
    free(merged);
    return count;
}

static void print_status(const struct terminal *t, const struct engine_result *result,
                         const char *kernel, bool differs) {
    bool error = result->end != ENGINE_COMPLETED;
    bool clean = !error && !result->hazard_count;
    bool warnings = !error && result->hazard_count && !has_error(result);
    bool good = (clean || warnings) && !differs;
    enum pen pen = !good ? PEN_BOLD_RED : warnings ? PEN_YELLOW : PEN_BOLD_GREEN;
    terminal_printf(t, pen, "%s ", !good ? "\u2717" : warnings ? "!" : "\u2713");
    terminal_foreign(t, pen, kernel);
    if (error) {
        cleanup_free char *message = translate_string(t->language, result->message);
        terminal_print(t, PEN_PLAIN, WORDS(t->language, colon));
        terminal_wrap(t, PEN_PLAIN, message, terminal_columns(kernel) + 4, 2);
    } else if (clean) {
        terminal_print(t, pen, WORDS(t->language, no_hazard));
    } else if (warnings) {
        terminal_printf(t, PEN_YELLOW, WORDS(t->language, count_warnings), result->hazard_count,
                        text_plural(result->hazard_count));
    } else {
        size_t count = count_findings(result);
        terminal_printf(t, PEN_BOLD_RED, WORDS(t->language, count_hazards), count,
                        text_plural(count));
    }
}

static void print_schedules(const struct terminal *t, const struct sim_schedules *schedules) {
    if (schedules->run < 2)
        return;
    text_append(t->out, "  ");
    if (!schedules->differing) {
        terminal_printf(t, PEN_PLAIN, WORDS(t->language, same_under_schedules), schedules->run);
        return;
    }
    cleanup_text struct text message = {0};
    text_printf(&message, WORDS(t->language, depends_on_order), schedules->differing,
                schedules->run - 1, schedules->differing == 1 ? "s" : "", schedules->buffer,
                schedules->index, decimal(schedules->natural, 9).text,
                decimal(schedules->other, 9).text, schedules->first);
    terminal_wrap(t, PEN_YELLOW, text_string(&message), 2, 2);
}

/* "line 7", "lines 7, 9 and 12" */
static void append_lines(struct text *out, enum language language, const unsigned *lines,
                         size_t count) {
    text_printf(out, count == 1 ? WORDS(language, line_one) : WORDS(language, lines_first),
                lines[0]);
    for (size_t i = 1; i < count; i++)
        text_printf(out, i + 1 < count ? WORDS(language, next_number) : WORDS(language, lines_last),
                    lines[i]);
}

/* A clean launch checks what the compiler has left of the source. */
static void print_optimised(const struct terminal *t, const struct sim_optimised *optimised) {
    cleanup_text struct text message = {0}, lines = {0};
    if (optimised->hidden) {
        text_printf(&message, WORDS(t->language, optimiser_hides), optimised->hidden,
                    text_plural(optimised->hidden));
    } else if (optimised->all) {
        text_append(&message, WORDS(t->language, optimiser_removed_all));
    } else if (optimised->line_count) {
        append_lines(&lines, t->language, optimised->lines, optimised->line_count);
        text_printf(&message, WORDS(t->language, optimiser_removed_lines), text_string(&lines));
    } else
        return;
    text_append(&message, optimised->hidden > 1 ? WORDS(t->language, debug_shows_them)
                          : optimised->hidden   ? WORDS(t->language, debug_shows_it)
                                                : WORDS(t->language, debug_compiles_without));
    text_append(t->out, "  ");
    terminal_wrap(t, PEN_YELLOW, text_string(&message), 2, 2);
}

/* Whose caches, and how much of the grid the counters are of. */
static void print_device(const struct terminal *t, const struct sim_report *report) {
    const struct launch_profile *profile = &report->result->profile;
    terminal_print(t, PEN_DIM, WORDS(t->language, caches_of));
    terminal_foreign(t, PEN_DIM, report->device->id);
    cleanup_text struct text sample = {0};
    if (profile->sampling == SAMPLING_sampled) {
        text_append(&sample, WORDS(t->language, semicolon));
        text_printf(&sample, WORDS(t->language, blocks_executed), profile->blocks_simulated,
                    profile->blocks);
        text_append(&sample, WORDS(t->language, next_piece));
        report_append_error(&sample, t->language, profile->errors);
    }
    terminal_printf(t, PEN_DIM, "%s\n", text_string(&sample));
    cleanup_text struct text guess = {0};
    struct device_provenance rates = device_rate_provenance(report->device);
    report_append_assumed(&guess, t->language, &rates);
    if (guess.length)
        terminal_printf(t, PEN_YELLOW, WORDS(t->language, assumed_is), text_string(&guess));
}

void report_sim_text(const struct sim_report *report, bool color, struct text *out) {
    const struct engine_result *result = report->result;
    const struct terminal t = {
        .out = out, .color = color, .width = TERMINAL_WIDTH, .language = report->language};
    print_printed(&t, result);
    if (result->hazard_count) {
        report_hazards_text(result->hazards, result->hazard_count, report->file, report->source,
                            report->source_length, report->language, color, out);
        text_append_char(out, '\n');
    }
    print_status(&t, result, report->kernel, report->schedules.differing != 0);
    protection_warn(&t, &report->protection);
    if (result->end != ENGINE_COMPLETED)
        return;
    print_schedules(&t, &report->schedules);
    print_optimised(&t, &report->optimised);
    text_append_char(out, '\n');
    print_counters(&t, &result->counters, report->registers_per_thread,
                   report->theoretical_occupancy);
    if (report->device)
        print_device(&t, report);
    terminal_printf(&t, PEN_DIM, WORDS(t.language, speed_of_simulation), result->elapsed_ms,
                    instructions_per_second(result) / 1e6);
}
