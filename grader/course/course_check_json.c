/* What `course check --json` writes: the course as it is understood, and the findings. Instants are
 * seconds since 1970 beside their text in UTC, so that nobody has to know of time zones; null:
 * none. */
#include "grader/course/course_check.h"

#include "grader/course/course_private.h"

#include "reports/escape.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A string of the file, or null. What is no UTF-8 was refused on reading, but for paths. */
static json_t *string(const char *text) {
    if (!text)
        return json_null();
    cleanup_text struct text valid = {0};
    escape_utf8(&valid, text, strlen(text));
    return json_string(text_string(&valid));
}

static json_t *instant(int64_t seconds) {
    const struct course utc = {.zone = NULL};
    cleanup_text struct text out = {0};
    if (seconds == COURSE_NEVER)
        return json_null();
    course_append_instant(&utc, seconds, &out);
    return json_pack("{s:I, s:s}", "seconds", (json_int_t)seconds, "utc", text_string(&out));
}

static json_t *exercises(const struct course_check *check) {
    const struct course *course = check->course;
    json_t *list = json_array();
    for (size_t i = 0; i < course->exercise_count; i++) {
        const struct course_exercise *exercise = &course->exercises[i];
        const struct plan *plan = check->plans[i];
        json_t *paths = json_array(), *hidden = json_array();
        for (size_t k = 0; k < exercise->path_count; k++)
            json_array_append_new(paths, string(exercise->paths[k]));
        for (size_t k = 0; plan && k < plan->case_count; k++)
            if (course_hides_case(course, i, case_group_names[plan->cases[k].group],
                                  plan->cases[k].name))
                json_array_append_new(hidden, string(plan->cases[k].name));
        json_array_append_new(
            list, json_pack("{s:s, s:b, s:f, s:o, s:o, s:I, s:o, s:b}", "id", exercise->id, "loads",
                            plan != NULL, "weight", exercise->weight, "deadline",
                            instant(course_exercise_deadline(course, i)), "paths", paths, "cases",
                            (json_int_t)(plan ? plan->case_count : 0), "hidden_cases", hidden,
                            "compared", !exercise->no_similarity));
    }
    return list;
}

/* Only what differs from the course's: a class has hundreds of students. */
static json_t *deadlines(const struct course *course, size_t student) {
    json_t *list = json_object();
    for (size_t e = 0; e < course->exercise_count; e++) {
        const struct course_exercise *exercise = &course->exercises[e];
        int64_t deadline = course_deadline(course, student, e);
        if (deadline != (course_exercise_deadline(course, e)))
            json_object_set_new(list, exercise->id, instant(deadline));
    }
    return list;
}

static json_t *pins(const struct course *course, size_t student) {
    json_t *list = json_object();
    for (size_t e = 0; e < course->exercise_count; e++)
        if (course_pin(course, student, e))
            json_object_set_new(list, course->exercises[e].id,
                                string(course_pin(course, student, e)));
    return list;
}

static json_t *students(const struct course *course) {
    json_t *list = json_array();
    for (size_t i = 0; i < course->student_count; i++) {
        const struct course_student *student = &course->students[i];
        char *repository = repo_display_location(student->repository);
        json_t *columns = json_object();
        for (size_t k = 0; k < student->value_count && k < course->column_count; k++)
            if (student->values[k])
                json_object_set_new(columns, course->columns[k], string(student->values[k]));
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id",
                                              student->id, "name", string(student->name),
                                              "repository", string(repository), "branch",
                                              string(student->branch), "team",
                                              student->team == COURSE_NONE
                                                  ? json_null()
                                                  : string(course->groups[student->team].name),
                                              "deadlines", deadlines(course, i), "pins",
                                              pins(course, i), "columns", columns));
        free(repository);
    }
    return list;
}

static json_t *groups(const struct course *course) {
    json_t *list = json_array();
    for (size_t i = 0; i < course->group_count; i++) {
        const struct course_group *group = &course->groups[i];
        json_t *members = json_array();
        for (size_t k = 0; k < group->member_count; k++)
            json_array_append_new(members, string(course->students[group->members[k]].id));
        json_array_append_new(list,
                              json_pack("{s:o, s:b, s:o}", "name", string(group->name), "team",
                                        group->repository != NULL, "members", members));
    }
    return list;
}

static json_t *late(const struct course_late *late) {
    cleanup_text struct text sentence = {0};
    course_append_late(late, &sentence);
    json_t *all =
        json_pack("{s:b, s:s}", "accepted", late->accepted, "text", text_string(&sentence));
    if (!late->accepted)
        return all;
    json_object_set_new(all, "percent_a_day", json_real(late->percent_a_day));
    json_object_set_new(all, "grace_seconds", json_integer((json_int_t)late->grace_seconds));
    json_object_set_new(all, "max_days",
                        late->max_days == COURSE_NEVER ? json_null()
                                                       : json_integer((json_int_t)late->max_days));
    json_object_set_new(all, "begun_days", json_boolean(late->begun_days));
    return all;
}

static json_t *findings(const struct course_check *check) {
    json_t *list = json_array();
    for (size_t i = 0; i < check->finding_count; i++) {
        const struct course_finding *finding = &check->findings[i];
        const struct error *error = &finding->error;
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o, s:o, s:i, s:i}", "severity",
                                        finding->status == STATUS_OK ? "warning" : "error",
                                        "message", string(error->message), "hint",
                                        string(error->hint), "file", string(error->file), "line",
                                        (int)error->line, "column", (int)error->column));
    }
    return list;
}

void course_check_json(const struct course_check *check, struct text *out) {
    const struct course *course = check->course;
    json_t *root = json_pack(
        "{s:i, s:o, s:o, s:o, s:o, s:o, s:{s:i, s:s}, s:o, s:o, s:o}", "schema", 1, "course",
        string(course->name), "file", string(course->file), "timezone", string(course->timezone),
        "exercises", exercises(check), "late", late(&course->late), "attempts", "limit",
        (int)course->attempts.limit, "count", course->attempts.last ? "last" : "best", "groups",
        groups(course), "students", students(course), "findings", findings(check));
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    escape_json(out, dump, strlen(dump));
    text_append_char(out, '\n');
    free(dump);
    json_decref(root);
}
