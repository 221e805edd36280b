/* What is inconsistent in a course beyond what keeps it from loading: exercises that do not load,
 * repositories that cannot be read, patterns without a case. Nothing is graded. */
#ifndef WARPGRADE_GRADER_COURSE_COURSE_CHECK_H
#define WARPGRADE_GRADER_COURSE_COURSE_CHECK_H

#include "grader/cases/plan.h"
#include "grader/course/course.h"

struct course_finding {
    /* STATUS_OK: a warning. STATUS_BELOW_MARK: a repository that a batch run cannot read. Else what
     * keeps it from starting. */
    enum status status;
    struct error error; /* what, where and what to do */
};

struct course_check {
    const struct course *course; /* borrowed */
    struct plan **plans;         /* each exercise's cases; NULL where it does not load */
    struct exercise **exercises; /* the same */
    bool network;                /* repositories of other machines were asked */
    struct course_finding *findings;
    size_t finding_count, finding_capacity;
};

/* `network`: also asks repositories of other machines. */
void course_check(const struct course *course, bool network, struct course_check *check);
void course_check_free(struct course_check *check);
/* The worst of the findings: what `warpgrade batch` ends with at best. */
enum status course_check_status(const struct course_check *check);

/* What the course says, for people; foreign text is escaped. The findings are not in it. */
void course_check_text(const struct course_check *check, bool color, struct text *out);
/* All of it for scripts, as one JSON document. */
void course_check_json(const struct course_check *check, struct text *out);

/* "Each begun day of 24 hours after the deadline costs 10 % ...". */
void course_append_late(const struct course_late *late, struct text *out);

#endif
