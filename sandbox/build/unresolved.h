/* What a PTX text uses and does not define, or should not have. Private to the room; runs in the
 * worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_UNRESOLVED_H
#define WARPGRADE_SANDBOX_BUILD_UNRESOLVED_H

#include "sandbox/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct unresolved_symbol {
    char symbol[512]; /* as in the PTX */
    bool is_function; /* else a variable */
    /* where it is used first; line 0: nowhere that the PTX tells */
    char file[256];
    unsigned line;
    char user[512]; /* the function, as in the PTX */
    bool user_is_kernel;
};
enum { UNRESOLVED_MAX = 32 };

/* At most UNRESOLVED_MAX, in the order of the text; those of the system (vprintf, malloc) are
 * resolved where the kernel is loaded. The number that there are. */
size_t unresolved_find(const char *ptx, struct unresolved_symbol *symbols);
/* Likewise variables that the text defines, but is_host() says, by their plain name, to be the
 * host's: those that are used. */
size_t unresolved_find_host(const char *ptx, struct unresolved_symbol *symbols,
                            bool (*is_host)(const void *context, const char *plain),
                            const void *context);

/* Names as the source has them in place of mangled ones: "_Z6nondetv" is nondet. Nested names keep
 * their parts, types are dropped (Itanium C++ ABI, 5.1). Appended. */
void unresolved_append_plain(const char *text, size_t length, struct text *out);

#endif
