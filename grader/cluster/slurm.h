/* Slurm as its users see it: sbatch, squeue and scancel. Its library is bound to one release and
 * under another licence; the programs are what every site has and documents. */
#ifndef WARPGRADE_GRADER_CLUSTER_SLURM_H
#define WARPGRADE_GRADER_CLUSTER_SLURM_H

#include "grader/cluster/process.h"
#include "sandbox/base/error.h"
#include "sandbox/base/text.h"

#include <stddef.h>
#include <stdint.h>

/* What a task of an array is doing. */
enum slurm_state {
    SLURM_PENDING,
    SLURM_RUNNING, /* or about to, or just ending */
    SLURM_ENDED,   /* by itself, killed, or in a way that it will not be started again */
};

struct slurm_row {
    uint64_t job; /* of the array */
    unsigned index;
    enum slurm_state state;
    char word[32];   /* as Slurm has it: "OUT_OF_MEMORY" */
    char reason[64]; /* "" where it gives none */
    char node[64];
};

struct slurm_rows {
    struct slurm_row *rows;
    size_t count, capacity;
};

/* What `squeue` printed. Lines that are none of these are left out; names hold no character that a
 * terminal would take for more than text. Pure. */
void slurm_read_queue(const char *text, size_t length, struct slurm_rows *rows);
/* "4711" of `sbatch --parsable`, also "4711;cluster". False: it is no number of a job. Pure. */
bool slurm_read_job(const char *text, size_t length, uint64_t *job);
/* Do these options of sbatch ask for cards? Pure. */
bool slurm_asks_for_cards(const char *const *options, size_t count);

/* STATUS_ENVIRONMENT, with what to install, where a program of Slurm's is not in PATH. */
enum status slurm_check(struct error *error);

struct slurm_submission {
    const char *name;           /* of the job */
    const char *const *options; /* the user's, for sbatch */
    size_t option_count;
    size_t tasks;     /* indices 0 to tasks - 1 */
    size_t together;  /* how many at the same time; 0: as many as there is room for */
    const char *logs; /* a folder */
    const char *script;
    const char *const *arguments; /* of the script; ends with NULL */
};
/* Starts sbatch; what it prints is for slurm_read_job(). */
enum status slurm_submit(const struct slurm_submission *submission, struct process **process,
                         struct error *error);
/* Starts squeue for all jobs of this name that are the user's own; also those that have ended, as
 * long as Slurm knows them. */
enum status slurm_ask(const char *name, struct process **process, struct error *error);
/* Cancels them, and waits until none of them is left or `seconds` have passed. False: some are. */
bool slurm_cancel(const char *name, double seconds);

#endif
