/* The card while a program uses it: what the files of the worker's side share. */
#ifndef WARPGRADE_SANDBOX_CARD_CARD_PRIVATE_H
#define WARPGRADE_SANDBOX_CARD_CARD_PRIVATE_H

#include "sandbox/card/card_wire.h"
#include "sandbox/card/order.h"
#include "sandbox/card/touch.h"
#include "sandbox/runtime/wire.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/state/texture_image.h"

/* Of the CUDA runtime's errors, those that the card gives: driver_types.h has the numbers. */
enum card_error {
    CARD_OK = 0,
    CARD_INVALID_VALUE = 1,
    CARD_OUT_OF_MEMORY = 2,
    CARD_INVALID_SYMBOL = 13,
    CARD_UNAVAILABLE = 46,
    CARD_INVALID_DEVICE_FUNCTION = 98,
    CARD_INVALID_PTX = 218,
    CARD_INVALID_HANDLE = 400,
    CARD_ILLEGAL_ADDRESS = 700,
    CARD_OUT_OF_RESOURCES = 701,
    CARD_LAUNCH_TIMEOUT = 702,
    CARD_ASSERT = 710,
    CARD_MISALIGNED = 716,
    CARD_LAUNCH_FAILURE = 719,
    CARD_TOO_LARGE = 720,
    CARD_NOT_SUPPORTED = 801,
    CARD_INVALID_CLUSTER = 912,
};

enum {
    CARD_MAX_MODULES = 256,
    CARD_MAX_NAMES = 4096,
    CARD_MAX_TEXTURES = 1 << 16,
    CARD_MAX_SITES = 1 << 14,
    CARD_TEXT_MAX = 64 << 20
};

struct card_module {
    char *text;
    struct sim_module *sim;
};
struct card_kernel {
    struct card_module *module;
    char *name;
    size_t parameter_count;
    struct sim_parameter *parameters;
    bool has_facts;
    struct sim_function facts; /* where they have been asked for: card_function() */
};
/* Of a block that the host has, too: where it is in the shared file, after the window. 0 bytes:
 * there is no such block. */
struct card_shared {
    uint64_t offset, bytes;
    unsigned char *seen; /* what the host has seen of it; NULL: it is the same memory */
};

/* Where the program has called: offsets into its file, innermost first. */
struct card_site {
    uint64_t frames[WIRE_SITE_FRAMES];
    uint32_t count;
};

/* The host's pinned memory while a copy may be on its way, or managed memory while a launch may
 * run. */
struct card_guard {
    bool live, writes;
    struct touch_work work;
    size_t block; /* of a launch: and what it has touched of it */
    struct engine_range *ranges;
    size_t range_count; /* 0: it is a copy's */
};

/* Bytes that were copied between the host and the card. */
struct card_copy {
    uint64_t host;     /* where they are to stand there, as the host says */
    size_t block;      /* where they stand here */
    size_t at, length; /* in the text that keeps them */
};
struct card_copies {
    struct text bytes;
    struct card_copy *items;
    size_t count, capacity;
};
struct card_task_state {
    bool present;
    struct card_task task;                 /* its data is the worker's own */
    bool shares;                           /* of a real card: kernels reach the host's memory */
    size_t blocks[ENGINE_MAX_ARGUMENTS];   /* device pointers: the buffers' */
    unsigned char *initial;                /* data as it was */
    uint64_t hosts[ENGINE_MAX_ARGUMENTS];  /* host pointers: where the program has its buffers */
    struct card_copies uploads, downloads; /* of bytes that are no input; all */
    size_t brought_at;                     /* where the last upload was found in downloads */
    size_t input, input_at;                /* where the last upload was found among the inputs */
};

/* Of the block with this number: what host code has done with it. Outlives it. */
struct card_life {
    uint64_t bytes;
    uint64_t address;           /* on a real card; else its number says it */
    uint32_t made_at, freed_at; /* call sites */
    bool is_freed, is_reachable;
};

/* A call that failed. */
struct card_failure {
    uint32_t site, error;
    bool is_launch, is_seen;
};

/* Of a real card: where blocks lie that are there, or were there last; ascending, apart. */
struct card_span {
    uint64_t start, bytes;
    size_t number;
};

struct card;
struct touch_work;
/* What a real card does in place of the worker's own memory (metal/metal_memory.c); the range lies
 * in one block. Work is asked for in the stream of that number. */
struct card_real {
    enum card_error (*allocate)(struct card *card, uint64_t bytes, uint64_t *address);
    void (*release)(struct card *card, size_t number);
    enum card_error (*write)(struct card *card, uint64_t stream, uint64_t to, const void *from,
                             uint64_t bytes); /* `from` may change when it returns */
    enum card_error (*read)(struct card *card, uint64_t stream, void *to, uint64_t from,
                            uint64_t bytes); /* it is there when it returns */
    enum card_error (*copy)(struct card *card, uint64_t stream, uint64_t to, uint64_t from,
                            uint64_t bytes);
    enum card_error (*fill)(struct card *card, uint64_t stream, uint64_t to, unsigned char byte,
                            uint64_t bytes);
};

struct card {
    const struct engine_launch *common;
    const struct card_real *real; /* NULL: the card is simulated */
    struct metal *metal;          /* what `real` works with */
    struct card_span *spans;
    size_t span_count, span_capacity;
    uint64_t capacity_bytes, used_bytes;
    double ends_ms, last_ms;    /* by clock_ms(); launches stop then, on a busy machine later */
    unsigned char *window;      /* WIRE_WINDOW bytes, and after them: */
    uint64_t arena_bytes;       /* ... what the host and kernels share; of which so many */
    uint64_t arena_used;        /* ... have been used at some time */
    struct card_shared *shared; /* by the block's number; NULL: none yet */
    size_t next_shared;         /* numbers are given away in turn */
    bool unseen;                /* a launch may have written what the host has not seen */
    struct engine_block *blocks;
    size_t block_count, block_capacity;
    size_t *freed; /* numbers of blocks, oldest first from `reused` on */
    size_t freed_count, freed_capacity, reused;
    struct text pending;    /* of the text that is being sent */
    struct text *parts;     /* of the module: the texts before it */
    uint32_t newest_target; /* 90: a real card runs no PTX for compute_100; 0: any */
    size_t part_count, part_capacity;
    struct card_module *modules[CARD_MAX_MODULES];
    size_t module_count;
    struct card_kernel *kernels;
    size_t kernel_count, kernel_capacity;
    uint64_t text_bytes;
    struct engine_texture *textures; /* by handle - 1 */
    size_t texture_count, texture_capacity;
    uint64_t heap_bytes, stack_bytes; /* as of engine_memory */
    struct card_life *lives;          /* by the block's number */
    size_t life_count, life_capacity;
    struct card_failure *failures;
    size_t failure_count, failure_capacity;
    bool has_ended; /* by itself, as far as the library knows */
    struct engine_heap heap;
    struct card_site *sites; /* number 1 is the first */
    size_t site_count, site_capacity;
    uint32_t site;         /* of the request that is being answered; 0: unknown */
    enum card_error fault; /* of a kernel: every call answers it from then on */
    struct text printed;
    double clock_ns;     /* modelled: when all is done */
    struct order *order; /* NULL: not yet asked: card_order() */
    struct touches touches;
    struct modelled *modelled; /* launches: see card_model.c */
    size_t modelled_count, modelled_capacity;
    uint64_t executed, modelled_instructions; /* by the checks, by the cost model */
    struct card_guard *guards;                /* by their number - 1 */
    size_t guard_count, guard_capacity;
    size_t guarded_launches, guarded_ranges; /* of all of them */
    struct card_task_state task;
    struct card_result result;
};

/* One request: the inline bytes end with NUL. Answers go into *answer and card->reply. */
struct card_request {
    struct wire_request head;
    const char *bytes;
};
struct card_reply {
    struct wire_answer head;
    struct text bytes;
};

typedef enum card_error card_act(struct card *card, const struct card_request *request,
                                 struct card_reply *reply);

/* card_worker.c: one request and its answer; false at the end of the dialog. `own`: functions that
 * stand for ours, by call; NULL: none. And what comes after it. */
bool card_answer(struct card *card, int socket, char *bytes, card_act *const *own);
void card_report(struct card *card, struct text *response);

/* card_place.c: the block that the address was meant for, by its number, and how far the address is
 * from its start; SIZE_MAX: none. A block's address; a real one's, once it has been noted. */
size_t card_block_of(const struct card *card, uint64_t address, uint64_t *offset);
uint64_t card_address_of(const struct card *card, size_t number);
void card_note_place(struct card *card, size_t number, uint64_t address, uint64_t bytes);
bool card_is_live(const struct card *card, size_t number);
bool card_is_device(const struct card *card, uint64_t address); /* and none of the host's */

/* One function a call, named after it; what it returns becomes the answer's error. */
#define CALL(id, what)                                                                             \
    enum card_error card_do_##id(struct card *card, const struct card_request *request,            \
                                 struct card_reply *reply);
#include "sandbox/runtime/call.def"
#undef CALL

/* card_stream.c. Work of the request's stream begins; false: there is no such stream. Then what it
 * touches, and how long it takes. */
struct order *card_order(struct card *card);
bool card_begin(struct card *card, const struct card_request *request, const char *what,
                struct touch_work *work);
void card_touch(struct card *card, const struct touch_work *work, uint64_t object, const char *name,
                const struct engine_range *ranges, size_t count);
void card_touch_block(struct card *card, const struct touch_work *work,
                      const struct engine_block *block, uint64_t offset, uint64_t bytes,
                      enum engine_touch how);
void card_spend(struct card *card, const struct touch_work *work, enum order_work kind, double ns,
                double share);

/* card_guard.c: guards of a launch, of which the library is told the pages (struct wire_guard);
 * those whose work the host has waited for, 8 bytes each, and how many they are. */
bool guards_need_touched(const struct card *card);
void guards_launch(struct card *card, const struct touch_work *work,
                   const struct engine_memory *memory, struct text *out);
uint64_t guards_end(struct card *card, struct text *numbers);
void card_clear_guards(struct card *card);

/* card_module.c: the texts that were sent, as one module's; they are kept no longer. And 80 of
 * ".target sm_80": what host code was compiled for, too, and asks for to choose among its kernels;
 * 0: the text does not say. */
enum card_error card_take_text(struct card *card, struct text *text);
uint32_t card_target_of(const struct text *ptx);
/* The module that a request is about, which names something in it; false: it does not. */
bool card_names_in_module(const struct card *card, const struct card_request *request);

/* card_function.c: what the kernel takes; NULL: it cannot be launched. And how many of its blocks
 * the card holds at once. */
const struct sim_function *card_function(struct card *card, uint64_t kernel);
uint64_t card_function_blocks(struct card *card, const struct sim_function *facts, uint64_t threads,
                              uint64_t dynamic_shared);
/* Does the card take a launch in such clusters, or in those that the kernel is made for? */
bool card_takes_cluster(struct card *card, const struct wire_launch *asked);

/* card_launch.c: "scale" of "_Z5scalePfi". */
void card_plain_name(const char *lowered, char *name, size_t room);

/* card_memory.c: whether so much more fits; what does not is noted for the report. */
bool card_has_room(struct card *card, uint64_t bytes);
/* A block of memory that nothing has written yet; false: CARD_OUT_OF_MEMORY. */
bool card_allocate(struct card *card, uint64_t bytes, enum engine_block_kind kind, size_t *number);
void card_fill_block(struct card *card, size_t number, uint64_t bytes, enum engine_block_kind kind);
/* A block of a real card at this address; false: there are too many. */
bool card_adopt(struct card *card, uint64_t address, uint64_t bytes, enum engine_block_kind kind,
                size_t *number);
/* ... with one of the numbers of memory that the host has, too. */
void card_adopt_shared(struct card *card, size_t number, uint64_t bytes,
                       enum engine_block_kind kind);
/* card_texture.c: what a request asks for, of ARRAY also where the texels would lie; false: no
 * library of ours has sent it. */
bool card_array_read(const struct card_request *request, struct wire_array *wire,
                     struct texture_image *image);
bool card_texture_read(const struct card_request *request, struct wire_texture *wire);
/* card_shared.c: the same of memory that the host has, too; it holds zeros. And what both sides
 * have written since the last time: the host's before a launch, kernels' when the host waits. */
bool card_share(struct card *card, uint64_t bytes, enum engine_block_kind kind, size_t *number);
bool shared_reserve(struct card *card, uint64_t bytes, size_t *number, uint64_t *offset);
void shared_release(struct card *card, size_t number);
void shared_take(struct card *card);
void shared_give(struct card *card);
/* Likewise of the block's bytes [low, high) alone, which a kernel has written for that. */
void shared_show(struct card *card, size_t number, uint64_t low, uint64_t high);

/* card_time.c: modelled nanoseconds. Of a WRITE's or READ's part of a copy; of so many bytes
 * between the host and the card; of device memory that moves so many. */
double card_host_copy_ns(const struct card *card, const struct card_request *request);
double card_bytes_ns(const struct card *card, uint64_t bytes);
double card_device_copy_ns(const struct card *card, uint64_t bytes);
/* Of a launch that has been simulated; and which share of the card it takes while it runs. */
double card_launch_ns(struct card *card, struct sim_module *module,
                      const struct engine_launch *launch, const struct engine_result *result);
/* card_model.c: the same by the cost model; never less than the lower bound. */
double card_model_ns(struct card *card, struct sim_module *module,
                     const struct engine_launch *launch, const struct engine_result *result,
                     double bound_ns);
double card_launch_share(const struct card *card, const struct engine_launch *launch);

/* card_memory.c, card_module.c, card_stream.c: gives back what they hold; all of it is
 * card_clear(). */
void card_clear_memory(struct card *card);
void card_clear_modules(struct card *card);
void card_clear_streams(struct card *card);
void card_clear(struct card *card);

/* card_checks.c: the lives of blocks, and why a request for one was refused. `what` uses it: "a
 * copy". */
void checks_allocated(struct card *card, size_t number, uint64_t bytes);
void checks_freed(struct card *card, size_t number);
void checks_explain_range(struct card *card, const char *what, uint64_t address, uint64_t bytes);
void checks_explain_free(struct card *card, const char *what, uint64_t address);
/* The block that the address was meant for, alive or not; a little before its start is a negative
 * offset. */
const struct card_life *checks_find(const struct card *card, uint64_t address, int64_t *offset,
                                    size_t *number);
struct card_launched {
    const struct card_kernel *kernel;
    const unsigned char *parameters;
};
/* Of a launch: adds lines of the host to its hazards, and tells accesses to freed memory and to the
 * host's from others; then pointers to freed memory that it was given. */
void checks_explain_launch(struct card *card, const struct card_launched *launched,
                           struct hazard *hazards, size_t count);
void checks_arguments(struct card *card, const struct card_launched *launched);
void checks_reset(struct card *card); /* what is there now is no leak any more */
void checks_end(struct card *card);   /* leaks */

/* card_host.c: at the end, errors that the program did not look at. */
void host_report_failures(struct card *card);

/* card_sites.c: the sites that findings name go into the result. */
void sites_report(struct card *card);
/* card_task.c: before the dialog, at each copy, at its end. `bytes` are the dialog's. */
void card_task_begin(struct card *card, const struct card_task *task);
void card_task_uploaded(struct card *card, const struct engine_block *block, const void *bytes,
                        size_t length);
void card_task_passed(struct card *card, const void *parameters, size_t length);
void card_task_downloaded(struct card *card, uint64_t host, const void *bytes, size_t length);
bool card_task_keeps(struct card *card, const struct engine_block *block);
bool card_task_names(const struct card *card, size_t block);
void card_task_end(struct card *card);
void card_task_clear(struct card *card);
/* card_origin.c: whose the outputs are. */
void card_origin_find(struct card *card);

/* findings.c */
void findings_add(struct card *card, const struct hazard *hazards, size_t count);
/* What host code does wrong, at hazard->site; message as printf() makes it, in which SITE_MARK and
 * a number name a call site: "line 41". */
__attribute__((format(printf, 3, 4))) void
findings_add_host(struct card *card, struct hazard hazard, const char *format, ...);
void findings_add_unsupported(struct card *card, const char *message);
void findings_add_counters(struct card *card, const struct counters *counters);

#endif
