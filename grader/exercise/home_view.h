/* What a list of homes comes to: which home an exercise is taken from, what it hides, and which
 * exercises have no reference here. For those who wonder why an exercise is not the one they meant.
 */
#ifndef WARPGRADE_GRADER_EXERCISE_HOME_VIEW_H
#define WARPGRADE_GRADER_EXERCISE_HOME_VIEW_H

#include "grader/exercise/home.h"

struct id_list {
    char **items; /* sorted */
    size_t count, capacity;
};

struct home_view {
    size_t taken;          /* exercises that are this home's */
    struct id_list hidden; /* that an earlier home has, too */
    struct id_list bare;   /* taken, and without a reference in any home */
};

struct homes_view {
    struct homes homes;
    struct home_view *items; /* one a home */
};

enum status homes_view_read(struct homes_view *view, struct error *error);
void homes_view_free(struct homes_view *view);

#endif
