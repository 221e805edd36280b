/* Whether what a launch stores goes back to device memory line by line. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_WRITEBACK_LOCALITY_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_WRITEBACK_LOCALITY_H

#include <stddef.h>
#include <stdint.h>

/* Lines that blocks have stored to, each block's by itself; those of them whose neighbour in 256
 * bytes the same block stores to; and of the others those whose neighbour another block has stored
 * to, by whether that one comes soon before or after it in the grid. */
struct writeback_locality {
    uint64_t lines, paired, near, far;
};

/* The block stores to a line of an allocation; `storers`: of each of its lines whose block stored
 * to it last, plus one, for `count` lines, the first of which begins 256 bytes. */
void writeback_locality_note(struct writeback_locality *pieces, uint32_t *storers, size_t count,
                             size_t line, uint64_t block);
/* The share of the lines that go back by themselves. */
double writeback_locality_lone_share(const struct writeback_locality *pieces);

#endif
