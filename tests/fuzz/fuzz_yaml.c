/* Bytes as exercise.yaml, among the other files of a real exercise. */
#include "fuzz.h"

#include "grader/base/memory.h"
#include "grader/exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char directory[] = "/tmp/warpgrade-fuzz-XXXXXX";

static void remove_directory(void) {
    static const char *const names[] = {"exercise.yaml", "mutants", "skeleton.cu", "statement.md"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        cleanup_free char *path = mem_printf("%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

static void make_directory(void) {
    static const char *const names[] = {"mutants", "skeleton.cu", "statement.md"};
    if (!mkdtemp(directory))
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
        STATUS_OK)
        exercise_free(exercise);
    else if (!error.message[0])
        abort(); /* a mistake that nobody can find */
    return 0;
}
