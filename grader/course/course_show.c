/* What a course says, for people: exercises with their deadlines, the terms in sentences, groups,
 * and what single students were granted. */
#include "grader/course/course_check.h"

#include "grader/course/course_private.h"

#include "reports/escape.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void append_foreign(struct text *out, const char *text) {
    escape_terminal(out, text, strlen(text), true);
}

static void append_duration(struct text *out, int64_t seconds) {
    static const struct {
        int64_t seconds;
        char letter;
    } units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
    for (unsigned i = 0; i < ARRAY_LENGTH(units); i++) {
        if (seconds >= units[i].seconds)
            text_printf(out, "%" PRId64 "%c", seconds / units[i].seconds, units[i].letter);
        seconds %= units[i].seconds;
    }
}

void course_append_late(const struct course_late *late, struct text *out) {
    if (!late->accepted) {
        text_append(out, "A commit after the deadline does not count.");
        return;
    }
    text_printf(out,
                "Each %s of 24 hours after the deadline costs %s %% of the exercise's points%s",
                late->begun_days ? "begun day" : "day", decimal(late->percent_a_day, 6).text,
                late->begun_days ? "" : ", parts of it by the second");
    if (late->grace_seconds) {
        text_append(out, "; up to ");
        append_duration(out, late->grace_seconds);
        text_append(out, " late costs nothing");
    }
    if (late->max_days == COURSE_NEVER)
        text_append(out, "; a commit counts as long as points are left.");
    else
        text_printf(out, "; after %" PRId64 " day%s a commit does not count.", late->max_days,
                    text_plural((uint64_t)late->max_days));
}

static void append_heading(struct text *out, bool color, const char *heading) {
    text_printf(out, "\n%s%s%s\n", color ? "\033[1m" : "", heading, color ? "\033[0m" : "");
}

/* In the course's zone, and where that is not UTC, in UTC. */
static void append_both(const struct course *course, int64_t instant, struct text *out) {
    const struct course utc = {.zone = NULL};
    course_append_instant(course, instant, out);
    if (!course->zone || instant == COURSE_NEVER)
        return;
    text_append(out, " (");
    course_append_instant(&utc, instant, out);
    text_append_char(out, ')');
}

static size_t hidden_cases(const struct course_check *check, size_t exercise) {
    const struct plan *plan = check->plans[exercise];
    size_t count = 0;
    for (size_t i = 0; plan && i < plan->case_count; i++)
        count += course_hides_case(check->course, exercise, case_group_names[plan->cases[i].group],
                                   plan->cases[i].name);
    return count;
}

static void show_exercises(const struct course_check *check, bool color, struct text *out) {
    const struct course *course = check->course;
    int width = 8;
    for (size_t i = 0; i < course->exercise_count; i++)
        if ((int)strlen(course->exercises[i].id) > width)
            width = (int)strlen(course->exercises[i].id);
    append_heading(out, color, "Exercises");
    for (size_t i = 0; i < course->exercise_count; i++) {
        const struct course_exercise *exercise = &course->exercises[i];
        int64_t deadline = course_exercise_deadline(course, i);
        text_printf(out, "  %-*s  weight %-5s ", width, exercise->id,
                    decimal(exercise->weight, 6).text);
        if (deadline == COURSE_NEVER)
            text_append(out, "no deadline");
        else
            append_both(course, deadline, out);
        if (check->plans[i])
            text_printf(out, "; %zu cases", check->plans[i]->case_count);
        else
            text_append(out, "; does not load");
        if (hidden_cases(check, i))
            text_printf(out, ", %zu hidden from students", hidden_cases(check, i));
        if (exercise->no_similarity)
            text_append(out, "; not compared");
        text_append_char(out, '\n');
    }
}

static void show_terms(const struct course *course, bool color, struct text *out) {
    append_heading(out, color, "Terms");
    text_append(out, "  ");
    course_append_late(&course->late, out);
    text_append(out, "\n  ");
    if (course->attempts.limit)
        text_printf(out, "The first %u attempt%s count%s", course->attempts.limit,
                    text_plural(course->attempts.limit), course->attempts.limit == 1 ? "s" : "");
    else
        text_append(out, "All attempts count");
    text_printf(out, "; the grade is that of the %s.\n", course->attempts.last ? "last" : "best");
    if (course->has_pass_mark)
        text_printf(out, "  %s %% of an exercise's points pass.\n",
                    decimal(course->pass_mark, 6).text);
    if (course->engine != COURSE_ENGINE_DEFAULT)
        text_printf(out, "  Graded with the engine %s.\n", course_engine_names[course->engine]);
    if (course->device) {
        text_append(out, "  Speed on the device ");
        append_foreign(out, course->device);
        text_append(out, ".\n");
    }
    if (course->require_namespaces)
        text_append(out, "  Nothing is graded without the full jail.\n");
}

/* ---- students ----------------------------------------------------------------------------- */

static void show_members(const struct course *course, const struct course_group *group,
                         struct text *out) {
    for (size_t i = 0; i < group->member_count; i++)
        text_printf(out, "%s%s", i ? ", " : "", course->students[group->members[i]].id);
}

static void show_groups(const struct course *course, bool color, struct text *out) {
    if (course->group_count)
        append_heading(out, color, "Groups");
    for (size_t i = 0; i < course->group_count; i++) {
        const struct course_group *group = &course->groups[i];
        text_append(out, "  ");
        append_foreign(out, group->name);
        if (group->repository)
            text_append(out, ", a team: ");
        else
            text_printf(out, ", %zu student%s: ", group->member_count,
                        text_plural(group->member_count));
        show_members(course, group, out);
        text_append_char(out, '\n');
    }
}

static void show_students(const struct course *course, bool color, struct text *out) {
    append_heading(out, color, "Students");
    text_printf(out, "  %zu student%s", course->student_count, text_plural(course->student_count));
    if (course->roster) {
        text_append(out, " from ");
        append_foreign(out, course->roster);
    }
    text_append(out, "; kept for exports: ");
    for (size_t i = 0; i < course->column_count; i++) {
        text_append(out, i ? ", " : "");
        append_foreign(out, course->columns[i]);
    }
    text_append_char(out, '\n');
}

static const char *exercise_name(const struct course *course, size_t exercise) {
    return exercise == COURSE_NONE ? "all exercises" : course->exercises[exercise].id;
}

static void append_reason(const char *reason, struct text *out) {
    if (reason) {
        text_append(out, ": ");
        append_foreign(out, reason);
    }
    text_append_char(out, '\n');
}

static void show_extensions(const struct course *course, bool color, struct text *out) {
    bool any = false;
    for (size_t s = 0; s < course->student_count; s++)
        for (size_t i = 0; i < course->students[s].extension_count; i++) {
            const struct course_extension *extension = &course->students[s].extensions[i];
            if (!any)
                append_heading(out, color, "Extensions");
            any = true;
            text_printf(out, "  %s, %s, ", course->students[s].id,
                        exercise_name(course, extension->exercise));
            if (extension->until == COURSE_NEVER) {
                text_append(out, "by ");
                append_duration(out, extension->by_seconds);
            } else {
                text_append(out, "until ");
                append_both(course, extension->until, out);
            }
            append_reason(extension->reason, out);
        }
}

static void show_pins(const struct course *course, bool color, struct text *out) {
    bool any = false;
    for (size_t s = 0; s < course->student_count; s++)
        for (size_t i = 0; i < course->students[s].pin_count; i++) {
            const struct course_pin *pin = &course->students[s].pins[i];
            if (!any)
                append_heading(out, color, "Pins");
            any = true;
            text_printf(out, "  %s, %s, commit %s", course->students[s].id,
                        exercise_name(course, pin->exercise), pin->commit);
            append_reason(pin->reason, out);
        }
}

void course_check_text(const struct course_check *check, bool color, struct text *out) {
    const struct course *course = check->course;
    text_append(out, color ? "\033[1m" : "");
    append_foreign(out, course->name);
    text_append(out, color ? "\033[0m\n" : "\n");
    show_exercises(check, color, out);
    show_terms(course, color, out);
    show_students(course, color, out);
    show_groups(course, color, out);
    show_extensions(course, color, out);
    show_pins(course, color, out);
}
