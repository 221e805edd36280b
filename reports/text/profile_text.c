/* A profile for people: what was launched, what bounds it, a bar for each part of the modelled
 * time, the roofline, and the source with its counters (profile_listing.c). */
#include "reports/profile.h"

#include "reports/advice.h"
#include "reports/device.h"
#include "reports/explain.h"
#include "reports/hazards.h"
#include "reports/message.h"
#include "reports/protection.h"
#include "reports/terminal.h"
#include "reports/text/profile_listing.h"
#include "reports/text/text_case.h"
#include "reports/translate.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_COLUMNS = 18, BAR_COLUMNS = 40 };

/* ---- numbers --------------------------------------------------------------------------------- */

/* "12.3 us", "1.05 ms", "2.1 s" */
static void append_time(struct text *out, double ms) {
    if (ms < 1)
        text_printf(out, "%s \u00b5s", decimal(ms * 1e3, 3).text);
    else if (ms < 1000)
        text_printf(out, "%s ms", decimal(ms, 3).text);
    else
        text_printf(out, "%s s", decimal(ms / 1e3, 3).text);
}

static void append_bytes(struct text *out, enum language language, double bytes) {
    const char *const units[] = {WORDS(language, bytes), "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < ARRAY_LENGTH(units)) {
        bytes /= 1000;
        unit++;
    }
    text_printf(out, "%s %s", decimal(bytes, 3).text, units[unit]);
}

/* "820 GB/s", "4.1 TB/s"; "67 TFLOP/s" */
static void append_rate(struct text *out, double giga, const char *unit) {
    if (giga >= 1000)
        text_printf(out, "%s T%s", decimal(giga / 1000, 3).text, unit);
    else
        text_printf(out, "%s G%s", decimal(giga, 3).text, unit);
}

static void append_dim3(struct text *out, struct dim3 d) {
    text_printf(out, "%u", d.x);
    if (d.y > 1 || d.z > 1)
        text_printf(out, " x %u", d.y);
    if (d.z > 1)
        text_printf(out, " x %u", d.z);
}

/* ---- the head -------------------------------------------------------------------------------- */

static void print_row(const struct terminal *t, const char *label, const struct text *text) {
    hazards_detail_label(t, label);
    terminal_wrap(t, PEN_PLAIN, text_string(text), DETAIL_INDENT, DETAIL_INDENT);
}

static void print_title(const struct terminal *t, const struct profile_report *report) {
    terminal_foreign(t, PEN_BOLD, report->file);
    terminal_print(t, PEN_BOLD, ": ");
    terminal_foreign(t, PEN_BOLD, report->kernel);
    terminal_print(t, PEN_PLAIN, WORDS(t->language, on_device));
    terminal_foreign(t, PEN_PLAIN, report->device->name);
    terminal_print(t, PEN_DIM, WORDS(t->language, simulated_modelled));
    if (!report->exercise)
        return;
    text_append(t->out, "  ");
    terminal_foreign(t, PEN_DIM, report->exercise);
    terminal_print(t, PEN_DIM, WORDS(t->language, its_case));
    terminal_foreign(t, PEN_DIM, report->case_name);
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, report->sizes, report->size_count);
    if (sizes.length)
        terminal_printf(t, PEN_DIM, "%s%s", WORDS(t->language, colon), text_string(&sizes));
    text_append_char(t->out, '\n');
}

static void print_launch(const struct terminal *t, const struct profile_report *report) {
    const struct launch_profile *profile = &report->result->profile;
    cleanup_text struct text text = {0}, grid = {0}, block = {0};
    append_dim3(&grid, report->grid);
    append_dim3(&block, report->block);
    text_printf(&text, WORDS(t->language, blocks_of_threads), text_string(&grid),
                text_plural(profile->blocks), text_string(&block));
    uint64_t shared = report->result->static_shared_bytes + report->shared_bytes;
    if (report->registers)
        text_printf(&text, WORDS(t->language, registers_a_thread), report->registers);
    text_printf(&text, WORDS(t->language, shared_a_block), shared);
    print_row(t, WORDS(t->language, label_launch), &text);
}

static void print_occupancy(const struct terminal *t, const struct profile_report *report) {
    const struct occupancy *occupancy = &report->result->profile.occupancy;
    cleanup_text struct text text = {0};
    if (report->registers)
        text_printf(&text, WORDS(t->language, occupancy_of_sm), 100 * occupancy->theoretical,
                    occupancy->blocks_per_sm, text_plural(occupancy->blocks_per_sm),
                    occupancy->warps_per_sm, report->device->warps_per_sm,
                    message_occupancy_limit(t->language, occupancy_limit_names[occupancy->limit]));
    else
        text_printf(&text, WORDS(t->language, registers_unknown),
                    report->registers_problem ? report->registers_problem
                                              : WORDS(t->language, no_ptxas));
    print_row(t, WORDS(t->language, label_occupancy), &text);
}

static const char *const sampling_summaries[SAMPLING_COUNT] = {
#define SAMPLING(id, label, summary) summary,
#include "sandbox/base/sampling.def"
#undef SAMPLING
};

static void print_sampling(const struct terminal *t, const struct launch_profile *profile) {
    cleanup_text struct text text = {0};
    if (profile->sampling == SAMPLING_sampled) {
        text_printf(&text, WORDS(t->language, blocks_executed), profile->blocks_simulated,
                    profile->blocks);
        text_append(&text, WORDS(t->language, semicolon));
        report_append_error(&text, t->language, profile->errors);
    } else {
        translate_append(&text, t->language, sampling_summaries[profile->sampling]);
    }
    print_row(t, WORDS(t->language, label_sample), &text);
}

/* Tensor cores that the exercise is about come before whatever else a line wastes. */
static enum waste waste_of(const struct profile_report *report) {
    return profile_lacks_matrix(report)
               ? WASTE_MATRIX
               : advice_find(report->result, report->device, file_base_name(report->file)).waste;
}

static void print_time(const struct terminal *t, const struct profile_report *report) {
    const struct cost_estimate *estimate = &report->result->profile.estimate;
    struct device_provenance rates = device_rate_provenance(report->device);
    cleanup_text struct text time = {0}, guess = {0}, limiter = {0};
    if (estimate->ms <= 0) {
        text_append(&time, WORDS(t->language, no_room_for_block));
        if (report->registers && !report->result->profile.occupancy.blocks_per_sm)
            print_row(t, WORDS(t->language, label_time), &time);
        return;
    }
    append_time(&time, estimate->ms);
    report_append_spread(&time, profile_time_error(&report->result->profile));
    text_append(&time, WORDS(t->language, modelled));
    print_row(t, WORDS(t->language, label_time), &time);
    report_append_guess(&guess, t->language, &rates);
    if (guess.length)
        print_row(t, WORDS(t->language, label_assumed), &guess);
    profile_append_limiter(report, t->language, &limiter);
    hazards_detail_label(t, WORDS(t->language, label_limiter));
    terminal_wrap(t, PEN_BOLD, text_string(&limiter), DETAIL_INDENT, DETAIL_INDENT);
}

static void append_ridge(struct text *out, enum language language,
                         const struct profile_roofline *roof) {
    cleanup_free char *precision = translate_string(language, roof->precision);
    text_printf(
        out, roof->memory_bound ? WORDS(language, roof_memory) : WORDS(language, roof_arithmetic),
        decimal(roof->intensity, 3).text, precision, decimal(roof->ridge, 3).text);
}

static void print_roofline(const struct terminal *t, const struct profile_report *report) {
    struct profile_roofline roof = profile_roofline(report);
    cleanup_text struct text text = {0}, reached = {0}, peak = {0};
    if (!roof.known)
        return;
    if (isinf(roof.intensity))
        text_append(&text, WORDS(t->language, roof_no_dram));
    else if (roof.intensity <= 0)
        text_append(&text, WORDS(t->language, roof_no_flops));
    else
        append_ridge(&text, t->language, &roof);
    append_rate(&reached, roof.memory_bound ? roof.gbps : roof.gflops,
                roof.memory_bound ? "B/s" : "FLOP/s");
    append_rate(&peak, roof.memory_bound ? roof.peak_gbps : roof.peak_gflops,
                roof.memory_bound ? "B/s" : "FLOP/s");
    text_printf(&text, WORDS(t->language, roof_share), text_string(&reached), text_string(&peak),
                100 * roof.fraction);
    print_row(t, WORDS(t->language, label_roofline), &text);
}

static void print_memory(const struct terminal *t, const struct engine_result *result) {
    const struct counters *c = &result->counters;
    const double *errors = result->profile.errors;
    double dram = 0, l1 = 0, l2 = 0;
    cleanup_text struct text text = {0}, moved = {0}, ideal = {0};
    metric_evaluate(c, "dram_bytes", &dram);
    metric_evaluate(c, "l1_hit_rate", &l1);
    metric_evaluate(c, "l2_hit_rate", &l2);
    append_bytes(&moved, t->language, dram);
    report_append_spread(&moved, errors[SAMPLED_dram_bytes]);
    append_bytes(&ideal, t->language, (double)c->ideal_bytes);
    report_append_spread(&ideal, errors[SAMPLED_ideal_bytes]);
    text_printf(&text, WORDS(t->language, dram_for), text_string(&moved), text_string(&ideal));
    if (dram < 0.98 * (double)c->ideal_bytes)
        text_append(&text, WORDS(t->language, rest_in_l2));
    text_printf(&text, WORDS(t->language, hit_rates), 100 * l1, 100 * l2);
    if (c->l1_sectors || c->ideal_bytes)
        print_row(t, WORDS(t->language, label_memory), &text);
}

/* ---- the parts of the time ------------------------------------------------------------------- */

/* Eighths of a column, so that small parts can be distinguished. */
static void append_bar(struct text *out, double share) {
    static const char *const eighths[] = {"",       "\u258f", "\u258e", "\u258d",
                                          "\u258c", "\u258b", "\u258a", "\u2589"};
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    unsigned units = (unsigned)lround(share * BAR_COLUMNS * 8);
    for (unsigned i = 0; i < units / 8; i++)
        text_append(out, "\u2588");
    text_append(out, eighths[units % 8]);
    text_append_repeated(out, ' ', BAR_COLUMNS - units / 8 - (units % 8 != 0));
}

static void print_parts(const struct terminal *t, const struct profile_report *report) {
    const struct cost_estimate *estimate = &report->result->profile.estimate;
    const char *file = file_base_name(report->file);
    bool done[COST_PART_COUNT] = {false};
    if (estimate->ms <= 0)
        return;
    terminal_print(t, PEN_DIM, WORDS(t->language, parts_alone));
    for (;;) {
        size_t most = COST_PART_COUNT;
        for (size_t i = 0; i < COST_PART_COUNT; i++)
            if (!done[i] && estimate->part_ms[i] >= estimate->ms / 200 &&
                (most == COST_PART_COUNT || estimate->part_ms[i] > estimate->part_ms[most]))
                most = i;
        if (most == COST_PART_COUNT)
            return;
        done[most] = true;
        cleanup_text struct text bar = {0}, time = {0}, label = {0};
        append_bar(&bar, estimate->part_ms[most] / estimate->ms);
        append_time(&time, estimate->part_ms[most]);
        advice_part_label(report->result, (enum cost_part)most, file, t->language, &label);
        terminal_indent(t, 2);
        terminal_cell(t, most == estimate->limiter ? PEN_BOLD : PEN_PLAIN, text_string(&label),
                      LABEL_COLUMNS);
        terminal_print(t, most == estimate->limiter ? PEN_RED : PEN_CYAN, text_string(&bar));
        terminal_printf(t, PEN_PLAIN, " %4.0f %%  ", 100 * estimate->part_ms[most] / estimate->ms);
        terminal_print(t, PEN_PLAIN, text_string(&time));
        text_append_char(t->out, '\n');
    }
}

/* What to do about the worst waste, and the pages about it and about what bounds the launch. */
static void print_advice(const struct terminal *t, const struct profile_report *report) {
    enum waste waste = waste_of(report);
    cleanup_text struct text limiter = {0};
    profile_append_limiter(report, LANGUAGE_EN, &limiter);
    const char *bound = explain_limiter(text_string(&limiter));
    if (waste == WASTE_COUNT && !bound)
        return;
    text_append_char(t->out, '\n');
    if (waste != WASTE_COUNT) {
        hazards_detail_label(t, WORDS(t->language, label_fix));
        terminal_wrap(t, PEN_PLAIN, advice_fix(waste, t->language), DETAIL_INDENT, DETAIL_INDENT);
    }
    hazards_detail_label(t, WORDS(t->language, label_more));
    if (bound)
        terminal_printf(t, PEN_CYAN, "warpgrade explain %s", bound);
    if (waste != WASTE_COUNT) {
        terminal_print(t, PEN_DIM, bound ? WORDS(t->language, semicolon) : "");
        terminal_printf(t, PEN_CYAN, "warpgrade explain %s", advice_page(waste));
    }
    text_append_char(t->out, '\n');
}

void report_profile_text(const struct profile_report *report, bool color, unsigned width,
                         struct text *out) {
    const struct terminal t = {.out = out,
                               .color = color,
                               .width = width ? width : TERMINAL_WIDTH,
                               .language = report->language};
    print_title(&t, report);
    protection_warn(&t, &report->protection);
    text_append_char(out, '\n');
    print_time(&t, report);
    print_roofline(&t, report);
    print_memory(&t, report->result);
    print_launch(&t, report);
    print_occupancy(&t, report);
    print_sampling(&t, &report->result->profile);
    print_parts(&t, report);
    profile_listing(&t, report);
    print_advice(&t, report);
}
