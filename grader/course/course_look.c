/* Small questions about a course that reports ask. */
#include "grader/course/course_private.h"
#include "grader/course/course_zone.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int32_t course_utc_offset(const struct course *course, int64_t instant) {
    return course->zone ? course_zone_offset(course->zone, instant, NULL) : 0;
}

enum status course_since(const struct course *course, const char *text, int64_t *instant,
                         struct error *error) {
    bool is_date = strlen(text) == strlen("2026-10-02") && !strchr(text, 'T');
    cleanup_free char *whole =
        mem_printf("%s%s%s", text, is_date ? "T00:00:00" : "", is_date && !course->zone ? "Z" : "");
    size_t offset;
    return course_instant_parse(whole, course->zone, instant, &offset, error);
}

const char *course_mail(const struct course *course, size_t student) {
    static const char *const names[] = {"mail", "email", "e-mail", "mail address", "email address"};
    for (size_t c = 0; c < course->column_count; c++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcasecmp(course->columns[c], names[i]) == 0)
                return course_value(course, student, course->columns[c]);
    return "";
}
