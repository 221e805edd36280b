/* What the files of the coordinator share; not a door. */
#ifndef WARPGRADE_GRADER_CLUSTER_COORDINATOR_H
#define WARPGRADE_GRADER_CLUSTER_COORDINATOR_H

#include "grader/cluster/cluster.h"
#include "grader/cluster/exchange.h"
#include "grader/cluster/process.h"
#include "grader/cluster/run_folder.h"
#include "grader/cluster/slurm.h"

#include <uthash.h>

enum { COORDINATOR_TRIES = 3 /* a submission is put into a task */ };

/* A task as the coordinator sees it. */
struct cluster_task {
    unsigned number; /* of its file */
    uint64_t job;    /* 0: not submitted yet */
    unsigned index;  /* in the array */
    enum slurm_state state;
    char said[192]; /* by Slurm, of how it ended */
    char node[64];
    char refusal[1024], refusal_hint[512]; /* by the task itself */
    bool listed;                           /* by squeue, in its last answer */
    bool over;                             /* its last file has been seen */
    bool settled;  /* ... and seen again: what it wrote before is in that listing, too */
    bool requeued; /* it has run, and waits to be run again */
    double submitted_ms, running_ms, ended_ms; /* 0: not yet */
    double started_ms;                         /* its first file has been seen */
    size_t left;                               /* submissions without a result */
};

enum slot_state { SLOT_WAITING, SLOT_IN_TASK, SLOT_DONE };

/* A submission that was given and has not been taken back. */
struct cluster_slot {
    struct batch_unit *unit;
    char key[CLUSTER_KEY_SIZE];
    enum slot_state state;
    unsigned tries;
    struct cluster_task *task; /* IN_TASK */
    char reason[512];          /* why it was tried again */
    double given_ms;
    UT_hash_handle hh; /* by key, in the order in which they were given */
};

struct coordinator {
    struct batch_judges base;
    struct cluster_options options; /* its strings are the caller's */
    char *root, *name, *session, *program;
    uint64_t seed;
    struct run_folder folder;
    struct cluster_slot *slots; /* a hash table */
    struct cluster_slot **done; /* not taken back yet */
    size_t done_count, done_capacity;
    struct cluster_task **tasks;
    size_t task_count, task_capacity;
    unsigned next_number;
    struct cluster_seconds *seconds; /* measured */
    size_t seconds_count, seconds_capacity;

    struct process *submitting, *asking;
    double given_ms, submit_ms, ask_ms, scan_ms; /* last given; not before */
    double ask_pause_ms;
    unsigned submit_failures, ask_failures, barren;
    bool submitted, any_started, any_result, failed;
    char note[256];
    enum status status; /* why nothing comes any more */
    struct error error;
};

/* ---- coordinator_results.c: what the tasks have written ----------------------------------- */
void coordinator_scan(struct coordinator *coordinator);
/* Is there a result of an earlier run? Then the slot is done. */
void coordinator_look(struct coordinator *coordinator, struct cluster_slot *slot);
/* Once more, or it has failed. */
void coordinator_retry(struct coordinator *coordinator, struct cluster_slot *slot,
                       const char *reason);

/* ---- coordinator_tasks.c: tasks and what Slurm says of them ------------------------------- */
/* Whatever is due: submits, asks, notices what is lost. */
void coordinator_step_tasks(struct coordinator *coordinator);
void coordinator_describe(struct coordinator *coordinator);
__attribute__((format(printf, 3, 4))) void
coordinator_stop(struct coordinator *coordinator, const char *hint, const char *format, ...);

/* ---- coordinator_folder.c: beginning and end ---------------------------------------------- */
enum status coordinator_begin(struct coordinator *coordinator, struct error *error);
/* Nothing of it is left in the queue. keep: the folder stays for the next run. */
void coordinator_end(struct coordinator *coordinator, bool keep);

#endif
