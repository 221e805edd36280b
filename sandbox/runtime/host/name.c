/* The name that the program was called by: in a jail each has the same one, and many a program
 * prints it, as assert() does.
 *
 * The window begins with it, until the first copy: it is read before main(). */
#include "sandbox/runtime/wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void __attribute__((constructor)) take_name(int argc, char **argv) {
    static char name[WIRE_NAME_MAX];
    ssize_t length = pread(WIRE_SHARED, name, sizeof name - 1, 0);
    if (argc < 1 || length <= 0 || strncmp(name, "./", 2) != 0)
        return;
    argv[0] = program_invocation_name = name;
    program_invocation_short_name = strrchr(name, '/') + 1;
}
