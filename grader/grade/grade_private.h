/* Inside the judge's flow: what the grade*.c share. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_PRIVATE_H
#define WARPGRADE_GRADER_GRADE_GRADE_PRIVATE_H

#include "grader/exercise/device.h"
#include "grader/grade/grade.h"
#include "grader/grade/grade_gpu.h"
#include "grader/grade/grade_sample.h"
#include "grader/judge/oracle.h"
#include "sandbox/cuda/session.h"

#include <pthread.h>
#include <stdatomic.h>

enum { GRADE_MAX_JOBS = 64 };

struct grade_batch; /* grade_batch.h */

struct grade_tuned;         /* grade_tuned.h */
struct grade_registers;     /* grade_registers.c */
struct grade_program_tuned; /* grade_program.h */

struct grade_session {
    struct grade_options options; /* cases is owned; jobs is 1 .. GRADE_MAX_JOBS */
    uint64_t seed;
    struct oracle *oracle;
    bool simulates;                     /* the simulated GPU checks and counts */
    struct grade_gpu *gpu;              /* where it does not: the workers of references */
    struct grade_gpu *shared_gpu;       /* see grade_share_workers(); NULL: one a submission */
    struct oracle_engine oracle_engine; /* likewise */
    struct cuda_card *cards;            /* that measure, and check where nothing is simulated */
    size_t card_count;
    pthread_mutex_t card_mutex;
    unsigned *card_users;         /* submissions that are being measured, of each card */
    unsigned measure_rounds;      /* see grade_measure_shortly(); 0: the usual ones */
    struct cuda_session *kept[2]; /* then: what the last measurement used, for the next one */
    double measure_seconds;       /* see grade_measure_shortly(); 0: the usual ones */
    bool has_device;              /* for every exercise, in place of its own */
    struct device_profile device;
    pthread_mutex_t tuned_mutex; /* for the lists below */
    pthread_cond_t tuned_changed;
    struct grade_tuned *tuned;
    struct grade_registers *registers;
    pthread_mutex_t program_mutex; /* for what tuned solutions with host code give */
    struct grade_program_tuned *program_tuned;
};

/* STATUS_OK whatever the submission is like; STATUS_ENVIRONMENT where nothing can be compiled. */
enum status grade_build(const struct exercise *exercise, const struct grade_source *source,
                        struct grade_kernel *kernel, struct error *error);
/* The same for a real card ("sm_90"; NULL: for the simulated GPU): its machine code is in
 * kernel->build.cubin. What is refused is said in `language`; above it is in English. */
enum status grade_build_for(const struct exercise *exercise, const struct grade_source *source,
                            const char *architecture, enum language language,
                            struct grade_kernel *kernel, struct error *error);
void grade_kernel_free(struct grade_kernel *kernel);

/* See grade_until_enough(). */
struct grade_rest {
    grade_is_enough *is_enough;
    void *context;
    const struct plan *plan;
    struct report *report; /* has the run's cases */
    bool hidden;           /* hazards that only the build with -G shows are of interest */
    bool is_left_out;
};

/* One submission being graded. */
struct grade_run {
    struct grade_session *session;
    const struct exercise *exercise;
    const struct plan *plan;
    const struct grade_kernel *kernel;
    const struct oracle_kernel *reference;
    struct grade_reference *prefetch; /* grade_reference.h */
    const char *file_name;
    unsigned threads;          /* of one launch */
    struct grade_batch *batch; /* what a thread of the pool has run ahead; NULL: nothing */
    struct grade_gpu *gpu;     /* the submission's workers; NULL: cases run on the simulated GPU */
    size_t card;               /* of the session's */
    const struct cuda_card *program_card; /* host code's cases run on it; NULL: on the simulated
                                             GPU */
    bool program_alone;                   /* ... and are timed */
    struct grade_rest *rest;              /* NULL: everything is of interest */
    bool *refuted;                        /* by case: what grade_refute_case() finds */
    const struct hazard *ignored;         /* races that only the optimiser makes */
    size_t ignored_count;
    atomic_bool
        *communicates;  /* set where the simulated GPU says that its blocks depend on others */
    double *compile_ms; /* what the grading waits for the compiler is added here */
    double *stage_ms;   /* of the report */
};

/* Thread instructions that a launch may execute where a right kernel needs this many; 0, which is
 * as many as the engine allows, where that is no number. */
uint64_t grade_budget(uint64_t instructions);
/* Of a case, and of one that was judged, in an unoptimised build. */
uint64_t grade_case_budget(const struct grade_run *run, const struct oracle_answer *answer);
uint64_t grade_unoptimised_budget(const struct report_case *the_case);
/* Orders of blocks and warps that a launch is tried in, where the order can matter: number 0 is the
 * natural one. The thread instructions up to which number i is worth it; 0: however many. */
enum { GRADE_SCHEDULES = 3 };
uint64_t grade_schedule_bound(unsigned number);
/* The submission's kernel as `planned` says, on `data`; checks on, no device. */
struct engine_launch grade_request(const struct grade_run *run, const struct plan_launch *planned,
                                   void *data, uint64_t budget);
/* Of a launch: the session's options, else the exercise's. */
uint64_t grade_memory_limit(const struct grade_run *run);
struct worker_limits grade_limits(const struct grade_run *run);

/* plan_bind for the submission. */
enum status grade_bind(const struct grade_run *run, size_t index, struct plan_launch *launch,
                       struct error *error);

/* For submissions that are all our own, in tests, before the first of them: `each` workers on every
 * card serve them all, in place of one for each submission, whose start takes a card a quarter of a
 * second; and some serve the references. */
void grade_share_workers(struct grade_session *session, size_t each);
/* For tests: measuring ends after these seconds and the least rounds, in place of the usual ones.
 * Where `rounds` says how many these are, the submissions are our own: workers are kept for the
 * next one, one is measured at a time, and what it wrote is compared in the first round alone. */
void grade_measure_shortly(struct grade_session *session, double seconds, unsigned rounds);

/* What a thread of the pool does with one case. STATUS_INVALID where the exercise is at fault. */
typedef enum status grade_work(const struct grade_run *run, size_t index,
                               struct report_case *the_case, struct error *error);

/* Launches case `index` and judges it. */
grade_work grade_case;
/* The same without a reference: what the launch shows by itself counts, and a case in which nothing
 * is found is skipped. */
grade_work grade_unreferenced_case;
/* Launches it once more, for run->kernel is an unoptimised build, in the orders that it was
 * launched in, and notes whether its races are the optimiser's alone. */
grade_work grade_refute_case;
/* Launches it once more, for run->kernel is an unoptimised build, and joins its hazards. */
grade_work grade_unoptimised_case;
/* Makes of the hazard a warning that the build with -G was not checked to its end, and why: no
 * fault of a kernel that runs without it. */
void grade_note_unchecked(struct hazard *hazard, const char *why);

struct speed_outputs; /* speed_check.h */

/* Whether a speed case's outputs are the tuned solution's; where not, the case is judged wrong. */
bool grade_speed_is_right(const struct grade_run *run, size_t index,
                          const struct speed_outputs *own, const struct speed_outputs *tuned,
                          struct report_case *the_case);

/* What a speed case is launched on. */
struct grade_device {
    const struct device_profile *profile;
    unsigned registers; /* a thread; 0: unknown */
    bool arrays_in_registers;
    uint64_t sample_budget;     /* 0: all blocks */
    uint64_t budget;            /* of thread instructions; 0: as many as the engine allows */
    struct grade_growth growth; /* of the sample */
    unsigned wanted_elements;   /* as in struct engine_launch; chosen at SCALE_CARD */
};
/* What ptxas gives the run's kernel on the device; nothing and an error where that cannot be found
 * out. */
enum status grade_registers(const struct grade_run *run, const struct grade_source *source,
                            const struct device_profile *device, struct build_resources *resources,
                            struct error *error);
/* What ptxas says for points. */
struct grade_assembly {
    unsigned registers;       /* a thread; 0: ptxas is not on this machine, or refuses the kernel */
    bool arrays_in_registers; /* see engine_launch */
    const char *refusal; /* why ptxas takes it for no device, the session's; NULL: it takes it */
};
/* Where the device's own refuses the kernel, registers are another device's. Where ptxas is there
 * and cannot be run, a second time neither, nor with a kernel of ours, this fails: points must not
 * depend on how busy a machine is. A session asks once for each kernel. */
enum status grade_speed_registers(const struct grade_run *run, const struct grade_source *source,
                                  const struct device_profile *device, struct grade_assembly *out,
                                  struct error *error);
void grade_registers_free(struct grade_registers *list);
/* The data of case `index`, bound as `launch`; caller frees. */
void *grade_fill(const struct grade_run *run, const struct plan_launch *launch, size_t index);
/* Launches the kernel on that data, which stays as it is, without checks. */
enum status grade_profile(const struct grade_run *run, const struct plan_launch *launch,
                          const struct grade_device *device, void *data,
                          struct engine_result *result, struct error *error);
/* The same for what it computes: all blocks, and no device. The data becomes what a launch that
 * completes made of it. */
enum status grade_whole(const struct grade_run *run, const struct plan_launch *launch,
                        uint64_t budget, void *data, struct engine_result *result,
                        struct error *error);
/* Where the simulated GPU could not execute a case, the assembler is asked: *refusal is why it
 * takes the kernel for no device, the session's; NULL: it takes it, or every case was decided. */
enum status grade_refused(const struct grade_run *run, const struct grade_source *source,
                          const struct report_case *cases, size_t count, const char **refusal,
                          struct error *error);
/* The simulated device of the session, or else of the exercise. */
enum status grade_device_of(const struct grade_session *session, const struct exercise *exercise,
                            struct device_profile *device, struct error *error);
/* Cases that passed although a block of them has more registers than a block can have: on a card
 * their launch fails. */
enum status grade_fit(const struct grade_run *run, const struct grade_source *source,
                      struct report_case *cases, size_t count, struct error *error);
/* Whether the plan ends with a speed case. */
bool grade_has_speed_case(const struct plan *plan);
/* ... and the submission has come so far that it is run. */
bool grade_speed_counts(const struct plan *plan, const struct report_case *cases);
/* Runs and judges the speed case where the plan has one, after all others. *refusal: why ptxas
 * takes the kernel for no device, the session's; it would run on no card, and none of its cases
 * counts. */
enum status grade_speed(const struct grade_run *run, const struct grade_source *source,
                        struct report_case *cases, const char **refusal, struct error *error);
void grade_tuned_free(struct grade_tuned *list);
/* What is said of a speed case whose thresholds are decided; NULL: nothing. Caller frees. */
char *grade_speed_message(const struct report_speed *speed, enum language language);

/* grade_case for the `count` cases `indices` (NULL: the first ones), on as many threads as the
 * session's options say. After two that did not end the others are skipped. */
enum status grade_pool_run(struct grade_run *run, struct report_case *cases, const size_t *indices,
                           size_t count, struct error *error);
/* How many of `count` cases a thread takes at once. */
size_t grade_pool_share(size_t count, size_t jobs);
/* `work` for the cases `indices` only, however they end. */
enum status grade_pool_work(struct grade_run *run, grade_work *work, struct report_case *cases,
                            const size_t *indices, size_t count, struct error *error);

/* Runs those of the first `count` cases that passed on the run's card as well, where a case must
 * pass, too; *ran: there was one. */
enum status grade_confirm(const struct grade_run *run, const struct grade_source *source,
                          struct report_case *cases, size_t count, bool *ran, struct error *error);
/* The same of host code. */
enum status grade_confirm_program(const struct grade_run *run, struct report_case *cases,
                                  size_t count, bool *ran, struct error *error);

/* The submission as -G builds it; an error only where nothing can be compiled. Caller frees. */
enum status grade_build_unoptimised(const struct exercise *exercise,
                                    const struct grade_source *source, struct build_result *build,
                                    struct error *error);
/* True where an unoptimised build may take hazards of the first `count` cases back. */
bool grade_is_doubtful(const struct report_case *cases, size_t count);
/* Looks in an unoptimised build for the hazards that the optimiser hid, where none was seen. */
enum status grade_unoptimised(const struct grade_run *run, const struct grade_source *source,
                              struct report_case *cases, size_t count, struct error *error);

#endif
