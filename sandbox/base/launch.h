/* A launch and what comes of it, as both engines and everything above them know it: arguments,
 * buffers and sizes go in; outputs, hazards, counters and a profile come out. Nothing here knows of
 * exercises, expected results or scores. */
#ifndef WARPGRADE_SANDBOX_BASE_LAUNCH_H
#define WARPGRADE_SANDBOX_BASE_LAUNCH_H

#include "sandbox/base/device.h"
#include "sandbox/base/error.h"
#include "sandbox/base/profile.h"
#include "sandbox/base/text.h"
#include "sandbox/base/types.h"

enum {
    ENGINE_MAX_ARGUMENTS = 64,
    ENGINE_MAX_HAZARDS = 64,
    ENGINE_HAZARD_THREADS = 4,
    ENGINE_BLOCK_WARPS = 32, /* a block has at most 1024 threads */
    ENGINE_MAX_ACCESSES = 2,
};

/* What a buffer holds before the launch: bytes, or a rule by which a launch with a device makes
 * those that it touches. A buffer with a rule has no bytes in engine_launch.data and is not read
 * back. */
enum engine_fill_kind {
    ENGINE_FILL_DATA,
    ENGINE_FILL_ZERO,
    ENGINE_FILL_IOTA,
    ENGINE_FILL_CONSTANT, /* low */
    ENGINE_FILL_UNIFORM,  /* floats: [low, high) */
    ENGINE_FILL_INTEGERS, /* low..high, both included */
    ENGINE_FILL_WORDS,    /* all bits at random */
    ENGINE_FILL_SORTED,   /* ascending in low..high; whole numbers where the type's are */
    ENGINE_FILL_OFFSETS,  /* ascending whole numbers, the first 0, the last `high` */
    ENGINE_FILL_COUNT
};
struct engine_fill {
    enum engine_fill_kind kind;
    uint64_t seed;
    double low, high;
    bool is_drawn; /* floats: rounded to the type `drawn` first, which may be narrower */
    enum element_type drawn;
};

/* One kernel argument. A buffer's bytes stand in engine_launch.data at data_offset. */
struct engine_argument {
    bool is_buffer;
    enum element_type type;
    char name[64];      /* as the exercise calls it; used in hazards: "P[17, 3] of P[17][5]" */
    uint64_t scalar;    /* not a buffer: the value's bits, low bytes first */
    uint64_t count;     /* buffer: elements */
    uint64_t shape[3];  /* buffer: extents, slowest first, for messages; their product is count */
    unsigned rank;      /* 1..3; 0 is taken as 1 with shape[0] = count */
    bool read_only;     /* a write is the hazard write-to-input */
    bool constant;      /* buffer: no parameter of the kernel, but what the module's __constant__
                           variable of that name holds; skipped where the module has none */
    bool symbol;        /* with constant: what a __device__ or __constant__ variable, which must be
                           there, holds before the launch (uninitialized: what the module says),
                           and in data after it */
    bool by_value;      /* not a buffer: `count` bytes at data_offset, a structure */
    unsigned alias;     /* not a buffer: points into that of argument alias - 1, `scalar` bytes from
                           its start; 0: does not */
    bool uninitialized; /* reads before writes are the hazard uninitialized-read */
    size_t data_offset; /* where its bytes stand in data; a multiple of 256 */
    struct engine_fill fill;
};

/* An element of a buffer that a rule fills and the kernel may write, after a launch. */
enum { ENGINE_MAX_ELEMENTS = 4096, ENGINE_PROBE_BLOCKS = 4 };
struct engine_element {
    unsigned argument; /* its number */
    uint64_t index;
    uint64_t bits; /* of its type, low bytes first */
    bool written;  /* it is no longer what the rule makes */
};

/* An element that is asked for, and blocks one of which may write it, the likeliest first. */
struct engine_probe {
    unsigned argument;
    uint64_t index;
    unsigned block_count; /* 0: what the other probes' blocks make of it */
    uint64_t blocks[ENGINE_PROBE_BLOCKS];
};

/* Memory that outlives the launches: a whole program's. A block keeps its address as long as it
 * lives, so that pointers to it may lie in memory, too. */
enum engine_block_kind {
    ENGINE_BLOCK_ALLOCATED,
    ENGINE_BLOCK_MANAGED,  /* the host has it, too: one of the first ENGINE_HOST_BLOCKS */
    ENGINE_BLOCK_PINNED,   /* likewise, and it is the host's */
    ENGINE_BLOCK_VARIABLE, /* of a module; the host cannot free it */
    ENGINE_BLOCK_CONSTANT, /* likewise, of .const: kernels only read it */
};
struct engine_block {
    unsigned char *bytes;  /* with ENGINE_BLOCK_SLACK after them; NULL: there is no such block */
    unsigned char *shadow; /* one enum shadow (simgpu/program/address.h) a byte, likewise */
    struct engine_argument about; /* how messages call it; `count` in bytes, of type u8 */
    enum engine_block_kind kind;
};
enum {
    ENGINE_BLOCK_SLACK = 64,
    ENGINE_HOST_BLOCKS = 1792, /* the first ones: a process can have their addresses, too */
    ENGINE_MAX_BLOCKS = ENGINE_HOST_BLOCKS + (1 << 16),
};
/* Which bytes a launch has touched, and how. */
enum engine_touch {
    ENGINE_TOUCH_READ = 1,
    ENGINE_TOUCH_WRITE = 2,
    ENGINE_TOUCH_ATOMIC_READ = 4, /* atomic or volatile, or ordered */
    ENGINE_TOUCH_ATOMIC_WRITE = 8,
    ENGINE_TOUCH_FOR_HOST = 16, /* ... which the host may look for meanwhile: volatile, or .sys */
};
struct engine_range {
    uint64_t low, high; /* the byte after it */
    unsigned how;
};
struct engine_touched {
    size_t number;               /* of the block */
    struct engine_range *ranges; /* ascending, apart */
    size_t count;
};
/* What kernels have from the device's malloc and have not freed: it outlives the launch, too. */
struct engine_heap_piece {
    unsigned char *bytes, *shadow; /* NULL: freed */
    uint64_t count;
};
struct engine_heap {
    struct engine_heap_piece *pieces; /* free() each piece's bytes and shadow, and the array */
    size_t count, capacity;
};
struct engine_memory {
    struct engine_block *blocks; /* their numbers are those of sim_block_address() */
    size_t block_count;
    const void *parameters; /* the kernel's parameter block */
    size_t parameter_bytes;
    struct engine_heap *heap; /* NULL: it ends with the launch */
    uint64_t heap_bytes;      /* of the device's malloc; 0: the default */
    uint64_t stack_bytes;     /* of a thread, where calls recurse: at least these; 0: the default */
    bool wants_touched;       /* with checks: */
    bool wants_host_touched;  /* ... or at least of the first ENGINE_HOST_BLOCKS */
    struct engine_touched *touched; /* ... by the launch: engine_touched_free() */
    size_t touched_count;
    bool tells_host; /* by a fence or release of system scope that what it wrote before is there */
};
void engine_touched_free(struct engine_memory *memory);

struct engine_texture; /* simgpu/state/texture_image.h */

/* A verdict must not depend on what else the machine does: what had less processor time than its
 * limit goes on, until this many times the limit. */
#define LAUNCH_BUSY_MACHINE 6.0

struct engine_launch {
    const char *ptx; /* the module's text */
    size_t ptx_length;
    const char *kernel;    /* plain ("dot") or lowered ("_Z3dotPKfS0_Pfi") name */
    const char *file_name; /* how the submission's file is called in messages */
    struct dim3 grid, block;
    struct dim3 cluster;   /* blocks; x == 0: what the kernel asks for, or none */
    uint64_t shared_bytes; /* dynamic shared memory */
    const struct engine_argument *arguments;
    size_t argument_count;
    void *data; /* the bytes of all buffers: input before, result after the launch */
    size_t data_length;
    bool keeps_data;     /* data is input only, and nothing of it comes back */
    uint64_t seed;       /* schedule and clock; not the data */
    uint64_t budget;     /* thread instructions of the whole launch; 0: the default, 20e9 */
    unsigned threads;    /* host threads; 0: as many as there are CPUs. The result is the same */
    double wall_seconds; /* after these it is stopped, and tells what it has found; 0: never */
    double most_seconds; /* ... or, on a busy machine, when it has had wall_seconds of processor
                            time, and after these in any case; 0: as wall_seconds */
    bool no_checks;      /* --no-checks: no shadow memory, no hazards but the fatal ones */
    bool is_second; /* the module's second launch: the first ran on the same data, and what it left
                       in the module's variables is there. Simulated, and not with a device */
    bool is_plain;  /* <<<...>>>, not cooperative: a barrier of the grid stops the kernel */
    const struct device_profile *device; /* caches, modelled time and no checks; NULL: none of it */
    unsigned registers;       /* a thread, as ptxas gives them for the device; 0: unknown */
    bool arrays_in_registers; /* ptxas keeps no stack: what PTX has in local memory is registers,
                                 and counts as no access to memory; false also where unknown */
    uint64_t sample_budget; /* with a device: simulate blocks of about this many thread instructions
                               in all and scale; 0: all blocks */
    unsigned wanted_elements; /* with a device: so many elements that its blocks wrote, at most,
                                 come back in result.elements, from all over the grid; none where
                                 blocks that were left out might have changed them */
    /* NULL, or what takes the place of arguments and data. */
    struct engine_memory *memory;
    const struct engine_texture *textures; /* by handle - 1; their addresses are the launch's */
    size_t texture_count;
    const struct engine_probe *probes; /* without a device or checks: no more blocks are executed
                                          than make these elements, and result.elements has them,
                                          all or none, in this order */
    size_t probe_count;
    uint64_t probe_budget; /* no block is begun with which they have probably executed more thread
                              instructions than these; UINT64_MAX: all blocks are executed */
};

struct hazard_thread {
    struct dim3 block, thread;
};

enum scene_access { SCENE_UNKNOWN, SCENE_READ, SCENE_WRITE, SCENE_ATOMIC, SCENE_ACCESS_COUNT };

/* What a picture of a hazard shows. 0: not known, or this kind of hazard has none of it. */
struct hazard_scene {
    enum scene_access access, other_access;  /* of the first thread; of a race's second one */
    uint32_t block_threads;                  /* barriers: of the block of the first thread */
    lane_mask waiting[ENGINE_BLOCK_WARPS];   /* ... those that wait at the line, by warp */
    lane_mask elsewhere[ENGINE_BLOCK_WARPS]; /* ... that wait at the other line; the rest left */
    int64_t element;   /* out of bounds: the index of the element; negative: before the first */
    uint64_t elements; /* ... and how many there are */
};

/* Reported once per (kind, line, other line); count says how often it happened. */
struct hazard {
    enum hazard_kind kind;
    enum hazard_severity severity;
    char file[256]; /* base name of the source; empty where PTX has no line information */
    unsigned line, column;
    uint64_t count;    /* lanes (memory) or times (barriers) it happened to */
    char message[512]; /* one or two sentences with the threads and the variable */
    struct hazard_thread threads[ENGINE_HAZARD_THREADS]; /* the first ones, in launch order */
    size_t thread_count;
    char other_file[256]; /* the second place, where there are two (who waits elsewhere) */
    unsigned other_line;  /* 0: none */
    char variable[128];   /* "s[131]", "P[17, 3]"; empty where none is meant */
    enum hazard_fix fix;
    /* Of a whole program: call sites of its host code (card/card_private.h), which become `file`
     * and `line`, `other_file` and `other_line` when their lines are known; 0: none. */
    uint32_t site, other_site;
    bool error_seen;  /* the call was refused, and the program has looked at its error */
    bool unless_read; /* stands only where the program does not read what the call there returns */
    uint64_t address; /* where a kernel's access belongs to nothing: its address; not on the wire */
    bool plain_load;  /* a race with a plain load, which a compiler may do where the source does not
                       */
    struct hazard_scene scene;
};

struct line_counters {
    char file[256];
    unsigned line;
    struct counters counters;
    double modelled_ms; /* with a device: its share of the modelled time; 0 otherwise */
};

/* One request of a warp, as an example: where its lanes lie. */
struct warp_access {
    char file[256];
    unsigned line;
    bool is_shared; /* shared memory; else global */
    bool is_store;
    unsigned bytes; /* a lane */
    lane_mask lanes;
    uint32_t offsets[WARP_LANES]; /* from the sector or, in shared memory, the 32 banks' row of the
                                     lowest address; of lanes that take part */
};

enum engine_end {
    ENGINE_COMPLETED,  /* the launch ended; there may be hazards, fatal ones included */
    ENGINE_REFUSED,    /* the module or launch is not valid: result.message says why */
    ENGINE_CRASHED,    /* the worker died: result.message says how */
    ENGINE_TIME_LIMIT, /* hazards are those found until then, which depends on the machine */
    ENGINE_MEMORY_LIMIT,
    ENGINE_OUTPUT_LIMIT,
    /* Of a program with host code, whose kernels may be right: result.message says ... */
    ENGINE_HOST_CRASHED, /* ... how its process ended */
    ENGINE_HOST_WRONG,   /* ... what is wrong with its results, whatever their values */
};

struct engine_result {
    enum engine_end end;
    char message[1024];     /* of every end but ENGINE_COMPLETED */
    unsigned line;          /* ENGINE_REFUSED: line in the source, 0 unknown */
    struct hazard *hazards; /* sorted: errors first, then by line */
    size_t hazard_count;
    struct counters counters;
    struct line_counters *lines; /* sorted by file, line */
    size_t line_count;
    struct warp_access accesses[ENGINE_MAX_ACCESSES]; /* with a device: of the instructions that
                                                         waste most, global memory first */
    size_t access_count;
    struct text printed; /* what the kernel's printf wrote, at most 64 KiB */
    bool printed_cut;
    double elapsed_ms; /* of the launch itself, as the worker measured it: informative only */
    uint64_t static_shared_bytes;
    unsigned host_threads;
    bool order_sensitive;    /* blocks can see each other: other seeds may give other results */
    bool blocks_communicate; /* what a block does may depend on others: none can be left out */
    struct launch_profile profile;   /* where the launch had a device */
    struct engine_element *elements; /* where it asked for some */
    size_t element_count;
    double written_elements; /* by its blocks in all, an estimate, where it asked for a sample */
};

void engine_result_free(struct engine_result *result);

#endif
