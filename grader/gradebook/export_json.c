/* Exports as JSON: the whole class for programs, and a student's results.json of Gradescope, in
 * which each exercise is a test. */
#include "grader/gradebook/class.h"
#include "grader/gradebook/export.h"

#include "reports/json_parts.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <string.h>

enum { EXPORT_SCHEMA = 1 };

static json_t *time_or_null(int64_t seconds) {
    return seconds ? json_integer(seconds) : json_null();
}

static json_t *grade_json(const struct gradebook_grade *grade) {
    json_t *object = json_object();
    json_object_set_new(object, "exercise", json_text(grade->exercise));
    json_object_set_new(object, "state", json_text(grade->state));
    json_object_set_new(object, "points",
                        grade->has_points ? json_points(grade->points) : json_null());
    json_object_set_new(object, "penalty",
                        grade->has_points ? json_points(grade->penalty) : json_null());
    json_object_set_new(object, "final", json_points(grade->final));
    json_object_set_new(object, "max_score", json_points(grade->max_score));
    json_object_set_new(object, "percent", json_points(grade->percent));
    bool by_hand = strcmp(grade->state, "override") == 0;
    json_object_set_new(object, "passed", by_hand ? json_null() : json_boolean(grade->passed));
    json_object_set_new(object, "verdict", json_text(grade->verdict));
    json_object_set_new(object, "attempts", json_integer((json_int_t)grade->attempts));
    json_object_set_new(object, "submissions", json_integer((json_int_t)grade->submissions));
    json_object_set_new(object, "penalty_reason", json_text(grade->penalty_reason));
    json_object_set_new(object, "override", json_text(grade->override));
    json_object_set_new(object, "message", json_text(grade->message));
    json_object_set_new(object, "commit", json_text(grade->commit));
    json_object_set_new(object, "committed_at", time_or_null(grade->committed_at));
    json_object_set_new(object, "graded_at", time_or_null(grade->graded_at));
    return object;
}

static json_t *student_json(const struct book_class *class, size_t s) {
    const struct book_student *student = &class->students[s];
    json_t *object = json_object(), *fields = json_array(), *grades = json_array();
    json_object_set_new(object, "student", json_text(student->id));
    json_object_set_new(object, "name", json_text(student->name));
    json_object_set_new(object, "section", json_text(student->section));
    json_object_set_new(object, "team", json_text(student->team));
    json_object_set_new(object, "repository", json_text(student->repository));
    for (size_t i = 0; i < student->field_count; i++) {
        json_t *field = json_object();
        json_object_set_new(field, "name", json_text(student->fields[i].name));
        json_object_set_new(field, "value", json_text(student->fields[i].value));
        json_array_append_new(fields, field);
    }
    json_object_set_new(object, "columns", fields);
    if (s < class->totals.count) {
        const struct gradebook_total *total = &class->totals.rows[s];
        json_object_set_new(object, "points", json_points(total->points));
        json_object_set_new(object, "max_score", json_points(total->max_score));
        json_object_set_new(object, "percent", json_points(total->percent));
        json_object_set_new(object, "graded", json_integer((json_int_t)total->graded));
        json_object_set_new(object, "missing", json_integer((json_int_t)total->missing));
    }
    for (size_t e = 0; e < class->exercise_count; e++)
        json_array_append_new(grades, grade_json(class_grade(class, s, e)));
    json_object_set_new(object, "grades", grades);
    return object;
}

enum status gradebook_write_json(struct gradebook *book,
                                 const struct gradebook_export_options *options, struct text *out,
                                 struct error *error) {
    (void)options;
    struct book_class class;
    enum status status = class_read(book, &class, error);
    if (status != STATUS_OK)
        return status;
    json_t *object = json_object(), *exercises = json_array(), *students = json_array();
    for (size_t e = 0; e < class.exercise_count; e++) {
        json_t *exercise = json_object();
        json_object_set_new(exercise, "exercise", json_text(class.exercises[e].id));
        json_object_set_new(exercise, "title", json_text(class.exercises[e].title));
        json_object_set_new(exercise, "weight", json_double(class.exercises[e].weight));
        json_object_set_new(exercise, "max_score", json_points(class.exercises[e].max_score));
        json_array_append_new(exercises, exercise);
    }
    for (size_t s = 0; s < class.student_count; s++)
        json_array_append_new(students, student_json(&class, s));
    json_object_set_new(object, "schema", json_integer(EXPORT_SCHEMA));
    json_object_set_new(object, "exercises", exercises);
    json_object_set_new(object, "students", students);
    json_append(out, object);
    class_free(&class);
    return STATUS_OK;
}

/* ---- Gradescope --------------------------------------------------------------------------- */

/* A student sees it: who set points by hand stays with the instructors, and so does what is said of
 * cases that the course may hide. */
static json_t *test_json(const struct gradebook_export_options *options,
                         const struct gradebook_grade *grade, size_t number) {
    json_t *test = json_object();
    cleanup_text struct text output = {0};
    bool by_hand = strcmp(grade->state, "override") == 0;
    if (grade->has_points)
        text_printf(&output, "%s of %s points", decimal_points(grade->points).text,
                    decimal_points(grade->max_score).text);
    if (grade->has_points && grade->penalty > 0)
        text_printf(&output, ", less %s: %s", decimal_points(grade->penalty).text,
                    grade->penalty_reason);
    if (by_hand)
        text_printf(&output, "%sset to %s by hand", output.length ? "; " : "",
                    decimal_points(grade->final).text);
    bool told =
        !grade->has_points || (options->tells && options->tells(options->context, grade->exercise));
    if (told && *grade->message)
        text_printf(&output, "%s%s", output.length ? "\n" : "", grade->message);
    json_object_set_new(test, "name", json_shown(grade->exercise));
    cleanup_free char *order = mem_printf("%zu", number);
    json_object_set_new(test, "number", json_text(order));
    json_object_set_new(test, "score", json_points(grade->final));
    json_object_set_new(test, "max_score", json_points(grade->max_score));
    if (!by_hand) /* then Gradescope asks the points */
        json_object_set_new(test, "status",
                            json_text(grade->has_points && grade->passed ? "passed" : "failed"));
    json_object_set_new(test, "output", json_shown(text_string(&output)));
    json_object_set_new(test, "output_format", json_text("text"));
    json_object_set_new(test, "visibility", json_text("visible"));
    return test;
}

static void append_results(const struct gradebook_export_options *options,
                           const struct book_class *class, size_t s, struct text *out) {
    json_t *object = json_object(), *tests = json_array();
    for (size_t e = 0; e < class->exercise_count; e++)
        json_array_append_new(tests, test_json(options, class_grade(class, s, e), e + 1));
    json_object_set_new(object, "score",
                        json_points(s < class->totals.count ? class->totals.rows[s].points : 0));
    json_object_set_new(object, "test_output_format", json_text("text"));
    json_object_set_new(object, "visibility", json_text("visible"));
    json_object_set_new(object, "tests", tests);
    json_append_shown(out, object);
}

enum status gradebook_write_gradescope(struct gradebook *book,
                                       const struct gradebook_export_options *options,
                                       struct text *out, struct error *error) {
    if (!options->student) {
        error_set(error, STATUS_INVALID, "results.json is one student's");
        error_hint(error, "name the student (--student ID), or a folder for all of them (-o DIR)");
        return STATUS_INVALID;
    }
    struct book_class class;
    enum status status = gradebook_check_ids(book, options->student, NULL, error);
    if (status == STATUS_OK)
        status = class_read(book, &class, error);
    if (status != STATUS_OK)
        return status;
    size_t s = 0;
    while (s < class.student_count && strcmp(class.students[s].id, options->student) != 0)
        s++;
    if (s < class.student_count)
        append_results(options, &class, s, out);
    else
        status = error_set(error, STATUS_INVALID, "%.80s is not in the roster any more",
                           options->student);
    class_free(&class);
    return status;
}

enum status gradebook_each_result(struct gradebook *book,
                                  const struct gradebook_export_options *options,
                                  gradebook_taker *take, void *context, struct error *error) {
    struct book_class class;
    enum status status = class_read(book, &class, error);
    if (status != STATUS_OK)
        return status;
    for (size_t s = 0; s < class.student_count && status == STATUS_OK; s++) {
        cleanup_text struct text json = {0};
        append_results(options, &class, s, &json);
        status = take(context, class.students[s].id, &json, error);
    }
    class_free(&class);
    return status;
}
