/* Functions of the runtime that are not there yet: one that a program calls names itself and ends
 * the program, whatever its arguments. The table is symbol.def. */
#include "sandbox/runtime/runtime.h"

#include <string.h>

static _Noreturn void missing(const char *name) {
    struct link_call call = {.call = WIRE_MISSING, .sent = name, .sent_bytes = strlen(name)};
    link_do(&call);
    link_give_up("the program calls %s(), which warpgrade's CUDA runtime does not have yet", name);
}

#define FUNCTION_HERE(name)
#define FUNCTION_MISSING(name)                                                                     \
    API void name(void);                                                                           \
    API void name(void) {                                                                          \
        missing(#name);                                                                            \
    }
#define SYMBOL(name, status) FUNCTION_##status(name)
#include "sandbox/runtime/symbol.def"
