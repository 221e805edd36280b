/* Names for people: lanes, lines, elements of variables. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_DESCRIBE_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_DESCRIBE_H

#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/state/warp.h"

enum { LINE_TEXT = 64 };
/* "line 12", or "PTX line 40" where the source is not known. Returns buffer. */
const char *describe_line(const struct program *program, uint32_t pc, char buffer[LINE_TEXT]);

struct block;
struct launch;
struct dim3 hazard_block_id(const struct launch *launch, uint64_t index);

/* How memory that was given back is called: `whole` of hazard_describe_address() begins with it. */
#define HEAP_FREED "has been freed"

struct access {
    enum ptx_space space;
    device_address address;
    unsigned bytes;
    bool store;
    unsigned missing; /* UNINITIALIZED_READ: the first byte of it that has no value */
    unsigned unit;    /* bytes of one of the numbers that are read; 0: all are one */
};
enum { LANES_TEXT = 96 };
/* "lane 5 (mask 0x00000020)", "lanes 0-3, 8, 16-31 (mask 0xffff010f)": at most LANES_TEXT bytes. */
void hazard_describe_lanes(lane_mask lanes, char *text, size_t size);
/* "P[17, 3]" and "P[17][5]" for an address: true when it names something. */
bool hazard_describe_address(const struct warp *warp, const struct access *access, char *element,
                             size_t element_size, char *whole, size_t whole_size);
/* Adds to the name of an element whose shared memory it is in. */
void hazard_describe_owner(const struct block *owner, char *element, size_t size);
/* The same in numbers: which element of how many. Negative before the first; false where that
 * cannot be said. */
bool hazard_locate_element(const struct warp *warp, const struct access *access, int64_t *element,
                           uint64_t *elements);
/* Both names as what is said of an access out of bounds: "at index 1024 of `out`, which has 1024
 * elements". */
void hazard_describe_outside(const char *element, const char *whole, char *text, size_t size);

#endif
