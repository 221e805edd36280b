/* What the library that a program is linked with and the card's worker say to each other.
 *
 * One stream socket: a request is a struct wire_request and `inline_bytes` bytes, its answer a
 * struct wire_answer and as many; the library waits for each. Bulk data stands in a window of
 * memory that both share, and is there from the request until the answer.
 *
 * The worker believes nothing: the process on the other side is a stranger's program, which may
 * send what it likes. The library believes what it needs not to crash, for the program's sake.
 *
 * Both sides are built from this file, on one machine: numbers have the machine's order. Only
 * headers of the C library here; the runtime links nothing of ours. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_WIRE_H
#define WARPGRADE_SANDBOX_RUNTIME_WIRE_H

#include <stdint.h>

enum {
    WIRE_VERSION = 5,
    WIRE_SOCKET = 3, /* descriptors of both processes: isolation/jail.h has the numbers */
    WIRE_SHARED = 5,
    WIRE_ARGUMENTS = 5,
    WIRE_INLINE_MAX = 80 << 10,
    WIRE_PRINTED_MAX = 64 << 10,
    WIRE_NAME_MAX = 4096,
    WIRE_WINDOW = 4 << 20,
    WIRE_SITE_FRAMES = 8,
    WIRE_PARAMETERS_MAX = 1024,
    WIRE_GUARDS_MAX = 512,
    WIRE_PARAMETER_BYTES_MAX = 32764,
};

enum wire_call {
#define CALL(id, what) WIRE_##id,
#include "sandbox/runtime/call.def"
#undef CALL
    WIRE_CALL_COUNT
};

/* What the host waits for: SYNCHRONIZE's argument. */
enum wire_wait { WIRE_WAIT_ALL, WIRE_WAIT_STREAM, WIRE_WAIT_EVENT };
/* What the library has noticed itself: argument 0 of REPORT, and the others. */
enum wire_report {
    WIRE_REPORT_NULL,      /* a copy: bytes, is it the destination */
    WIRE_REPORT_DIRECTION, /* kind, to, from */
    WIRE_REPORT_FILL,      /* a memset: bytes, where */
    WIRE_REPORT_FREE,      /* of what is no allocation: where, by cudaFreeHost() */
    WIRE_REPORT_HOST_SIDE, /* bytes, how many there are, is it the destination */
    WIRE_REPORT_VARIABLE,  /* bytes, offset, how many there are */
    WIRE_REPORT_FAILURE,   /* a call: its error, is it a launch by <<<>>> */
    WIRE_REPORT_LOOK,      /* the program asks for an error; 0: the last one */
    WIRE_REPORT_COUNT
};

/* Where the signal came: argument 2 of FAULT. */
enum wire_fault {
    WIRE_FAULT_ELSEWHERE,
    WIRE_FAULT_READING, /* the host's side of a copy */
    WIRE_FAULT_WRITING,
    WIRE_FAULT_STACK, /* the address is just below the stack */
};

struct wire_request {
    uint32_t call, inline_bytes;
    uint32_t
        site; /* where the program asked for it: a number that SITE has said before; 0: unknown */
    uint32_t unused;
    uint64_t argument[WIRE_ARGUMENTS];
    uint64_t stream; /* of work: as STREAM has answered; 0: the default stream */
};
struct wire_answer {
    uint32_t error; /* of cudaError_t; 0: it was done */
    uint32_t inline_bytes;
    uint64_t value[2];
};

struct wire_parameter {
    uint32_t offset, bytes;
};
struct wire_launch {
    uint64_t kernel;
    uint32_t grid[3], block[3];
    uint64_t shared_bytes;
    uint32_t cooperative;
    uint32_t parameter_bytes; /* these follow */
    uint32_t cluster[3];      /* blocks; 0: what the kernel asks for */
    uint32_t large_cluster;   /* of more than 8, which the program has allowed */
};

/* Managed memory that a launch may still use: whole pages, that the host is to find closed. */
struct wire_guard {
    uint64_t number;
    uint64_t address, bytes;
    uint64_t writes; /* 0: the host may read it */
};

/* What is known of a kernel before it is launched; none of it depends on a launch. */
struct wire_function {
    uint64_t static_shared, constant_bytes, local_bytes;
    uint32_t most_threads, registers; /* most_threads: of a block */
    uint32_t ptx_version, unused;     /* 80: compute_80 */
    uint32_t cluster[3], unused2;     /* blocks, where the kernel asks for clusters; 0 */
};

/* An array or, with levels, a mipmapped one. Extents and flags are those of the CUDA runtime: 0 is
 * a dimension that is not there, depth also says layers. The format is as of struct wire_texture;
 * normalized: integers that are read as floats. */
struct wire_array {
    uint64_t width, height, depth;
    uint32_t flags;
    uint8_t levels, channels, bits, kind, normalized, unused[7];
};

/* A texture or surface: as struct engine_texture, enumerations and all
 * (simgpu/state/texture_image.h). */
struct wire_texture {
    uint64_t address, pitch;
    uint32_t width, height, depth, layers;
    uint8_t is_surface, dimensions, levels, layered, cube, linear, channels, bits, kind;
    uint8_t address_mode[3], filter, level_filter, normalized, as_float, srgb, seamless, anisotropy;
    uint8_t exact_levels; /* a real card is not to spare any of its work on filters */
    float border[4], bias, least, most;
};

/* The card, as its profile says, or its driver. */
struct wire_device {
    char name[64];
    uint64_t memory_bytes, l2_bytes, shared_per_block, shared_per_sm, shared_reserved;
    uint32_t major, minor, sms, clock_khz, memory_clock_khz, bus_bits;
    uint32_t registers_per_sm, threads_per_sm, blocks_per_sm, single_to_double;
    uint32_t is_real, unused; /* a card, whose addresses a process could have, too */
};

#endif
