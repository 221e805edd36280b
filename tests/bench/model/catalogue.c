/* The tables, and how a row becomes a launch: sizes are bound to names, expressions evaluated,
 * counts written back into the argument's specification. */
#include "catalogue.h"

#include "grader/exercise/expr.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/build/build.h"
#include "tests/source_folder.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 4, MAX_DEFINES = 8 };

const char *const model_size_names[MODEL_SIZES] = {"small", "large"};

const struct model_kernel model_kernels[] = {
#define ROW(family, variant, file, kernel, grid, block, shared, small, large, arguments, set)      \
    {#family,   #variant, "tests/bench/model/" file,                                               \
     NULL,      kernel,   grid,                                                                    \
     block,     shared,   {small, large},                                                          \
     arguments, NULL,     NULL,                                                                    \
     set},
#define MODEL(...)     ROW(__VA_ARGS__, MODEL_JUDGED)
#define HELD_OUT(...)  ROW(__VA_ARGS__, MODEL_SEEN)
#define FRESH(...)     ROW(__VA_ARGS__, MODEL_FRESH)
#define CATALOGUE(...) ROW(__VA_ARGS__, MODEL_CATALOGUE)
#define COURSE(...)    ROW(__VA_ARGS__, MODEL_COURSE)
#define BLIND(...)     ROW(__VA_ARGS__, MODEL_BLIND)
#define PROGRAM(...)   ROW(__VA_ARGS__, MODEL_PROGRAM)
#define PROJECT(...)   ROW(__VA_ARGS__, MODEL_PROJECT)
#define HOMEWORK(...)  ROW(__VA_ARGS__, MODEL_HOMEWORK)
/* Rows are printed in this order. */
/* clang-format off */
#include "tests/bench/model/kernels.def"
#include "tests/bench/model/kernels-held-out.def"
#include "tests/bench/model/kernels-blind.def"
#include "tests/bench/model/kernels-programs.def"
#include "tests/bench/model/kernels-projects.def"
#include "tests/bench/model/kernels-homework.def"
/* clang-format on */
#undef HOMEWORK
#undef PROJECT
#undef PROGRAM
#undef BLIND
#undef COURSE
#undef CATALOGUE
#undef FRESH
#undef HELD_OUT
#undef MODEL
#undef ROW
};
const size_t model_kernel_count = ARRAY_LENGTH(model_kernels);

const struct model_kernel micro_kernels[] = {
#define MICRO(family, variant, file, defines, grid, block, shared, sizes, arguments, work, unit)   \
    {family,      variant, "tests/gpu/micro/" file ".cu",                                          \
     defines,     "run",   grid,                                                                   \
     block,       shared,  {sizes, NULL},                                                          \
     arguments,   work,    unit,                                                                   \
     MODEL_JUDGED},
#include "tests/gpu/micro/micro.def"
#undef MICRO
};
const size_t micro_kernel_count = ARRAY_LENGTH(micro_kernels);

/* ---- expressions over the sizes -------------------------------------------------------------- */

struct sizes {
    struct expr_name names[MAX_SIZES];
    size_t count;
    char *text; /* what the names point into */
};

static enum status evaluate(const struct sizes *sizes, const char *text, int64_t *value,
                            struct error *error) {
    struct expr *expression;
    enum status status = expr_parse(text, &expression, error);
    if (status != STATUS_OK)
        return status;
    status = expr_evaluate(expression, sizes->names, sizes->count, value, error);
    expr_free(expression);
    return status;
}

/* "n=1024 k=8" */
static enum status read_sizes(const char *text, struct sizes *sizes, struct error *error) {
    char *state = NULL;
    *sizes = (struct sizes){.text = mem_strdup(text)};
    for (char *word = strtok_r(sizes->text, " ", &state); word;
         word = strtok_r(NULL, " ", &state)) {
        char *equals = strchr(word, '=');
        if (!equals || sizes->count == MAX_SIZES)
            return error_set(error, STATUS_INVALID, "sizes are NAME=NUMBER, not %s", text);
        *equals = '\0';
        struct expr_name *name = &sizes->names[sizes->count++];
        name->name = word;
        enum status status = evaluate(&(struct sizes){0}, equals + 1, &name->value, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* "ceil_div(n,16);8": up to three, the rest is 1. */
static enum status read_extents(const struct sizes *sizes, const char *text, struct dim3 *extents,
                                struct error *error) {
    uint32_t *const places[] = {&extents->x, &extents->y, &extents->z};
    char *state = NULL;
    cleanup_free char *copy = mem_strdup(text);
    *extents = (struct dim3){1, 1, 1};
    size_t i = 0;
    for (char *word = strtok_r(copy, ";", &state); word; word = strtok_r(NULL, ";", &state)) {
        int64_t value;
        enum status status = evaluate(sizes, word, &value, error);
        if (status != STATUS_OK)
            return status;
        if (i == ARRAY_LENGTH(places) || value < 1 || value > INT32_MAX)
            return error_set(error, STATUS_INVALID, "no grid or block: %s", text);
        *places[i++] = (uint32_t)value;
    }
    return STATUS_OK;
}

/* TYPE*EXPR=FILL becomes TYPE*NUMBER=FILL, and so does TYPE=EXPR of whole numbers. */
static enum status resolve_argument(const struct sizes *sizes, const char *word, char **spec,
                                    struct error *error) {
    const char *equals = strchr(word, '='), *star = strchr(word, '*');
    bool buffer = star && equals && star < equals;
    if (!equals)
        return error_set(error, STATUS_INVALID, "no argument: %s", word);
    if (!buffer && *word == 'f') {
        *spec = mem_strdup(word);
        return STATUS_OK;
    }
    const char *begin = buffer ? star + 1 : equals + 1;
    cleanup_free char *text = mem_strndup(begin, buffer ? (size_t)(equals - begin) : strlen(begin));
    int64_t value;
    enum status status = evaluate(sizes, text, &value, error);
    if (status == STATUS_OK)
        *spec = mem_printf("%.*s%lld%s", (int)(begin - word), word, (long long)value,
                           buffer ? equals : "");
    return status;
}

enum status model_launch_make(const struct model_kernel *kernel, enum model_size size,
                              struct model_launch *launch, struct error *error) {
    *launch = (struct model_launch){0};
    struct sizes sizes;
    int64_t shared = 0, work = 0;
    enum status status = read_sizes(kernel->sizes[size], &sizes, error);
    if (status == STATUS_OK)
        status = read_extents(&sizes, kernel->grid, &launch->grid, error);
    if (status == STATUS_OK)
        status = read_extents(&sizes, kernel->block, &launch->block, error);
    if (status == STATUS_OK)
        status = evaluate(&sizes, kernel->shared, &shared, error);
    if (status == STATUS_OK && kernel->work)
        status = evaluate(&sizes, kernel->work, &work, error);
    launch->shared_bytes = (uint64_t)shared;
    launch->work = (double)work;
    char *state = NULL;
    cleanup_free char *copy = mem_strdup(kernel->arguments);
    for (char *word = strtok_r(copy, " ", &state); word && status == STATUS_OK;
         word = strtok_r(NULL, " ", &state)) {
        if (launch->spec_count == ENGINE_MAX_ARGUMENTS)
            status = error_set(error, STATUS_INVALID, "too many arguments");
        else
            status = resolve_argument(&sizes, word, &launch->specs[launch->spec_count++], error);
    }
    free(sizes.text);
    if (status != STATUS_OK)
        model_launch_free(launch);
    return status;
}

void model_launch_free(struct model_launch *launch) {
    for (size_t i = 0; i < launch->spec_count; i++)
        free(launch->specs[i]);
    launch->spec_count = 0;
}

/* ---- PTX ------------------------------------------------------------------------------------- */

static char *ptx_path(const struct model_kernel *kernel, const char *folder) {
    return mem_printf("%s/%s-%s.ptx", folder, kernel->family, kernel->variant);
}

/* The files hold one kernel each: its entry is the first one. */
static char *find_entry(const char *ptx) {
    const char *at = strstr(ptx, ".entry ");
    if (!at)
        return NULL;
    at += strlen(".entry ");
    return mem_strndup(at, strcspn(at, "( \t\n"));
}

char *model_source_path(const struct model_kernel *kernel) {
    const char *home = getenv("WARPGRADE_HOME");
    return file_join(home ? home : WARPGRADE_SOURCE_DIR, kernel->file);
}

static enum status compile(const struct model_kernel *kernel, struct build_result *result,
                           struct error *error) {
    cleanup_free char *path = model_source_path(kernel);
    cleanup_free char *source = NULL, *defines = mem_strdup(kernel->defines);
    const char *list[MAX_DEFINES];
    size_t length, count = 0;
    char *state = NULL;
    for (char *word = defines ? strtok_r(defines, "|", &state) : NULL; word && count < MAX_DEFINES;
         word = strtok_r(NULL, "|", &state))
        list[count++] = word;
    enum status status = file_read(path, BUILD_SOURCE_MAX, &source, &length, error);
    if (status != STATUS_OK)
        return status;
    struct build_request request = {.file_name = file_base_name(kernel->file),
                                    .source = source,
                                    .source_length = length,
                                    .kernel = kernel->kernel,
                                    .defines = list,
                                    .define_count = count};
    struct worker_limits limits = {.wall_seconds = 60};
    status = build_compile(&request, &limits, result, error);
    if (status != STATUS_OK)
        return status;
    if (result->compiled)
        return STATUS_OK;
    status = error_set(error, STATUS_INVALID, "%s: %s %s", kernel->file, result->message,
                       result->diagnostic_count ? result->diagnostics[0].text : "");
    build_result_free(result);
    return status;
}

enum status model_compile(const struct model_kernel *kernel, const char *folder, char **ptx,
                          char **entry, struct error *error) {
    *ptx = *entry = NULL;
    cleanup_free char *path = folder ? ptx_path(kernel, folder) : NULL;
    if (path && file_exists(path)) {
        size_t length;
        enum status status = file_read(path, (size_t)64 << 20, ptx, &length, error);
        if (status != STATUS_OK)
            return status;
    } else {
        struct build_result result;
        enum status status = compile(kernel, &result, error);
        if (status != STATUS_OK)
            return status;
        *ptx = steal_pointer(&result.ptx);
        build_result_free(&result);
    }
    *entry = find_entry(*ptx);
    if (*entry)
        return STATUS_OK;
    free(*ptx);
    *ptx = NULL;
    return error_set(error, STATUS_INVALID, "%s has no entry", kernel->file);
}

enum status model_write_ptx(const struct model_kernel *kernel, const char *folder,
                            struct error *error) {
    struct build_result result;
    enum status status = compile(kernel, &result, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *path = ptx_path(kernel, folder);
    status = file_write(path, result.ptx, result.ptx_length, error);
    build_result_free(&result);
    return status;
}
