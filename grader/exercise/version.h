/* The version of an exercise: a hash of everything that decides points, but for the tool. */
#ifndef WARPGRADE_GRADER_EXERCISE_VERSION_H
#define WARPGRADE_GRADER_EXERCISE_VERSION_H

#include "grader/exercise/exercise.h"

/* pass_mark, device: of a course, in place of the exercise's own; NULL: none. */
enum status exercise_version(const struct exercise *exercise, const double *pass_mark,
                             const char *device, char version[65], struct error *error);

#endif
