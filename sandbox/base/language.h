/* The languages that people are addressed in. Ids, keys and numbers are the same in all of them. */
#ifndef WARPGRADE_SANDBOX_BASE_LANGUAGE_H
#define WARPGRADE_SANDBOX_BASE_LANGUAGE_H

#include <string.h>

enum language { LANGUAGE_EN, LANGUAGE_ZH, LANGUAGE_COUNT };

/* "zh"; a name that is unknown, or NULL, is English. */
static inline enum language language_from_name(const char *name) {
    return name && strcmp(name, "zh") == 0 ? LANGUAGE_ZH : LANGUAGE_EN;
}

static inline const char *language_name(enum language language) {
    return language == LANGUAGE_ZH ? "zh" : "en";
}

#endif
