/* Classes by exercise, filled from folders, gradebooks and courses. */
#include "grader/similarity/collect.h"

#include "grader/course/course.h"
#include "grader/exercise/exercise.h"
#include "grader/gradebook/gradebook.h"
#include "reports/stored/stored.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- the set --------------------------------------------------------------------------------- */

static struct similarity_class *class_of(struct similarity_set *set, const char *exercise) {
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->classes[i].exercise, exercise) == 0)
            return &set->classes[i];
    struct similarity_class *class = mem_push(&set->classes, &set->count, &set->capacity);
    class->exercise = mem_strdup(exercise);
    return class;
}

void similarity_set_add(struct similarity_set *set, const char *exercise,
                        struct similarity_item item) {
    *similarity_add(class_of(set, exercise)) = item;
}

static int compare_classes(const void *left, const void *right) {
    const struct similarity_class *a = left, *b = right;
    return strcmp(a->exercise, b->exercise);
}

enum status similarity_set_finish(struct similarity_set *set, struct error *error) {
    enum status status = STATUS_OK;
    if (set->count)
        qsort(set->classes, set->count, sizeof *set->classes, compare_classes);
    for (size_t i = 0; i < set->count && status == STATUS_OK; i++) {
        struct similarity_class *class = &set->classes[i];
        struct exercise *exercise = NULL;
        if (*class->exercise && exercise_find(class->exercise, &exercise, NULL) == STATUS_OK)
            status = similarity_add_exercise(class, exercise, error);
        *mem_push(&set->exercises, &set->exercise_count, &set->exercise_capacity) = exercise;
    }
    return status;
}

void similarity_set_free(struct similarity_set *set) {
    for (size_t i = 0; i < set->count; i++)
        similarity_class_free(&set->classes[i]);
    for (size_t i = 0; i < set->exercise_count; i++)
        exercise_free(set->exercises[i]);
    free(set->classes);
    free(set->exercises);
    text_free(&set->notes);
    *set = (struct similarity_set){0};
}

/* ---- gradebooks ------------------------------------------------------------------------------ */

struct book {
    struct similarity_set *set;
    const char *path;
    enum similarity_role role;
    const struct course *course; /* NULL: none */
    struct gradebook *gradebook;
};

/* Only the course knows teams: two students with one commit may be a team, or a copy. */
static char *team_of(const struct book *book, const struct gradebook_grade *grade) {
    const struct course *course = book->course;
    size_t student = course ? course_find_student(course, grade->student) : COURSE_NONE;
    if (student != COURSE_NONE && course->students[student].team != COURSE_NONE) {
        const struct course_group *group = &course->groups[course->students[student].team];
        if (group->repository)
            return mem_printf("team %s", group->name);
    }
    return NULL;
}

static bool is_wanted(const struct book *book, const struct gradebook_grade *grade) {
    const struct course *course = book->course;
    size_t exercise = course ? course_find_exercise(course, grade->exercise) : COURSE_NONE;
    if (book->set->only && strcmp(book->set->only, grade->exercise) != 0)
        return false;
    return exercise == COURSE_NONE || !course->exercises[exercise].no_similarity;
}

static void add_report(const struct book *book, const struct gradebook_grade *grade,
                       const struct report *report) {
    if (!report->source) {
        text_printf(&book->set->notes, "%s: %s of %s: the report holds no source\n", book->path,
                    grade->exercise, grade->student);
        return;
    }
    similarity_set_add(
        book->set, grade->exercise,
        (struct similarity_item){.student = mem_strdup(grade->student),
                                 .team = team_of(book, grade),
                                 .origin = mem_strdup(book->path),
                                 .file = mem_strdup(report->file ? report->file : "submission.cu"),
                                 .text = mem_strndup(report->source, report->source_length),
                                 .length = report->source_length,
                                 .role = book->role});
}

static enum status add_grade(const struct book *book, const struct gradebook_grade *grade,
                             struct error *error) {
    cleanup_free char *json = NULL;
    size_t length = 0;
    struct stored_reports stored = {0};
    if (!grade->grading || !is_wanted(book, grade))
        return STATUS_OK;
    enum status status = gradebook_report(book->gradebook, grade->grading, &json, &length, error);
    if (status != STATUS_OK)
        return status;
    status = stored_read(json, length, book->path, &stored, error);
    if (status == STATUS_OK && stored.count)
        add_report(book, grade, stored.reports[0]);
    stored_free(&stored);
    return status;
}

static enum status collect(struct book *book, struct error *error) {
    struct gradebook_grades grades = {0};
    const struct gradebook_filter filter = {.absent = true};
    /* An earlier year's is left as it is, whatever version it has. */
    enum status status = book->role == SIMILARITY_EARLIER
                             ? gradebook_open_copy(book->path, &book->gradebook, error)
                             : gradebook_open_to_read(book->path, &book->gradebook, error);
    if (status != STATUS_OK)
        return status;
    status = gradebook_grades(book->gradebook, &filter, &grades, error);
    for (size_t i = 0; i < grades.count && status == STATUS_OK; i++)
        status = add_grade(book, &grades.rows[i], error);
    gradebook_grades_free(&grades);
    gradebook_close(book->gradebook);
    return status;
}

enum status similarity_collect_book(struct similarity_set *set, const char *path,
                                    enum similarity_role role, struct error *error) {
    struct book book = {.set = set, .path = path, .role = role};
    return collect(&book, error);
}

enum status similarity_collect_course(struct similarity_set *set, const char *path,
                                      double *threshold, struct error *error) {
    struct course *course;
    enum status status = course_load(path, &course, error);
    if (status != STATUS_OK)
        return status;
    struct book book = {
        .set = set, .path = course->gradebook, .role = SIMILARITY_SUBMISSION, .course = course};
    set->language = course->language;
    status = collect(&book, error);
    for (size_t i = 0; i < course->similarity.earlier_count && status == STATUS_OK; i++)
        status =
            similarity_collect_book(set, course->similarity.earlier[i], SIMILARITY_EARLIER, error);
    if (course->similarity.threshold_percent > 0)
        *threshold = course->similarity.threshold_percent / 100;
    course_free(course);
    return status;
}
