/* What is made of all reports of a class at the end: junit.xml, the class report (index.html,
 * class.json) and a text for each student. The reports are read one by one from the gradebook, so
 * that a run that judged nothing new writes the same as one that judged everything. */
#include "grader/batch/batch_private.h"

#include "grader/course/course_check.h"
#include "reports/class/class_found.h"
#include "reports/protection.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HAZARDS_KEPT = 3 };

/* What is collected while the reports go by. Strings of cells are owned here. */
struct collection {
    struct batch *batch;
    struct class_report class;
    struct class_exercise *exercises;
    struct class_case **cases; /* of each exercise */
    struct class_student *students;
    struct class_cell *cells;
    struct class_found *found; /* of each cell */
    char **strings;            /* to be freed */
    size_t string_count, string_capacity;
    struct report **reports; /* for JUnit, without what only people read */
    size_t report_count, report_capacity;
};

static const char *keep(struct collection *all, char *string) {
    if (string)
        *mem_push(&all->strings, &all->string_count, &all->string_capacity) = string;
    return string;
}

static const char *keep_copy(struct collection *all, const char *string) {
    return string && *string ? keep(all, mem_strdup(string)) : NULL;
}

/* A class's reports stay in memory until junit.xml is written. */
static void keep_for_junit(struct collection *all, struct report *report) {
    free(report->source);
    report->source = NULL;
    report->source_length = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        struct report_case *item = &report->cases[i];
        free(item->printed);
        item->printed = NULL;
        report_speed_free(&item->speed);
        report_difference_free(&item->difference);
        if (item->hazard_count > HAZARDS_KEPT) {
            item->hazard_count = HAZARDS_KEPT;
            item->hazards = mem_realloc(item->hazards, HAZARDS_KEPT, sizeof *item->hazards);
        }
    }
    *mem_push(&all->reports, &all->report_count, &all->report_capacity) = report;
}

/* ---- one report --------------------------------------------------------------------------- */

/* Cases are counted by name; an exercise has the same for everybody. */
static void tally_case(struct collection *all, size_t exercise, const struct report_case *item) {
    struct class_exercise *entry = &all->exercises[exercise];
    size_t i = 0;
    while (i < entry->case_count && strcmp(entry->cases[i].name, item->name) != 0)
        i++;
    if (i == entry->case_count) {
        all->cases[exercise] =
            mem_realloc(all->cases[exercise], i + 1, sizeof *all->cases[exercise]);
        all->cases[exercise][i] = (struct class_case){.name = keep_copy(all, item->name)};
        entry->cases = all->cases[exercise];
        entry->case_count++;
    }
    all->cases[exercise][i].ran++;
    all->cases[exercise][i].failed += item->verdict != VERDICT_PASS;
}

/* A student's own text is made of the same cell: where the course hides cases, it says no more of
 * them than the student's report does. */
static enum status take_finding(struct collection *all, size_t student, size_t exercise,
                                const struct report *report, struct error *error) {
    struct batch *batch = all->batch;
    size_t at = student * batch->course->exercise_count + exercise;
    struct report *shown = NULL;
    enum status status = STATUS_OK;
    if (batch_hides(batch->course, exercise, report))
        status = batch_stored_report(batch, batch->cells[at].counted, &shown, NULL, error);
    if (shown)
        batch_hide_cases(batch->course, exercise, shown);
    if (status == STATUS_OK)
        class_found_take(shown ? shown : report, &all->cells[at], &all->found[at]);
    report_free(shown);
    all->cells[at].report = keep(all, mem_printf("%s/%s.html", batch->course->students[student].id,
                                                 batch->course->exercises[exercise].id));
    return status;
}

static enum status add_report(struct collection *all, size_t student, size_t exercise,
                              const struct report *report, struct error *error) {
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (item->verdict != VERDICT_SKIPPED && item->verdict != VERDICT_COMPILE_ERROR)
            tally_case(all, exercise, item);
    }
    return take_finding(all, student, exercise, report, error);
}

/* ---- one cell ----------------------------------------------------------------------------- */

static enum class_state state_of(const struct batch_cell *cell) {
    switch (batch_is_earlier(cell) ? BATCH_RECORDED : cell->state) {
    case BATCH_GRADED:
    case BATCH_RECORDED:
        return CLASS_GRADED;
    case BATCH_REFUSED:
        return CLASS_REFUSED;
    case BATCH_UNREADABLE:
        return CLASS_UNREADABLE;
    case BATCH_UNJUDGED:
        return CLASS_UNJUDGED;
    case BATCH_PENDING:
        return CLASS_PENDING;
    default:
        return CLASS_NOT_SUBMITTED;
    }
}

static unsigned flags_of(const struct batch *batch, size_t student, size_t exercise) {
    static const struct {
        unsigned repo, class;
    } flags[] = {{REPO_FLAG_FUTURE, CLASS_FLAG_FUTURE_COMMIT},
                 {REPO_FLAG_BACKWARDS, CLASS_FLAG_BEFORE_PARENT},
                 {REPO_FLAG_REWRITTEN, CLASS_FLAG_REWRITTEN_HISTORY}};
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    unsigned result = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(flags); i++)
        if (cell->flags & flags[i].repo)
            result |= 1u << flags[i].class;
    if (batch_is_earlier(cell))
        result |= 1u << CLASS_FLAG_EARLIER_ATTEMPT;
    if (course_pin(batch->course, student, exercise))
        result |= 1u << CLASS_FLAG_PINNED;
    if (*cell->jail && strcmp(cell->jail, protection_names[PROTECTION_JAIL]) != 0)
        result |= 1u << CLASS_FLAG_NO_FULL_JAIL;
    return result;
}

static struct class_time class_time(const struct course *course, int64_t at) {
    bool none = at == 0 || at == COURSE_NEVER;
    return (struct class_time){.at = none ? 0 : at,
                               .utc_offset = none ? 0 : course_utc_offset(course, at)};
}

static void fill_cell(struct collection *all, size_t student, size_t exercise) {
    const struct batch *batch = all->batch;
    const struct course *course = batch->course;
    const struct batch_cell *from = batch_cell_at(batch, student, exercise);
    struct class_cell *to = &all->cells[student * course->exercise_count + exercise];
    int64_t deadline = course_deadline(course, student, exercise);
    int64_t committed_at = from->counted ? from->counted_at : from->committed_at;
    *to = (struct class_cell){
        .state = state_of(from),
        .score = from->has_final ? from->counted_score : 0,
        .penalty = from->penalty,
        .final_score = from->final,
        /* Of what is graded, take_finding() says what the student may read. */
        .message = state_of(from) == CLASS_GRADED ? NULL : from->message,
        .penalty_why = from->penalty_reason,
        .commit = from->counted ? from->counted_commit : from->commit,
        .committed = class_time(course, committed_at),
        .late_seconds =
            deadline == COURSE_NEVER || committed_at <= deadline ? 0 : committed_at - deadline,
        .attempts = (unsigned)from->submissions,
        .attempts_allowed = course->attempts.limit,
        .flags = flags_of(batch, student, exercise),
    };
    if (deadline != course_exercise_deadline(course, exercise))
        to->own_deadline = class_time(course, deadline);
    if (from->override && *from->override) {
        const char *colon = strstr(from->override, ": ");
        to->override_by =
            colon ? keep(all, mem_strndup(from->override, (size_t)(colon - from->override)))
                  : from->override;
        to->override_why = colon ? colon + 2 : "";
    }
}

/* The files may be those of another attempt, made as the course was before, or gone. */
static enum status renew_files(struct batch *batch, size_t student, size_t exercise,
                               const struct report *report, struct text *json,
                               struct error *error) {
    return batch_has_written(batch, student, exercise, report, json)
               ? STATUS_OK
               : batch_write_report(batch, student, exercise, report, json, error);
}

static enum status collect_cell(struct collection *all, size_t student, size_t exercise,
                                struct error *error) {
    struct batch *batch = all->batch;
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    struct report *report = NULL;
    fill_cell(all, student, exercise);
    if (!cell->counted) {
        keep_for_junit(all, batch_absent_report(batch, student, exercise));
        return STATUS_OK;
    }
    cleanup_text struct text json = {0};
    enum status status = batch_stored_report(batch, cell->counted, &report, &json, error);
    if (status != STATUS_OK)
        return status;
    status = renew_files(batch, student, exercise, report, &json, error);
    if (status == STATUS_OK)
        status = add_report(all, student, exercise, report, error);
    keep_for_junit(all, report);
    return status;
}

/* ---- the class ---------------------------------------------------------------------------- */

static char *late_policy(const struct course *course) {
    struct text out = {0};
    if (!course->late.accepted)
        return NULL;
    course_append_late(&course->late, &out);
    return text_steal(&out);
}

static void fill_exercises(struct collection *all) {
    const struct course *course = all->batch->course;
    for (size_t e = 0; e < course->exercise_count; e++) {
        const struct exercise *exercise = all->batch->exercises[e].exercise;
        all->exercises[e] = (struct class_exercise){
            .id = exercise->id,
            .title = exercise->title[course->language],
            .max_score = exercise->max_score,
            .pass_mark = exercise->max_score * exercise->pass_mark_percent / 100,
            .deadline = class_time(course, course_exercise_deadline(course, e)),
        };
    }
}

static enum status fill_students(struct collection *all, struct error *error) {
    const struct course *course = all->batch->course;
    for (size_t s = 0; s < course->student_count; s++) {
        const struct course_student *student = &course->students[s];
        all->students[s] = (struct class_student){
            .id = student->id,
            .name = student->name,
            .mail = course_mail(course, s),
            .page = keep(all, mem_printf("%s/" COURSE_SUMMARY ".txt", student->id)),
        };
    }
    struct gradebook_totals totals = {0};
    enum status status = gradebook_totals(all->batch->gradebook, &totals, error);
    for (size_t i = 0; i < totals.count; i++) {
        size_t student = course_find_student(course, totals.rows[i].student);
        if (student != COURSE_NONE) {
            all->students[student].total = totals.rows[i].points;
            all->students[student].max_total = totals.rows[i].max_score;
        }
    }
    gradebook_totals_free(&totals);
    return status;
}

static enum status collect(struct collection *all, struct error *error) {
    struct batch *batch = all->batch;
    const struct course *course = batch->course;
    all->exercises = mem_calloc(course->exercise_count, sizeof *all->exercises);
    all->cases = mem_calloc(course->exercise_count, sizeof *all->cases);
    all->students = mem_calloc(course->student_count, sizeof *all->students);
    all->cells = mem_calloc(course->student_count * course->exercise_count, sizeof *all->cells);
    all->found = mem_calloc(course->student_count * course->exercise_count, sizeof *all->found);
    fill_exercises(all);
    enum status status = fill_students(all, error);
    for (size_t s = 0; s < course->student_count && status == STATUS_OK; s++)
        for (size_t e = 0; e < course->exercise_count && status == STATUS_OK; e++)
            status = collect_cell(all, s, e, error);
    all->class = (struct class_report){
        .course = course->name,
        .language = course->language,
        .made = class_time(course, (int64_t)time(NULL)),
        .engine = batch->engine,
        .tool = "warpgrade " WARPGRADE_VERSION,
        .late_policy = keep(all, late_policy(course)),
        .exercises = all->exercises,
        .exercise_count = course->exercise_count,
        .students = all->students,
        .student_count = course->student_count,
        .cells = all->cells,
    };
    return status;
}

static void release(struct collection *all) {
    for (size_t i = 0; i < all->report_count; i++)
        report_free(all->reports[i]);
    for (size_t i = 0; i < all->string_count; i++)
        free(all->strings[i]);
    size_t exercises = all->batch->course->exercise_count;
    for (size_t e = 0; all->cases && e < exercises; e++)
        free(all->cases[e]);
    for (size_t i = 0; all->found && i < all->batch->course->student_count * exercises; i++)
        class_found_free(&all->found[i]);
    free(all->found);
    free(all->reports);
    free(all->strings);
    free(all->cases);
    free(all->exercises);
    free(all->students);
    free(all->cells);
}

static enum status write_text(const struct batch *batch, const char *name, const struct text *text,
                              struct error *error) {
    cleanup_free char *path = file_join(batch->output, name);
    return file_write(path, text_string(text), text->length, error);
}

static enum status write_result(const struct batch *batch, enum course_result result,
                                const struct text *text, struct error *error) {
    return write_text(batch, course_result_files[result], text, error);
}

static enum status write_junit(const struct collection *all, struct error *error) {
    const struct report_options look = {.verbose = false};
    cleanup_text struct text out = {0};
    enum status status = report_format_find("junit")->write(
        (const struct report *const *)all->reports, all->report_count, &look, &out, error);
    return status == STATUS_OK ? write_result(all->batch, COURSE_RESULT_JUNIT, &out, error)
                               : status;
}

static enum status remove_old(const struct batch *batch, const char *name, struct error *error) {
    cleanup_free char *path = file_join(batch->output, name);
    if (unlink(path) == 0 || errno == ENOENT)
        return STATUS_OK;
    return error_set(error, STATUS_ENVIRONMENT, "cannot remove %s: %s", path, strerror(errno));
}

static enum status write_student(const struct collection *all, size_t student,
                                 struct error *error) {
    const struct batch *batch = all->batch;
    const char *id = batch->course->students[student].id;
    cleanup_text struct text summary = {0}, mail = {0};
    cleanup_free char *folder = file_join(batch->output, id);
    cleanup_free char *summary_name = mem_printf("%s/" COURSE_SUMMARY ".txt", id);
    cleanup_free char *mail_name = mem_printf("%s/" COURSE_SUMMARY ".eml", id);
    enum status status = file_make_directories(folder, error);
    class_report_student(&all->class, student, &summary);
    if (status == STATUS_OK)
        status = write_text(batch, summary_name, &summary, error);
    if (status != STATUS_OK)
        return status;
    if (class_report_mail(&all->class, student, NULL, &mail))
        return write_text(batch, mail_name, &mail, error);
    return remove_old(batch, mail_name, error); /* to an address that the roster has no more */
}

static enum status write_pages(const struct collection *all, struct error *error) {
    cleanup_text struct text html = {0}, json = {0};
    class_report_html(&all->class, NULL, &html);
    enum status status = write_result(all->batch, COURSE_RESULT_PAGE, &html, error);
    class_report_json(&all->class, &json);
    if (status == STATUS_OK)
        status = write_result(all->batch, COURSE_RESULT_DATA, &json, error);
    for (size_t s = 0; s < all->class.student_count && status == STATUS_OK; s++)
        status = write_student(all, s, error);
    return status;
}

enum status batch_write_class(struct batch *batch, struct error *error) {
    struct collection all = {.batch = batch};
    enum status status = collect(&all, error);
    if (status == STATUS_OK)
        status = write_junit(&all, error);
    if (status == STATUS_OK)
        status = write_pages(&all, error);
    release(&all);
    return status;
}
