/* A class judged by the nodes of a cluster: what the batch opens (the coordinator) and what a node
 * runs (a task). They meet in a folder beside the gradebook, in a file system that both see.
 *
 * A submission is filed there under a key, the hash of everything that decides its report. A task
 * judges what has no result yet and writes each result by a rename, so that it can be killed,
 * requeued, or run twice, and a coordinator that was killed finds what was done. */
#ifndef WARPGRADE_GRADER_CLUSTER_CLUSTER_H
#define WARPGRADE_GRADER_CLUSTER_CLUSTER_H

#include "grader/cluster/judges.h"

struct cluster_options {
    const char *const *options; /* for sbatch: "--partition=gpu", "--gres=gpu:1" */
    size_t option_count;
    size_t together; /* tasks at the same time; 0: as many as there is room for */
};

/* Judges on a cluster that Slurm manages. `folder` is made, closed to others, and removed at the
 * end; it stays after a failure. What an earlier run left there is cancelled, and its results are
 * used. No other run may use the folder meanwhile. grade: engine, seed, language, device; has_seed
 * must be set. pass_mark: the course's, or NULL. STATUS_ENVIRONMENT where Slurm's programs are
 * missing. */
enum status judges_open_slurm(const struct cluster_options *options,
                              const struct grade_options *grade, const double *pass_mark,
                              const char *folder, struct batch_judges **judges,
                              struct error *error);
/* "sim", "cuda" or "sim+cuda": what the nodes judge with. Cards are used where they are asked for:
 * the machine that coordinates need not have one. */
const char *cluster_engine(const struct cluster_options *options, enum grade_engine engine);

/* A task on a node: judges the submissions of tasks/<number> of a run's folder. */
enum status cluster_run_task(const char *folder, unsigned number, struct error *error);

#endif
