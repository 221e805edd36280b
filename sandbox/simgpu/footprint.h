/* What a launch has touched of an allocation, and what the grid would by a sample of it. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_FOOTPRINT_H
#define WARPGRADE_SANDBOX_SIMGPU_FOOTPRINT_H

#include "sandbox/simgpu/cache.h"

enum { LINE_BYTES = 128, PAIR_BYTES = 64, SECTOR_BYTES = 32 };

/* What is known of an allocation's bytes. */
struct footprint {
    uint32_t first_line;       /* of the device's memory */
    uint64_t length;           /* bytes */
    uint64_t *read_sectors;    /* bit a sector: has come from device memory */
    uint64_t *dirtied_sectors; /* bit a sector: has been dirty */
    uint64_t *read_bytes;      /* bit a byte: read before it was written */
    uint64_t *written_bytes;   /* bit a byte */
    bool is_written;
    uint64_t *readers, *writers; /* of a sample: for 64 bytes each, see capture.h; made when used */
    uint32_t *dense;             /* of a sample: numbers of lines, in order of their first use */
    struct memory_estimate estimate;
};

/* Takes lines of the device's memory from *line on. */
void footprint_open(struct footprint *footprint, uint64_t length, uint32_t *line);
void footprint_close(struct footprint *footprint);

/* Sectors of a line; the baseline of x86-64 has no instruction that counts bits. */
static inline unsigned sectors_of(unsigned mask) {
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[mask & 15];
}

/* The state of the 64 bytes that the sectors begin in; 0 where there is no sample. */
static inline uint64_t footprint_capture(const uint64_t *map, uint64_t line, uint8_t sectors) {
    return map ? map[2 * line + (sectors & 3 ? 0 : 1)] : 0;
}

/* A block of a sample touches sectors of a line; *map: readers or writers. */
void footprint_note(uint64_t **map, const struct footprint *footprint, uint64_t line,
                    uint8_t sectors, uint32_t mark);
/* The line's number among those that the sample has used so far; *next: the number for a new one.
 */
uint32_t footprint_dense(struct footprint *footprint, uint64_t line, uint32_t *next);
/* Fills footprint->estimate and adds it to the totals. */
void footprint_estimate(struct footprint *footprint, const struct capture_sample *sample,
                        struct memory_totals *totals);

#endif
