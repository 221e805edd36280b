/* Whether two threads meet at an element because the formula of the index is wrong. Looked at only
 * when a race is put into words. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_INDEX_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_INDEX_H

#include "sandbox/simgpu/program/program.h"

struct race_thread {
    struct dim3 block, thread;
};

enum race_index {
    INDEX_SHARED,  /* several threads are to have it, or nothing is known */
    INDEX_OF_AXES, /* of two axes of the launch: wrong, or a sum of two indexes */
    INDEX_WRONG,   /* each thread was to have another: an atomic would hide the mistake */
};
/* Of the access at `pc`, in which two different threads have the same address. */
enum race_index race_index_judge(const struct program *program, uint32_t pc, struct race_thread one,
                                 struct race_thread other);
/* Is it a sum, a product, or a value in another type or register? */
bool race_index_is_sum(const struct insn *insn);
/* Whether the store at `store` puts together elements of arrays that have the same index: then
 * whoever shares an element shares all of its work, and no atomic is meant (race_elementwise.c). */
bool race_index_is_elementwise(const struct program *program, uint32_t store);

#endif
