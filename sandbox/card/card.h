/* The door of the card room: a whole program is run beside a simulated card.
 *
 * Two jailed processes, which share a socket and a window of memory and nothing else: the program,
 * linked with our CUDA runtime (sandbox/runtime), and a worker of the role "card", which has the
 * device memory, simulates the launches and keeps what it finds. Only what the worker says counts;
 * of the program it is taken how it ended and what it wrote. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_H
#define WARPGRADE_SANDBOX_CARD_CARD_H

#include "sandbox/base/launch.h"
#include "sandbox/card/card_lines.h"
#include "sandbox/card/card_stage.h"
#include "sandbox/cuda/session.h"
#include "sandbox/isolation/jail.h"
#include "sandbox/worker/worker.h"

/* What an exercise gives to a function of the program, and what comes of it (card_task.c). */
enum card_pointers {
    CARD_NO_POINTERS, /* to none: a program that reads its input and prints its results */
    CARD_DEVICE_POINTERS,
    CARD_HOST_POINTERS,
};
struct card_task {
    const struct engine_argument *arguments; /* of the function, in order */
    size_t argument_count;
    void *data; /* all buffers' bytes: before and, where the function returned, afterwards */
    size_t data_length;
    enum card_pointers pointers;
};

struct card_program {
    const char *program;              /* an ELF file: absolute path */
    const char *const *arguments;     /* after its name; ended by NULL */
    const char *const *shown;         /* files that it may read, as of jail_spec; NULL: none */
    const struct jail_folder *folder; /* that it starts in, as of jail_spec; NULL: an empty one */
    int input_fd;                     /* its standard input; 0: an empty one */
    const char *runtime_folder;       /* where our libcudart.so.13 is */
    const char *file_name;            /* the source, for lines of findings; "" */
    const struct device_profile *device;
    const struct cuda_card *card; /* that the program runs on; NULL: it is simulated */
    bool alone;                   /* ... and no other program meanwhile: it is timed */
    bool no_checks;
    uint64_t seed, budget; /* as of engine_launch; of each launch */
    double wall_seconds;   /* of all; 0: 60 */
    double cpu_seconds;    /* of the program alone; 0: no limit of its own */
    uint64_t memory_bytes; /* of the program, and of the card's worker; 0: 4 GiB */
    uint64_t output_bytes; /* of standard output; 0: 16 MiB */
    int cancel_fd;         /* readable: the program ends now, as of jail_spec; 0: none */
    jail_taker *take;      /* of what the program writes, as of jail_spec */
    void *take_context;
    unsigned threads;             /* as of engine_launch */
    const struct card_task *task; /* NULL: none */
};

/* Where what an output holds in the end came from, as the card has seen it. */
enum card_origin {
    CARD_FROM_KERNELS,
    CARD_FROM_HOST, /* the host had sent the same bytes to the card before, and not as an input */
    CARD_NOT_FROM_CARD,   /* no copy from the card brought them to the host */
    CARD_FROM_TOO_LITTLE, /* kernels wrote them that cannot have read half of the inputs */
    CARD_ORIGIN_COUNT
};
struct card_output {
    enum card_origin origin;
    uint64_t offset; /* of the first byte of which that is so */
};
struct card_task_result {
    bool returned; /* the function came back */
    size_t freed;  /* number of the buffer that was freed, from 1; 0: none */
    struct card_output outputs[ENGINE_MAX_ARGUMENTS]; /* by argument */
    struct text computed; /* what copies brought to the host, but for what it had sent itself: each
                             copy at a multiple of 8, filled up with CARD_FILLER */
};
enum { CARD_FILLER = 0xa5 };
/* Whether kernels with these counters can have read half of what the task's inputs are, which
 * stand in `inputs`; or output `number`, in task->data, is a copy of one. */
bool card_reads_enough(const struct card_task *task, const void *inputs,
                       const struct counters *counters, size_t number);

/* The signal that ended the program, and what it was doing: a site, a message, file and line. */
struct card_crash {
    int signal; /* 0: none that the library has seen */
    struct hazard at;
};

struct card_result {
    struct jail_result host; /* how the program ended; its output is hostile */
    char limit[96];          /* which limit ended it; "" */
    /* What the card has found; `end` is ENGINE_COMPLETED unless the worker broke down. */
    struct engine_result found;
    uint64_t launches;
    double modelled_ms;          /* until all launches and copies are done */
    double modelled_sum_ms;      /* of all of them, as if none ran beside another */
    double device_ms, waited_ms; /* of a card, alone: how long it was busy, and its worker waited
                                    for it; 0: unknown */
    uint64_t leaked_blocks, leaked_bytes; /* of device memory, when the program ended */
    uint64_t device_bytes;                /* of device memory in all, by the memory limit */
    uint64_t refused_bytes; /* the most that was asked for at once and did not fit; 0: all did */
    bool used;              /* the program has spoken to the card at all */
    struct card_crash crash;
    struct named_site *sites; /* that findings name; their lines stand in `found` already */
    size_t site_count;
    struct card_task_result task;
};

/* STATUS_OK whenever *result says what happened; STATUS_ENVIRONMENT where a process could not be
 * started. Free *result in any case. */
enum status card_run(const struct card_program *program, struct card_result *result,
                     struct error *error);
void card_result_free(struct card_result *result);

/* The workers' side: what simulates the card, and what drives one. */
extern const struct worker_role card_role, metal_role;

#endif
