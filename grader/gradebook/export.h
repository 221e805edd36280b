/* The grades for other programs: spreadsheets, learning platforms, scripts. What is handed in by
 * students and written by anybody is escaped for each. */
#ifndef WARPGRADE_GRADER_GRADEBOOK_EXPORT_H
#define WARPGRADE_GRADER_GRADEBOOK_EXPORT_H

#include "grader/gradebook/gradebook.h"
#include "sandbox/base/text.h"

struct gradebook_assignment {
    const char *exercise, *id; /* Canvas's number of the assignment */
};
struct gradebook_export_options {
    bool zeros; /* Canvas, Moodle: 0 where nothing is graded; else an empty cell changes nothing */
    const struct gradebook_assignment *assignments;
    size_t assignment_count;
    const char *student; /* gradescope: whose */
    /* gradescope: may students read what is said of their gradings of this exercise? The book has
     * it of all cases, and does not know which ones the course hides. NULL: of none. */
    bool (*tells)(const void *context, const char *exercise);
    const void *context;
};

/* Appends the whole export. */
typedef enum status gradebook_writer(struct gradebook *book,
                                     const struct gradebook_export_options *options,
                                     struct text *out, struct error *error);
struct gradebook_format {
    const char *name; /* "canvas" */
    const char *summary;
    gradebook_writer *write;
};
extern const struct gradebook_format gradebook_formats[];
extern const size_t gradebook_format_count;
const struct gradebook_format *gradebook_format_find(const char *name); /* NULL: there is none */

/* Each student's results.json of Gradescope; `take` may keep nothing of what it is given. The
 * options' student does not matter. */
typedef enum status gradebook_taker(void *context, const char *student, const struct text *json,
                                    struct error *error);
enum status gradebook_each_result(struct gradebook *book,
                                  const struct gradebook_export_options *options,
                                  gradebook_taker *take, void *context, struct error *error);

gradebook_writer gradebook_write_csv, gradebook_write_totals, gradebook_write_canvas,
    gradebook_write_moodle, gradebook_write_json, gradebook_write_gradescope;

#endif
