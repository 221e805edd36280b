/* What a course requires of a repository that it has `warpgrade ci` grade: .warpgrade/ci.yaml. */
#ifndef WARPGRADE_GRADER_CI_RULES_H
#define WARPGRADE_GRADER_CI_RULES_H

#include "grader/exercise/exercise.h"
#include "sandbox/base/error.h"
#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

#define CI_RULES_PATH ".warpgrade/ci.yaml"

enum { CI_MAX_PATTERNS = 16 };

struct ci_exercise {
    struct exercise *exercise; /* with the course's pass mark */
    bool required;
    char **paths; /* globs, from the repository's root; none: a file called ID.cu, anywhere */
    size_t path_count;
};

struct ci_rules {
    struct ci_exercise *exercises;
    size_t exercise_count;
    char **ignored; /* folders, files or globs that are not looked at */
    size_t ignored_count;
    bool grades_all; /* also what has not changed */
    bool has_pass_mark;
    double pass_mark; /* in percent, of all exercises that have none of their own */
    bool require_namespaces;
    enum language language;
};

/* Lines `key: what it says`, for help texts. */
void ci_rules_append_keys(struct text *out);
/* `file` is the name for messages. STATUS_INVALID with the place, also where there is no such
 * exercise. To be freed in any case. */
enum status ci_rules_parse(const char *file, const char *source, size_t length,
                           struct ci_rules *rules, struct error *error);
void ci_rules_free(struct ci_rules *rules);

#endif
