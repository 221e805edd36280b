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

#endif
