/* What a run must not leave: looked at before it and after it.
 *
 * Other programs work on the machine at the same time, so each kind of residue is told apart from
 * theirs: processes by being descendants of this one (the harness is their subreaper, whatever they
 * do), files in shared folders by a name with the attack's token or by an owner that is neither
 * root nor this user, System V memory by a key made of the token, the case's own folders and the
 * mounts by comparison, cgroups by the lock of the slot that they are named after. */
#ifndef WARPGRADE_TESTS_ATTACKS_HARNESS_RESIDUE_H
#define WARPGRADE_TESTS_ATTACKS_HARNESS_RESIDUE_H

#include "sandbox/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct residue {
    const char *token;
    bool only_left;         /* of cgroups those without a process; set by residue_compare() */
    const char *folders[4]; /* compared name by name; NULL ends them */
    struct text files[4];   /* their content: sorted lines */
    struct text shared;     /* foreign entries of /tmp and the like */
    struct text cgroups, mounts;
};

/* Makes this process the one that orphans are handed to, with its own view of the mounts where it
 * may have one. */
bool residue_prepare(void);
void residue_look(struct residue *residue);
/* Appends a line for whatever was not there in `before`. Processes that are found are killed. */
void residue_compare(const struct residue *before, struct residue *after, struct text *found);
void residue_free(struct residue *residue);
/* The System V key that an attack with this token uses. */
int32_t residue_key(const char *token);

#endif
