/* The exercises of a course, and the version of each: a run grades again where it has changed. */
#include "grader/batch/batch_private.h"

#include "grader/exercise/version.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

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
        status =
            exercise_version(entry->exercise, course->has_pass_mark ? &course->pass_mark : NULL,
                             course->device, entry->version, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
