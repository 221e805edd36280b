/* Device profiles by name, or from a file of the user's own (sandbox/base/device.h). */
#ifndef WARPGRADE_GRADER_EXERCISE_DEVICE_H
#define WARPGRADE_GRADER_EXERCISE_DEVICE_H

#include "sandbox/base/device.h"
#include "sandbox/base/error.h"

#include <stddef.h>

/* `name` is the id of a profile that the program carries ("h200"), or the path of a YAML file: what
 * has a slash in it or ends in .yaml or .yml. A file's id is its base name without the ending.
 * STATUS_INVALID with the place in the file, or with "did you mean". */
enum status device_load(const char *name, struct device_profile *profile, struct error *error);
/* The same with what the profile says beside each number; the caller frees the notes, which are
 * empty after an error. */
enum status device_load_notes(const char *name, struct device_profile *profile,
                              struct device_notes *notes, struct error *error);
/* The same from memory; `file` is the name for messages, `notes` may be NULL. */
enum status device_parse(const char *file, const char *id, const char *source, size_t length,
                         struct device_profile *profile, struct device_notes *notes,
                         struct error *error);
/* The ids of the profiles that the program carries, in order; NULL from the end on. */
const char *device_id(size_t index);

#endif
