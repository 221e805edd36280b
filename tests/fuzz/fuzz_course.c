/* Bytes as COURSE.yaml, up to the first NUL, and as roster.csv beside it. What loads is asked for
 * all that follows from it, and shown. */
#include "fuzz.h"

#include "grader/course/course_check.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/warpgrade-fuzz-XXXXXX";
static char course_file[sizeof directory + 16], roster_file[sizeof directory + 16];

static void remove_directory(void) {
    unlink(course_file);
    unlink(roster_file);
    rmdir(directory);
}

static void make_directory(void) {
    if (!mkdtemp(directory))
        abort();
    snprintf(course_file, sizeof course_file, "%s/COURSE.yaml", directory);
    snprintf(roster_file, sizeof roster_file, "%s/roster.csv", directory);
    atexit(remove_directory);
}

static void write_bytes(const char *path, const uint8_t *data, size_t size) {
    unlink(
        path); /* some file systems wait for the disk where a file is cut to nothing and filled */
    cleanup_file FILE *file = fopen(path, "we");
    if (!file || fwrite(data, 1, size, file) != size || fflush(file) != 0)
        abort();
}

static void require(bool condition) {
    if (!condition)
        abort();
}

static void try_policy(const struct course *course, size_t student, size_t exercise) {
    static const int64_t times[] = {INT64_MIN, -1, 0, 1790978340, 1790978341, INT64_MAX};
    int64_t deadline = course_deadline(course, student, exercise);
    int64_t last = course_last_instant(course, student, exercise);
    require(last >= deadline);
    for (size_t i = 0; i < ARRAY_LENGTH(times); i++) {
        double points = course_penalty(course, student, exercise, times[i], i % 2 == 0, 80, 100);
        require(points >= 0 && points <= 80);
        require(times[i] > deadline || points == 0);
        require(course_days_late(course, student, exercise, times[i]) >= 0);
    }
    const char *pin = course_pin(course, student, exercise);
    require(!pin || strlen(pin) >= COURSE_MIN_COMMIT);
    course_hides_case(course, exercise, "generated", "generated-1");
}

static void try_course(const struct course *course) {
    cleanup_text struct text shown = {0};
    cleanup_free struct plan **plans = mem_calloc(course->exercise_count, sizeof *plans);
    const struct course_check check = {.course = course, .plans = plans};
    for (size_t s = 0; s < course->student_count; s++)
        for (size_t e = 0; e < course->exercise_count; e++)
            try_policy(course, s, e);
    course_check_text(&check, true, &shown);
    course_check_json(&check, &shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool made;
    if (!made)
        make_directory();
    made = true;
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    write_bytes(course_file, data, length);
    write_bytes(roster_file, end ? end + 1 : data, end ? size - length - 1 : 0);
    struct course *course;
    struct error error = {0};
    if (course_load(course_file, &course, &error) == STATUS_OK) {
        try_course(course);
        course_free(course);
    } else if (!error.message[0] || getenv("WARPGRADE_MUST_LOAD")) {
        fprintf(stderr, "%s:%u:%u: %s\n", error.file, error.line, error.column, error.message);
        abort(); /* a mistake that no one can find; or a corpus that ends at its first check */
    }
    return 0;
}
