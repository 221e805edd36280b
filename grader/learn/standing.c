/* Pure functions of tracks and records. That tracks have no circles is what tracks_load() has
 * checked; the walk to what is needed first is bounded all the same. */
#include "grader/learn/standing.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 1000 };

static struct learn_standing standing_of(const char *folder, const char *id) {
    struct learn_record record;
    struct learn_standing standing = {.id = mem_strdup(id)};
    learn_read(folder, id, &record);
    const struct learn_attempt *best = learn_best(&record), *last = learn_last(&record);
    if (best) {
        standing.attempts = record.count;
        standing.score = best->score;
        standing.max_score = best->max_score;
        standing.passed = learn_has_passed(&record);
        standing.full_marks = learn_has_full_marks(&record);
        standing.last_time = last->time;
        standing.last_passed = last->passed;
        standing.last_file = mem_strdup(last->file);
    }
    learn_record_free(&record);
    return standing;
}

void learn_standings_read(const char *folder, char *const *ids, size_t count,
                          struct learn_standings *standings) {
    standings->items = mem_calloc(count + 1, sizeof *standings->items);
    standings->count = count;
    for (size_t i = 0; i < count; i++)
        standings->items[i] = standing_of(folder, ids[i]);
}

void learn_standings_free(struct learn_standings *standings) {
    for (size_t i = 0; i < standings->count; i++) {
        free(standings->items[i].id);
        free(standings->items[i].last_file);
    }
    free(standings->items);
    *standings = (struct learn_standings){0};
}

const struct learn_standing *learn_standings_get(const struct learn_standings *standings,
                                                 const char *id) {
    for (size_t i = 0; i < standings->count; i++)
        if (strcmp(standings->items[i].id, id) == 0)
            return &standings->items[i];
    return NULL;
}

bool learn_standings_is_begun(const struct learn_standings *standings) {
    for (size_t i = 0; i < standings->count; i++)
        if (standings->items[i].attempts)
            return true;
    return false;
}

static bool is_passed(const struct learn_standings *standings, const char *id) {
    const struct learn_standing *standing = learn_standings_get(standings, id);
    return !standing || standing->passed;
}

size_t learn_track_passed(const struct track *track, const struct learn_standings *standings) {
    size_t passed = 0;
    for (size_t i = 0; i < track->step_count; i++)
        passed += is_passed(standings, track->steps[i].id);
    return passed;
}

const struct learn_standing *learn_standings_latest(const struct learn_standings *standings) {
    const struct learn_standing *found = NULL;
    for (size_t i = 0; i < standings->count; i++)
        if (standings->items[i].attempts &&
            (!found || standings->items[i].last_time > found->last_time))
            found = &standings->items[i];
    return found;
}

static const struct track_step *step_of(const struct track *track, const char *id) {
    for (size_t i = 0; i < track->step_count; i++)
        if (strcmp(track->steps[i].id, id) == 0)
            return &track->steps[i];
    return NULL;
}

/* The first track with the exercise; NULL where none has it. */
static const struct track *track_with(const struct tracks *tracks, const char *id) {
    for (size_t i = 0; i < tracks->count; i++)
        if (step_of(&tracks->items[i], id))
            return &tracks->items[i];
    return NULL;
}

static const struct track *track_in_work(const struct tracks *tracks,
                                         const struct learn_standings *standings,
                                         const char *last) {
    for (size_t i = 0; last && i < tracks->count; i++) {
        const struct track *track = &tracks->items[i];
        if (step_of(track, last) && learn_track_passed(track, standings) < track->step_count)
            return track;
    }
    for (size_t i = 0; i < tracks->count; i++)
        if (learn_track_passed(&tracks->items[i], standings) < tracks->items[i].step_count)
            return &tracks->items[i];
    return NULL;
}

/* The first of those to solve before that is not passed and that a track has. */
static const char *needed_first(const struct tracks *tracks, const struct track_step *step,
                                const struct learn_standings *standings) {
    for (size_t i = 0; i < step->after_count; i++)
        if (!is_passed(standings, step->after[i]) && track_with(tracks, step->after[i]))
            return step->after[i];
    return NULL;
}

struct learn_next learn_find_next(const struct tracks *tracks,
                                  const struct learn_standings *standings) {
    const struct learn_standing *last = learn_standings_latest(standings);
    struct learn_next next = {0};
    if (last && !last->passed && (next.track = track_with(tracks, last->id))) {
        next.step = step_of(next.track, last->id);
        next.is_begun = true;
        return next;
    }
    next.track = track_in_work(tracks, standings, last ? last->id : NULL);
    for (size_t i = 0; next.track && !next.step; i++)
        if (!is_passed(standings, next.track->steps[i].id))
            next.step = &next.track->steps[i];
    for (unsigned depth = 0; next.step && depth < MAX_DEPTH; depth++) {
        const char *before = needed_first(tracks, next.step, standings);
        if (!before)
            break;
        next.leads_to = next.step->id;
        if (!step_of(next.track, before))
            next.track = track_with(tracks, before);
        next.step = step_of(next.track, before);
    }
    return next;
}
