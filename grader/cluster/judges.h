/* Who judges the submissions of a batch: the threads of this process, or the nodes of a cluster.
 *
 * A unit is one submission to be judged: the same bytes for the same exercise are one unit, whoever
 * handed them in. Units are given to the judges and taken back in whatever order they are finished;
 * what the judge says of one does not depend on what is judged beside it. */
#ifndef WARPGRADE_GRADER_CLUSTER_JUDGES_H
#define WARPGRADE_GRADER_CLUSTER_JUDGES_H

#include "grader/exercise/exercise.h"
#include "grader/grade/grade.h"
#include "reports/report.h"
#include "sandbox/base/error.h"

#include <stddef.h>

struct batch_unit {
    size_t exercise; /* of the course */
    const struct exercise *definition;
    const char *version; /* of the exercise; the batch's */
    char *name;          /* base name of the file, for messages */
    char *text;          /* any bytes; the judges may free it early and leave NULL */
    size_t length;
    char sha256[65]; /* of the text */
    size_t *owners;  /* indices of the attempts that handed it in; the batch's */
    size_t owner_count, owner_capacity;
    unsigned tries; /* how often it has been judged */
    bool urgent;    /* before what waits already */
    /* When it has been judged: */
    enum status status;
    struct error error;
    struct report *report; /* STATUS_OK: owned */
    struct batch_unit *next;
};
void batch_unit_free(struct batch_unit *unit);

struct batch_judges {
    /* The unit is the judges' until it is taken back. */
    enum status (*give)(struct batch_judges *judges, struct batch_unit *unit, struct error *error);
    /* A unit that has been judged; NULL: none within this time. *status other than STATUS_OK: there
     * will be none, and why. */
    struct batch_unit *(*take)(struct batch_judges *judges, int timeout_ms, enum status *status,
                               struct error *error);
    /* Ends what is being judged as soon as that can be done and frees everything, units that were
     * not taken back too. */
    void (*close)(struct batch_judges *judges);
    /* Ends what would go on after this process; NULL: nothing does. In place of close(), for who
     * leaves with _exit(). */
    void (*abandon)(struct batch_judges *judges);
    /* What they wait for, for a line of progress: "12 tasks pending (Resources)"; NULL or "":
     * nothing to say. May hold a stranger's words. */
    const char *(*say)(struct batch_judges *judges);
    size_t width;   /* units that are judged at the same time */
    size_t backlog; /* units that may wait while more is read */
    size_t waiting; /* units that were given and have not been taken back */
};

/* `width` threads on one session. */
struct batch_judges *judges_local(struct grade_session *session, size_t width);

/* A session for this machine and its judges. Without cards each submission has one processor, and
 * `width` are judged side by side; with cards, one submission is measured on each. options: engine,
 * seed, language and device; its seed is set when it returns. */
enum status judges_open_local(struct grade_options *options, size_t width,
                              struct grade_session **session, struct batch_judges **judges,
                              struct error *error);

/* What a gradebook calls the engines that judge: "sim", "cuda" or "sim+cuda". */
const char *judges_engine_name(enum grade_engine engine, bool has_cards);

#endif
