/* Accesses to a local variable of which the text says where it lies: see local_objects.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_LOCAL_OBJECTS_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_LOCAL_OBJECTS_H

#include "sandbox/simgpu/program/program.h"

/* Bytes start..end-1 of a frame. */
struct local_object {
    uint32_t function; /* of the program; objects are sorted by it, then by start */
    uint32_t start, end;
    char name[64];
};

/* The instruction accesses memory by an address that is computed from the object's. */
struct local_access {
    uint32_t pc; /* accesses are sorted by it */
    uint32_t object;
    sim_executor *execute; /* program_link() fills it in */
};

struct local_objects {
    struct local_object *objects;
    size_t object_count, object_capacity;
    struct local_access *accesses;
    size_t access_count, access_capacity;
};

struct local_area { /* a .local variable of a function, in its frame */
    struct ptx_span name;
    uint32_t function, offset, bytes;
};
/* NULL where there is nothing to check. */
struct local_objects *local_objects_find(const struct program *program, struct ptx_span text,
                                         const struct local_area *areas, size_t area_count);
void local_objects_free(struct local_objects *objects);
/* Of an instruction that is one of the accesses. */
const struct local_access *local_objects_access(const struct local_objects *objects, uint32_t pc);

/* The object that holds the bytes from..to-1 of the function's frame; NULL: none does. */
const struct local_object *local_objects_at(const struct local_objects *objects, uint32_t function,
                                            int64_t from, int64_t to);

#endif
