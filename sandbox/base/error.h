/* What a fallible function returns (enum status) and fills (struct error).
 *
 * Every error a user can cause says what is wrong, where, and what to do. A library fills the
 * struct and returns; only main prints. The status is at the same time the exit code. */
#ifndef WARPGRADE_SANDBOX_BASE_ERROR_H
#define WARPGRADE_SANDBOX_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum status {
    STATUS_OK = 0,
    STATUS_BELOW_MARK = 1,  /* graded, below the pass mark; sim: hazards found */
    STATUS_INVALID = 2,     /* the user's usage, exercise or source is wrong */
    STATUS_ENVIRONMENT = 3, /* this machine cannot do it: no NVRTC, no fork, disk full ... */
};

struct error {
    char message[1024]; /* what is wrong; may hold untrusted text: escape it where it is printed */
    char hint[512];     /* what to do; empty where the message says it all */
    char file[512];     /* empty where no file is to blame */
    unsigned line;      /* 1-based; 0 unknown */
    unsigned column;    /* 1-based, in bytes; 0 unknown */
    char excerpt[512];  /* the source line, without its newline */
};

/* Fills the error (a NULL error is allowed and ignored) and returns the status. */
__attribute__((format(printf, 3, 4))) enum status error_set(struct error *error, enum status status,
                                                            const char *format, ...);
__attribute__((format(printf, 2, 3))) void error_hint(struct error *error, const char *format, ...);
/* Adds the place. `source` is the whole text of the file, or NULL; the excerpt is cut from it. */
void error_place(struct error *error, const char *file, unsigned line, unsigned column,
                 const char *source, size_t source_length);

#endif
