/* Loading exercises: one good file, and a table of what becomes wrong with it.
 *
 * Each row replaces one piece of the good file. A @ in the replacement is taken out again and marks
 * where the error must point; without it the error names no line. */
#include "sandbox/base/text.h"
#include "tests/unit/exercise/sample.h"

static int64_t value(const struct expr *expr, int64_t n) {
    const struct expr_name names[] = {{"n", n}, {"BLOCK", 256}};
    int64_t result = -1;
    assert_int_equal(expr_evaluate(expr, names, 2, &result, NULL), STATUS_OK);
    return result;
}

static void loads_params_and_launch(void **state) {
    (void)state;
    struct exercise *exercise = load_well(good);
    assert_string_equal(exercise->id, "sample");
    assert_string_equal(exercise->title[LANGUAGE_ZH], "A sample");
    assert_string_equal(exercise->statement[LANGUAGE_ZH], "# A sample\n");
    assert_int_equal(exercise->param_count, 5);
    const struct exercise_param *y = &exercise->params[0];
    assert_int_equal(y->role, ROLE_OUT);
    assert_int_equal(y->type, ELEMENT_f32);
    assert_int_equal(y->rank, 2);
    assert_int_equal(y->tolerance.kind, TOLERANCE_DOT);
    assert_true(y->tolerance.factor == 1);
    assert_int_equal(value(y->tolerance.length, 7), 7);
    const struct exercise_fill *x = &exercise->params[1].fill;
    assert_true(x->kind == FILL_UNIFORM && x->low == -1 && x->high == 1);
    assert_int_equal(value(exercise->params[1].shape[0], 7), 14);
    const struct exercise_fill *k = &exercise->params[2].fill;
    assert_true(k->kind == FILL_INTEGERS && k->low == 0 && k->high == 9);
    assert_true(exercise->params[3].fill.kind == FILL_CONSTANT);
    assert_int_equal(exercise->constants[0].fallback, 256);
    assert_true(exercise->constants[0].power_of_two);
    assert_int_equal(value(exercise->launch.grid[0], 257), 2);
    assert_int_equal(value(exercise->launch.grid[2], 257), 1);
    assert_int_equal(value(exercise->launch.shared, 1), 1024);
    assert_int_equal(value(exercise->reference.launch.grid[0], 257), 1);
    assert_int_equal(value(exercise->tuned.launch.grid[0], 257), 2);
    assert_string_equal(exercise->reference.kernel, "reference");
    assert_string_equal(exercise->tuned.kernel, "scale");
    exercise_free(exercise);
}

static const struct {
    const char *yaml; /* in place of {integers: [0, 9]} */
    enum fill_kind kind;
    double low, high;
    const char *low_text, *high_text, *formula;
} fills[] = {
    {"permutation", FILL_PERMUTATION, 0, 0, NULL, NULL, NULL},
    {"{integers: [1 - 3, \"n - 1\"]}", FILL_INTEGERS, -2, 0, NULL, "n - 1", NULL},
    {"{sorted: [-n, 2.0]}", FILL_SORTED, 0, 2, "-n", NULL, NULL},
    {"{formula: \"floor(i / 2)\"}", FILL_FORMULA, 0, 0, NULL, NULL, "floor(i / 2)"},
};

static void check_expr_text(const struct expr *expr, const char *text) {
    assert_int_equal(expr == NULL, text == NULL);
    if (text)
        assert_string_equal(expr_text(expr), text);
}

static void loads_fills(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(fills); i++) {
        cleanup_free char *yaml = with_piece("{integers: [0, 9]}", fills[i].yaml);
        struct exercise *exercise = load_well(yaml);
        const struct exercise_fill *fill = &exercise->cases[0].fills[2];
        assert_int_equal(fill->kind, fills[i].kind);
        assert_true(fill->low == fills[i].low && fill->high == fills[i].high);
        check_expr_text(fill->low_expr, fills[i].low_text);
        check_expr_text(fill->high_expr, fills[i].high_text);
        check_expr_text(fill->formula, fills[i].formula);
        exercise_free(exercise);
    }
}

static void loads_thresholds(void **state) {
    (void)state;
    struct exercise *exercise = load_well(good);
    assert_int_equal(exercise->threshold_count, 3);
    assert_string_equal(exercise->device, "t4");
    assert_int_equal(exercise->speed_sample, 1000000);
    const struct exercise_threshold *time = &exercise->thresholds[0];
    assert_string_equal(expr_text(time->metric), "ratio_to_tuned");
    assert_string_equal(time->name[LANGUAGE_ZH], "Time");
    assert_int_equal(time->tier_count, 2);
    assert_string_equal(expr_text(time->tiers[0].bound), "4");
    assert_true(time->tiers[0].points == 3 && exercise_threshold_points(time) == 6);
    assert_int_equal(time->engine, THRESHOLD_ANY);
    assert_false(time->at_least);
    const struct exercise_threshold *bytes = &exercise->thresholds[1];
    assert_string_equal(bytes->name[LANGUAGE_EN], "dram_bytes");
    assert_string_equal(expr_text(bytes->tiers[0].bound), "1.2 * ideal_bytes + n");
    assert_int_equal(bytes->engine, THRESHOLD_SIM);
    assert_true(exercise->thresholds[2].at_least);
    assert_string_equal(exercise->thresholds[2].hint[LANGUAGE_EN], "Look");
    exercise_free(exercise);
}

static void loads_cases_and_scoring(void **state) {
    (void)state;
    struct exercise *exercise = load_well(good);
    assert_int_equal(exercise->case_count, 3);
    assert_int_equal(exercise->cases[2].group, GROUP_BOUNDARY);
    assert_int_equal(exercise->cases[1].sizes[0].value, 512);
    assert_int_equal(exercise->cases[1].fills[1].kind, FILL_INTEGERS);
    assert_int_equal(exercise->cases[0].fills[1].kind, FILL_UNIFORM);
    assert_int_equal(exercise->generated_count, 3);
    assert_int_equal(exercise->generated[0].high, 99);
    assert_int_equal(exercise->checks[HAZARD_MISALIGNED], CHECK_WARNING);
    assert_int_equal(exercise->checks[HAZARD_OUT_OF_BOUNDS], CHECK_ERROR);
    assert_int_equal(exercise->same_value_race, CHECK_WARNING);
    assert_int_equal(exercise->speed_sizes[0].value, 4096);
    assert_true(exercise->max_score == 100 && exercise->pass_mark_percent == 60);
    assert_int_equal(exercise->gates[0].condition, GROUP_CORRECTNESS);
    assert_int_equal(exercise->gates[1].condition, GATE_HAZARD);
    assert_true(exercise->gates[1].cap_percent == 60);
    assert_int_equal(exercise->gate_count, 4);
    assert_int_equal(exercise->gates[2].condition, GATE_RIGHT);
    assert_true(exercise->gates[2].cap_percent == 59);
    assert_int_equal(exercise->gates[3].condition, GATE_ESSENTIAL);
    assert_true(exercise->gates[3].cap_percent == 50);
    assert_true(exercise->cases[2].essential && !exercise->cases[0].essential);
    assert_true(exercise->has_untouched && !exercise->untouched.has_hazard);
    assert_int_equal(exercise->untouched.verdict, VERDICT_TOO_SLOW);
    assert_string_equal(exercise->mutants[0].name, "bad");
    assert_int_equal(exercise->mutants[0].hazard, HAZARD_OUT_OF_BOUNDS);
    assert_string_equal(exercise->hints[0].text[LANGUAGE_EN], "Look again");
    assert_true(exercise->time_limit_seconds == 2.5);
    assert_int_equal(exercise->memory_limit_bytes, 512 << 20);
    assert_int_equal(exercise->budget, 1000000);
    exercise_free(exercise);
}

struct mistake {
    const char *find, *replace;
    const char *message; /* a part of it */
    const char *hint;    /* a part of it, or NULL */
};

static const struct mistake mistakes[] = {
    /* form */
    {"kernel: scale", "@kernal: scale", "exercise: unknown key kernal", "did you mean kernel?"},
    {"kernel: scale\n", "", "the key kernel is missing", "__global__"},
    {"kernel: scale", "kernel: @2scale", "kernel: expected a name", NULL},
    {"kernel: scale", "headers: [@missing.h]\nkernel: scale", "there is no file", NULL},
    {"kernel: scale", "headers: [@skeleton.cu]\nkernel: scale", "expected <name>.h", NULL},
    {"kernel: scale", "headers: [@mutants/a.h]\nkernel: scale", "expected <name>.h", NULL},
    {"kernel: scale", "headers: [@../a.h]\nkernel: scale", "headers[0]: expected a relative path",
     NULL},
    {"kernel: scale", "headers: @[]\nkernel: scale", "headers: expected 1 to 16 entries", NULL},
    {"id: sample", "id: @Sample", "id: expected a name of small letters", NULL},
    {"title: {en: A sample}", "title: @A sample", "title: expected a mapping",
     "write title: {en: \"A sample\"}"},
    {"{en: A sample}", "@{zh: A sample}", "title: the key en is missing", NULL},
    {"topics: [tests]", "topics: @tests", "topics: expected a list", "[value]"},
    {"topics: [tests]", "topics: @[]", "topics: expected 1 to 8 entries, found 0", NULL},
    {"type: i32, role: in", "type: @int, role: in", "params[2].type: expected i8",
     "write type: i32"},
    {"type: i32, role: in", "type: @float, role: in", "expected i8", "write type: f32"},
    {"type: i32, role: in", "type: @Unsigned, role: in", "expected i8", "write type: u32"},
    {"type: i32, role: in", "type: @const double *, role: in", "expected i8",
     "write type: f64; a parameter with a shape is a pointer"},
    {"role: scalar", "role: @input", "expected in, out", "write role: in"},
    {"role: scalar", "role: @in/out", "expected in, out", "write role: inout"},
    {"fill: {constant: 2.5}", "fill: @random", "expected zero", "write fill: uniform"},
    {"fill: {constant: 2.5}", "fill: @2.5", "expected zero", "write fill: {constant: 2.5}"},
    {"role: scalar", "role: @scaler", "expected in, out, inout, size or scalar", "scalar"},
    {"shape: [n, 2]", "shape: [n, n, 2, @2]", "", NULL},
    {"min: 32,", "min: @32.5,", "constants[0].min: expected a whole number", NULL},
    {"power_of_two: true", "power_of_two: @yes", "expected true or false", NULL},
    {"time: 2.5", "time: @0", "limits.time: expected a number from 0.1 to 600", NULL},
    {"time: 2.5", "time: 2.5, @times: 3", "limits: unknown key times", "time"},
    {"{misaligned: warning}", "{@misalligned: warning}", "unknown key", "misaligned"},
    {"{misaligned: warning}", "{misaligned: @warn}", "expected error, warning or ignore", NULL},
    {"points: 4,", "points: @-4,", "points: expected a number from 0 to 1000000", NULL},
    {"metric: ratio_to_tuned", "metric: @ratio_to_tunde", "ratio_to_tunde is no metric",
     "did you mean ratio_to_tuned?"},
    {"fill: {constant: 2.5}", "fill: @{constant: 2.5, uniform: [0, 1]}", "exactly one key", NULL},
    {"fill: {constant: 2.5}", "fill: @zeros", "expected zero, iota, uniform or permutation",
     "zero"},
    {"{integers: [0, 9]}", "{integers: @[0]}", "expected 2 values, found 1", NULL},
    {"{integers: [0, 9]}", "{integers: [0, @9.5]}", "expected a whole number", NULL},
    {"fill: {constant: 2.5}", "fill: {formula: @[1]}", "fill.formula: expected", NULL},
    {"fill: {constant: 2.5}", "fill: {formula: 2 *@}", "the expression ends too early", NULL},
    {"fill: {constant: 2.5}", "fill: {formula: 1 + @sqr(n)}", "unknown function sqr", "sqrt"},
    /* expressions */
    {"[\"ceil_div(n, BLOCK)\"]", "[ceil_div(n, @BLOCK)]", "", NULL},
    {"[\"ceil_div(n, BLOCK)\"]", "[\"ceil_div(n, @BLOK)\"]",
     "BLOK is neither a size nor a constant", "did you mean BLOCK?"},
    {"[\"ceil_div(n, BLOCK)\"]", "[\"n @/ 0\"]", "in the case small: n / 0: division by zero",
     NULL},
    {"[\"ceil_div(n, BLOCK)\"]", "[@n / 300]", "in the case small this is 0", NULL},
    {"[\"n * 2\"]", "[\"n * @\"]", "params[1].shape[0]: the expression ends too early", NULL},
    {"[\"n * 2\"]", "[@n - 300]", "must be from 0", NULL},
    {"[\"n * 2\"]", "[n * @s]", "s is neither a size nor a constant", NULL},
    {"shared: BLOCK * 4", "shared: @BLOCK * 4096", "must be from 0 to 232448", NULL},
    {"block: [BLOCK]", "block: @[BLOCK, 8]", "a block has 2048 threads", NULL},
    {"{length: n}", "{length: @width}", "width is neither a size", NULL},
    {"[\"n * 2\"]", "@[n * 10_000_000]", "more than the memory limit", NULL},
    {"shape: [n], fill: {integers", "constant_memory: true, shape: @[n * 5], fill: {integers",
     "in the speed case k takes 81920 bytes; constant memory holds 65536", NULL},
    /* roles */
    {", shape: [n], fill: {integers", ", fill: {integers", "role in needs the key shape",
     "shape: [n]"},
    {"role: out, shape: [n, 2],", "role: out, fill: @zero, shape: [n, 2],", "role out has no fill",
     NULL},
    {", tolerance: {dot: {length: n}}", "", "role out needs the key tolerance", "tolerance: exact"},
    {"role: size}", "role: size, shape: @[1]}", "role size has no shape", NULL},
    {"role: size}", "role: size, constant_memory: @true}", "only a parameter of role in", NULL},
    {"n, type: i32, role: size", "n, type: @f32, role: size", "a size is one of i32", NULL},
    {"role: out, shape: [n, 2], tolerance: {dot: {length: n}}", "role: in, shape: [n, 2]",
     "nothing is judged", NULL},
    {"role: out, shape: [n, 2], tolerance: {dot: {length: n}}",
     "role: inout, shape: [n, 2], tolerance: ignored", "nothing is judged", NULL},
    {"tolerance: {dot: {length: n}}", "tolerance: @ignored", "only a buffer of role inout", NULL},
    {"y, type: f32", "y, type: i32", "integers are compared exactly", NULL},
    {", fill: {integers: [0, 9]}", "", "integers need the key fill", NULL},
    {"{dot: {length: n}}", "@1e-5", "expected exact or ignored", "write tolerance: {rel: 1e-5}"},
    {"{dot: {length: n}}", "@relative", "expected exact or ignored",
     "write tolerance: {rel: 1e-5}"},
    {"{dot: {length: n}}", "@{rel: 0}", "y: a tolerance of 0", "tolerance: exact"},
    {"{dot: {length: n}}", "{rel: @1e-8}", "rounded to f32 may be off by 5.96e-08", "{ulp: 1}"},
    {"{dot: {length: n}}", "{rel: @-1}", "tolerance.rel: expected a number from 0 to 0.5", NULL},
    {"{dot: {length: n}}", "{abs: @nan}", "tolerance.abs: expected a number", NULL},
    {"{dot: {length: n}}", "{@rell: 1e-5}", "unknown key rell", "did you mean rel?"},
    {"{dot: {length: n}}", "@{abs: 1e-5, ulp: 2}", "expected exactly one key, found 2", NULL},
    {"{dot: {length: n}}", "@{rel: 1e-5, abs: 1e-6, ulp: 2}", "exactly one key, found 3", NULL},
    {"f32, role: out, shape: [n, 2], tolerance: {dot: {length: n}}",
     "i32, role: out, shape: [n, 2], tolerance: @{rel: 1e-5}", "integers are compared exactly",
     NULL},
    {"fill: {integers: [0, 9]}", "fill: @uniform", "integers need a range", "integers"},
    {"{integers: [0, 9]}", "@{integers: [9, 0]}", "9 is above 0", NULL},
    {"{integers: [0, 9]}", "@{integers: [0, 3000000000]}", "whole numbers from", NULL},
    {"{integers: [0, 9]}", "{integers: [0, @9007199254740993]}", "9007199254740993", NULL},
    /* data from sizes and indices */
    {"{integers: [0, 9]}", "{integers: [0, \"n - @m\"]}", "m is not a size", "did you mean n?"},
    {"{integers: [0, 9]}", "{integers: [0, \"@BLOCK - 1\"]}",
     "BLOCK is a constant of the submission", NULL},
    {"{integers: [0, 9]}", "{integers: [0, @i]}", "i is an index, which only the formula", NULL},
    {"{integers: [0, 9]}", "{integers: [0, 2 @/ (n - 1)]}",
     "k in the case one: 2 / (n - 1): division by zero", NULL},
    {"{integers: [0, 9]}", "@{integers: [0, 200 - n]}",
     "k in the case small: expected [low, high], but 0 is above -56", NULL},
    {"{integers: [0, 9]}", "@{offsets: n}", "k in the case one: 1 offsets cannot", "[rows + 1]"},
    {"{integers: [0, 9]}", "{offsets: @s}", "s is not a size", NULL},
    {"{integers: [0, 9]}", "{formula: max(1, @n)}", "unknown key n)", "quotes around"},
    {"{integers: [0, 9]}", "{formula: max(1@}", "expected \",\" or \")\"", "quotes around"},
    {"{integers: [0, 9]}", "@{formula: i / 2}", "at i = 1 the formula is 0.5", "floor"},
    {"{integers: [0, 9]}", "{formula: i + @j}", "j is an index that this shape does not", NULL},
    {"{integers: [0, 9]}", "{formula: i + @m}", "m is neither an index nor a size", NULL},
    {"{integers: [0, 9]}", "{sorted: [0, @1 / (n - n)]}", "has no finite value", NULL},
    {"{integers: [0, 9]}", "{sorted: [@sqrt(0 - n), 9]}", "has no finite value", NULL},
    {"{integers: [0, 9]}", "{sorted: [0, n@，1]}", "found \"，\"", NULL},
    {"{constant: 2.5}", "@{sorted: [0, 1]}", "s in the case small: a scalar has one value", NULL},
    {"{constant: 2.5}", "@permutation", "a scalar has one value", NULL},
    {"s: {constant: 1}", "s: {formula: @i}", "i is an index, which only", NULL},
    {"s: {constant: 1}", "s: @{formula: log(n - 512)}", "s in the case ints: the formula is -inf",
     NULL},
    {"  sizes: {n: 4096}\n", "  sizes: {n: 4096}\n  fill: {k: @{sorted: [1, 0]}}\n",
     "k in the speed case: expected [low, high]", NULL},
    {"name: BLOCK", "name: @x", "the name x is here twice", NULL},
    {"default: 256", "default: @16", "not between min and max", NULL},
    {"default: 256", "default: @100", "no power of two", NULL},
    /* cases */
    {"{n: 256}", "{@m: 256}", "sizes: unknown key m", NULL},
    {"{n: 256}", "@{}", "the size n is missing", NULL},
    {"{n: 256}", "{n: @3000000000}", "does not fit in its type i32", NULL},
    {"{n: 256}", "{n: @-1}", "expected a whole number from 0", NULL},
    {"name: one,", "name: @small,", "two cases named small", NULL},
    {"name: one,", "name: @generated-1,", "taken by warpgrade", NULL},
    {"{x: {integers", "{@y: {integers", "unknown key y", NULL},
    {"n: [1, 99]", "n: @[99, 1]", "99 is above 1", NULL},
    {"[\"ceil_div(n, BLOCK)\"]", "[@n % 99 + n / 200]", "in the largest generated case", NULL},
    /* scoring */
    {"boundary: 30,", "", "the group boundary has cases, but no points", NULL},
    {"  boundary:\n    - {name: one, sizes: {n: 1}, essential: true}\n", "",
     "has points, but no cases", NULL},
    {"essential: true", "@esential: true", "unknown key esential", "did you mean essential?"},
    {"essential: true", "essential: @yes", "essential: expected true or false", NULL},
    {"speed: 10}", "speed: @5}", "has 5 points, but its thresholds give 10", NULL},
    /* speed */
    {"device: t4", "device: @t5", "there is no device t5", "did you mean t4?"},
    {"metric: warp_efficiency", "@metrik: warp_efficiency", "unknown key metrik", "metric"},
    {"metric: warp_efficiency", "metric: @warp_eficiency", "warp_eficiency is no metric",
     "did you mean warp_efficiency?"},
    {"metric: warp_efficiency", "metric: 1 - @tuned_wrap_efficiency", "is no metric",
     "did you mean tuned_warp_efficiency?"},
    {"1.2 * ideal_bytes + n", "1.2 * @idael_bytes", "idael_bytes is no metric",
     "did you mean ideal_bytes?"},
    {"1.2 * ideal_bytes + n", "1.2 *@", "the expression ends too early", NULL},
    {"at_least: 0.9, ", "at_least: 0.9, at_most: @1, ", "exclude each other", NULL},
    {"{metric: warp_efficiency, at_least: 0.9, ", "@{metric: warp_efficiency, ",
     "a bound is missing", "at_most: 4.5"},
    {"name: {en: Time}, ", "at_most: @3, ", "a threshold with tiers has its bounds", NULL},
    {"{at_most: 1.5, points: 6}", "{at_least: @1.5, points: 6}",
     "the tiers of a threshold go one way", NULL},
    {"{at_most: 1.5, points: 6}", "{at_most: @1 / (3 - 3), points: 6}", "the bound divides by 0",
     NULL},
    {"{at_most: 1.5, points: 6}", "{at_most: 1.5, points: @3}", "not more than the 3", NULL},
    {"{at_most: 1.5, points: 6}", "@{at_most: 4, points: 6}", "not harder to reach", NULL},
    {"engine: sim", "engine: @gpu", "expected any, sim or cuda", NULL},
    {"  sizes: {n: 4096}\n", "  sizes: {n: 4096}\n  fill: {@y: zero}\n", "unknown key y", NULL},
    {"  device: t4\n", "  measured_sizes: {@m: 4}\n", "unknown key m", NULL},
    {"  device: t4\n", "  measured_sizes: {n: @3000000000}\n", "does not fit", NULL},
    {"  device: t4\n", "  measured_sizes: {n: 60_000_000}\n", "in the measured speed case", NULL},
    {"  device: t4\n", "  bytes: @n - 5000\n", "in the measured speed case this is -904", NULL},
    {"  device: t4\n", "  flops: 2 * @m\n", "m is neither a size nor a constant", NULL},
    {"  device: t4\n", "  baseline: @cublas:dgemm\n", "expected cublas:sgemm", NULL},
    {"  device: t4\n", "  baseline: @cublas:sgemm\n",
     "cublas:sgemm takes two matrices in and one out, all of f32", "Leave the baseline out"},
    {"  device: t4\n", "  baseline: {column_major: @cublas:saxpy}\n",
     "takes a vector in, one inout and a scalar", NULL},
    {"  device: t4\n", "  baseline: {@row_major: cublas:saxpy}\n", "unknown key row_major", NULL},
    {"{when: hazard, cap: 60}", "@{cap: 60}", "either the key unless or the key when", NULL},
    {"{when: hazard, cap: 60}", "@{when: hazard, unless: boundary, cap: 60}", "either", NULL},
    {"cap: 50", "cap: @150", "expected a number from 0 to 100", NULL},
    {"unless: correctness", "unless: @esential", "expected correctness, boundary", "essential"},
    {"{when: hazard, cap: 60}", "@{unless: correctness, cap: 60}",
     "there are two gates with unless: correctness", NULL},
    /* mutants and hints */
    {"mutants/bad.cu", "@mutants/missing.cu", "there is no file", NULL},
    {"mutants/bad.cu", "@../bad.cu", "expected a relative path", NULL},
    {"mutants/bad.cu", "@mutants/bad.txt", "expected mutants/<name>.cu", NULL},
    {"verdict: hazard, hazard: out-of-bounds", "verdict: hazard", "needs the key hazard", NULL},
    {"verdict: hazard, hazard: out-of-bounds",
     "verdict: hazard, hazard: out-of-bounds, cause: @missing-tail",
     "goes with the verdicts wrong-answer and nondeterministic only", NULL},
    {"verdict: hazard, hazard: out-of-bounds", "verdict: wrong-answer, cause: @missing-tile",
     "missing-tail", NULL},
    {"verdict: hazard, hazard: out", "verdict: wrong-answer, hazard: @out",
     "goes with the verdict hazard only", NULL},
    {"verdict: hazard, hazard: out-of-bounds", "verdict: hazard, hazard: @instruction-budget",
     "ends a case with the verdict time-limit", "verdict: time-limit"},
    {"{verdict: wrong-answer, text", "{verdict: hazard, hazard: @trap, text",
     "ends a case with the verdict crash", "verdict: crash"},
    {"too-slow}", "@pass}", "cannot be meant to end with pass", NULL},
    {"{verdict: too-slow}", "@{verdict: hazard}", "needs the key hazard", NULL},
    {"too-slow}", "too-slow, hazard: @out-of-bounds}", "goes with the verdict hazard only", NULL},
    {"verdict: hazard, hazard: out-of-bounds", "verdict: @pass", "cannot be meant to end with pass",
     NULL},
    {"verdict: wrong-answer, text", "verdict: @wrong, text", "expected pass", NULL},
    /* the file as a whole */
    {"id: sample", "id: @simple", "the id is simple, but the folder is sample", NULL},
};

/* The good file with one piece replaced; *line and *column are where the @ stood, else 0. */
static char *with_mistake(const struct mistake *mistake, unsigned *line, unsigned *column) {
    struct text text = {0};
    const char *at = strstr(good, mistake->find);
    if (!at)
        fail_msg("not in the file: %s", mistake->find);
    text_append_bytes(&text, good, (size_t)(at - good));
    size_t start = text.length;
    text_append(&text, mistake->replace);
    char *mark = strchr(text.data + start, '@');
    *line = *column = 0;
    if (mark) {
        *line = *column = 1;
        for (const char *c = text.data; c < mark; c++) {
            *column = *c == '\n' ? 1 : *column + 1;
            *line += *c == '\n';
        }
        memmove(mark, mark + 1, strlen(mark));
        text.length--;
    }
    text_append(&text, at + strlen(mistake->find));
    return text_steal(&text);
}

static void refuses_each_mistake_at_its_place(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(mistakes); i++) {
        const struct mistake *row = &mistakes[i];
        unsigned line, column;
        cleanup_free char *yaml = with_mistake(row, &line, &column);
        struct exercise *exercise;
        struct error error = {0};
        if (load(yaml, &exercise, &error) != STATUS_INVALID)
            fail_msg("accepted: %s", row->replace);
        if (!strstr(error.message, row->message))
            fail_msg("%s: message is: %s", row->replace, error.message);
        if (row->hint && !strstr(error.hint, row->hint))
            fail_msg("%s: hint is: %s", row->replace, error.hint);
        if (line && row->message[0] && (error.line != line || error.column != column))
            fail_msg("%s: at %u:%u, not %u:%u: %s", row->replace, error.line, error.column, line,
                     column, error.message);
        if (error.line && !error.excerpt[0])
            fail_msg("%s: no source line", row->replace);
        if (!strstr(error.file, "sample/exercise.yaml"))
            fail_msg("%s: file is %s", row->replace, error.file);
    }
}

static void explains_a_comma_in_a_list(void **state) {
    (void)state;
    const struct mistake row = {"[\"ceil_div(n, BLOCK)\"]", "[ceil_div(n, BLOCK)]", "", NULL};
    unsigned line, column;
    cleanup_free char *yaml = with_mistake(&row, &line, &column);
    struct exercise *exercise;
    struct error error = {0};
    assert_int_equal(load(yaml, &exercise, &error), STATUS_INVALID);
    assert_non_null(strstr(error.hint, "quotes around the expression, \"ceil_div(n, BLOCK)\""));
}

static void misses_files(void **state) {
    (void)state;
    struct exercise *exercise;
    struct error error = {0};
    put("exercises/sample/mutants/stray.cu", "//\n");
    assert_int_equal(load(good, &exercise, &error), STATUS_INVALID);
    assert_string_equal(error.message, "mutants/stray.cu is not listed");
    cleanup_free char *stray = file_join(root, "exercises/sample/mutants/stray.cu");
    unlink(stray);
    cleanup_free char *tuned = file_join(root, "reference/sample/tuned.cu");
    unlink(tuned);
    assert_int_equal(load(good, &exercise, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "reference/sample/tuned.cu"));
    put("reference/sample/tuned.cu", "//\n");
    assert_int_equal(load(good, &exercise, &error), STATUS_OK);
    exercise_free(exercise);
}

/* Cuts the good file short at every byte: nothing may crash or leak, whatever comes out. */
static void survives_every_truncation(void **state) {
    (void)state;
    size_t loaded = 0;
    for (size_t length = 0; length < sizeof good - 1; length += 3) {
        cleanup_free char *yaml = mem_strndup(good, length);
        struct exercise *exercise;
        struct error error = {0};
        if (load(yaml, &exercise, &error) == STATUS_OK)
            loaded++;
        else
            assert_true(error.message[0] != '\0');
        exercise_free(exercise);
    }
    assert_true(loaded > 0); /* without the last lines, which are optional */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_params_and_launch),
        cmocka_unit_test(loads_fills),
        cmocka_unit_test(loads_thresholds),
        cmocka_unit_test(loads_cases_and_scoring),
        cmocka_unit_test(refuses_each_mistake_at_its_place),
        cmocka_unit_test(explains_a_comma_in_a_list),
        cmocka_unit_test(misses_files),
        cmocka_unit_test(survives_every_truncation),
    };
    return cmocka_run_group_tests_name("exercise", tests, set_up, tear_down);
}
