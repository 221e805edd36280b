/* What a batch leaves a student: a folder with a report of each exercise.
 *
 * Every file appears whole, by a rename. OUTPUT/.written/STUDENT/EXERCISE is a hash of all that the
 * files were made of: the report, what the course hides, its language, this program's version. It
 * goes before they are written and comes after, so that where it is the expected one, so are they.
 */
#include "grader/batch/batch_private.h"

#include "reports/escape.h"
#include "reports/stored/stored.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
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

/* A copy as the course wants it now: in its language, without what it hides, which is then nowhere
 * in the files. */
static enum status write_shown(const struct batch *batch, size_t exercise, const char *base,
                               const struct text *json, struct error *error) {
    enum language language = batch->course->language;
    struct stored_reports stored = {0};
    enum status status = stored_read(text_string(json), json->length, NULL, &stored, error);
    if (status == STATUS_OK) {
        struct report *report = stored.reports[0];
        batch_set_string(&report->language, language_name(language));
        batch_set_string(&report->title, batch->exercises[exercise].exercise->title[language]);
        if (batch_hides(batch->course, exercise, report))
            batch_hide_cases(batch->course, exercise, report);
        status = write_formats(base, report, error);
    }
    stored_free(&stored);
    return status;
}

/* ---- what they were made of --------------------------------------------------------------- */

static char *mark_path(const struct batch *batch, size_t student, size_t exercise) {
    return mem_printf("%s/.written/%s/%s", batch->output, batch->course->students[student].id,
                      batch->course->exercises[exercise].id);
}

static void make_mark(const struct batch *batch, size_t exercise, const struct report *report,
                      const struct text *json, char mark[65]) {
    static const char tool[] = "warpgrade " WARPGRADE_VERSION;
    const char *language = language_name(batch->course->language);
    cleanup_text struct text hidden = {0};
    for (size_t i = 0; i < report->case_count; i++)
        text_append_char(&hidden, course_hides_case(batch->course, exercise, report->cases[i].group,
                                                    report->cases[i].name)
                                      ? 'h'
                                      : 's');
    const struct hash_part parts[] = {{tool, sizeof tool},
                                      {language, strlen(language)},
                                      {text_string(&hidden), hidden.length},
                                      {text_string(json), json->length}};
    const struct sha256 hash = hash_parts(parts, ARRAY_LENGTH(parts));
    hash_hex(&hash, mark);
}

static enum status write_mark(const char *path, const char mark[65], struct error *error) {
    cleanup_free char *folder = mem_strndup(path, (size_t)(strrchr(path, '/') - path));
    enum status status = file_make_directories(folder, error);
    return status == STATUS_OK ? file_write(path, mark, strlen(mark), error) : status;
}

static enum status make_folder(const struct batch *batch, size_t student, struct error *error) {
    cleanup_free char *folder = file_join(batch->output, batch->course->students[student].id);
    return file_make_directories(folder, error);
}

enum status batch_write_report(const struct batch *batch, size_t student, size_t exercise,
                               const struct report *report, struct text *json,
                               struct error *error) {
    cleanup_free char *base = base_path(batch, student, exercise);
    cleanup_free char *marked = mark_path(batch, student, exercise);
    const struct report_options look = {.verbose = false};
    char mark[65];
    unlink(marked);
    enum status status = make_folder(batch, student, error);
    if (status == STATUS_OK && !json->length)
        status = report_format_find("json")->write(&report, 1, &look, json, error);
    if (status != STATUS_OK)
        return status;
    bool as_it_is = !batch_hides(batch->course, exercise, report) && report->language &&
                    strcmp(report->language, language_name(batch->course->language)) == 0;
    status = as_it_is ? write_formats(base, report, error)
                      : write_shown(batch, exercise, base, json, error);
    make_mark(batch, exercise, report, json, mark);
    return status == STATUS_OK ? write_mark(marked, mark, error) : status;
}

static bool has_files(const struct batch *batch, size_t student, size_t exercise) {
    cleanup_free char *base = base_path(batch, student, exercise);
    for (size_t i = 0; i < ARRAY_LENGTH(student_formats); i++) {
        cleanup_free char *path =
            mem_printf("%s.%s", base, report_format_find(student_formats[i])->extension);
        if (!file_exists(path))
            return false;
    }
    return true;
}

bool batch_has_written(const struct batch *batch, size_t student, size_t exercise,
                       const struct report *report, const struct text *json) {
    cleanup_free char *marked = mark_path(batch, student, exercise), *found = NULL;
    char mark[65];
    size_t length;
    if (!has_files(batch, student, exercise) ||
        file_read(marked, sizeof mark, &found, &length, NULL) != STATUS_OK)
        return false;
    make_mark(batch, exercise, report, json, mark);
    return strcmp(found, mark) == 0;
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

/* A report that does not count any more would be read as one that does; batch_class.c writes the
 * one that counts. */
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
