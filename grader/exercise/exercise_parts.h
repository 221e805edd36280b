/* The steps of exercise_load(): form (exercise_schema.c), building (exercise_build.c), whether the
 * parts fit together (exercise_check.c). Private to the exercise room. */
#ifndef WARPGRADE_GRADER_EXERCISE_EXERCISE_PARTS_H
#define WARPGRADE_GRADER_EXERCISE_EXERCISE_PARTS_H

#include "grader/exercise/exercise.h"
#include "grader/exercise/yaml.h"

/* Fills the exercise from a tree that schema_check() accepted. What can go wrong here are names:
 * sizes and fills of parameters that do not exist, or sizes that are missing. The file paths are
 * formed, but not looked at. */
enum status exercise_build(const struct yaml_document *document, const char *reference_directory,
                           struct exercise *exercise, struct error *error);
/* A mapping of languages to texts; English stands in for what is missing. */
void exercise_build_localized(const struct yaml_node *node, char *text[LANGUAGE_COUNT]);
/* exercise_kind.c: which keys an exercise of its kind has, before it is built; after the parameters
 * were; and with the exercise. */
enum status exercise_check_kind(const struct yaml_document *document, struct error *error);
enum status exercise_build_kind(const struct yaml_document *document, struct exercise *exercise,
                                struct error *error);
void exercise_free_kind(struct exercise *exercise);
/* Everything that needs more than one key: names in expressions, extents and launches of every
 * case, groups and points, gates, files. */
enum status exercise_check(const struct yaml_document *document, const struct exercise *exercise,
                           struct error *error);
/* Reads the files of the key headers. */
enum status exercise_load_headers(const struct yaml_document *document, struct exercise *exercise,
                                  struct error *error);
/* The speed part of exercise_check(): bounds, tiers, names in metric expressions, points. */
enum status exercise_check_speed(const struct yaml_document *document,
                                 const struct exercise *exercise, struct error *error);
/* Mutants and their files, what the skeleton must fall to, hints. */
enum status exercise_check_wrong_code(const struct yaml_document *document,
                                      const struct exercise *exercise, struct error *error);
/* The data of every case: names in fills, bounds, what the types hold. After the steps above. */
enum status exercise_check_fills(const struct yaml_document *document,
                                 const struct exercise *exercise, struct error *error);

#endif
