/* Bytes as exercise.yaml, among the other files of a real exercise: the folder is called saxpy, and
 * so is every exercise of the corpus, with that one's mutants. What loads is planned, bound and
 * filled, as far as its buffers are small. */
#include "fuzz.h"

#include "grader/cases/plan.h"
#include "grader/cli/exercise_show.h"
#include "grader/exercise/exercise.h"
#include "grader/judge/oracle.h"
#include "sandbox/base/memory.h"
#include "tests/source_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DATA_BYTES = 1 << 18 };

static char parent[] = "/tmp/warpgrade-fuzz-XXXXXX";
static char directory[sizeof parent + 8];

static void remove_directory(void) {
    static const char *const names[] = {"exercise.yaml", "mutants", "skeleton.cu", "statement.md"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        cleanup_free char *path = mem_printf("%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
    rmdir(parent);
}

static void make_directory(void) {
    static const char *const names[] = {"mutants", "skeleton.cu", "statement.md"};
    if (!mkdtemp(parent))
        abort();
    snprintf(directory, sizeof directory, "%s/saxpy", parent);
    if (mkdir(directory, 0700) != 0)
        abort();
    atexit(remove_directory);
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        cleanup_free char *from =
            mem_printf("%s/exercises/saxpy/%s", WARPGRADE_SOURCE_DIR, names[i]);
        cleanup_free char *to = mem_printf("%s/%s", directory, names[i]);
        if (symlink(from, to) != 0)
            abort();
    }
}

static void fill(const struct plan *plan, size_t index, enum plan_side side,
                 const struct expr_name *constants, size_t constant_count) {
    const struct exercise *exercise = plan->exercise;
    struct plan_launch launch;
    if (plan_bind(plan, index,
                  side == PLAN_REFERENCE ? &exercise->reference.launch : &exercise->launch, side,
                  constants, constant_count, MOST_DATA_BYTES, &launch, NULL) != STATUS_OK)
        return;
    cleanup_free char *data = mem_alloc(launch.data_length);
    plan_fill(plan, index, side, &launch, data);
    plan_launch_free(&launch);
}

static void try_plan(const struct exercise *exercise) {
    struct plan *plan;
    size_t constant_count;
    if (plan_make(exercise, 1, NULL, &plan, NULL) != STATUS_OK)
        return;
    cleanup_free struct expr_name *constants = oracle_constants(exercise, &constant_count);
    for (size_t i = 0; i < plan->case_count; i++) {
        fill(plan, i, PLAN_SUBMISSION, constants, constant_count);
        fill(plan, i, PLAN_REFERENCE, constants, constant_count);
    }
    plan_free(plan);
}

static void try_exercise(const struct exercise *exercise) {
    cleanup_text struct text shown = {0};
    for (unsigned language = 0; language < LANGUAGE_COUNT; language++)
        exercise_show_text(exercise, (enum language)language, false, 0, &shown);
    try_plan(exercise);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool made;
    if (!made)
        make_directory();
    made = true;
    cleanup_free char *path = mem_printf("%s/exercise.yaml", directory);
    cleanup_file FILE *file = fopen(path, "we");
    if (!file || fwrite(data, 1, size, file) != size || fflush(file) != 0)
        abort();
    struct exercise *exercise;
    struct error error = {0};
    if (exercise_load(directory, WARPGRADE_SOURCE_DIR "/reference/saxpy", &exercise, &error) ==
        STATUS_OK) {
        try_exercise(exercise);
        exercise_free(exercise);
    } else if (!error.message[0] || getenv("WARPGRADE_MUST_LOAD")) {
        fprintf(stderr, "%s:%u:%u: %s\n", error.file, error.line, error.column, error.message);
        abort(); /* a mistake that no one can find; or a corpus that ends at its first check */
    }
    return 0;
}
