/* What a batch leaves a student: a folder with a report of each exercise.
 *
 * Every file appears whole, by a rename. */
#include "grader/batch/batch_private.h"

#include "reports/escape.h"
#include "reports/stored/stored.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a student's files -------------------------------------------------------------------- */

static const char *const student_formats[] = {"json", "text", "html"};

static char *base_path(const struct batch *batch, size_t student, size_t exercise) {
    return mem_printf("%s/%s/%s", batch->output, batch->course->students[student].id,
                      batch->course->exercises[exercise].id);
}

static enum status write_format(const char *base, const char *format, const struct report *report,
                                struct text *out, struct error *error) {
    const struct report_format *row = report_format_find(format);
    const struct report_options look = {.verbose = false};
    enum status status = row->write(&report, 1, &look, out, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *path = mem_printf("%s.%s", base, row->extension);
    return file_write(path, text_string(out), out->length, error);
}

static enum status write_formats(const char *base, const struct report *report,
                                 struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < ARRAY_LENGTH(student_formats) && status == STATUS_OK; i++) {
        cleanup_text struct text out = {0};
        status = write_format(base, student_formats[i], report, &out, error);
    }
    return status;
}

/* A copy without what the course hides: what is taken out is nowhere in the files. */
static enum status write_hidden(const struct batch *batch, size_t exercise, const char *base,
                                const struct text *json, struct error *error) {
    struct stored_reports stored = {0};
    enum status status = stored_read(text_string(json), json->length, NULL, &stored, error);
    if (status == STATUS_OK) {
        batch_hide_cases(batch->course, exercise, stored.reports[0]);
        status = write_formats(base, stored.reports[0], error);
    }
    stored_free(&stored);
    return status;
}

static enum status make_folder(const struct batch *batch, size_t student, struct error *error) {
    cleanup_free char *folder = file_join(batch->output, batch->course->students[student].id);
    return file_make_directories(folder, error);
}

enum status batch_write_report(const struct batch *batch, size_t student, size_t exercise,
                               const struct report *report, struct text *json,
                               struct error *error) {
    cleanup_free char *base = base_path(batch, student, exercise);
    const struct report_options look = {.verbose = false};
    enum status status = make_folder(batch, student, error);
    if (status == STATUS_OK)
        status = report_format_find("json")->write(&report, 1, &look, json, error);
    if (status != STATUS_OK)
        return status;
    return batch_hides(batch->course, exercise, report)
               ? write_hidden(batch, exercise, base, json, error)
               : write_formats(base, report, error);
}

bool batch_has_files(const struct batch *batch, size_t student, size_t exercise) {
    cleanup_free char *base = base_path(batch, student, exercise);
    for (size_t i = 0; i < ARRAY_LENGTH(student_formats); i++) {
        cleanup_free char *path =
            mem_printf("%s.%s", base, report_format_find(student_formats[i])->extension);
        if (!file_exists(path))
            return false;
    }
    return true;
}

static void describe_absent(const struct batch *batch, size_t student, size_t exercise,
                            struct text *out) {
    const struct course_student *owner = &batch->course->students[student];
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cleanup_free char *repository = repo_display_location(owner->repository);
    text_printf(out, "%s: not graded (%s)\n\n", batch->course->exercises[exercise].id,
                batch_state_names[cell->state]);
    escape_terminal(out, cell->message, strlen(cell->message), true);
    text_append_char(out, '\n');
    if (*cell->hint) {
        escape_terminal(out, cell->hint, strlen(cell->hint), true);
        text_append_char(out, '\n');
    }
    text_append(out, "\nrepository: ");
    escape_terminal(out, repository, strlen(repository), true);
    text_append_char(out, '\n');
}

static enum status remove_file(const char *base, const char *extension, struct error *error) {
    cleanup_free char *path = mem_printf("%s.%s", base, extension);
    if (unlink(path) == 0 || errno == ENOENT)
        return STATUS_OK;
    return error_set(error, STATUS_ENVIRONMENT, "cannot remove %s: %s", path, strerror(errno));
}

/* A report of an earlier run would be read as one of this run. */
enum status batch_write_absent(const struct batch *batch, size_t student, size_t exercise,
                               struct error *error) {
    cleanup_free char *base = base_path(batch, student, exercise);
    cleanup_text struct text text = {0};
    describe_absent(batch, student, exercise, &text);
    enum status status = make_folder(batch, student, error);
    if (status == STATUS_OK)
        status = remove_file(base, "json", error);
    if (status == STATUS_OK)
        status = remove_file(base, "html", error);
    cleanup_free char *path = mem_printf("%s.txt", base);
    return status == STATUS_OK ? file_write(path, text_string(&text), text.length, error) : status;
}

struct report *batch_absent_report(const struct batch *batch, size_t student, size_t exercise) {
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    const struct course_exercise *named = &batch->course->exercises[exercise];
    cleanup_free char *file = mem_printf("%s/%s", batch->course->students[student].id,
                                         cell->path && *cell->path ? cell->path : named->paths[0]);
    /* A missing submission is no failed test; a broken repository needs attention. */
    bool broken = cell->state == BATCH_UNREADABLE || cell->state == BATCH_UNJUDGED;
    struct report *report =
        grade_not_graded(file, batch->exercises[exercise].exercise, batch->course->language,
                         broken ? VERDICT_INTERNAL_ERROR : VERDICT_SKIPPED,
                         cell->message ? cell->message : batch_state_summaries[cell->state], NULL);
    report->engine = mem_strdup(batch->engine);
    report->seed = grade_seed(batch->session);
    return report;
}
