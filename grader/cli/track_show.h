/* Tracks as `warpgrade list` and `warpgrade show` print them. */
#ifndef WARPGRADE_GRADER_CLI_TRACK_SHOW_H
#define WARPGRADE_GRADER_CLI_TRACK_SHOW_H

#include "grader/exercise/track.h"
#include "grader/learn/standing.h"
#include "sandbox/base/text.h"

#include <jansson.h>

/* One line a track; with what is done, where there is a record. */
void track_show_overview(const struct tracks *tracks, const struct learn_standings *standings,
                         enum language language, bool color, struct text *out);
/* One track with its exercises in order; those that did not load are shown by their ids. */
void track_show_text(const struct track *track, struct exercise *const *exercises, size_t count,
                     const struct learn_standings *standings, enum language language, bool color,
                     struct text *out);
/* Where an exercise stands; nothing where it stands in no track. */
void track_show_membership(const struct tracks *tracks, const char *id, enum language language,
                           bool color, struct text *out);
json_t *track_show_json(const struct track *track);

#endif
