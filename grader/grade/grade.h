/* The door of the judge: an exercise and a submission's bytes go in, a report comes out.
 *
 * A session holds what belongs to one run of the program: the secret seed, the options, and the
 * reference's results, which are computed once a case and serve every submission of the session
 * (a class of 400 is judged with the same data). All functions are safe to call from several
 * threads on one session. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_H
#define WARPGRADE_GRADER_GRADE_GRADE_H

#include "grader/exercise/device.h"
#include "grader/exercise/exercise.h"
#include "reports/report.h"
#include "sandbox/base/error.h"
#include "sandbox/base/file.h"
#include "sandbox/build/build.h"
#include "sandbox/card/card_stage.h"
#include "sandbox/engine/engine.h"

/* auto: sim for the checks; where there is a card, cuda for the speed and the checks once more.
 * cuda: everything on the cards that CUDA_VISIBLE_DEVICES shows, which see no races and no lines;
 * STATUS_ENVIRONMENT where there is none. */
enum grade_engine { GRADE_ENGINE_AUTO, GRADE_ENGINE_SIM, GRADE_ENGINE_CUDA };
bool grade_engine_from_name(const char *name, enum grade_engine *engine);

/* Told while a submission is graded: so many of its cases have been run. One thread at a time. */
typedef void grade_progress(void *context, size_t done, size_t total);

struct grade_options {
    enum grade_engine engine;
    bool has_seed; /* false: a secret one from the kernel's random source */
    uint64_t seed;
    const char *cases; /* only cases whose names match this fnmatch pattern; NULL: all */
    unsigned jobs;     /* cases run at the same time; 0: as many as there are CPUs */
    unsigned threads;  /* host threads of a launch; 0: one for each CPU, or one where several
                          cases run at the same time. The report is the same */
    bool no_causes;    /* of wrong answers: only verdicts are of interest */
    bool elsewhere;    /* other machines judge, with this seed: nothing is run here */
    bool only_one;     /* submission: what is wrong with the jail is told by its grade */
    double time_limit_seconds;   /* of a case; 0: the exercise's */
    uint64_t memory_limit_bytes; /* of a case's worker; 0: the exercise's */
    enum language language;      /* of titles and hints */
    const char *device;          /* profile of the speed cases: id or file; NULL: the exercise's */
    grade_progress *progress;    /* NULL: none is told */
    void *progress_context;
};

/* A submission. The largest source that is compiled has GRADE_MAX_SOURCE_BYTES; a larger one is
 * graded as a compile error without being compiled. */
enum { GRADE_MAX_SOURCE_BYTES = FILE_MAX_SUBMISSION_BYTES };
struct grade_source {
    const char *file; /* as the user named it; its base name is what messages show */
    const char *text; /* any bytes */
    size_t length;
};

struct grade_session;
/* STATUS_INVALID where there is no such device. */
enum status grade_open(const struct grade_options *options, struct grade_session **session,
                       struct error *error);
void grade_close(struct grade_session *session);
uint64_t grade_seed(const struct grade_session *session);
/* This many submissions can be measured at the same time; 0: nothing is measured. */
size_t grade_card_count(const struct grade_session *session);
/* Frees what is kept of exercises (expected results, the tuned kernel's), for who will not
 * grade them again. While nothing is being graded. */
void grade_forget(struct grade_session *session);

/* STATUS_OK with *report (free with report_free) whatever the submission is like. STATUS_INVALID
 * where the exercise cannot be graded at all (its reference does not compile, no case matches the
 * pattern), STATUS_ENVIRONMENT where this machine cannot grade; *report is NULL then. */
enum status grade_submission(struct grade_session *session, const struct exercise *exercise,
                             const struct grade_source *source, struct report **report,
                             struct error *error);

/* The same for a caller to whom the best that can still become of the submission may be enough. It
 * is asked once all cases but that of speed are judged, before the build with -G where that can add
 * hazards and take none back, and after it. Where it says so, the rest is left out, and the report
 * is that best: no other hazards, all points for speed, no causes and no message. Where `hidden` is
 * false, that build is left out in any case in which it can take nothing back. */
typedef bool grade_is_enough(void *context, const struct report *best);
enum status grade_until_enough(struct grade_session *session, const struct exercise *exercise,
                               const struct grade_source *source, grade_is_enough *is_enough,
                               void *context, bool hidden, struct report **report,
                               struct error *error);

/* What stands in a report for a submission that was not graded, so that no format leaves it out or
 * shows it in green: its one case has the verdict and says why. exercise: NULL where none is known.
 * Free with report_free(). */
struct report *grade_not_graded(const char *file, const struct exercise *exercise,
                                enum language language, enum verdict verdict, const char *message,
                                const char *hint);

/* A submission's kernel, ready to be launched, or why it is not. */
struct grade_kernel {
    struct build_result build;
    char *lowered;
    struct expr_name *constants; /* values as the submission defines them */
    size_t constant_count;
    char *message;           /* NULL where it is ready; else a sentence for the student ... */
    char *hint;              /* ... and what to do, or NULL */
    struct card_stage stage; /* with host code: the program; it lives as long as this does */
};

/* A case of an exercise on a device, without judging it. */
#define GRADE_DEFAULT_DEVICE "h200"
enum { GRADE_DEFAULT_SAMPLE = 4000000 }; /* thread instructions */
/* A block is executed whole, so that a kernel whose blocks are large passes its sample; what needs
 * this many times the sample does not end in any useful time. */
#define GRADE_SAMPLE_BUDGET UINT64_C(1000)
struct grade_profile_request {
    const char *case_name; /* a name or pattern; of several cases the first */
    bool tuned;            /* the source is the tuned kernel and has its launch */
    uint64_t sample;       /* thread instructions to execute; 0: all */
};
struct grade_profiled {
    struct grade_kernel kernel; /* where its message is set, nothing was launched */
    struct device_profile device;
    struct engine_result result;
    unsigned registers; /* a thread; 0: unknown, registers_problem says why */
    char *registers_problem;
    struct dim3 grid, block;
    uint64_t shared_bytes; /* dynamic */
    char *case_name;
    struct report_size *sizes;
    size_t size_count;
};
/* STATUS_OK also where the source does not compile or the launch did not end. To be freed in any
 * case. */
enum status grade_profile_kernel(struct grade_session *session, const struct exercise *exercise,
                                 const struct grade_source *source,
                                 const struct grade_profile_request *request,
                                 struct grade_profiled *profiled, struct error *error);
void grade_profiled_free(struct grade_profiled *profiled);

/* The exit code that a report stands for: STATUS_OK, STATUS_BELOW_MARK, or STATUS_ENVIRONMENT
 * where a case could not be judged (internal error, or nothing here can execute it). */
enum status grade_exit_status(const struct report *report);

#endif
