/* Homes: folders with exercises/ and reference/. Several stand beside each other, so that a
 * course's own exercises come with the shipped ones.
 *
 * $WARPGRADE_HOME lists them with colons; an empty entry stands for the program's own data, so that
 * "COURSE:" puts a course before what is shipped, and "COURSE" alone replaces it. Unset or empty,
 * it is the program's own data. An id in two homes is that of the first one; nothing of the second
 * is mixed in, not even its reference. So a teacher's exercise with more cases than the students'
 * one hides that.
 *
 * A reference that is not beside its exercise may be in a later or earlier home (an instructor's,
 * that has only reference/<id>); where it is in none, the exercise has no reference here. An
 * exercise of an earlier home never takes the reference of another exercise with its id.
 *
 * Who may write to a home: sandbox/place/. */
#ifndef WARPGRADE_GRADER_EXERCISE_HOME_H
#define WARPGRADE_GRADER_EXERCISE_HOME_H

#include "sandbox/base/error.h"
#include "sandbox/place/place.h"

struct home {
    char *folder;
    enum place_trust trust;
};

struct homes {
    struct home *items; /* the first one that has an id decides */
    size_t count;
};

enum status homes_find(struct homes *homes, struct error *error);
void homes_free(struct homes *homes);

/* Puts a folder, or several with colons, before all others: for this process and those it starts.
 */
void homes_add(const char *folders);

struct exercise_place {
    size_t home;     /* index of the first that has it */
    char *directory; /* <home>/exercises/<id> */
    char *reference; /* <home>/reference/<id>, NULL where there is none */
};

/* STATUS_INVALID for an id that no home has, with "did you mean". */
enum status exercise_locate(const struct homes *homes, const char *id, struct exercise_place *place,
                            struct error *error);
void exercise_place_free(struct exercise_place *place);

/* The ids of one home, sorted; caller frees each and the array. */
enum status home_ids(const struct home *home, char ***ids, size_t *count, struct error *error);

/* An id is a folder's name and nothing that walks out of exercises/. */
bool exercise_is_id(const char *id, size_t length);

#endif
