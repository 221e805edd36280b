/* What `warpgrade show` prints: the statement, then the contract in numbers: kernel and launch,
 * constants, tolerance in words, points, gates, cases with their sizes.
 *
 * Ids (groups, cases, parameters) are the same in every language, so that columns that are aligned
 * hold ASCII only; sentences and headings come in the reader's language. */
#include "grader/cli/exercise_show.h"

#include "reports/escape.h"
#include "reports/text/markdown_text.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <string.h>

enum phrase {
    PHRASE_KERNEL,
    PHRASE_FUNCTION,
    PHRASE_PROGRAM,
    PHRASE_CONSTANTS,
    PHRASE_RESULT,
    PHRASE_RUBRIC,
    PHRASE_DATA,
    PHRASE_CASES,
    PHRASE_SPEED,
    PHRASE_LIMITS,
    PHRASE_COUNT
};

static const char *const headings[PHRASE_COUNT][LANGUAGE_COUNT] = {
    [PHRASE_KERNEL] = {"Kernel and launch", "核函数与启动方式"},
    [PHRASE_FUNCTION] = {"Function", "函数"},
    [PHRASE_PROGRAM] = {"Program", "程序"},
    [PHRASE_CONSTANTS] = {"Constants you may change", "可以修改的常量"},
    [PHRASE_RESULT] = {"How exact the result must be", "结果的精度要求"},
    [PHRASE_RUBRIC] = {"Points", "评分"},
    [PHRASE_DATA] = {"Data, where a case has none of its own", "数据（用例未另行说明时）"},
    [PHRASE_CASES] = {"Cases", "测试用例"},
    [PHRASE_SPEED] = {"Speed, on a right kernel", "速度（仅对正确的核函数评分）"},
    [PHRASE_LIMITS] = {"Limits of a case", "每个用例的限制"},
};

struct show {
    const struct exercise *exercise;
    enum language language;
    bool color;
    struct text *out;
    unsigned width;
};

/* Both languages take the same arguments in the same order. */
#define SAY(show, en, zh, ...)                                                                     \
    ((show)->language == LANGUAGE_ZH ? text_printf((show)->out, zh __VA_OPT__(, ) __VA_ARGS__)     \
                                     : text_printf((show)->out, en __VA_OPT__(, ) __VA_ARGS__))

static void show_heading(struct show *show, enum phrase phrase) {
    text_printf(show->out, "\n%s%s%s\n", show->color ? "\033[1m" : "",
                headings[phrase][show->language], show->color ? "\033[0m" : "");
}

static void show_statement(struct show *show) {
    const struct terminal t = {
        .out = show->out, .color = show->color, .width = show->width, .language = show->language};
    markdown_text(&t, show->exercise->statement[show->language]);
}

void exercise_show_signature(const struct exercise *exercise, struct text *out) {
    if (exercise->kind == EXERCISE_PROGRAM) {
        text_append(out, "int main(int argc, char **argv)");
        return;
    }
    text_printf(out, "%svoid %s(", exercise->kind == EXERCISE_HOST ? "" : "__global__ ",
                exercise->kernel);
    bool first = true;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (param->constant_memory)
            continue;
        bool buffer = param->role != ROLE_SIZE && param->role != ROLE_SCALAR;
        text_printf(out, "%s%s%s %s%s", first ? "" : ", ", param->role == ROLE_IN ? "const " : "",
                    element_infos[param->type].c_name, buffer ? "*" : "", param->name);
        first = false;
    }
    text_append(out, ")");
}

static void show_extents(struct show *show, const char *label, struct expr *const extents[3]) {
    text_printf(show->out, "  %-7s %s", label, expr_text(extents[0]));
    size_t used = 3;
    while (used > 1 && strcmp(expr_text(extents[used - 1]), "1") == 0)
        used--;
    for (size_t i = 1; i < used; i++)
        text_printf(show->out, " x %s", expr_text(extents[i]));
    text_append_char(show->out, '\n');
}

/* "x[cols]: float, in constant memory" */
static void show_constant_memory(struct show *show) {
    for (size_t i = 0; i < show->exercise->param_count; i++) {
        const struct exercise_param *param = &show->exercise->params[i];
        if (!param->constant_memory)
            continue;
        text_printf(show->out, "  %-7s ", param->name);
        for (unsigned j = 0; j < param->rank; j++)
            text_printf(show->out, "[%s]", expr_text(param->shape[j]));
        SAY(show, " of %s, in the __constant__ array that you declare\n",
            "：%s，位于由你声明的 __constant__ 数组中\n", element_infos[param->type].c_name);
    }
}

/* `#include "tile.h"`, and what is known of it. */
static void show_headers(struct show *show) {
    const struct exercise *exercise = show->exercise;
    for (size_t i = 0; i < exercise->header_count; i++)
        SAY(show, "  #include \"%s\" is allowed; `warpgrade new` writes the file\n",
            "  可以 #include \"%s\"；`warpgrade new` 会写出该文件\n", exercise->headers[i].name);
}

static void show_names(struct show *show, const size_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        text_printf(show->out, "%s%s", i ? " " : "", show->exercise->params[numbers[i]].name);
    text_append_char(show->out, '\n');
}

/* What the function's pointers are, or what the program reads and prints. */
static void show_host_code(struct show *show) {
    const struct exercise *exercise = show->exercise;
    const struct exercise_program *program = &exercise->program;
    show_heading(show, exercise->kind == EXERCISE_HOST ? PHRASE_FUNCTION : PHRASE_PROGRAM);
    text_append(show->out, "  ");
    exercise_show_signature(exercise, show->out);
    text_append_char(show->out, '\n');
    show_headers(show);
    if (exercise->kind == EXERCISE_HOST) {
        if (exercise->host_pointers)
            SAY(show, "  The pointers are host pointers.\n", "  指针都是主机指针。\n");
        else
            SAY(show, "  The pointers are device pointers.\n", "  指针都是设备指针。\n");
        return;
    }
    if (program->argument_count) {
        SAY(show, "  arguments: ", "  参数：");
        for (size_t i = 0; i < program->argument_count; i++)
            text_printf(show->out, "%s%s", i ? " " : "", program->arguments[i]);
        text_append_char(show->out, '\n');
    }
    if (program->input_count) {
        SAY(show, "  standard input: ", "  标准输入：");
        show_names(show, program->inputs, program->input_count);
    }
    SAY(show, "  standard output: ", "  标准输出：");
    show_names(show, program->outputs, program->output_count);
}

static void show_kernel(struct show *show) {
    const struct exercise_launch *launch = &show->exercise->launch;
    if (exercise_has_host_code(show->exercise)) {
        show_host_code(show);
        return;
    }
    show_heading(show, PHRASE_KERNEL);
    text_append(show->out, "  ");
    exercise_show_signature(show->exercise, show->out);
    text_append_char(show->out, '\n');
    show_constant_memory(show);
    show_headers(show);
    show_extents(show, "grid", launch->grid);
    show_extents(show, "block", launch->block);
    if (strcmp(expr_text(launch->shared), "0") != 0)
        SAY(show, "  shared  %s bytes\n", "  shared  %s 字节\n", expr_text(launch->shared));
}

static void show_constants(struct show *show) {
    const struct exercise *exercise = show->exercise;
    if (exercise->constant_count == 0)
        return;
    show_heading(show, PHRASE_CONSTANTS);
    for (size_t i = 0; i < exercise->constant_count; i++) {
        const struct exercise_constant *constant = &exercise->constants[i];
        SAY(show, "  %s: from %" PRId64 " to %" PRId64, "  %s：%" PRId64 " 到 %" PRId64,
            constant->name, constant->minimum, constant->maximum);
        if (constant->power_of_two)
            SAY(show, ", a power of two", "，必须是 2 的幂");
        SAY(show, "; the skeleton has %" PRId64 "\n", "；骨架代码中为 %" PRId64 "\n",
            constant->fallback);
    }
}

static void show_tolerance(struct show *show, const struct exercise_param *param) {
    const struct exercise_tolerance *tolerance = &param->tolerance;
    cleanup_text struct text factor = {0};
    const char *length;
    bool atom; /* needs no parentheses */
    switch (tolerance->kind) {
    case TOLERANCE_EXACT:
        SAY(show, "  %s: every bit must be right\n", "  %s：每一位都必须正确\n", param->name);
        break;
    case TOLERANCE_NONE:
        SAY(show, "  %s: scratch space, not judged\n", "  %s：工作空间，不参与评判\n", param->name);
        break;
    case TOLERANCE_ULP:
        SAY(show, "  %s: at most %s ulp (units in the last place) from the exact result\n",
            "  %s：与精确结果相差不超过 %s 个 ulp（最后一位的单位）\n", param->name,
            decimal(tolerance->ulp, 6).text);
        break;
    case TOLERANCE_NEAR:
        SAY(show, "  %s: off by at most %s + (%s * |exact result|)\n",
            "  %s：误差不超过 %s + (%s * |精确结果|)\n", param->name,
            decimal(tolerance->absolute, 6).text, decimal(tolerance->relative, 6).text);
        break;
    case TOLERANCE_DOT:
        if (tolerance->factor != 1)
            text_printf(&factor, "%s * ", decimal(tolerance->factor, 6).text);
        length = expr_text(tolerance->length);
        atom = !strpbrk(length, " +-*/%");
        /* In the order of `k * eps * sum`; eps is the rounding unit of the type. */
        SAY(show, "  %s: a sum of %s terms: off by at most %s%s%s%s * %s * sum(|term|)\n",
            "  %s：%s 项之和，误差不超过 %s%s%s%s * %s * sum(|项|)\n", param->name, length,
            text_string(&factor), atom ? "" : "(", length, atom ? "" : ")",
            param->type == ELEMENT_f64   ? "2^-53"
            : param->type == ELEMENT_f16 ? "2^-11"
                                         : "2^-24");
        break;
    }
}

static void show_results(struct show *show) {
    const struct exercise *exercise = show->exercise;
    show_heading(show, PHRASE_RESULT);
    for (size_t i = 0; i < exercise->param_count; i++)
        if (exercise->params[i].role == ROLE_OUT || exercise->params[i].role == ROLE_INOUT)
            show_tolerance(show, &exercise->params[i]);
}

static size_t group_cases(const struct exercise *exercise, enum case_group group) {
    size_t count = group == GROUP_GENERATED ? exercise->generated_count : 0;
    for (size_t i = 0; i < exercise->case_count; i++)
        count += exercise->cases[i].group == group;
    return count;
}

static void show_gates(struct show *show) {
    const struct exercise *exercise = show->exercise;
    for (size_t i = 0; i < exercise->gate_count; i++) {
        const struct exercise_gate *gate = &exercise->gates[i];
        double cap = gate->cap_percent / 100 * exercise->max_score;
        if (gate->condition == GATE_ESSENTIAL)
            SAY(show, "  at most %s unless every essential case passes\n",
                "  若有关键用例未通过，总分不超过 %s\n", decimal_points(cap).text);
        else if (gate->condition == GATE_RIGHT)
            SAY(show, "  at most %s when any case is wrong\n", "  只要有用例出错，总分不超过 %s\n",
                decimal_points(cap).text);
        else if (gate->condition == GATE_HAZARD)
            SAY(show, "  at most %s when any case has a hazard\n",
                "  只要有用例出现 hazard（内存或同步错误），总分不超过 %s\n",
                decimal_points(cap).text);
        else if (show->language == LANGUAGE_ZH)
            text_printf(show->out, "  若 %s 组未全部通过，总分不超过 %s\n",
                        case_group_names[gate->condition], decimal_points(cap).text);
        else
            text_printf(show->out, "  at most %s unless every case of %s passes\n",
                        decimal_points(cap).text, case_group_names[gate->condition]);
    }
}

static void show_checks(struct show *show) {
    static const char *const levels[][LANGUAGE_COUNT] = {
        [CHECK_WARNING] = {"is a warning only", "只作为警告"},
        [CHECK_IGNORE] = {"is not judged", "不参与评分"},
    };
    for (size_t i = 0; i < HAZARD_COUNT; i++) {
        enum check_level level = show->exercise->checks[i];
        if (level != CHECK_ERROR)
            text_printf(show->out, "  %s %s\n", hazard_infos[i].name,
                        levels[level][show->language]);
    }
    if (show->exercise->same_value_race == CHECK_ERROR)
        text_append(show->out, show->language == LANGUAGE_ZH ? "  same-value-race 作为错误\n"
                                                             : "  same-value-race is an error\n");
}

static const char *plural(const struct show *show, size_t count) {
    return show->language == LANGUAGE_EN && count != 1 ? "s" : "";
}

static void show_rubric(struct show *show) {
    const struct exercise *exercise = show->exercise;
    show_heading(show, PHRASE_RUBRIC);
    for (unsigned i = 0; i < GROUP_COUNT; i++) {
        if (exercise->points[i] <= 0)
            continue;
        text_printf(show->out, "  %-12s %5s", case_group_names[i],
                    decimal_points(exercise->points[i]).text);
        size_t count = i == GROUP_SPEED ? exercise->threshold_count
                                        : group_cases(exercise, (enum case_group)i);
        if (i == GROUP_SPEED)
            SAY(show, "  (%zu threshold%s)\n", "  （%zu 项指标%s）\n", count, plural(show, count));
        else
            SAY(show, "  (%zu case%s)\n", "  （%zu 个用例%s）\n", count, plural(show, count));
    }
    text_printf(show->out, "  %-12s %5s\n", "total", decimal_points(exercise->max_score).text);
    SAY(show, "  passed with %s\n", "  达到 %s 分即通过\n",
        decimal_points(exercise->pass_mark_percent / 100 * exercise->max_score).text);
    show_gates(show);
    show_checks(show);
}

static void show_sizes(struct show *show, const struct exercise_case *entry) {
    for (size_t i = 0; i < entry->size_count; i++)
        text_printf(show->out, "%s%s = %" PRId64, i ? ", " : "", entry->sizes[i].name,
                    entry->sizes[i].value);
}

/* A bound as the file has it: a number, or an expression of sizes. */
static char *bound_text(const struct expr *expr, double number) {
    return expr ? mem_strdup(expr_text(expr)) : mem_strdup(decimal(number, 9).text);
}

static void show_fill(struct show *show, const struct exercise_param *param,
                      const struct exercise_fill *fill) {
    cleanup_free char *low = bound_text(fill->low_expr, fill->low);
    cleanup_free char *high = bound_text(fill->high_expr, fill->high);
    const char *name = param->name;
    bool whole = fill->kind == FILL_UNIFORM && !element_infos[param->type].is_float;
    switch (whole ? FILL_INTEGERS : fill->kind) {
    case FILL_ZERO:
        SAY(show, "%s: all zero", "%s 全为零", name);
        break;
    case FILL_CONSTANT:
        SAY(show, "%s: all %s", "%s 全为 %s", name, low);
        break;
    case FILL_IOTA:
        SAY(show, "%s: 0, 1, 2, ...", "%s 依次为 0, 1, 2, ...", name);
        break;
    case FILL_UNIFORM:
        SAY(show, "%s: numbers between %s and %s", "%s 取 %s 到 %s 之间的数", name, low, high);
        break;
    case FILL_INTEGERS:
        SAY(show, "%s: whole numbers from %s to %s", "%s 取 %s 到 %s 的整数", name, low, high);
        break;
    case FILL_FORMULA:
        SAY(show, "%s: %s", "%s 为 %s", name, expr_text(fill->formula));
        break;
    case FILL_SORTED:
        SAY(show, "%s: from %s to %s, ascending", "%s 取 %s 到 %s，升序排列", name, low, high);
        break;
    case FILL_OFFSETS:
        SAY(show, "%s: ascending from 0 to %s", "%s 从 0 到 %s，升序排列", name, high);
        break;
    case FILL_PERMUTATION:
        SAY(show, "%s: 0, 1, 2, ... shuffled", "%s 为 0, 1, 2, ... 的随机排列", name);
        break;
    }
}

static bool same_expr(const struct expr *a, const struct expr *b) {
    return a == b || (a && b && strcmp(expr_text(a), expr_text(b)) == 0);
}

static bool same_fill(const struct exercise_fill *a, const struct exercise_fill *b) {
    return a->kind == b->kind && a->low == b->low && a->high == b->high &&
           same_expr(a->low_expr, b->low_expr) && same_expr(a->high_expr, b->high_expr) &&
           same_expr(a->formula, b->formula);
}

/* What the inputs hold where a case does not say otherwise. */
static void show_data(struct show *show) {
    const struct exercise *exercise = show->exercise;
    size_t shown = 0;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (param->role == ROLE_OUT || param->role == ROLE_SIZE)
            continue;
        if (shown++ == 0)
            show_heading(show, PHRASE_DATA);
        text_append(show->out, "  ");
        show_fill(show, param, &param->fill);
        text_append_char(show->out, '\n');
    }
}

static void show_case(struct show *show, const struct exercise_case *entry, int width) {
    const struct exercise *exercise = show->exercise;
    text_printf(show->out, "  %-12s %-*s  ", case_group_names[entry->group], width, entry->name);
    show_sizes(show, entry);
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (same_fill(&entry->fills[i], &param->fill))
            continue;
        if (param->role == ROLE_SCALAR && entry->fills[i].kind == FILL_CONSTANT)
            text_printf(show->out, "; %s = %s", param->name, decimal(entry->fills[i].low, 9).text);
        else {
            SAY(show, "; ", "；");
            show_fill(show, param, &entry->fills[i]);
        }
    }
    if (entry->essential)
        SAY(show, "; essential", "；关键用例");
    text_append_char(show->out, '\n');
}

static void show_generated(struct show *show, int width) {
    const struct exercise *exercise = show->exercise;
    if (exercise->generated_count == 0)
        return;
    cleanup_free char *name = exercise->generated_count == 1
                                  ? mem_strdup("generated-1")
                                  : mem_printf("generated-1..%u", exercise->generated_count);
    text_printf(show->out, "  %-12s %-*s  ", case_group_names[GROUP_GENERATED], width, name);
    for (size_t i = 0; i < exercise->generated_range_count; i++)
        SAY(show, "%s%s from %" PRId64 " to %" PRId64, "%s%s 取 %" PRId64 " 到 %" PRId64,
            i ? ", " : "", exercise->generated[i].name, exercise->generated[i].low,
            exercise->generated[i].high);
    SAY(show, ", new ones in each run\n", "，每次运行都重新生成\n");
}

static void show_cases(struct show *show) {
    const struct exercise *exercise = show->exercise;
    int width = (int)strlen("generated-1..64");
    for (size_t i = 0; i < exercise->case_count; i++)
        if ((int)strlen(exercise->cases[i].name) > width)
            width = (int)strlen(exercise->cases[i].name);
    show_heading(show, PHRASE_CASES);
    for (size_t i = 0; i < exercise->case_count; i++)
        show_case(show, &exercise->cases[i], width);
    show_generated(show, width);
}

static void show_threshold(struct show *show, const struct exercise_threshold *threshold) {
    const char *name = threshold->name[show->language];
    text_append(show->out, "  ");
    escape_terminal(show->out, name, strlen(name), true);
    if (strcmp(name, expr_text(threshold->metric)) != 0)
        text_printf(show->out, " (%s)", expr_text(threshold->metric));
    for (size_t i = 0; i < threshold->tier_count; i++) {
        text_append(show->out, i ? ", " : ": ");
        if (threshold->at_least)
            SAY(show, "at least %s", "至少 %s", expr_text(threshold->tiers[i].bound));
        else
            SAY(show, "at most %s", "至多 %s", expr_text(threshold->tiers[i].bound));
        if (threshold->tiers[i].points > 0)
            SAY(show, ": %s points", "：%s 分", decimal_points(threshold->tiers[i].points).text);
    }
    if (threshold->engine == THRESHOLD_CUDA)
        SAY(show, "; decided on a GPU only", "；仅由真实 GPU 判定");
    if (threshold->engine == THRESHOLD_SIM)
        SAY(show, "; decided on the simulated GPU only", "；仅由模拟 GPU 判定");
    text_append_char(show->out, '\n');
}

static void show_speed_sizes(struct show *show, const struct exercise_size *sizes, size_t count) {
    SAY(show, "  with ", "  数据规模 ");
    for (size_t i = 0; i < count; i++)
        text_printf(show->out, "%s%s = %" PRId64, i ? ", " : "", sizes[i].name, sizes[i].value);
}

static void show_speed(struct show *show) {
    const struct exercise *exercise = show->exercise;
    const struct exercise_measured *measured = &exercise->measured;
    if (!exercise->threshold_count)
        return;
    show_heading(show, PHRASE_SPEED);
    show_speed_sizes(show, exercise->speed_sizes, exercise->speed_size_count);
    SAY(show, " on the device %s\n", "，设备 %s\n", exercise->device);
    show_speed_sizes(show, measured->sizes, measured->size_count);
    SAY(show, " where there is a GPU", "（在真实 GPU 上）");
    if (measured->baseline.routine)
        SAY(show, ", beside %s", "，对照 %s", baseline_names[measured->baseline.routine]);
    text_append_char(show->out, '\n');
    for (size_t i = 0; i < exercise->threshold_count; i++)
        show_threshold(show, &exercise->thresholds[i]);
}

static void show_limits(struct show *show) {
    const struct exercise *exercise = show->exercise;
    show_heading(show, PHRASE_LIMITS);
    SAY(show, "  %s seconds, %" PRIu64 " MiB of memory", "  %s 秒，%" PRIu64 " MiB 内存",
        decimal(exercise->time_limit_seconds, 6).text, exercise->memory_limit_bytes >> 20);
    if (exercise->budget)
        SAY(show, ", %s million thread instructions", "，%s 百万条线程指令",
            decimal((double)exercise->budget / 1e6, 6).text);
    text_append_char(show->out, '\n');
}

void exercise_show_text(const struct exercise *exercise, enum language language, bool color,
                        unsigned width, struct text *out) {
    struct show show = {exercise, language, color, out, width ? width : TERMINAL_WIDTH};
    show_statement(&show);
    show_kernel(&show);
    show_constants(&show);
    show_results(&show);
    show_rubric(&show);
    show_data(&show);
    show_cases(&show);
    show_speed(&show);
    show_limits(&show);
}
