/* Tracks: exercises/courses/<id>.yaml puts exercises into the order to work through them, with what
 * to solve before each. An exercise may stand in several tracks or in none. */
#ifndef WARPGRADE_GRADER_EXERCISE_TRACK_H
#define WARPGRADE_GRADER_EXERCISE_TRACK_H

#include "grader/exercise/exercise.h"

struct track_step {
    char *id;     /* of an exercise */
    char **after; /* ids of those to solve before */
    size_t after_count;
};

struct track {
    char *id;
    int64_t order;
    char *title[LANGUAGE_COUNT];
    char *about[LANGUAGE_COUNT];
    struct track_step *steps;
    size_t step_count;
};

struct tracks {
    struct track *items; /* by order, then by id */
    size_t count;
};

/* The tracks in these folders, those that are there; of two with one id, the earlier folder's.
 * `ids` are the exercises that there are. Refuses unknown keys and exercises, an exercise twice in
 * a track, one that stands after an exercise which needs it, and circles through several tracks. */
enum status tracks_load(const char *const *folders, size_t folder_count, char *const *ids,
                        size_t id_count, struct tracks *tracks, struct error *error);
/* Those of the homes (home.h). */
enum status tracks_find(struct tracks *tracks, struct error *error);
void tracks_free(struct tracks *tracks);

/* The track with this id; an unknown one gives "did you mean". */
enum status tracks_get(const struct tracks *tracks, const char *id, const struct track **track,
                       struct error *error);

#endif
