/* Rows of figures come from one table, for the text and for the JSON. A figure that one of the two
 * does not have is a dash, and has no ratio. */
#include "grader/cli/learn/compare_text.h"

#include "reports/escape.h"
#include "reports/explain.h"
#include "reports/message.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 26, VALUE = 22, LIMIT = 20 };

/* NAN where it is not known. */
struct figure {
    const char *id, *en, *zh;
    double (*value)(const struct report_case *item);
};

static double time_of(const struct report_case *item) {
    return item->time.present ? item->time.median_ms : NAN;
}
static double ratio_of(const struct report_case *item) {
    return item->time.present ? item->time.ratio_to_reference : NAN;
}
static double occupancy_of(const struct report_case *item) {
    return item->speed.registers ? 100 * item->speed.occupancy : NAN;
}
static double registers_of(const struct report_case *item) {
    return item->speed.registers ? (double)item->speed.registers : NAN;
}

/* The sum over the submission's lines: what a report keeps of the speed case's counters. */
#define COUNTED(function, expression)                                                              \
    static double function(const struct report_case *item) {                                       \
        double sum = item->speed.line_count ? 0 : (double)NAN;                                     \
        for (size_t i = 0; i < item->speed.line_count; i++) {                                      \
            const struct counters *c = &item->speed.lines[i].counters;                             \
            sum += (double)(expression);                                                           \
        }                                                                                          \
        return sum;                                                                                \
    }
COUNTED(instructions_of, c->warp_instructions)
COUNTED(load_sectors_of, c->global_load_sectors)
COUNTED(store_sectors_of, c->global_store_sectors)
COUNTED(wavefronts_of, c->shared_load_wavefronts + c->shared_store_wavefronts)
COUNTED(barriers_of, c->barriers)

static const struct figure figures[] = {
    {"time_ms", "time, ms", "耗时（毫秒）", time_of},
    {"ratio_to_tuned", "time / tuned kernel's", "耗时 / 调优核函数", ratio_of},
    {"warp_instructions", "warp instructions", "线程束指令数", instructions_of},
    {"global_load_sectors", "global load sectors", "全局读取扇区数", load_sectors_of},
    {"global_store_sectors", "global store sectors", "全局写入扇区数", store_sectors_of},
    {"shared_wavefronts", "shared wavefronts", "共享内存 wavefront 数", wavefronts_of},
    {"barriers", "barriers", "屏障数", barriers_of},
    {"registers_per_thread", "registers per thread", "每线程寄存器数", registers_of},
    {"occupancy_percent", "occupancy, %", "占用率（%）", occupancy_of},
};

static const struct report_case *speed_case(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].speed.present)
            return &report->cases[i];
    return NULL;
}

static size_t count_passed(const struct report *report) {
    size_t passed = 0;
    for (size_t i = 0; i < report->case_count; i++)
        passed += report->cases[i].verdict == VERDICT_PASS;
    return passed;
}

static void row(const struct terminal *t, const char *label, const char *a, const char *b,
                const char *ratio) {
    terminal_print(t, PEN_PLAIN, "  ");
    terminal_cell(t, PEN_DIM, label, LABEL);
    terminal_cell(t, PEN_PLAIN, a, VALUE);
    terminal_cut(t, PEN_PLAIN, b, VALUE);
    if (*ratio) {
        size_t columns = terminal_columns(b);
        terminal_indent(t, columns < VALUE ? VALUE - columns : 1);
        terminal_print(t, PEN_BOLD, ratio);
    }
    text_append_char(t->out, '\n');
}

static void points_of(const struct terminal *t, const struct report *report, struct text *out) {
    report_append_score(out, t->language, report->score, report->max_score);
}

static void write_head(const struct terminal *t, const struct report *a, const struct report *b) {
    bool zh = t->language == LANGUAGE_ZH;
    cleanup_text struct text points_a = {0}, points_b = {0}, passed_a = {0}, passed_b = {0};
    points_of(t, a, &points_a);
    points_of(t, b, &points_b);
    text_printf(&passed_a, "%zu / %zu", count_passed(a), a->case_count);
    text_printf(&passed_b, "%zu / %zu", count_passed(b), b->case_count);
    terminal_foreign(t, PEN_BOLD, a->exercise);
    text_append_char(t->out, '\n');
    terminal_indent(t, 2);
    terminal_cell(t, PEN_PLAIN, "", LABEL);
    terminal_path_cell(t, PEN_BOLD, a->file, LIMIT);
    terminal_indent(t, VALUE - LIMIT);
    terminal_path_cell(t, PEN_BOLD, b->file, LIMIT);
    terminal_printf(t, PEN_BOLD, "  B / A\n");
    row(t, zh ? "得分" : "points", text_string(&points_a), text_string(&points_b), "");
    row(t, zh ? "通过的用例" : "cases that pass", text_string(&passed_a), text_string(&passed_b),
        "");
}

static const struct report_case *find_case(const struct report *report, const char *name) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].name && strcmp(report->cases[i].name, name) == 0)
            return &report->cases[i];
    return NULL;
}

/* A hazard by its own name. */
static const char *outcome(const struct terminal *t, const struct report_case *item) {
    if (!item)
        return "-";
    for (size_t i = 0; item->verdict == VERDICT_HAZARD && i < item->hazard_count; i++)
        if (item->hazards[i].severity == SEVERITY_ERROR)
            return hazard_infos[item->hazards[i].kind].name;
    return report_case_verdict(t->language, item);
}

static void write_cases(const struct terminal *t, const struct report *a, const struct report *b) {
    bool zh = t->language == LANGUAGE_ZH, any = false;
    for (size_t i = 0; i < a->case_count; i++) {
        const struct report_case *left = &a->cases[i];
        const struct report_case *right = left->name ? find_case(b, left->name) : NULL;
        const char *of_a = outcome(t, left), *of_b = outcome(t, right);
        if (!right || strcmp(of_a, of_b) == 0)
            continue;
        if (!any)
            terminal_print(t, PEN_BOLD, zh ? "\n结果不同的用例\n" : "\ncases that differ\n");
        any = true;
        row(t, left->name, of_a, of_b, "");
    }
    if (!any)
        terminal_print(t, PEN_PLAIN,
                       zh ? "\n所有用例的结果都相同\n" : "\nevery case ends the same in both\n");
}

static void append_figure(double value, struct text *out) {
    text_append(out, isnan(value) ? "-" : decimal(value, 6).text);
}

static void write_figures(const struct terminal *t, const struct report_case *a,
                          const struct report_case *b) {
    for (size_t i = 0; i < ARRAY_LENGTH(figures); i++) {
        double left = a ? figures[i].value(a) : NAN, right = b ? figures[i].value(b) : NAN;
        cleanup_text struct text of_a = {0}, of_b = {0}, ratio = {0};
        if (!(left > 0) && !(right > 0)) /* of no use here: no barrier, no shared memory */
            continue;
        append_figure(left, &of_a);
        append_figure(right, &of_b);
        if (!isnan(left) && !isnan(right) && left != 0)
            text_append(&ratio, decimal(right / left, 3).text);
        row(t, t->language == LANGUAGE_ZH ? figures[i].zh : figures[i].en, text_string(&of_a),
            text_string(&of_b), text_string(&ratio));
    }
}

static const char *limiter_of(const struct report_case *item) {
    const char *limiter = item && item->speed.limiter ? explain_limiter(item->speed.limiter) : NULL;
    return limiter ? limiter : "-";
}

static void write_speed(const struct terminal *t, const struct report *a, const struct report *b) {
    const struct report_case *left = speed_case(a), *right = speed_case(b);
    const struct report_case *any = left ? left : right;
    bool zh = t->language == LANGUAGE_ZH;
    if (!any) {
        terminal_print(t, PEN_PLAIN,
                       zh ? "\n速度：两份都没有评到速度用例（先要结果正确）\n"
                          : "\nspeed: neither was profiled, which takes right results first\n");
        return;
    }
    terminal_print(t, PEN_BOLD, zh ? "\n速度用例" : "\nthe speed case");
    if (any->speed.device_name) {
        terminal_print(t, PEN_DIM, zh ? "，模拟的 " : ", on a simulated ");
        terminal_foreign(t, PEN_DIM, any->speed.device_name);
    }
    text_append_char(t->out, '\n');
    write_figures(t, left, right);
    row(t, zh ? "瓶颈" : "limiter", limiter_of(left), limiter_of(right), "");
}

void compare_write_text(const struct terminal *t, const struct report *a, const struct report *b) {
    write_head(t, a, b);
    write_cases(t, a, b);
    write_speed(t, a, b);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *foreign(const char *string) {
    cleanup_text struct text sound = {0};
    escape_utf8(&sound, string ? string : "", string ? strlen(string) : 0);
    return json_string(text_string(&sound));
}

static json_t *submission_json(const struct report *report) {
    const struct report_case *speed = speed_case(report);
    json_t *cases = json_object(), *counters = json_object();
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].name)
            json_object_set_new(cases, report->cases[i].name,
                                json_string(verdict_infos[report->cases[i].verdict].name));
    for (size_t i = 0; speed && i < ARRAY_LENGTH(figures); i++) {
        double value = figures[i].value(speed);
        if (isfinite(value))
            json_object_set_new(counters, figures[i].id, json_real(value));
    }
    return json_pack("{s:o, s:f, s:f, s:b, s:o, s:o, s:s}", "file", foreign(report->file), "score",
                     report->score, "max_score", report->max_score, "passed", report->passed,
                     "cases", cases, "speed", counters, "limiter", limiter_of(speed));
}

void compare_write_json(const struct report *a, const struct report *b, struct text *out) {
    json_t *root = json_pack("{s:i, s:o, s:I, s:[o, o]}", "schema", 1, "exercise",
                             foreign(a->exercise), "seed", (json_int_t)a->seed, "submissions",
                             submission_json(a), submission_json(b));
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    escape_json(out, dump, strlen(dump));
    text_append_char(out, '\n');
    free(dump);
    json_decref(root);
}
