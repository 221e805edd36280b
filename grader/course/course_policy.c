/* What follows from a course: until when a commit counts, what it costs, which one is meant. Pure
 * functions of whole seconds in UTC; a day is 86,400 of them, also when clocks are changed in it.
 */
#include "grader/course/course_private.h"

#include "grader/course/course_zone.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

enum { DAY_SECONDS = 86400, MAX_DAYS = 1000000 };

int64_t course_exercise_deadline(const struct course *course, size_t exercise) {
    const struct course_exercise *row = &course->exercises[exercise];
    return row->has_deadline ? row->deadline : course->deadline;
}

/* Later than `instant` by `seconds`; what is never stays never. */
static int64_t after(int64_t instant, int64_t seconds) {
    int64_t sum;
    return instant == COURSE_NEVER || __builtin_add_overflow(instant, seconds, &sum) ? COURSE_NEVER
                                                                                     : sum;
}

/* By whole days, clocks show the same time then: 2d after 23:59:59 is 23:59:59. */
static int64_t extended_by(const struct course *course, int64_t deadline, int64_t seconds) {
    int64_t instants[2];
    if (!course->zone || seconds % DAY_SECONDS != 0)
        return after(deadline, seconds);
    int64_t local = deadline + course_zone_offset(course->zone, deadline, NULL) + seconds;
    size_t count = course_zone_instants(course->zone, local, instants);
    return count ? instants[count - 1] : after(deadline, seconds);
}

/* Those who hand in together with a student: the team, or the student alone. */
static size_t partners(const struct course *course, const size_t *student, const size_t **members) {
    size_t team = course->students[*student].team;
    *members = team == COURSE_NONE ? student : course->groups[team].members;
    return team == COURSE_NONE ? 1 : course->groups[team].member_count;
}

static int64_t extended(const struct course *course, const struct course_student *student,
                        size_t exercise, int64_t deadline) {
    int64_t latest = deadline;
    for (size_t i = 0; i < student->extension_count; i++) {
        const struct course_extension *extension = &student->extensions[i];
        if (extension->exercise != COURSE_NONE && extension->exercise != exercise)
            continue;
        int64_t until = extension->until == COURSE_NEVER
                            ? extended_by(course, deadline, extension->by_seconds)
                            : extension->until;
        latest = until > latest ? until : latest;
    }
    return latest;
}

int64_t course_deadline(const struct course *course, size_t student, size_t exercise) {
    const size_t *members;
    size_t count = partners(course, &student, &members);
    int64_t deadline = course_exercise_deadline(course, exercise), latest = deadline;
    for (size_t i = 0; i < count && deadline != COURSE_NEVER; i++) {
        int64_t until = extended(course, &course->students[members[i]], exercise, deadline);
        latest = until > latest ? until : latest;
    }
    return latest;
}

/* Seconds after the deadline in which a commit may keep points; COURSE_NEVER: always. */
static int64_t late_window(const struct course_late *late) {
    double days = 100 / late->percent_a_day; /* until nothing is left; infinite where it is free */
    int64_t window = COURSE_NEVER;
    if (late->max_days != COURSE_NEVER)
        window = late->max_days * DAY_SECONDS;
    else if (days < MAX_DAYS && late->begun_days) /* the last day that leaves something */
        window = ((int64_t)ceil(days) - 1) * DAY_SECONDS;
    else if (days < MAX_DAYS)
        window = (int64_t)ceil(days * DAY_SECONDS) - 1;
    return window > late->grace_seconds ? window : late->grace_seconds;
}

int64_t course_last_instant(const struct course *course, size_t student, size_t exercise) {
    int64_t deadline = course_deadline(course, student, exercise);
    return course->late.accepted ? after(deadline, late_window(&course->late)) : deadline;
}

/* Seconds after the deadline; 0 within the grace time. */
static int64_t seconds_late(const struct course *course, size_t student, size_t exercise,
                            int64_t committed_at) {
    int64_t deadline = course_deadline(course, student, exercise), late;
    if (committed_at <= deadline)
        return 0;
    if (__builtin_sub_overflow(committed_at, deadline, &late))
        return INT64_MAX;
    return late <= course->late.grace_seconds ? 0 : late;
}

int64_t course_days_late(const struct course *course, size_t student, size_t exercise,
                         int64_t committed_at) {
    int64_t late = seconds_late(course, student, exercise, committed_at);
    return late / DAY_SECONDS + (late % DAY_SECONDS != 0);
}

double course_penalty(const struct course *course, size_t student, size_t exercise,
                      int64_t committed_at, bool pinned, double score, double max_score) {
    const struct course_late *late = &course->late;
    int64_t seconds = seconds_late(course, student, exercise, committed_at);
    if (seconds == 0 || score <= 0)
        return 0;
    if (!late->accepted)
        return pinned ? 0 : score;
    if (!pinned && committed_at > course_last_instant(course, student, exercise))
        return score;
    double days = late->begun_days
                      ? (double)course_days_late(course, student, exercise, committed_at)
                      : (double)seconds / DAY_SECONDS;
    double points = late->percent_a_day * days * max_score / 100;
    return points < score ? points : score;
}

static const char *own_pin(const struct course_student *student, size_t exercise) {
    for (size_t i = 0; i < student->pin_count; i++)
        if (student->pins[i].exercise == exercise)
            return student->pins[i].commit;
    return NULL;
}

const char *course_pin(const struct course *course, size_t student, size_t exercise) {
    const size_t *members;
    size_t count = partners(course, &student, &members);
    const char *pin = NULL;
    for (size_t i = 0; i < count && !pin; i++) /* of this exercise before of all */
        pin = own_pin(&course->students[members[i]], exercise);
    for (size_t i = 0; i < count && !pin; i++)
        pin = own_pin(&course->students[members[i]], COURSE_NONE);
    return pin;
}

static const struct course_visibility *visibility_of(const struct course *course, size_t exercise) {
    const struct course_visibility *own = &course->exercises[exercise].visibility;
    return own->given ? own : &course->visibility;
}

bool course_hides_any(const struct course *course, size_t exercise) {
    const struct course_visibility *visibility = visibility_of(course, exercise);
    return visibility->shows || visibility->count > 0;
}

bool course_hides_case(const struct course *course, size_t exercise, const char *group,
                       const char *case_name) {
    const struct course_visibility *visibility = visibility_of(course, exercise);
    for (size_t i = 0; i < visibility->count; i++)
        if (strcmp(visibility->patterns[i], group) == 0 ||
            fnmatch(visibility->patterns[i], case_name, 0) == 0)
            return !visibility->shows;
    return visibility->shows;
}
