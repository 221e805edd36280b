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

#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_COLUMNS = 40 };

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

static void append_bytes(struct text *out, double bytes) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
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
    terminal_print(t, PEN_PLAIN, " on ");
    terminal_foreign(t, PEN_PLAIN, report->device->name);
    terminal_print(t, PEN_DIM, " (simulated; times are modelled)\n");
    if (!report->exercise)
        return;
    text_append(t->out, "  ");
    terminal_foreign(t, PEN_DIM, report->exercise);
    terminal_print(t, PEN_DIM, ", case ");
    terminal_foreign(t, PEN_DIM, report->case_name);
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, report->sizes, report->size_count);
    if (sizes.length)
        terminal_printf(t, PEN_DIM, ": %s", text_string(&sizes));
    text_append_char(t->out, '\n');
}

static void print_launch(const struct terminal *t, const struct profile_report *report) {
    const struct launch_profile *profile = &report->result->profile;
    cleanup_text struct text text = {0};
    append_dim3(&text, report->grid);
    text_printf(&text, " block%s of ", text_plural(profile->blocks));
    append_dim3(&text, report->block);
    text_append(&text, " threads");
    uint64_t shared = report->result->static_shared_bytes + report->shared_bytes;
    if (report->registers)
        text_printf(&text, "; %u registers a thread", report->registers);
    text_printf(&text, ", %" PRIu64 " bytes of shared memory a block", shared);
    print_row(t, "launch", &text);
}

static void print_occupancy(const struct terminal *t, const struct profile_report *report) {
    const struct occupancy *occupancy = &report->result->profile.occupancy;
    cleanup_text struct text text = {0};
    if (report->registers)
        text_printf(&text, "%.0f %%: an SM holds %u block%s, %u of %.0f warps; limited by %s",
                    100 * occupancy->theoretical, occupancy->blocks_per_sm,
                    text_plural(occupancy->blocks_per_sm), occupancy->warps_per_sm,
                    report->device->warps_per_sm, occupancy_limit_names[occupancy->limit]);
    else
        text_printf(&text, "unknown, because the registers of a thread are: %s",
                    report->registers_problem ? report->registers_problem : "no ptxas");
    print_row(t, "occupancy", &text);
}

static const char *const sampling_summaries[SAMPLING_COUNT] = {
#define SAMPLING(id, label, summary) summary,
#include "sandbox/base/sampling.def"
#undef SAMPLING
};

static void print_sampling(const struct terminal *t, const struct launch_profile *profile) {
    cleanup_text struct text text = {0};
    if (profile->sampling == SAMPLING_sampled) {
        text_printf(&text,
                    "%" PRIu64 " of %" PRIu64 " blocks were executed and the counters scaled; ",
                    profile->blocks_simulated, profile->blocks);
        report_append_error(&text, t->language, profile->errors);
    } else {
        text_append(&text, sampling_summaries[profile->sampling]);
    }
    print_row(t, "sample", &text);
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
        text_append(&time, "none: a block has no room on an SM, and the launch fails");
        if (report->registers && !report->result->profile.occupancy.blocks_per_sm)
            print_row(t, "time", &time);
        return;
    }
    append_time(&time, estimate->ms);
    report_append_spread(&time, profile_time_error(&report->result->profile));
    text_append(&time, " modelled");
    print_row(t, "time", &time);
    report_append_guess(&guess, t->language, &rates);
    if (guess.length)
        print_row(t, "assumed", &guess);
    profile_append_limiter(report, &limiter);
    hazards_detail_label(t, "limiter");
    terminal_wrap(t, PEN_BOLD, text_string(&limiter), DETAIL_INDENT, DETAIL_INDENT);
}

static void print_roofline(const struct terminal *t, const struct profile_report *report) {
    struct profile_roofline roof = profile_roofline(report);
    cleanup_text struct text text = {0};
    if (!roof.known)
        return;
    if (isinf(roof.intensity))
        text_append(&text, "no byte of DRAM moves; ");
    else if (roof.intensity <= 0)
        text_append(&text, "no floating-point operations: the memory roof; ");
    else
        text_printf(&text,
                    "%s flops a byte of DRAM, and the ridge for %s is at %s: the %s "
                    "roof; ",
                    decimal(roof.intensity, 3).text, roof.precision, decimal(roof.ridge, 3).text,
                    roof.memory_bound ? "memory" : "arithmetic");
    append_rate(&text, roof.memory_bound ? roof.gbps : roof.gflops,
                roof.memory_bound ? "B/s" : "FLOP/s");
    text_append(&text, " modelled of ");
    append_rate(&text, roof.memory_bound ? roof.peak_gbps : roof.peak_gflops,
                roof.memory_bound ? "B/s" : "FLOP/s");
    text_printf(&text, ", %.0f %% of it", 100 * roof.fraction);
    print_row(t, "roofline", &text);
}

static void print_memory(const struct terminal *t, const struct engine_result *result) {
    const struct counters *c = &result->counters;
    const double *errors = result->profile.errors;
    double dram = 0, l1 = 0, l2 = 0;
    cleanup_text struct text text = {0};
    metric_evaluate(c, "dram_bytes", &dram);
    metric_evaluate(c, "l1_hit_rate", &l1);
    metric_evaluate(c, "l2_hit_rate", &l2);
    append_bytes(&text, dram);
    report_append_spread(&text, errors[SAMPLED_dram_bytes]);
    text_append(&text, " to and from DRAM for ");
    append_bytes(&text, (double)c->ideal_bytes);
    report_append_spread(&text, errors[SAMPLED_ideal_bytes]);
    text_printf(&text, " read and written%s; hit rates: L1 %.0f %%, L2 %.0f %%",
                dram < 0.98 * (double)c->ideal_bytes ? " (the rest stays in the L2)" : "", 100 * l1,
                100 * l2);
    if (c->l1_sectors || c->ideal_bytes)
        print_row(t, "memory", &text);
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
    terminal_print(t, PEN_DIM, "\n  modelled time of each part, if it were alone\n");
    for (;;) {
        size_t most = COST_PART_COUNT;
        for (size_t i = 0; i < COST_PART_COUNT; i++)
            if (!done[i] && estimate->part_ms[i] >= estimate->ms / 200 &&
                (most == COST_PART_COUNT || estimate->part_ms[i] > estimate->part_ms[most]))
                most = i;
        if (most == COST_PART_COUNT)
            return;
        done[most] = true;
        cleanup_text struct text bar = {0}, time = {0};
        append_bar(&bar, estimate->part_ms[most] / estimate->ms);
        append_time(&time, estimate->part_ms[most]);
        terminal_printf(t, most == estimate->limiter ? PEN_BOLD : PEN_PLAIN, "  %-18s",
                        advice_part_label(report->result, (enum cost_part)most, file));
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
    profile_append_limiter(report, &limiter);
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
    const struct terminal t = {.out = out, .color = color, .width = width ? width : TERMINAL_WIDTH};
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
