/* The findings of `course check`. Each check looks at one thing and adds what it finds; none stops
 * the others, so that one look shows all there is to mend. */
#include "grader/course/course_check.h"

#include "grader/course/course_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* The new finding, for its message, hint and place. */
static struct error *add(struct course_check *check, enum status status) {
    struct course_finding *finding =
        mem_push(&check->findings, &check->finding_count, &check->finding_capacity);
    finding->status = status;
    return &finding->error;
}

static void place_in_course(const struct course *course, unsigned line, struct error *error) {
    error_place(error, course->file, line, 0, course->source, course->source_length);
}

/* Without the line's text: a repository's URL may carry a token. */
static void place_student(const struct course *course, size_t student, struct error *error) {
    error_place(error, course->roster ? course->roster : course->file,
                course->students[student].line, 0, NULL, 0);
}

/* ---- exercises ---------------------------------------------------------------------------- */

static void load_exercises(struct course_check *check) {
    const struct course *course = check->course;
    check->exercises = mem_calloc(course->exercise_count, sizeof(struct exercise *));
    check->plans = mem_calloc(course->exercise_count, sizeof(struct plan *));
    for (size_t i = 0; i < course->exercise_count; i++) {
        struct error error = {0};
        enum status status = exercise_find(course->exercises[i].id, &check->exercises[i], &error);
        if (status == STATUS_OK)
            status = plan_make(check->exercises[i], 1, NULL, &check->plans[i], &error);
        if (status == STATUS_OK)
            continue;
        if (!error.file[0]) /* not found; a mistake inside it has its own place */
            course_place(course, &course->exercises[i], &error);
        *add(check, status) = error;
    }
}

static bool matches_a_case(const struct plan *plan, const char *pattern) {
    for (size_t i = 0; i < plan->case_count; i++)
        if (strcmp(pattern, case_group_names[plan->cases[i].group]) == 0 ||
            fnmatch(pattern, plan->cases[i].name, 0) == 0)
            return true;
    return false;
}

/* `only`: the exercise that the patterns are about; COURSE_NONE: all. */
static void check_patterns(struct course_check *check, const struct course_visibility *visibility,
                           size_t only, unsigned line) {
    const struct course *course = check->course;
    for (size_t p = 0; p < visibility->count; p++) {
        const char *pattern = visibility->patterns[p];
        bool found = false;
        for (size_t e = 0; e < course->exercise_count && !found; e++)
            found = (only == COURSE_NONE || e == only) &&
                    (!check->plans[e] || matches_a_case(check->plans[e], pattern));
        if (found)
            continue;
        struct error *error = add(check, STATUS_OK);
        const char *closest = text_closest(pattern, case_group_names, GROUP_COUNT);
        error_set(error, STATUS_OK,
                  "visibility: no case, and no group of cases, of %s is called %s",
                  only == COURSE_NONE ? "any exercise" : course->exercises[only].id, pattern);
        if (closest)
            error_hint(error, "did you mean %s?", closest);
        else
            error_hint(error, "`warpgrade show EXERCISE` lists its cases");
        place_in_course(course, line, error);
    }
}

static void check_visibility(struct course_check *check) {
    const struct course *course = check->course;
    check_patterns(check, &course->visibility, COURSE_NONE, course->visibility.line);
    for (size_t e = 0; e < course->exercise_count; e++)
        check_patterns(check, &course->exercises[e].visibility, e,
                       course->exercises[e].visibility.line);
}

static void check_deadlines(struct course_check *check) {
    const struct course *course = check->course;
    size_t with = 0, without = COURSE_NONE;
    double weights = 0;
    for (size_t e = 0; e < course->exercise_count; e++) {
        bool has = course_exercise_deadline(course, e) != COURSE_NEVER;
        with += has;
        without = has || without != COURSE_NONE ? without : e;
        weights += course->exercises[e].weight;
    }
    if (course->late.accepted && with == 0)
        error_set(add(check, STATUS_OK), STATUS_OK,
                  "late says what a commit after the deadline costs, but no exercise has one");
    else if (with && without != COURSE_NONE) {
        struct error *error = add(check, STATUS_OK);
        error_set(error, STATUS_OK, "%s has no deadline, others have one",
                  course->exercises[without].id);
        error_hint(error, "deadline: gives one to all that have none of their own");
        course_place(course, &course->exercises[without], error);
    }
    if (weights <= 0)
        error_set(add(check, STATUS_OK), STATUS_OK,
                  "the weights of all exercises are 0: every total will be 0");
}

/* ---- students ----------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The first student before this one with the same repository; COURSE_NONE. */
static size_t same_repository(const struct course *course, size_t student) {
    for (size_t i = 0; i < student; i++)
        if (strcmp(course->students[i].repository, course->students[student].repository) == 0)
            return i;
    return COURSE_NONE;
}

static bool is_local(const char *location) {
    return !strstr(location, "://") || strncmp(location, "file://", 7) == 0;
}

/* A pinned commit must be there, and have the file. */
static void check_pinned(struct course_check *check, size_t student, size_t exercise,
                         const struct repo_file *file) {
    const struct course *course = check->course;
    bool unknown = file->state != REPO_FILE_FOUND && !file->commit.id[0];
    if (file->state == REPO_FILE_FOUND)
        return;
    struct error *error = add(check, unknown ? STATUS_BELOW_MARK : STATUS_OK);
    error_set(error, STATUS_OK, "%s, %s, pinned to %s: %.800s", course->students[student].id,
              course->exercises[exercise].id, course_pin(course, student, exercise), file->message);
    error_hint(error, "%s", file->hint);
    place_student(course, student, error);
}

static void read_repository(struct course_check *check, size_t student) {
    const struct course *course = check->course;
    const struct course_student *row = &course->students[student];
    struct repo_want wants[COURSE_MAX_EXERCISES] = {0};
    size_t pinned[COURSE_MAX_EXERCISES], count = 0;
    for (size_t e = 0; e < course->exercise_count; e++) {
        if (!course_pin(course, student, e))
            continue;
        struct repo_want *want = &wants[count];
        want->pin = course_pin(course, student, e);
        want->not_after = COURSE_NEVER;
        want->candidate_count = course->exercises[e].path_count;
        for (size_t i = 0; i < want->candidate_count; i++)
            want->candidates[i] = course->exercises[e].paths[i];
        pinned[count++] = e;
    }
    const struct repo_request request = {.location = row->repository,
                                         .branch = row->branch,
                                         .wants = wants,
                                         .want_count = count,
                                         .time_limit_seconds = course->fetch_time_limit_seconds,
                                         .ssh_key = course->ssh_key,
                                         .known_hosts = course->known_hosts,
                                         .ca_file = course->ca_file};
    struct repo_snapshot snapshot = {0};
    struct error inner = {0};
    enum status status = repo_read(&request, &snapshot, &inner);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < snapshot.file_count; i++)
            check_pinned(check, student, pinned[i], &snapshot.files[i]);
        repo_snapshot_free(&snapshot);
        return;
    }
    struct error *error =
        add(check, status == STATUS_ENVIRONMENT ? STATUS_ENVIRONMENT : STATUS_BELOW_MARK);
    error_set(error, status, "%s: %.900s", row->id, inner.message);
    error_hint(error, "%s", inner.hint);
    place_student(course, student, error);
}

static void check_repository(struct course_check *check, size_t student) {
    const struct course *course = check->course;
    const struct course_student *row = &course->students[student];
    if (!*row->repository) {
        struct error *error = add(check, STATUS_BELOW_MARK);
        error_set(error, STATUS_OK, "%s has no repository", row->id);
        place_student(course, student, error);
        return;
    }
    size_t other = same_repository(course, student);
    const struct course_student *first = other == COURSE_NONE ? NULL : &course->students[other];
    if (first && (row->team == COURSE_NONE || row->team != first->team)) {
        struct error *error = add(check, STATUS_OK);
        error_set(error, STATUS_OK, "%s has the repository of %s, and they are no team", row->id,
                  first->id);
        error_hint(error, "name both as members of a group with this repository");
        place_student(course, student, error);
    }
    if (first && same_text(first->branch, row->branch) && row->pin_count == 0)
        return; /* was read */
    if (is_local(row->repository) || check->network)
        read_repository(check, student);
}

static void check_groups(struct course_check *check) {
    const struct course *course = check->course;
    for (size_t i = 0; i < course->group_count; i++)
        for (size_t k = 0; k < i; k++) {
            if (strcasecmp(course->groups[i].name, course->groups[k].name) != 0)
                continue;
            error_set(add(check, STATUS_OK), STATUS_OK,
                      "there are two groups, %s and %s: is one of them a slip?",
                      course->groups[k].name, course->groups[i].name);
        }
}

static void check_earlier(struct course_check *check) {
    const struct course *course = check->course;
    for (size_t i = 0; i < course->similarity.earlier_count; i++)
        if (!file_exists(course->similarity.earlier[i]))
            error_set(add(check, STATUS_OK), STATUS_OK,
                      "similarity: there is no gradebook %s to compare with",
                      course->similarity.earlier[i]);
}

/* ---- all of them -------------------------------------------------------------------------- */

void course_check(const struct course *course, bool network, struct course_check *check) {
    *check = (struct course_check){.course = course, .network = network};
    load_exercises(check);
    check_visibility(check);
    check_deadlines(check);
    check_groups(check);
    check_earlier(check);
    for (size_t i = 0; i < course->student_count; i++)
        check_repository(check, i);
    for (size_t i = 0; i < check->finding_count; i++) /* what is about the whole */
        if (!check->findings[i].error.file[0])
            error_place(&check->findings[i].error, course->file, 0, 0, NULL, 0);
}

enum status course_check_status(const struct course_check *check) {
    enum status worst = STATUS_OK;
    for (size_t i = 0; i < check->finding_count; i++)
        if (check->findings[i].status > worst)
            worst = check->findings[i].status;
    return worst;
}

void course_check_free(struct course_check *check) {
    for (size_t i = 0; i < check->course->exercise_count; i++) {
        plan_free(check->plans[i]);
        exercise_free(check->exercises[i]);
    }
    free(check->plans);
    free(check->exercises);
    free(check->findings);
}
