/* warpgrade.yaml: what `warpgrade new` writes beside a skeleton, so that `warpgrade grade` without
 * arguments knows what to grade. */
#ifndef WARPGRADE_GRADER_LEARN_SETTINGS_H
#define WARPGRADE_GRADER_LEARN_SETTINGS_H

#include "sandbox/base/error.h"
#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

#define LEARN_SETTINGS_FILE "warpgrade.yaml"

struct learn_settings {
    char *exercise;
    enum language language;
    char *engine; /* "sim"; NULL: not said */
    char *device; /* id of a profile that the program carries; NULL: not said */
};

/* STATUS_INVALID with the place in the file. `ids` are the exercises that there are. To be freed in
 * any case. */
enum status learn_settings_load(const char *path, char *const *ids, size_t id_count,
                                struct learn_settings *settings, struct error *error);
void learn_settings_free(struct learn_settings *settings);
/* The file as `new` writes it. */
void learn_settings_write(const char *exercise, enum language language, struct text *out);

#endif
