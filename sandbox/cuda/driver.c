/* Opens the driver's library by the absolute path that the grader found.
 *
 * libcuda opens its sister libraries (the PTX compiler among them) by their bare names, which the
 * loader of a jail may not find. We do not need them: all machine code is made for the card before
 * it gets here. But a driver that looks for one and misses it stays broken for the rest of the
 * process, so those beside it are visible in the jail (find.c). */
#include "sandbox/cuda/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool driver_symbol(void *library, const char *name, void *slot) {
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool driver_open(struct driver *driver, const char *path, char *trouble, size_t trouble_size) {
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(trouble, trouble_size, "%s", reason ? reason : path);
        return false;
    }
    const char *missing = NULL;
#define NEEDED(name, arguments)                                                                    \
    if (!driver_symbol(library, #name, &driver->name) && !missing)                                 \
        missing = #name;
#define OPTIONAL(name, arguments) driver_symbol(library, #name, &driver->name);
#define PROGRAM(name, arguments)  driver_symbol(library, #name, &driver->name);
#include "sandbox/cuda/driver.def"
#undef NEEDED
#undef OPTIONAL
#undef PROGRAM
    if (missing)
        snprintf(trouble, trouble_size, "%s has no function %s: it is too old", path, missing);
    return !missing;
}

const char *driver_missing_for_programs(const struct driver *driver) {
#define NEEDED(name, arguments)
#define OPTIONAL(name, arguments)
#define PROGRAM(name, arguments)                                                                   \
    if (!driver->name)                                                                             \
        return #name;
#include "sandbox/cuda/driver.def"
#undef NEEDED
#undef OPTIONAL
#undef PROGRAM
    return driver->cuFuncGetParamInfo ? NULL : "cuFuncGetParamInfo";
}
