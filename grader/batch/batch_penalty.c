/* What late work costs. The terms are the course's, as it is today: an extension that is granted or
 * taken back, a deadline that moves, another late policy hold for every attempt that the gradebook
 * has, whoever is graded in this run and whether or not a repository can be read. Which attempt is
 * handed in is another matter, and of the repositories: batch_record.c. */
#include "grader/batch/batch_private.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static void explain(const struct course_late *late, int64_t days,
                    struct gradebook_penalty *penalty) {
    if (!late->accepted)
        snprintf(penalty->reason, sizeof penalty->reason, "after the deadline");
    else if (penalty->too_late)
        snprintf(penalty->reason, sizeof penalty->reason,
                 "%" PRId64 " day%s late, too late to count", days, text_plural((size_t)days));
    else
        snprintf(penalty->reason, sizeof penalty->reason, "%" PRId64 " day%s late, %s %% a day",
                 days, text_plural((size_t)days), decimal(late->percent_a_day, 6).text);
}

struct gradebook_penalty batch_penalty(const struct course *course, size_t student, size_t exercise,
                                       int64_t committed_at, bool pinned, double score,
                                       double max_score) {
    double points =
        course_penalty(course, student, exercise, committed_at, pinned, score, max_score);
    int64_t days = course_days_late(course, student, exercise, committed_at);
    struct gradebook_penalty penalty = {
        .too_late = !pinned && committed_at > course_last_instant(course, student, exercise)};
    if (points <= 0 && !penalty.too_late)
        return penalty;
    penalty.percent = penalty.too_late ? 100 : 100 * points / score;
    penalty.days_late = (double)days;
    explain(&course->late, days, &penalty);
    return penalty;
}

/* The gradebook may hold a pin that the course has taken back. */
static enum status release_pin(struct batch *batch, struct gradebook_dated *row, size_t student,
                               size_t exercise, struct error *error) {
    if (!row->pinned || course_pin(batch->course, student, exercise))
        return STATUS_OK;
    row->pinned = false;
    const struct gradebook_confirmation free_again = {
        .attempt = row->attempt, .run = batch->run, .at = (int64_t)time(NULL)};
    return gradebook_confirm(batch->gradebook, &free_again, error);
}

/* Of an attempt whose date nobody knows, what is said of it stays. */
static enum status compute(struct batch *batch, struct gradebook_dated *row, struct error *error) {
    size_t student = course_find_student(batch->course, row->student),
           exercise = course_find_exercise(batch->course, row->exercise);
    if (student == COURSE_NONE || exercise == COURSE_NONE || row->committed_at == 0)
        return STATUS_OK;
    enum status status = release_pin(batch, row, student, exercise, error);
    row->penalty = batch_penalty(batch->course, student, exercise, row->committed_at, row->pinned,
                                 row->score, row->max_score);
    return status;
}

enum status batch_penalise(struct batch *batch, struct error *error) {
    struct gradebook_dates dates;
    enum status status = gradebook_dates(batch->gradebook, &dates, error);
    for (size_t i = 0; i < dates.count && status == STATUS_OK; i++)
        status = compute(batch, &dates.rows[i], error);
    if (status == STATUS_OK)
        status =
            gradebook_penalise(batch->gradebook, &dates, batch->run, (int64_t)time(NULL), error);
    gradebook_dates_free(&dates);
    return status;
}
