/* The door of the CUDA engine: launches go in, what a real card makes of them comes out.
 *
 * The driver never lives in the grader's process. A session is one jailed worker with one context
 * on one card (JAIL_GPU); a submission has a session of its own, references and cuBLAS have
 * another. What the worker answers is hostile: enumerations, counts and times are checked, all
 * sentences are made on this side.
 *
 * Every run loads its module afresh, so that no `__device__` variable lives on, puts its buffers at
 * fresh addresses with poisoned guard bands around them, and leaves the card's memory overwritten.
 * Writes into a band and changed inputs are hazards. After CUDA_FAULT, CUDA_HUNG and CUDA_DIED the
 * session is dead, its worker killed, and the caller opens another one: that case only is lost.
 *
 * A session is used by one thread at a time; several sessions may be used at once. */
#ifndef WARPGRADE_SANDBOX_CUDA_SESSION_H
#define WARPGRADE_SANDBOX_CUDA_SESSION_H

#include "sandbox/base/error.h"
#include "sandbox/base/text.h"
#include "sandbox/engine/engine.h"

struct cuda_card {
    char name[128]; /* "NVIDIA H200" */
    char uuid[64];  /* "GPU-0123abcd-..." */
    unsigned index; /* among those that CUDA_VISIBLE_DEVICES shows, in its order */
    unsigned major, minor, sms;
    uint64_t memory_bytes, l2_bytes;
    unsigned driver_version;                 /* 13000: CUDA 13.0 */
    unsigned sm_clock_khz, memory_clock_khz; /* the highest; 0: unknown */
    bool exclusive;                          /* lets one process in at a time */
};

/* The cards that CUDA_VISIBLE_DEVICES shows, as a jailed worker sees them; asked once a process and
 * kept. Caller frees *cards. STATUS_ENVIRONMENT, with what is missing and how to get it, where
 * there is none. */
enum status cuda_cards(struct cuda_card **cards, size_t *count, struct error *error);
/* STATUS_ENVIRONMENT, with the reason, where our compiler makes no machine code for the card: it
 * may be older than what the compiler still knows, or newer. */
enum status cuda_card_check(const struct cuda_card *card, struct error *error);
/* "sm_90" */
void cuda_card_architecture(const struct cuda_card *card, char *buffer, size_t size);

struct cuda_session;
/* What a session is for. Trusted ones never see a submission; cuBLAS is opened, where it is found,
 * for those that ask for it: it takes longer to load than a small kernel to measure. */
enum cuda_trust { CUDA_UNTRUSTED, CUDA_TRUSTED, CUDA_TRUSTED_BLAS };
enum status cuda_session_open(const struct cuda_card *card, enum cuda_trust trust,
                              struct cuda_session **session, struct error *error);
void cuda_session_close(struct cuda_session *session); /* NULL is allowed */
/* False after an end that took the worker with it. */
bool cuda_session_is_alive(const struct cuda_session *session);
/* Whether this session has cuBLAS; else *why, a sentence for the user. Owned by the session. */
bool cuda_session_has_blas(const struct cuda_session *session, const char **why);

enum cuda_end {
    CUDA_COMPLETED, /* there may be hazards */
    CUDA_REFUSED,   /* the module or the launch: message says why; hazards where it is the launch */
    CUDA_FAULT,     /* the kernel was stopped: illegal address, trap ...; hazards say which */
    CUDA_HUNG,      /* it did not end within wall_seconds */
    CUDA_DIED,      /* the worker or the driver did, or its answer is not valid */
    CUDA_MEMORY,    /* the kernel needs more memory than the card has; of buffers: CUDA_DIED */
    CUDA_END_COUNT
};

/* A routine of cuBLAS, in its own terms: matrices are column-major, numbers FP32, TF32 is off. a, b
 * and c are indices of buffers among the launch's arguments.
 *
 *     SGEMM  C[m,n] = alpha op(A) op(B) + beta C       a = A, b = B, c = C
 *     SGEMV  y = alpha op(A) x + beta y; A is [m,n]    a = A, b = x, c = y; transpose_a
 *     SDOT   *c = x . y of n elements                  a = x, b = y, c = the result
 *     SAXPY  y = alpha x + y of n elements             a = x, c = y
 *     SGEAM  C[m,n] = alpha op(A) + beta op(B)         a = A, b = B, c = C */
enum cuda_blas_routine {
    CUDA_BLAS_SGEMM,
    CUDA_BLAS_SGEMV,
    CUDA_BLAS_SDOT,
    CUDA_BLAS_SAXPY,
    CUDA_BLAS_SGEAM,
    CUDA_BLAS_COUNT
};
struct cuda_blas_call {
    enum cuda_blas_routine routine;
    bool transpose_a, transpose_b;
    uint64_t m, n, k, lda, ldb, ldc; /* elements */
    double alpha, beta;
    unsigned a, b, c;
};

struct cuda_launch {
    const void *image; /* a cubin for the card's architecture */
    size_t image_length;
    const char *kernel;                /* its lowered name */
    const struct cuda_blas_call *blas; /* in place of image and kernel; trusted sessions only */
    struct dim3 grid, block;
    uint64_t shared_bytes; /* dynamic */
    /* As in engine.h. Buffers with a rule are made on the card, bit for bit what the simulated GPU
     * makes of it. Unlike there, those that are not read-only are read back, to data_offset. */
    const struct engine_argument *arguments;
    size_t argument_count;
    void *data; /* buffers' bytes: before (ENGINE_FILL_DATA), and after a CUDA_COMPLETED */
    size_t data_length;
    bool time;           /* events around the launch */
    bool flush_l2;       /* before it: persisting lines reset, more than twice the L2 written */
    bool leave_outputs;  /* buffers with a rule are not read back: for times of what was checked */
    uint64_t placement;  /* seed of the buffers' addresses: their order and the gaps */
    double wall_seconds; /* of the kernel; 0: 10 */
};

enum { CUDA_MAX_HAZARDS = 8 };
struct cuda_result {
    enum cuda_end end;
    char message[1024]; /* all ends but CUDA_COMPLETED */
    double event_ms;    /* by the card's events; 0 without `time` */
    double host_ms;     /* by the worker's clock, from the launch's start on the card to its end */
    double dialog_ms;   /* by this process's clock, of the whole turn */
    struct hazard hazards[CUDA_MAX_HAZARDS];
    size_t hazard_count;
    struct text printed; /* by the kernel's printf, at most 64 KiB; hostile */
    bool printed_cut;
};
/* STATUS_OK whenever *result says what happened, also where the kernel misbehaved; STATUS_INVALID
 * for a launch that is wrong in itself; STATUS_ENVIRONMENT where memory cannot be shared with the
 * worker. Free *result in any case. */
enum status cuda_session_run(struct cuda_session *session, const struct cuda_launch *launch,
                             struct cuda_result *result, struct error *error);
void cuda_result_free(struct cuda_result *result);

/* What NVML says at this moment. */
struct cuda_clocks {
    bool available; /* false: no NVML, or none for this card */
    unsigned sm_mhz, memory_mhz, max_sm_mhz, max_memory_mhz;
    uint64_t throttle; /* nvmlClocksThrottleReason bits; idle and application settings left out */
    char reasons[256]; /* in words: "power cap, thermal (hardware)"; "" where none */
};
enum status cuda_session_clocks(struct cuda_session *session, struct cuda_clocks *clocks,
                                struct error *error);
/* The card's copy ceiling: bytes read and written a second by the fastest of a few copies of
 * `bytes` inside its memory. */
enum status cuda_session_copy_ceiling(struct cuda_session *session, uint64_t bytes,
                                      double *bytes_per_second, struct error *error);

/* The worker's side: talks on its channel until that is hung up. */
extern const struct worker_role cuda_role;

#endif
