/* From call sites to lines of the host's source. Private to the room.
 *
 * A finding names a call site by its number, in its members or in its message: SITE_MARK in the
 * format and the number as its argument make "line 41" of it, or "util.cu:41" where that is another
 * file than the finding's. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_LINES_H
#define WARPGRADE_SANDBOX_CARD_CARD_LINES_H

#include "sandbox/base/launch.h"
#include "sandbox/runtime/wire.h"

#include <stdbool.h>

#define SITE_MARK "\001%u\001"

enum { CARD_MAX_NAMED_SITES = 4 * ENGINE_MAX_HAZARDS };

/* A site that findings name. */
struct named_site {
    uint32_t number;
    size_t count;
    uint64_t frames[WIRE_SITE_FRAMES];
};

/* The next number that the message marks, from *at on, which is moved after it; 0: none. */
uint32_t site_mark_next(const char **at);

/* What debug information says of an address, the innermost of inlined functions first. */
struct line_place {
    char function[128];
    char path[512]; /* as the compiler was given it */
    unsigned line;  /* 0: not known */
};
struct line_frame {
    struct line_place *places;
    size_t count;
};

/* Reads what addr2line(1) has written of `count` addresses: hostile bytes. Free each frame's
 * places. */
void lines_parse(const char *text, size_t length, struct line_frame *frames, size_t count);

/* The place that a finding names: of the program's own sources the innermost, but not a wrapper's;
 * and from where that function was called, in *caller (NULL: not known, or it is main). */
const struct line_place *lines_choose(const struct line_frame *frames, size_t count,
                                      const struct line_place **caller);

/* WIRE_SITE_FRAMES frames for each site. */
void lines_fill(const struct named_site *sites, const struct line_frame *frames, size_t site_count,
                struct hazard *hazards, size_t hazard_count);

/* Fills in file and line of findings and of their messages, as far as `program`, an ELF file, has
 * line information. That is a stranger's, and is read in a jail. */
void lines_resolve(const char *program, const struct named_site *sites, size_t site_count,
                   struct hazard *hazards, size_t hazard_count);

/* What becomes of the value that a call has returned. */
enum result_use { RESULT_KEPT, RESULT_READ, RESULT_LOST, RESULT_RETURNED };
/* By one instruction, or by those that follow the call, as objdump(1) writes them: hostile bytes.
 */
enum result_use result_use_of(const char *text, size_t length);
enum result_use result_use_in(const char *text, size_t length);

/* Takes out those that stand `unless_read` and are not proven; returns how many are left. */
size_t hazards_ignored(const char *program, const struct named_site *sites, size_t site_count,
                       struct hazard *hazards, size_t hazard_count);

#endif
