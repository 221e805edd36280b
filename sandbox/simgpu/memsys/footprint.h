/* What a launch has touched of an allocation, and what the grid would by a sample of it. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_FOOTPRINT_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_FOOTPRINT_H

#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/memsys/writeback_locality.h"

enum { LINE_BYTES = 128, PAIR_BYTES = 64, SECTOR_BYTES = 32 };
/* Of an allocation of more bytes, the words of one pair in 1 << RUN_BITS are watched. */
enum { ALL_WORDS_BYTES = 1 << 22, RUN_BITS = 4 };

/* What is known of an allocation's bytes. */
struct footprint {
    uint32_t first_line;       /* of the device's memory */
    uint64_t length;           /* bytes */
    unsigned run_bits;         /* binary logarithm of the pairs of which one's words are watched */
    uint64_t *read_sectors;    /* bit a sector: has come from device memory */
    uint64_t *dirtied_sectors; /* bit a sector: has been dirty */
    uint64_t *read_bytes;      /* bit a byte: read before it was written */
    uint64_t *written_bytes;   /* bit a byte */
    bool is_written;
    /* of a sample: who reads 64 bytes each and who writes a sector, see capture_recapture.h; made
     * when used
     */
    uint64_t *readers, *writers;
    uint64_t *word_readers, *word_writers; /* ... for words of some of them */
    uint64_t last_access;                  /* ... that was noted for words, and whose */
    uint32_t last_mark;
    uint32_t *storers; /* by line: see writeback_locality.h; made when used */
    uint32_t *dense;   /* of a sample: numbers of lines, in order of their first use */
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

/* The state of the first of the 64 bytes, or of the sectors, of a line that are read or written; 0
 * where there is no sample. */
static inline uint64_t footprint_reader(const struct footprint *footprint, uint64_t line,
                                        uint8_t sectors) {
    return footprint->readers ? footprint->readers[2 * line + (sectors & 3 ? 0 : 1)] : 0;
}
static inline uint64_t footprint_writer(const struct footprint *footprint, uint64_t line,
                                        uint8_t sectors) {
    unsigned first = sectors & 1 ? 0 : sectors & 2 ? 1 : sectors & 4 ? 2 : 3;
    return footprint->writers ? footprint->writers[4 * line + first] : 0;
}

/* A block of a sample reads, or writes, sectors of a line. */
void footprint_note_readers(struct footprint *footprint, uint64_t line, uint8_t sectors,
                            uint32_t mark);
void footprint_note_writers(struct footprint *footprint, uint64_t line, uint8_t sectors,
                            uint32_t mark);
/* Of each run of pairs one is chosen, by a hash. */
static inline bool footprint_is_chosen(const struct footprint *footprint, uint64_t pair) {
    uint32_t hash = (uint32_t)(pair >> footprint->run_bits) * 2654435761u;
    return ((hash >> 16 ^ pair) & ((1U << footprint->run_bits) - 1)) == 0;
}

/* For footprint_note_words(). */
void footprint_note_chosen(struct footprint *footprint, uint64_t offset, uint64_t bytes, bool reads,
                           bool writes, uint32_t mark);

/* A block of a sample touches bytes from offset on, which are marked in the maps of bytes by now.
 * Called for each lane. */
static inline void footprint_note_words(struct footprint *footprint, uint64_t offset,
                                        uint64_t bytes, bool reads, bool writes, uint32_t mark) {
    uint64_t first = offset / PAIR_BYTES, last = (offset + bytes - 1) / PAIR_BYTES;
    uint64_t access = (offset ^ bytes << 40) << 2 | (uint64_t)reads << 1 | writes;
    if (access == footprint->last_access && mark == footprint->last_mark)
        return; /* as the lane before */
    footprint->last_access = access;
    footprint->last_mark = mark;
    if (first != last || footprint_is_chosen(footprint, first))
        footprint_note_chosen(footprint, offset, bytes, reads, writes, mark);
}

/* A block stores to a line. */
void footprint_note_storer(struct footprint *footprint, uint64_t line, uint64_t block,
                           struct writeback_locality *pieces);
/* The line's number among those that the sample has used so far; *next: the number for a new one.
 */
uint32_t footprint_dense(struct footprint *footprint, uint64_t line, uint32_t *next);
/* Adds to *dirtied the sectors that were dirty, and to *whole what is known of them at the end: the
 * share of their bytes that were written, or all where device memory gave the rest. */
void footprint_add_dirtied(const struct footprint *footprint, double *dirtied, double *whole);
/* Fills footprint->estimate and adds it to the totals. */
void footprint_estimate(struct footprint *footprint, const struct capture_sample *sample,
                        struct memory_totals *totals);

#endif
