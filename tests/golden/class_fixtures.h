/* Classes that the class report is tested with: made up, the same in every run. */
#ifndef WARPGRADE_TESTS_GOLDEN_CLASS_FIXTURES_H
#define WARPGRADE_TESTS_GOLDEN_CLASS_FIXTURES_H

#include "reports/class/class_report.h"

struct class_fixture {
    struct class_report report;
    struct class_exercise *exercises;
    struct class_student *students;
    struct class_cell *cells;
    char **strings; /* that students and cells point to */
    size_t string_count, string_capacity;
};

/* Students and exercises (at most 12) with results as a class has them. */
struct class_fixture *class_fixture_usual(size_t students, size_t exercises,
                                          enum language language);
/* Two students, one exercise: a perfect result, and nothing. */
struct class_fixture *class_fixture_tiny(void);
/* 52 students, four exercises, and everything that can happen, hostile names included. */
struct class_fixture *class_fixture_full(enum language language);
void class_fixture_free(struct class_fixture *fixture);

/* Whose names or mails are hostile, of class_fixture_full(). */
enum { CLASS_FIXTURE_FULL = 52, CLASS_FIXTURE_HOSTILE = 7, CLASS_FIXTURE_HOSTILE_END = 14 };

#endif
