/* Where the running program stands, and what belongs to it: found from /proc/self/exe, never by a
 * path that was compiled in. A path of the machine that built it is on every other machine one that
 * anybody may be able to create.
 *
 *   <folder>/share/warpgrade            a build folder: a link to the sources
 *   <folder>/../share/warpgrade         <prefix>/share/warpgrade of an installed program in bin/
 *
 * Both are the same tree as far as the program reads it: exercises/, reference/. */
#ifndef WARPGRADE_SANDBOX_PLACE_PLACE_H
#define WARPGRADE_SANDBOX_PLACE_PLACE_H

#include "sandbox/base/error.h"

/* The program's own file, links followed; NULL without /proc. Caller frees, as of all below. */
char *place_program(void);
/* `name` in the folder of the program. */
char *place_beside(const char *name);
/* The folder of the program's data, links followed; NULL where there is none. */
char *place_data(void);

/* What a folder decides (results that are expected, points, the compiler) whoever can write there
 * decides. */
enum place_trust {
    /* Found by the program itself: the folder and all above it belong to root, to the user or to
     * the owner of the program's file, and none of them can be written to by others. A group counts
     * as others unless it is its owner's private one (Debian and Ubuntu make one for each user). */
    PLACE_FOUND,
    /* Named by the user (an option, the environment, a course): who names a folder chooses its
     * owner and its group. Only what everybody can write to is refused. */
    PLACE_NAMED,
};
/* STATUS_ENVIRONMENT with who can write where, and the command that mends it. Folders above with
 * the sticky bit (/tmp) are fine: what stands in them is its owner's. A program whose own file
 * everybody can write to (a file system without permissions) checks nothing, nor does
 * WARPGRADE_ANY_HOME=1. */
enum status place_check(const char *path, enum place_trust trust, struct error *error);
/* The same of a folder without those above, and of each file in it. */
enum status place_check_files(const char *folder, enum place_trust trust, struct error *error);

#endif
