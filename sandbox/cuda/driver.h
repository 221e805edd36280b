/* The CUDA driver's library as a table of functions (driver.def), opened when a worker is asked to:
 * nothing is linked with CUDA, so that one binary serves machines with and without a card. For
 * workers (this room's and ../card/metal's); never used in the grader's process. */
#ifndef WARPGRADE_SANDBOX_CUDA_DRIVER_H
#define WARPGRADE_SANDBOX_CUDA_DRIVER_H

#include "sandbox/cuda/driver_texture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long gpu_address; /* CUdeviceptr: an address of a real card */

/* CUlaunchAttribute and CUlaunchConfig. */
struct driver_attribute {
    int id, unused;
    union {
        unsigned char room[64];
        unsigned extents[3];
        int number;
        uint64_t alignment;
    } value;
};
struct driver_launch {
    unsigned grid[3], block[3], shared_bytes;
    void *stream;
    struct driver_attribute *attributes;
    unsigned attribute_count;
};

struct driver {
#define NEEDED(name, arguments)   int(*name) arguments;
#define OPTIONAL(name, arguments) int(*name) arguments;
#define PROGRAM(name, arguments)  int(*name) arguments;
#include "sandbox/cuda/driver.def"
#undef NEEDED
#undef OPTIONAL
#undef PROGRAM
};

/* CUdevice_attribute and CUfunction_attribute, as numbered in cuda.h. */
enum {
    DEVICE_CLOCK_KHZ = 13,
    DEVICE_MULTIPROCESSORS = 16,
    DEVICE_COMPUTE_MODE = 20,
    DEVICE_MEMORY_CLOCK_KHZ = 36,
    DEVICE_L2_BYTES = 38,
    DEVICE_CAPABILITY_MAJOR = 75,
    DEVICE_CAPABILITY_MINOR = 76,
    FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8,
    FUNCTION_CLUSTER_WIDTH = 11,  /* that it requires; height and depth follow */
    FUNCTION_LARGE_CLUSTER = 14,  /* more than 8 blocks are allowed */
    ATTRIBUTE_OF_COOPERATIVE = 2, /* CUlaunchAttributeID */
    ATTRIBUTE_OF_CLUSTER = 4,
    COMPUTE_MODE_DEFAULT = 0,
};

/* CUresult, as far as code asks for one; fault.def has the rest. */
enum { DRIVER_OK = 0, DRIVER_INVALID_VALUE = 1, DRIVER_NOT_READY = 600 };

/* False with `trouble` filled where the library cannot be opened or lacks a function. */
bool driver_open(struct driver *driver, const char *path, char *trouble, size_t trouble_size);

/* The first function that whole programs need and this driver does not have; NULL: all are there.
 */
const char *driver_missing_for_programs(const struct driver *driver);

/* A shared library's function into *slot, whatever its type. */
bool driver_symbol(void *library, const char *name, void *slot);

#endif
