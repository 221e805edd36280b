/* What the exercise_check*.c have in common. */
#ifndef WARPGRADE_GRADER_EXERCISE_EXERCISE_CHECK_H
#define WARPGRADE_GRADER_EXERCISE_EXERCISE_CHECK_H

#include "grader/exercise/exercise_parts.h"

struct check {
    const struct yaml_document *document;
    const struct exercise *exercise;
    struct error *error;
};

/* STATUS_INVALID with the message, at the node. */
#define FAIL(check, node, ...) yaml_error((check)->document, node, (check)->error, __VA_ARGS__)

static inline const struct yaml_node *root_get(const struct check *check, const char *key) {
    return yaml_get(check->document->root, key);
}

#endif
