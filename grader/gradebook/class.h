/* The class as exports want it: students with all columns of the roster, exercises, and the grade
 * of each pair. Private to the room. */
#ifndef WARPGRADE_GRADER_GRADEBOOK_CLASS_H
#define WARPGRADE_GRADER_GRADEBOOK_CLASS_H

#include "grader/gradebook/gradebook.h"

struct book_field {
    char *name, *value;
};
struct book_student {
    char *id, *name, *section, *team, *repository;
    struct book_field *fields;
    size_t field_count, field_capacity;
};
struct book_exercise {
    char *id, *title;
    double weight, max_score;
};
struct book_class {
    struct book_student *students; /* present ones, in the roster's order */
    size_t student_count, student_capacity;
    struct book_exercise *exercises;
    size_t exercise_count, exercise_capacity;
    struct gradebook_grades grades; /* student after student, each with every exercise */
    struct gradebook_totals totals; /* one for each student */
};
/* All of it at one moment, whatever other processes write. */
enum status class_read(struct gradebook *book, struct book_class *class, struct error *error);
void class_free(struct book_class *class);

static inline const struct gradebook_grade *class_grade(const struct book_class *class,
                                                        size_t student, size_t exercise) {
    return &class->grades.rows[student * class->exercise_count + exercise];
}
/* Something counts: the cell of an import is not left empty. */
bool class_has_grade(const struct gradebook_grade *grade);
/* The student's value of the first of these columns (in lower case, without blanks and marks) that
 * the roster has and that is not empty; else "". `columns` ends with NULL. */
const char *class_value(const struct book_student *student, const char *const *columns);
/* The roster has one of these columns. */
bool class_has_column(const struct book_class *class, const char *const *columns);

#endif
