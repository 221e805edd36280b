/* An autograder for Gradescope: a zip file with what its containers run, and with the sources of
 * this program, which is built there. */
#ifndef WARPGRADE_GRADER_BUNDLE_GRADESCOPE_H
#define WARPGRADE_GRADER_BUNDLE_GRADESCOPE_H

#include "grader/exercise/exercise.h"

struct gradescope_options {
    enum language language; /* of the reports */
    bool unsafe;            /* grades without a jail where none can be had */
};

struct gradescope_bundle {
    size_t files, bytes; /* in it, and their size unpacked */
};

/* Writes the autograder of the exercise with that id to `path`, whole or not at all. */
enum status gradescope_write(const char *id, const struct gradescope_options *options,
                             const char *path, struct gradescope_bundle *bundle,
                             struct error *error);

#endif
