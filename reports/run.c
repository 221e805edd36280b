/* The end of a whole program: what the card has found comes first, then how the program ended. */
#include "reports/run.h"

#include "reports/hazards.h"
#include "reports/json_parts.h"
#include "reports/protection.h"
#include "reports/report.h"
#include "reports/sim.h"
#include "reports/terminal.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

enum { SCHEMA_VERSION = 1 };

const char *report_run_status(const struct run_report *report) {
    const char *status = report_sim_status(report->found);
    bool ended = *report->limit || report->signal;
    return ended && strcmp(status, "hazards") != 0 ? "error" : status;
}

void report_run_end(const struct run_report *report, struct text *out) {
    if (*report->limit) {
        text_printf(out, "the program was stopped: %s", report->limit);
    } else if (report->signal) {
        const char *name = sigdescr_np(report->signal);
        text_printf(out, "the program was ended by signal %d (%s)", report->signal,
                    name ? name : "unknown");
        bool is_memory = report->signal == SIGSEGV || report->signal == SIGBUS;
        if (report->crash && report->crash->message[0] && (is_memory || report->crash->line))
            text_printf(out, ": %s", report->crash->message);
        else if (is_memory)
            text_append(out, ": host code used memory that is not its own. A pointer from "
                             "cudaMalloc() is the device's; the host reaches what it points to "
                             "with cudaMemcpy() only");
    }
}

static void print_end(const struct terminal *t, const struct run_report *report) {
    cleanup_text struct text ended = {0};
    report_run_end(report, &ended);
    if (!ended.length)
        return;
    text_append(t->out, "  ");
    terminal_wrap(t, PEN_BOLD_RED, text_string(&ended), 2, 2);
}

/* The source line at which a signal came. */
static void print_crash(const struct terminal *t, const struct run_report *report) {
    const struct hazard *crash = report->crash;
    if (!report->signal || !crash || !crash->line || !report->source ||
        strcmp(crash->file, file_base_name(report->program)) != 0)
        return;
    report_excerpt(report->source, report->source_length, crash->line, 0, 1, t->color, t->out);
}

static void print_line(const struct terminal *t, const struct run_report *report) {
    const char *status = report_run_status(report);
    bool clean = strcmp(status, "clean") == 0, warnings = strcmp(status, "warnings") == 0;
    enum pen pen = clean ? PEN_BOLD_GREEN : warnings ? PEN_YELLOW : PEN_BOLD_RED;
    terminal_printf(t, pen, "%s ", clean ? "\u2713" : warnings ? "!" : "\u2717");
    terminal_foreign(t, pen, report->program);
    size_t count = report->found->hazard_count;
    cleanup_text struct text ended = {0};
    report_run_end(report, &ended);
    if (report->found->end != ENGINE_COMPLETED && report->found->message[0]) {
        terminal_print(t, pen, ": ");
        terminal_wrap(t, PEN_PLAIN, report->found->message, 4, 2);
    } else if (ended.length && !count) {
        terminal_print(t, pen, ": ");
        terminal_wrap(t, PEN_PLAIN, text_string(&ended), terminal_columns(report->program) + 4, 2);
    } else if (count) {
        terminal_printf(t, pen, ": %zu %s%s\n", count, warnings ? "warning" : "hazard",
                        text_plural(count));
    } else {
        terminal_print(t, pen, ": no hazard");
        terminal_printf(t, PEN_DIM, " in %" PRIu64 " launch%s", report->launches,
                        report->launches == 1 ? "" : "es");
        if (report->card)
            terminal_printf(t, PEN_DIM, " on %s\n", report->card);
        else
            terminal_printf(t, PEN_DIM, "; modelled on %s: %s ms\n", report->device->name,
                            decimal(report->modelled_ms, 4).text);
    }
}

/* What a clean run on a card does not say. */
static void print_card(const struct terminal *t, const struct run_report *report) {
    if (!report->card)
        return;
    text_append(t->out, "  ");
    terminal_wrap(t, PEN_DIM,
                  "a card sees no race, no read of memory that nothing has written, and no access "
                  "that leaves one allocation for another; --engine sim does",
                  2, 2);
}

enum { MOST_NAMED = 8 };

static void append_bytes(struct text *out, uint64_t bytes) {
    if (bytes < 1024)
        text_printf(out, "%" PRIu64 " byte%s", bytes, text_plural(bytes));
    else if (bytes < 1 << 20)
        text_printf(out, "%" PRIu64 " KiB", bytes >> 10);
    else
        text_printf(out, "%" PRIu64 " MiB", bytes >> 20);
}

/* A limit is this machine's and not the program's fault: which option moves it. */
static const char *limit_advice(const struct run_report *report) {
    static const struct {
        const char *limit, *advice;
    } advices[] = {
        {"wall clock limit", "--time-limit S gives it more time; a smaller problem needs less, and "
                             "the simulated GPU about half with --no-checks"},
        {"memory limit", "--memory-limit MB gives it more memory"},
        {"output limit", "--output-limit MB lets it print more"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(advices); i++) {
        const char *limit = advices[i].limit;
        bool is_launch = i == 0 && report->found->end == ENGINE_TIME_LIMIT;
        if (is_launch || strncmp(report->limit, limit, strlen(limit)) == 0 ||
            (report->found->end == ENGINE_CRASHED && strstr(report->found->message, limit)))
            return advices[i].advice;
    }
    return NULL;
}

static void print_limits(const struct terminal *t, const struct run_report *report) {
    cleanup_text struct text line = {0};
    const char *advice = limit_advice(report);
    if (advice)
        text_append(&line, advice);
    if (report->refused_bytes) {
        text_append(&line, advice ? ". A call for " : "a call for ");
        append_bytes(&line, report->refused_bytes);
        text_append(&line, " of device memory failed: there are ");
        append_bytes(&line, report->device_bytes);
        text_append(&line, " in all; --memory-limit MB gives it more");
    }
    if (!line.length)
        return;
    text_append(t->out, "  ");
    terminal_wrap(t, PEN_YELLOW, text_string(&line), 2, 2);
}

static void print_file(const struct terminal *t, const struct run_report *report,
                       const struct run_file *file) {
    cleanup_text struct text size = {0};
    append_bytes(&size, file->bytes);
    terminal_print(t, PEN_DIM, "  wrote ");
    terminal_foreign(t, PEN_PLAIN, file->path);
    terminal_printf(t, PEN_DIM, " (%s)", text_string(&size));
    if (!report->keeps_files)
        terminal_print(t, PEN_DIM, ", not kept; --keep-files DIR keeps it");
    else if (*file->not_kept)
        terminal_printf(t, PEN_YELLOW, ", not kept: %s", file->not_kept);
    text_append_char(t->out, '\n');
}

static void print_files(const struct terminal *t, const struct run_report *report) {
    size_t shown = report->file_count < MOST_NAMED ? report->file_count : MOST_NAMED;
    size_t others = report->file_count - shown + report->more_files;
    for (size_t i = 0; i < shown; i++)
        print_file(t, report, &report->files[i]);
    if (others)
        terminal_printf(t, PEN_DIM, "  wrote %zu file%s more\n", others, text_plural(others));
    if (report->left_out || report->cut)
        terminal_printf(t, PEN_YELLOW,
                        "  %s%zu file%s of its folder %s not there for the program: too many, too "
                        "large, or a link that leads out\n",
                        report->cut ? "more than " : "", report->left_out,
                        text_plural(report->left_out), report->left_out == 1 ? "was" : "were");
}

void report_run_text(const struct run_report *report, bool color, struct text *out) {
    const struct engine_result *found = report->found;
    const struct terminal t = {.out = out, .color = color, .width = TERMINAL_WIDTH};
    if (found->hazard_count) {
        report_hazards_text(found->hazards, found->hazard_count, report->program, report->source,
                            report->source_length, LANGUAGE_EN, color, out);
        text_append_char(out, '\n');
    }
    print_line(&t, report);
    protection_warn(&t, &report->protection);
    if (found->hazard_count)
        print_end(&t, report);
    print_limits(&t, report);
    print_crash(&t, report);
    print_card(&t, report);
    print_files(&t, report);
    if (!report->used && !report->source && !*report->limit && !report->signal &&
        found->end != ENGINE_CRASHED) {
        text_append(out, "  ");
        terminal_wrap(&t, PEN_YELLOW,
                      "the program has not called the CUDA runtime; one that was linked with "
                      "NVIDIA's static library must be linked again with -cudart shared",
                      2, 2);
    }
}

static json_t *files_json(const struct run_report *report) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->file_count; i++) {
        const struct run_file *file = &report->files[i];
        json_array_append_new(list, json_pack("{so so sb}", "path", json_text(file->path), "bytes",
                                              json_unsigned(file->bytes), "kept",
                                              report->keeps_files && !*file->not_kept));
    }
    return list;
}

/* A card's time is not modelled. */
static void set_modelled(json_t *object, const struct run_report *report, const char *name,
                         double ms) {
    json_object_set_new(object, name, report->card ? json_null() : json_double(ms));
}

void report_run_json(const struct run_report *report, struct text *out) {
    const struct engine_result *found = report->found;
    cleanup_text struct text ended = {0};
    report_run_end(report, &ended);
    const char *message = ended.length ? text_string(&ended) : found->message;
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_integer(SCHEMA_VERSION));
    json_object_set_new(object, "program", json_text(report->program));
    json_object_set_new(object, "status", json_string(report_run_status(report)));
    json_object_set_new(object, "message", *message ? json_text(message) : json_null());
    json_object_set_new(object, "exit_code",
                        report->exit_code >= 0 ? json_integer(report->exit_code) : json_null());
    json_object_set_new(object, "signal",
                        report->signal ? json_integer(report->signal) : json_null());
    const struct hazard *crash = report->crash;
    bool has_place = report->signal && crash && crash->line;
    json_object_set_new(object, "file", has_place ? json_text(crash->file) : json_null());
    json_object_set_new(object, "line", has_place ? json_unsigned(crash->line) : json_null());
    json_object_set_new(object, "hazards", json_hazards(found->hazards, found->hazard_count));
    json_object_set_new(object, "engine", json_string(report->card ? "cuda" : "sim"));
    json_object_set_new(object, "device",
                        json_text(report->card ? report->card : report->device->id));
    json_object_set_new(object, "launches", json_unsigned(report->launches));
    double overlap = report->modelled_sum_ms - report->modelled_ms;
    set_modelled(object, report, "modelled_ms", report->modelled_ms);
    set_modelled(object, report, "modelled_sum_ms", report->modelled_sum_ms);
    set_modelled(object, report, "modelled_overlap_ms", overlap > 0 ? overlap : 0);
    json_object_set_new(object, "leaked_allocations", json_unsigned(report->leaked_blocks));
    json_object_set_new(object, "leaked_bytes", json_unsigned(report->leaked_bytes));
    json_object_set_new(object, "device_bytes", json_unsigned(report->device_bytes));
    json_object_set_new(object, "refused_bytes", json_unsigned(report->refused_bytes));
    json_object_set_new(object, "files", files_json(report));
    json_object_set_new(object, "counters",
                        report->card ? json_null() : json_counters(&found->counters));
    json_object_set_new(object, "jail", json_protection(&report->protection));
    json_append(out, object);
}
