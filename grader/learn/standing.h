/* How far a student is: the record of every exercise, tracks with what is done, and what is next.
 */
#ifndef WARPGRADE_GRADER_LEARN_STANDING_H
#define WARPGRADE_GRADER_LEARN_STANDING_H

#include "grader/exercise/track.h"
#include "grader/learn/record.h"

struct learn_standing {
    char *id; /* of the exercise */
    size_t attempts;
    int64_t last_time;
    double score, max_score; /* of the best attempt; 0 where there is none */
    bool passed, full_marks;
    bool last_passed; /* the last attempt */
    char *last_file;
};

struct learn_standings {
    struct learn_standing *items; /* in the order of the ids */
    size_t count;
};

/* From the records in `folder` (NULL: none). Free with learn_standings_free(). */
void learn_standings_read(const char *folder, char *const *ids, size_t count,
                          struct learn_standings *standings);
void learn_standings_free(struct learn_standings *standings);
/* NULL where there is no such exercise. */
const struct learn_standing *learn_standings_get(const struct learn_standings *standings,
                                                 const char *id);
bool learn_standings_is_begun(const struct learn_standings *standings); /* of any exercise */

/* The exercise that was graded last; NULL where there is none. */
const struct learn_standing *learn_standings_latest(const struct learn_standings *standings);

/* How many exercises of the track are passed. */
size_t learn_track_passed(const struct track *track, const struct learn_standings *standings);

/* What to do next. */
struct learn_next {
    const struct track *track; /* NULL: all that the tracks have is passed */
    const struct track_step *step;
    bool is_begun;        /* the last attempt was at it, and it is not passed */
    const char *leads_to; /* an exercise that needs this one first; NULL: none */
};

/* The exercise of the last attempt while it is not passed. Else, in the track of that exercise, or
 * where that is done in the first track that is not, the first exercise that is not passed; and
 * before that what it needs, which may stand in another track. */
struct learn_next learn_find_next(const struct tracks *tracks,
                                  const struct learn_standings *standings);

#endif
