/* What learning platforms import: Canvas's gradebook and Moodle's grades.
 *
 * Canvas knows a student by the columns ID, SIS User ID and SIS Login ID, of which one is enough,
 * and an assignment by the number in parentheses behind its name: without it, it asks or makes a
 * new one. Its second row says how many points each assignment has. Moodle asks which column says
 * who a student is and which item each other column belongs to. For both an empty cell leaves the
 * grade there as it is. Who a student is for them, other columns of the roster say. */
#include "grader/gradebook/class.h"
#include "grader/gradebook/export.h"

#include "reports/escape.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <string.h>

#define COLUMNS(...) ((const char *const[]){__VA_ARGS__, NULL})
static const char *const *const canvas_id =
    COLUMNS("canvasid", "canvasuserid", "canvas", "lmsid", "platformid");
static const char *const *const sis_user = COLUMNS(
    "sisuserid", "sisid", "studentnumber", "studentid", "matriculation", "matric", "idnumber");
static const char *const *const sis_login =
    COLUMNS("sisloginid", "loginid", "login", "username", "email", "emailaddress", "mail");
static const char *const *const moodle_number =
    COLUMNS("idnumber", "sisuserid", "studentnumber", "studentid", "matriculation", "matric");
static const char *const *const moodle_mail = COLUMNS("emailaddress", "email", "mail");
static const char *const *const moodle_user = COLUMNS("username", "moodleusername", "login");

static void append_text(struct text *out, const char *string) {
    escape_csv(out, string, strlen(string));
    text_append_char(out, ',');
}

static void end_row(struct text *out) {
    out->length--; /* the comma behind the last field */
    text_append(out, "\r\n");
}

static void append_final(struct text *out, const struct gradebook_grade *grade, bool zeros) {
    if (zeros || class_has_grade(grade))
        text_append(out, decimal_points(grade->final).text);
    text_append_char(out, ',');
}

/* ---- Canvas ------------------------------------------------------------------------------- */

static void append_assignment(struct text *out, const char *exercise,
                              const struct gradebook_export_options *options) {
    const char *id = NULL;
    for (size_t i = 0; i < options->assignment_count; i++)
        if (strcmp(options->assignments[i].exercise, exercise) == 0)
            id = options->assignments[i].id;
    cleanup_free char *name = id ? mem_printf("%s (%s)", exercise, id) : mem_strdup(exercise);
    append_text(out, name);
}

static void append_canvas_student(struct text *out, const struct book_class *class, size_t s,
                                  bool known, const struct gradebook_export_options *options) {
    const struct book_student *student = &class->students[s];
    append_text(out, student->name);
    append_text(out, class_value(student, canvas_id));
    append_text(out, class_value(student, sis_user));
    append_text(out, known ? class_value(student, sis_login) : student->id);
    append_text(out, student->section);
    for (size_t e = 0; e < class->exercise_count; e++)
        append_final(out, class_grade(class, s, e), options->zeros);
    end_row(out);
}

enum status gradebook_write_canvas(struct gradebook *book,
                                   const struct gradebook_export_options *options, struct text *out,
                                   struct error *error) {
    struct book_class class;
    enum status status = class_read(book, &class, error);
    if (status != STATUS_OK)
        return status;
    text_append(out, "Student,ID,SIS User ID,SIS Login ID,Section,");
    for (size_t e = 0; e < class.exercise_count; e++)
        append_assignment(out, class.exercises[e].id, options);
    end_row(out);
    text_append(out, "    Points Possible,,,,,");
    for (size_t e = 0; e < class.exercise_count; e++)
        text_printf(out, "%s,", decimal_points(class.exercises[e].max_score).text);
    end_row(out);
    /* A roster that says nothing of Canvas: our own id is the best that there is. */
    bool known = class_has_column(&class, canvas_id) || class_has_column(&class, sis_user) ||
                 class_has_column(&class, sis_login);
    for (size_t s = 0; s < class.student_count; s++)
        append_canvas_student(out, &class, s, known, options);
    class_free(&class);
    return STATUS_OK;
}

/* ---- Moodle ------------------------------------------------------------------------------- */

static const struct {
    const char *title;
    const char *const *const *columns;
} moodle_columns[] = {
    {"ID number", &moodle_number}, {"Email address", &moodle_mail}, {"Username", &moodle_user}};

static void append_moodle_student(struct text *out, const struct book_class *class, size_t s,
                                  const bool *has, bool known,
                                  const struct gradebook_export_options *options) {
    const struct book_student *student = &class->students[s];
    for (size_t i = 0; i < ARRAY_LENGTH(moodle_columns); i++)
        if (has[i])
            append_text(out, class_value(student, *moodle_columns[i].columns));
    if (!known)
        append_text(out, student->id);
    append_text(out, student->name);
    for (size_t e = 0; e < class->exercise_count; e++)
        append_final(out, class_grade(class, s, e), options->zeros);
    end_row(out);
}

enum status gradebook_write_moodle(struct gradebook *book,
                                   const struct gradebook_export_options *options, struct text *out,
                                   struct error *error) {
    struct book_class class;
    enum status status = class_read(book, &class, error);
    if (status != STATUS_OK)
        return status;
    bool has[ARRAY_LENGTH(moodle_columns)], known = false;
    for (size_t i = 0; i < ARRAY_LENGTH(moodle_columns); i++) {
        has[i] = class_has_column(&class, *moodle_columns[i].columns);
        known |= has[i];
        if (has[i])
            text_printf(out, "%s,", moodle_columns[i].title);
    }
    if (!known)
        text_append(out, "Username,");
    text_append(out, "Full name,");
    for (size_t e = 0; e < class.exercise_count; e++)
        append_text(out, class.exercises[e].id);
    end_row(out);
    for (size_t s = 0; s < class.student_count; s++)
        append_moodle_student(out, &class, s, has, known, options);
    class_free(&class);
    return STATUS_OK;
}
