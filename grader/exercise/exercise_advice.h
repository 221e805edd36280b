/* Hints to what people type in exercise.yaml. Private to the exercise room. */
#ifndef WARPGRADE_GRADER_EXERCISE_EXERCISE_ADVICE_H
#define WARPGRADE_GRADER_EXERCISE_EXERCISE_ADVICE_H

#include "grader/exercise/exercise_schema.h"

/* Each sets the hint of an error that is there already, or leaves it as it is. */
void advise_word(enum schema_choice choice, const struct yaml_node *node, struct error *error);
/* `path`: where the node stands, "hints[0].text". */
void advise_language(const char *path, const struct yaml_node *node, struct error *error);
/* Of a plain value in which YAML has ended an expression at a comma. */
void advise_comma(const struct yaml_document *document, const struct yaml_node *node,
                  struct error *error);

#endif
