/* Reading a class in one transaction, so that students, grades and totals are of one moment. */
#include "grader/gradebook/class.h"
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static enum status read_students(struct gradebook *book, struct book_class *class,
                                 struct error *error) {
    struct query query = query_prepare(
        book, "SELECT s.id, s.name, s.section, s.team, s.repository, f.name, f.value"
              " FROM student s LEFT JOIN student_field f ON f.student = s.id WHERE s.present"
              " ORDER BY s.position, s.id, f.position");
    while (query_next(&query)) {
        struct book_student *last =
            class->student_count ? &class->students[class->student_count - 1] : NULL;
        if (!last || strcmp(last->id, query_string(&query, 0)) != 0) {
            last = mem_push(&class->students, &class->student_count, &class->student_capacity);
            last->id = query_copy(&query, 0);
            last->name = query_copy(&query, 1);
            last->section = query_copy(&query, 2);
            last->team = query_copy(&query, 3);
            last->repository = query_copy(&query, 4);
        }
        if (sqlite3_column_type(query.statement, 5) != SQLITE_NULL)
            *mem_push(&last->fields, &last->field_count, &last->field_capacity) =
                (struct book_field){query_copy(&query, 5), query_copy(&query, 6)};
    }
    return query_end(&query, error);
}

static enum status read_exercises(struct gradebook *book, struct book_class *class,
                                  struct error *error) {
    struct query query = query_prepare(book, "SELECT id, title, weight, max_score FROM exercise"
                                             " WHERE present ORDER BY position, id");
    while (query_next(&query))
        *mem_push(&class->exercises, &class->exercise_count, &class->exercise_capacity) =
            (struct book_exercise){.id = query_copy(&query, 0),
                                   .title = query_copy(&query, 1),
                                   .weight = sqlite3_column_double(query.statement, 2),
                                   .max_score = sqlite3_column_double(query.statement, 3)};
    return query_end(&query, error);
}

/* Of a damaged file nothing may be said that is not so. */
static enum status check_grid(struct gradebook *book, const struct book_class *class,
                              struct error *error) {
    bool whole = class->grades.count == class->student_count * class->exercise_count &&
                 (class->totals.count == class->student_count || class->exercise_count == 0);
    for (size_t s = 0; s < class->student_count && whole; s++) {
        whole = class->exercise_count == 0 ||
                strcmp(class->totals.rows[s].student, class->students[s].id) == 0;
        for (size_t e = 0; e < class->exercise_count && whole; e++) {
            const struct gradebook_grade *grade = class_grade(class, s, e);
            whole = strcmp(grade->student, class->students[s].id) == 0 &&
                    strcmp(grade->exercise, class->exercises[e].id) == 0;
        }
    }
    return whole ? STATUS_OK
                 : book_refuse(book, STATUS_INVALID, error,
                               "the gradebook is damaged: `warpgrade gradebook verify` says where");
}

enum status class_read(struct gradebook *book, struct book_class *class, struct error *error) {
    *class = (struct book_class){0};
    const struct gradebook_filter all = {0};
    enum status status = book_execute(book, "BEGIN", error);
    if (status != STATUS_OK)
        return status;
    status = read_students(book, class, error);
    if (status == STATUS_OK)
        status = read_exercises(book, class, error);
    if (status == STATUS_OK)
        status = gradebook_grades(book, &all, &class->grades, error);
    if (status == STATUS_OK)
        status = gradebook_totals(book, &class->totals, error);
    sqlite3_exec(book->database, "ROLLBACK", NULL, NULL, NULL);
    if (status == STATUS_OK)
        status = check_grid(book, class, error);
    if (status != STATUS_OK)
        class_free(class);
    return status;
}

void class_free(struct book_class *class) {
    for (size_t s = 0; s < class->student_count; s++) {
        struct book_student *student = &class->students[s];
        for (size_t i = 0; i < student->field_count; i++) {
            free(student->fields[i].name);
            free(student->fields[i].value);
        }
        free(student->fields);
        free(student->id);
        free(student->name);
        free(student->section);
        free(student->team);
        free(student->repository);
    }
    for (size_t e = 0; e < class->exercise_count; e++) {
        free(class->exercises[e].id);
        free(class->exercises[e].title);
    }
    free(class->students);
    free(class->exercises);
    gradebook_grades_free(&class->grades);
    gradebook_totals_free(&class->totals);
    *class = (struct book_class){0};
}

bool class_has_grade(const struct gradebook_grade *grade) {
    return grade->has_points || strcmp(grade->state, "override") == 0;
}

/* "SIS User ID" is sisuserid. */
static bool is_column(const char *name, const char *wanted) {
    for (; *name; name++) {
        if (!isalnum((unsigned char)*name))
            continue;
        if (tolower((unsigned char)*name) != *wanted)
            return false;
        wanted++;
    }
    return *wanted == '\0';
}

const char *class_value(const struct book_student *student, const char *const *columns) {
    for (; *columns; columns++)
        for (size_t i = 0; i < student->field_count; i++)
            if (*student->fields[i].value && is_column(student->fields[i].name, *columns))
                return student->fields[i].value;
    return "";
}

bool class_has_column(const struct book_class *class, const char *const *columns) {
    for (size_t s = 0; s < class->student_count; s++)
        if (*class_value(&class->students[s], columns))
            return true;
    return false;
}
