/* The exercises of a course, and the version of each: a hash of everything that decides points, so
 * that a run grades again where any of it has changed. */
#include "grader/batch/batch_private.h"

#include "grader/exercise/device.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEFINITION_BYTES = 16 << 20 };

static enum status add_file(struct text *all, const char *path, struct error *error) {
    cleanup_free char *data = NULL;
    size_t length;
    enum status status = file_read(path, MAX_DEFINITION_BYTES, &data, &length, error);
    if (status != STATUS_OK)
        return status;
    text_printf(all, "%s %zu\n", file_base_name(path), length);
    text_append_bytes(all, data, length);
    return STATUS_OK;
}

/* A profile of the user's own; those that the program carries are covered by its version. */
static enum status add_device(struct text *all, const char *device, struct error *error) {
    text_printf(all, "device %s\n", device);
    for (size_t i = 0; device_id(i); i++)
        if (strcmp(device_id(i), device) == 0)
            return STATUS_OK;
    return add_file(all, device, error);
}

static enum status find_version(const struct course *course, struct batch_exercise *entry,
                                struct error *error) {
    const struct exercise *exercise = entry->exercise;
    cleanup_free char *yaml = file_join(exercise->directory, "exercise.yaml");
    const char *files[] = {yaml, exercise->reference.file, exercise->tuned.file};
    cleanup_text struct text all = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < ARRAY_LENGTH(files) && status == STATUS_OK; i++)
        if (files[i])
            status = add_file(&all, files[i], error);
    for (size_t i = 0; i < exercise->header_count; i++)
        text_printf(&all, "%s %zu\n%s", exercise->headers[i].name,
                    strlen(exercise->headers[i].text), exercise->headers[i].text);
    if (course->has_pass_mark)
        text_printf(&all, "pass mark %s\n", decimal(course->pass_mark, 17).text);
    const char *device = course->device ? course->device : exercise->device;
    if (status == STATUS_OK && device)
        status = add_device(&all, device, error);
    const struct hash_part part = {text_string(&all), all.length};
    struct sha256 hash = hash_parts(&part, 1);
    hash_hex(&hash, entry->version);
    return status;
}

enum status batch_load_exercises(struct batch *batch, struct error *error) {
    const struct course *course = batch->course;
    batch->exercises = mem_calloc(course->exercise_count, sizeof *batch->exercises);
    for (size_t i = 0; i < course->exercise_count; i++) {
        const struct course_exercise *named = &course->exercises[i];
        struct batch_exercise *entry = &batch->exercises[i];
        enum status status = exercise_find(named->id, &entry->exercise, error);
        if (status != STATUS_OK) {
            if (error && !error->file[0]) /* not found; a mistake inside it has its own place */
                course_place(course, named, error);
            return status;
        }
        if (course->has_pass_mark)
            entry->exercise->pass_mark_percent = course->pass_mark;
        status = find_version(course, entry, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
