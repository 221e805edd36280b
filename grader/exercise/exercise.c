/* The door's functions: loading an exercise from its folder (home.c finds the folders).
 *
 * Loading goes in four steps, each of which can refuse: the YAML tree (yaml.c), its form
 * (exercise_schema.c), the struct (exercise_build.c), whether the parts fit together
 * (exercise_check.c). Nothing of a half-loaded exercise is ever returned. */
#include "grader/exercise/exercise.h"

#include "grader/exercise/exercise_parts.h"
#include "grader/exercise/exercise_schema.h"
#include "grader/exercise/home.h"
#include "grader/exercise/yaml.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STATEMENT_BYTES = 1 << 20 };

static enum status load_statements(struct exercise *exercise, struct error *error) {
    static const char *const names[LANGUAGE_COUNT] = {"statement.md", "statement.zh.md"};
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        cleanup_free char *path = file_join(exercise->directory, names[i]);
        size_t length;
        if (i != LANGUAGE_EN && !file_exists(path)) {
            exercise->statement[i] = mem_strdup(exercise->statement[LANGUAGE_EN]);
            continue;
        }
        enum status status =
            file_read(path, MAX_STATEMENT_BYTES, &exercise->statement[i], &length, error);
        if (status != STATUS_OK)
            return status;
        if (strlen(exercise->statement[i]) != length)
            return error_set(error, STATUS_INVALID, "%s holds a NUL character", path);
    }
    return STATUS_OK;
}

static enum status load_document(const struct yaml_document *document,
                                 const char *reference_directory, struct exercise *exercise,
                                 struct error *error) {
    enum status status = schema_check(document, SCHEMA_exercise, error);
    if (status == STATUS_OK)
        status = exercise_check_kind(document, error);
    if (status == STATUS_OK)
        status = exercise_build(document, reference_directory, exercise, error);
    if (status == STATUS_OK)
        status = exercise_check(document, exercise, error);
    if (status == STATUS_OK)
        status = exercise_load_headers(document, exercise, error);
    return status == STATUS_OK ? load_statements(exercise, error) : status;
}

bool exercise_has_essential_case(const struct exercise *exercise) {
    for (size_t i = 0; i < exercise->case_count; i++)
        if (exercise->cases[i].essential)
            return true;
    return false;
}

enum status exercise_load(const char *directory, const char *reference_directory,
                          struct exercise **exercise, struct error *error) {
    cleanup_free char *path = file_join(directory, "exercise.yaml");
    struct yaml_document *document;
    enum status status = yaml_load(path, &document, error);
    if (status != STATUS_OK)
        return status;
    struct exercise *loaded = mem_zalloc(sizeof *loaded);
    loaded->directory = mem_strdup(directory);
    loaded->skeleton = file_join(directory, "skeleton.cu");
    loaded->has_reference = reference_directory != NULL;
    status = load_document(document, reference_directory ? reference_directory : directory, loaded,
                           error);
    yaml_document_free(document);
    if (status != STATUS_OK) {
        exercise_free(loaded);
        return status;
    }
    *exercise = loaded;
    return STATUS_OK;
}

enum status exercise_require_reference(const struct exercise *exercise, struct error *error) {
    if (exercise->has_reference)
        return STATUS_OK;
    error_set(error, STATUS_ENVIRONMENT, "the reference of %s is not on this machine",
              exercise->id);
    error_hint(error,
               "reference/%s/ says what is right, and is perhaps kept from those who practise; "
               "WARPGRADE_HOME may name the folder that has it.",
               exercise->id);
    return STATUS_ENVIRONMENT;
}

static void free_launch(struct exercise_launch *launch) {
    for (size_t i = 0; i < 3; i++) {
        expr_free(launch->grid[i]);
        expr_free(launch->block[i]);
    }
    expr_free(launch->shared);
}

static void free_kernel(struct exercise_kernel *kernel) {
    free(kernel->file);
    free(kernel->kernel);
    free_launch(&kernel->launch);
}

static void free_sizes(struct exercise_size *sizes, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(sizes[i].name);
    free(sizes);
}

static void free_params(struct exercise *exercise) {
    for (size_t i = 0; i < exercise->param_count; i++) {
        struct exercise_param *param = &exercise->params[i];
        for (size_t j = 0; j < ARRAY_LENGTH(param->shape); j++)
            expr_free(param->shape[j]);
        expr_free(param->tolerance.length);
        free(param->name);
    }
    free(exercise->params);
    for (size_t i = 0; i < exercise->fill_expr_count; i++)
        expr_free(exercise->fill_exprs[i]);
    free(exercise->fill_exprs);
    for (size_t i = 0; i < exercise->constant_count; i++)
        free(exercise->constants[i].name);
    free(exercise->constants);
}

static void free_cases(struct exercise *exercise) {
    for (size_t i = 0; i < exercise->case_count; i++) {
        free(exercise->cases[i].name);
        free_sizes(exercise->cases[i].sizes, exercise->cases[i].size_count);
        free(exercise->cases[i].fills);
    }
    free(exercise->cases);
    for (size_t i = 0; i < exercise->generated_range_count; i++)
        free(exercise->generated[i].name);
    free(exercise->generated);
}

static void free_speed(struct exercise *exercise) {
    for (size_t i = 0; i < exercise->threshold_count; i++) {
        struct exercise_threshold *threshold = &exercise->thresholds[i];
        expr_free(threshold->metric);
        for (size_t j = 0; j < threshold->tier_count; j++)
            expr_free(threshold->tiers[j].bound);
        free(threshold->tiers);
        for (size_t j = 0; j < LANGUAGE_COUNT; j++) {
            free(threshold->name[j]);
            free(threshold->hint[j]);
        }
    }
    free(exercise->thresholds);
    free_sizes(exercise->speed_sizes, exercise->speed_size_count);
    free(exercise->speed_fills);
    free_sizes(exercise->modelled_sizes, exercise->modelled_size_count);
    free_sizes(exercise->measured.sizes, exercise->measured.size_count);
    expr_free(exercise->measured.bytes);
    expr_free(exercise->measured.flops);
    free(exercise->device);
}

static void free_texts(struct exercise *exercise) {
    for (size_t i = 0; i < exercise->mutant_count; i++) {
        free(exercise->mutants[i].file);
        free(exercise->mutants[i].name);
        free(exercise->mutants[i].description);
    }
    free(exercise->mutants);
    for (size_t i = 0; i < exercise->header_count; i++) {
        free((char *)exercise->headers[i].name);
        free((char *)exercise->headers[i].text);
    }
    free(exercise->headers);
    for (size_t i = 0; i < exercise->hint_count; i++)
        for (size_t j = 0; j < LANGUAGE_COUNT; j++)
            free(exercise->hints[i].text[j]);
    free(exercise->hints);
    for (size_t i = 0; i < exercise->topic_count; i++)
        free(exercise->topics[i]);
    free(exercise->topics);
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        free(exercise->title[i]);
        free(exercise->statement[i]);
    }
}

void exercise_free(struct exercise *exercise) {
    if (!exercise)
        return;
    free_params(exercise);
    exercise_free_kind(exercise);
    free_cases(exercise);
    free_speed(exercise);
    free_texts(exercise);
    free_launch(&exercise->launch);
    free_kernel(&exercise->reference);
    free_kernel(&exercise->tuned);
    free(exercise->directory);
    free(exercise->id);
    free(exercise->source);
    free(exercise->kernel);
    free(exercise->skeleton);
    free(exercise->gates);
    free(exercise);
}

/* The end of the comment that starts at `at`, or NULL where there is none. */
static const char *comment_end(const char *at, const char *end) {
    if (end - at < 2 || at[0] != '/')
        return NULL;
    if (at[1] == '/') {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        return newline ? newline : end;
    }
    if (at[1] != '*')
        return NULL;
    const char *close = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
    return close ? close : end;
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

/* The id after the mark in one comment. */
static char *id_from_comment(const char *at, const char *end) {
    static const char mark[] = "warpgrade:";
    const char *found = memmem(at, (size_t)(end - at), mark, sizeof mark - 1);
    if (!found)
        return NULL;
    found += sizeof mark - 1;
    while (found < end && (*found == ' ' || *found == '\t'))
        found++;
    size_t used = 0;
    while (found + used < end && !strchr(" \t\r\n*/", found[used]))
        used++;
    return exercise_is_id(found, used) ? mem_strndup(found, used) : NULL;
}

/* The comments before the first line of code: a licence may stand before the one that counts. */
char *exercise_id_from_source(const char *source, size_t length) {
    const char *at = source, *end = source + length;
    if (length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3; /* a byte order mark, as some editors on Windows write */
    for (;;) {
        at = skip_blanks(at, end);
        const char *close = comment_end(at, end);
        if (!close)
            return NULL;
        char *id = id_from_comment(at, close);
        if (id || close == end)
            return id;
        at = close + (*close == '*' ? 2 : 1);
    }
}

char *exercise_id_from_submission(const char *path, const char *source, size_t length) {
    char *named = exercise_id_from_source(source, length);
    if (named)
        return named;
    const char *base = file_base_name(path);
    const char *dot = strrchr(base, '.');
    return mem_strndup(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}
