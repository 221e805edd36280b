/* The table of the tuned kernels on a card: what each reaches of cuBLAS or of the card's own copy,
 * at sizes that no cache holds, and the bar it has to reach, a share on every card. Below it the
 * course's simple variants, in whose times the course's order has to come back.
 *
 *     gpu_table [--plan] [ROW ...]
 *
 * Rows are named by their exercises or families; without names all are measured. In one launch the
 * outputs of an exercise's kernel are compared with the reference's, the others are only timed;
 * so are the simple variants, whose results other tests look at. 1 where a bar is missed, a
 * result wrong or an order another one; 77 without a card. --plan, which needs none, only asks
 * whether every row is a launch. */
#include "grader/cli/sim_argument.h"
#include "grader/grade/measure/grade_measure.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/cuda/lock.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"
#include "tests/bench/model/catalogue.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, LAUNCHES = 11, WARM_LAUNCHES = 2, MAX_SIZES = 3, SOURCE_MAX = 1 << 20 };
#define MEMORY_BYTES ((uint64_t)16 << 30)
#define SQUARE       16384
#define MANY         268435456 /* 2^28 */

/* ---- what is measured ------------------------------------------------------------------------ */

enum bar_kind {
    BAR_BASELINE, /* cuBLAS's time to its own */
    BAR_COPY,     /* its bytes a second to those of a copy, read and written */
};

static const struct table_row {
    const char *id, *what; /* what distinguishes rows of one exercise; "" */
    struct exercise_size sizes[MAX_SIZES];
    const struct exercise_fill *fill; /* of the first parameter; NULL: the exercise's */
    double bytes, flops;              /* of a launch: at least read and written, and done */
    enum bar_kind kind;
    double bar;
} table_rows[] = {
#define SIZE(name, value)                                                                          \
    { (char *)(uintptr_t)name, value }
#define UNIFORM_BYTES                                                                              \
    &(const struct exercise_fill) {                                                                \
        .kind = FILL_INTEGERS, .low = 0, .high = 255                                               \
    }
#define EQUAL_BYTES                                                                                \
    &(const struct exercise_fill) {                                                                \
        .kind = FILL_CONSTANT, .low = 65                                                           \
    }
    {"gemv-open",
     "",
     {SIZE("rows", SQUARE), SIZE("cols", SQUARE)},
     NULL,
     4.0 * SQUARE *SQUARE,
     2.0 * SQUARE *SQUARE,
     BAR_BASELINE,
     1},
    {"gemv-coalesced",
     "",
     {SIZE("rows", SQUARE), SIZE("cols", SQUARE)},
     NULL,
     4.0 * SQUARE *SQUARE,
     2.0 * SQUARE *SQUARE,
     BAR_BASELINE,
     1},
    {"histogram-coarsened",
     "uniform",
     {SIZE("n", 536870912)},
     UNIFORM_BYTES,
     536870912,
     0,
     BAR_COPY,
     0.7},
    {"histogram-coarsened",
     "constant",
     {SIZE("n", 536870912)},
     EQUAL_BYTES,
     536870912,
     0,
     BAR_COPY,
     0.35},
    {"transpose",
     "",
     {SIZE("width", SQUARE), SIZE("height", SQUARE)},
     NULL,
     8.0 * SQUARE *SQUARE,
     0,
     BAR_COPY,
     0.9},
    {"saxpy", "", {SIZE("n", 134217728)}, NULL, 12.0 * 134217728, 2.0 * 134217728, BAR_COPY, 0.9},
    {"scan", "", {SIZE("n", 134217728)}, NULL, 8.0 * 134217728, 0, BAR_COPY, 0.8},
    {"softmax",
     "",
     {SIZE("rows", 16384), SIZE("cols", 4096)},
     NULL,
     8.0 * 16384 * 4096,
     0,
     BAR_COPY,
     0.8},
    {"matmul-open",
     "",
     {SIZE("width", 4096)},
     NULL,
     12.0 * 4096 * 4096,
     2.0 * 4096 * 4096 * 4096,
     BAR_BASELINE,
     0.7},
    {"dot", "", {SIZE("n", MANY)}, NULL, 8.0 * MANY, 2.0 * MANY, BAR_COPY, 0.9},
    {"reduce-shuffle", "", {SIZE("n", MANY)}, NULL, 4.0 * MANY, 1.0 * MANY, BAR_COPY, 0.9},
#undef SIZE
};

/* Slowest first. Groups of one number are not distinguished: within CLOSE of each other. */
#define CLOSE 0.1
static const struct order_row {
    const char *family, *variant;
    unsigned group;
} order_rows[] = {
    {"gemv_course", "global", 0},     {"gemv_course", "coalesced", 1},
    {"gemv_course", "shuffle", 2},    {"gemv_course", "shared", 2},
    {"gemv_course", "constant", 3},   {"histogram", "global_bytes", 0},
    {"histogram", "global_words", 0}, {"histogram", "shared_bytes", 1},
    {"histogram", "shared_words", 2},
};

static bool is_chosen(const char *name, char **names, size_t count) {
    bool chosen = count == 0;
    for (size_t i = 0; i < count; i++)
        chosen |= strcmp(names[i], name) == 0;
    return chosen;
}

/* Says which name is of no row: nothing measured would pass for nothing missed. */
static bool are_known(char **names, size_t count) {
    for (size_t n = 0; n < count; n++) {
        bool known = false;
        for (size_t i = 0; i < ARRAY_LENGTH(table_rows); i++)
            known |= strcmp(table_rows[i].id, names[n]) == 0;
        for (size_t i = 0; i < ARRAY_LENGTH(order_rows); i++)
            known |= strcmp(order_rows[i].family, names[n]) == 0;
        if (!known) {
            fprintf(stderr, "gpu_table: the table has no row %s\n", names[n]);
            return false;
        }
    }
    return true;
}

/* ---- tuned kernels --------------------------------------------------------------------------- */

/* False where the exercise has other sizes than the row. */
static bool take_sizes(const struct table_row *row, struct exercise *exercise,
                       struct exercise_size sizes[MAX_SIZES]) {
    size_t found = 0, count = exercise->measured.size_count;
    for (size_t i = 0; i < count && i < MAX_SIZES; i++)
        for (size_t j = 0; j < MAX_SIZES && row->sizes[j].name; j++)
            if (strcmp(exercise->measured.sizes[i].name, row->sizes[j].name) == 0) {
                sizes[i] = exercise->measured.sizes[i];
                sizes[i].value = row->sizes[j].value;
                found++;
            }
    exercise->measured.sizes = sizes;
    return found == count;
}

typedef enum status row_use(struct grade_session *session, const struct exercise *large,
                            const struct grade_source *source, struct measured_row *found,
                            struct error *error);

static enum status measure_tuned(struct grade_session *session, const struct exercise *large,
                                 const struct grade_source *source, struct measured_row *found,
                                 struct error *error) {
    return grade_measure_row(session, large, source, LAUNCHES, found, error);
}

/* As measuring does it, for code of any architecture. */
static enum status plan_tuned(struct grade_session *session, const struct exercise *large,
                              const struct grade_source *source, struct measured_row *found,
                              struct error *error) {
    struct exercise as_measured = *large;
    struct plan *plan = NULL;
    struct plan_launch own = {0}, reference = {0};
    struct grade_kernel kernel = {.message = NULL};
    size_t count;
    cleanup_free struct expr_name *fallbacks = oracle_constants(large, &count);
    (void)session;
    *found = (struct measured_row){0};
    enum status status = measure_plan(&as_measured, 1, &plan, error);
    if (status == STATUS_OK)
        status = grade_build(large, source, &kernel, error);
    if (status == STATUS_OK && kernel.message)
        status = error_set(error, STATUS_INVALID, "%s", kernel.message);
    if (status == STATUS_OK)
        status = plan_bind(plan, 0, &large->launch, PLAN_SUBMISSION, kernel.constants,
                           kernel.constant_count, MEMORY_BYTES, &own, error);
    if (status == STATUS_OK)
        status = plan_bind(plan, 0, &large->reference.launch, PLAN_REFERENCE, fallbacks, count,
                           MEMORY_BYTES, &reference, error);
    if (status == STATUS_OK)
        printf("%-20s %zu MiB of buffers, %zu MiB of the reference's\n", large->id,
               own.data_length >> 20, reference.data_length >> 20);
    plan_launch_free(&own);
    plan_launch_free(&reference);
    plan_free(plan);
    grade_kernel_free(&kernel);
    return status;
}

/* The exercise at the row's sizes, with the tuned kernel as its submission. */
static enum status use_row(struct grade_session *session, const struct table_row *row,
                           const struct exercise *exercise, row_use *use,
                           struct measured_row *found, struct error *error) {
    struct exercise large = *exercise;
    struct exercise_size sizes[MAX_SIZES];
    cleanup_free struct exercise_fill *fills =
        mem_dup(exercise->speed_fills, exercise->param_count * sizeof *fills);
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = exercise->tuned.file};
    large.launch = exercise->tuned.launch;
    large.kernel = exercise->tuned.kernel;
    large.memory_limit_bytes = MEMORY_BYTES;
    large.speed_fills = fills;
    if (row->fill)
        fills[0] = *row->fill;
    if (!take_sizes(row, &large, sizes))
        return error_set(error, STATUS_INVALID, "%s has other sizes than its row", row->id);
    enum status status = file_read(source.file, SOURCE_MAX, &text, &source.length, error);
    source.text = text;
    if (status == STATUS_OK)
        status = use(session, &large, &source, found, error);
    return status;
}

/* True where the bar is reached. */
static bool print_row(const struct table_row *row, const struct measured_row *found) {
    double seconds = found->own_ms / 1e3, rate = row->bytes / seconds;
    double of_copy = found->copy_bytes_per_second > 0 ? rate / found->copy_bytes_per_second : 0;
    double reached = row->kind == BAR_BASELINE ? found->of_baseline : of_copy;
    static const char *const units[] = {"of cuBLAS", "of the copy"};
    char sizes[96] = "";
    for (size_t i = 0; i < MAX_SIZES && row->sizes[i].name; i++)
        snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%s%s=%lld", i ? " " : "",
                 row->sizes[i].name, (long long)row->sizes[i].value);
    printf("%-20s %-8s %-24s %8.4f ms %6.3f TB/s %6.2f TFLOP/s  copy %5.1f %%", row->id, row->what,
           sizes, found->own_ms, rate / 1e12, row->flops / seconds / 1e12, 100 * of_copy);
    if (found->baseline_ms > 0)
        printf("  cuBLAS %5.1f %%", 100 * found->of_baseline);
    bool met = found->own_ms > 0 && reached >= row->bar;
    printf("  %.3f of at least %.2f %s: %s\n", reached, row->bar, units[row->kind],
           met ? "met" : "MISSED");
    return met;
}

/* True where the bar is reached; of a plan, where it is one. */
static bool run_row(struct grade_session *session, const struct table_row *row, row_use *use) {
    struct error error = {0};
    struct exercise *exercise;
    struct measured_row found;
    double start = clock_ms();
    enum status status = exercise_find(row->id, &exercise, &error);
    bool met = false;
    if (status == STATUS_OK) {
        status = use_row(session, row, exercise, use, &found, &error);
        exercise_free(exercise);
    }
    if (status == STATUS_OK)
        met = use == plan_tuned || print_row(row, &found);
    else
        printf("FAILED %s %s: %s\n", row->id, row->what, error.message);
    printf("    %.1f s\n", (clock_ms() - start) / 1e3);
    fflush(stdout);
    return met;
}

/* ---- compiling ahead ------------------------------------------------------------------------- */

struct compilation {
    struct grade_session *session;
    const struct table_row *row; /* NULL: not chosen */
};

/* Into the build's cache; an error is reported when the row meets it. */
static void *compile_row(void *argument) {
    const struct compilation *compilation = argument;
    struct exercise *exercise;
    if (!compilation->row || exercise_find(compilation->row->id, &exercise, NULL) != STATUS_OK)
        return NULL;
    struct exercise tuned = *exercise;
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = exercise->tuned.file};
    struct grade_run run = {.session = compilation->session,
                            .exercise = &tuned,
                            .file_name = file_base_name(source.file)};
    struct measure_kernels kernels = {.fallback_count = 0};
    tuned.kernel = exercise->tuned.kernel;
    enum status status = file_read(source.file, SOURCE_MAX, &text, &source.length, NULL);
    source.text = text;
    if (status == STATUS_OK)
        measure_build(&run, &source, run.session->cards, &kernels, NULL);
    measure_free_kernels(&kernels);
    exercise_free(exercise);
    return NULL;
}

static void compile_rows(struct grade_session *session, char **names, size_t name_count) {
    struct compilation compilations[ARRAY_LENGTH(table_rows)];
    pthread_t threads[ARRAY_LENGTH(table_rows)];
    size_t started = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(table_rows); i++) {
        bool chosen = is_chosen(table_rows[i].id, names, name_count);
        compilations[i] = (struct compilation){session, chosen ? &table_rows[i] : NULL};
    }
    while (started < ARRAY_LENGTH(threads) &&
           pthread_create(&threads[started], NULL, compile_row, &compilations[started]) == 0)
        started++;
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* ---- simple variants ------------------------------------------------------------------------- */

static const struct model_kernel *find_model(const struct order_row *row) {
    for (size_t i = 0; i < model_kernel_count; i++)
        if (strcmp(model_kernels[i].family, row->family) == 0 &&
            strcmp(model_kernels[i].variant, row->variant) == 0)
            return &model_kernels[i];
    return NULL;
}

static enum status compile_model(const struct model_kernel *kernel, const struct cuda_card *card,
                                 struct build_result *result, struct error *error) {
    char architecture[32];
    cleanup_free char *path = model_source_path(kernel);
    cleanup_free char *source = NULL;
    struct build_request request = {.file_name = file_base_name(kernel->file),
                                    .kernel = kernel->kernel,
                                    .architecture = architecture};
    cuda_card_architecture(card, architecture, sizeof architecture);
    enum status status = file_read(path, SOURCE_MAX, &source, &request.source_length, error);
    request.source = source;
    if (status == STATUS_OK)
        status = build_compile(&request, NULL, result, error);
    if (status == STATUS_OK && !result->compiled)
        status = error_set(error, STATUS_INVALID, "%s: %s", kernel->file, result->message);
    return status;
}

static enum status time_launches(struct cuda_session *session, struct cuda_launch *launch,
                                 double *median_ms, struct error *error) {
    double ms[LAUNCHES + WARM_LAUNCHES];
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < ARRAY_LENGTH(ms) && status == STATUS_OK; i++) {
        struct cuda_result result;
        launch->placement = i + 1;
        status = cuda_session_run(session, launch, &result, error);
        if (status == STATUS_OK && (result.end != CUDA_COMPLETED || result.hazard_count))
            status = error_set(error, STATUS_INVALID, "%s",
                               result.hazard_count ? result.hazards[0].message : result.message);
        ms[i] = result.event_ms;
        cuda_result_free(&result);
    }
    *median_ms = interval_of(ms + WARM_LAUNCHES, LAUNCHES).median;
    return status;
}

static enum status plan_model(const struct model_kernel *kernel, struct model_launch *planned,
                              struct engine_argument *arguments, struct error *error) {
    enum status status = model_launch_make(kernel, MODEL_LARGE, planned, error);
    for (unsigned i = 0; i < planned->spec_count && status == STATUS_OK; i++) {
        struct sim_argument argument;
        status = sim_argument_parse_rule(planned->specs[i], i, 1, &argument, error);
        if (status != STATUS_OK)
            break;
        arguments[i] = argument.engine;
        if (argument.bytes)
            status = error_set(error, STATUS_INVALID, "%s has no rule", planned->specs[i]);
        free(argument.bytes);
    }
    return status;
}

static enum status time_model(struct cuda_session *session, const struct cuda_card *card,
                              const struct model_kernel *kernel, double *median_ms,
                              struct error *error) {
    struct build_result build = {0};
    struct model_launch planned = {.spec_count = 0};
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    enum status status = compile_model(kernel, card, &build, error);
    if (status == STATUS_OK)
        status = plan_model(kernel, &planned, arguments, error);
    if (status == STATUS_OK) {
        struct cuda_launch launch = {.image = build.cubin,
                                     .image_length = build.cubin_length,
                                     .kernel = build.kernels[build.kernel_index].lowered,
                                     .grid = planned.grid,
                                     .block = planned.block,
                                     .shared_bytes = planned.shared_bytes,
                                     .arguments = arguments,
                                     .argument_count = planned.spec_count,
                                     .time = true,
                                     .flush_l2 = true,
                                     .leave_outputs = true};
        status = time_launches(session, &launch, median_ms, error);
    }
    model_launch_free(&planned);
    build_result_free(&build);
    return status;
}

/* Whether the times of `count` rows of a family are in the course's order. */
static bool is_in_order(const struct order_row *rows, const double *ms, size_t count) {
    bool right = true;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            bool close = ms[i] <= ms[j] * (1 + CLOSE) && ms[j] <= ms[i] * (1 + CLOSE);
            right &= rows[i].group == rows[j].group ? close : ms[i] > ms[j];
        }
    return right;
}

static bool run_family(struct cuda_session *session, const struct cuda_card *card,
                       const struct order_row *rows, size_t count) {
    double ms[ARRAY_LENGTH(order_rows)];
    for (size_t i = 0; i < count; i++) {
        struct error error = {0};
        const struct model_kernel *kernel = find_model(&rows[i]);
        if (!kernel || time_model(session, card, kernel, &ms[i], &error) != STATUS_OK) {
            printf("FAILED %s/%s: %s\n", rows[i].family, rows[i].variant,
                   kernel ? error.message : "not among the models");
            return false;
        }
        printf("%-20s %-16s %-24s %8.4f ms\n", rows[i].family, rows[i].variant,
               kernel->sizes[MODEL_LARGE], ms[i]);
    }
    bool right = is_in_order(rows, ms, count);
    printf("%s: the course's order %s\n", rows->family, right ? "comes back" : "is MISSED");
    return right;
}

static bool run_families(char **names, size_t name_count) {
    struct error error = {0};
    struct cuda_card *cards;
    struct cuda_session *session = NULL;
    size_t count;
    int lock = -1;
    if (cuda_cards(&cards, &count, &error) != STATUS_OK ||
        cuda_lock_take(&cards[0], true, &lock, &error) != STATUS_OK ||
        cuda_session_open(&cards[0], CUDA_TRUSTED_BLAS, &session, &error) != STATUS_OK) {
        printf("FAILED %s\n", error.message);
        return false;
    }
    bool right = true;
    for (size_t first = 0, end; first < ARRAY_LENGTH(order_rows); first = end) {
        const char *family = order_rows[first].family;
        for (end = first;
             end < ARRAY_LENGTH(order_rows) && strcmp(order_rows[end].family, family) == 0;)
            end++;
        if (is_chosen(family, names, name_count))
            right &= run_family(session, &cards[0], &order_rows[first], end - first);
    }
    cuda_session_close(session);
    cuda_lock_release(&lock);
    free(cards);
    return right;
}

static bool plan_all(char **names, size_t name_count) {
    bool right = true;
    for (size_t i = 0; i < ARRAY_LENGTH(table_rows); i++)
        if (is_chosen(table_rows[i].id, names, name_count))
            right &= run_row(NULL, &table_rows[i], plan_tuned);
    for (size_t i = 0; i < ARRAY_LENGTH(order_rows); i++) {
        struct error error = {0};
        struct model_launch planned = {.spec_count = 0};
        struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
        const struct model_kernel *kernel = find_model(&order_rows[i]);
        if (kernel && plan_model(kernel, &planned, arguments, &error) == STATUS_OK) {
            model_launch_free(&planned);
            continue;
        }
        printf("FAILED %s/%s: %s\n", order_rows[i].family, order_rows[i].variant, error.message);
        right = false;
    }
    return right;
}

/* ---- the whole ------------------------------------------------------------------------------- */

int main(int argc, char **argv) {
    struct error error = {0};
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    bool plans = argc > 1 && strcmp(argv[1], "--plan") == 0;
    argc -= plans;
    argv += plans;
    size_t missed = 0, rows = 0, name_count = argc > 1 ? (size_t)argc - 1 : 0;
    if (!are_known(argv + 1, name_count))
        return 2;
    if (plans)
        return plan_all(argv + 1, name_count) ? 0 : 1;
    double start = clock_ms();
    struct grade_session *session;
    const struct grade_options options = {.engine = GRADE_ENGINE_CUDA, .has_seed = true, .seed = 7};
    enum status status = grade_open(&options, &session, &error);
    if (status != STATUS_OK) {
        printf("skipped: %s\n", error.message);
        return status == STATUS_ENVIRONMENT ? SKIPPED : 2;
    }
    compile_rows(session, argv + 1, name_count);
    for (size_t i = 0; i < ARRAY_LENGTH(table_rows); i++)
        if (is_chosen(table_rows[i].id, argv + 1, name_count)) {
            rows++;
            missed += !run_row(session, &table_rows[i], measure_tuned);
        }
    grade_close(session);
    bool in_order = run_families(argv + 1, name_count);
    printf("table: %zu rows, %zu missed, the course's orders %s; %.1f s\n", rows, missed,
           in_order ? "come back" : "do NOT come back", (clock_ms() - start) / 1e3);
    return missed || !in_order;
}
