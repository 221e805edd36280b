/* What a launch has touched of an allocation, and what the grid would by a sample of it. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_FOOTPRINT_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_FOOTPRINT_H

#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/memsys/piece_map.h"
#include "sandbox/simgpu/memsys/writeback_locality.h"

enum { LINE_BYTES = 128, PAIR_BYTES = 64, SECTOR_BYTES = 32, PIECE_BYTES = 4096 };
enum {
    PIECE_LINES = PIECE_BYTES / LINE_BYTES,
    PIECE_PAIRS = PIECE_BYTES / PAIR_BYTES,
    PIECE_SECTORS = PIECE_BYTES / SECTOR_BYTES
};
/* Of an allocation of more bytes, the words of one pair in 1 << RUN_BITS are watched. */
enum { ALL_WORDS_BYTES = 1 << 22, RUN_BITS = 4 };

/* What is known of PIECE_BYTES bytes of an allocation. */
struct read_piece {
    uint64_t bytes[PIECE_BYTES / 64];     /* bit a byte: read before it was written */
    uint64_t sectors[PIECE_SECTORS / 64]; /* bit a sector: has come from device memory */
};
struct written_piece {
    uint64_t bytes[PIECE_BYTES / 64];     /* bit a byte */
    uint64_t sectors[PIECE_SECTORS / 64]; /* bit a sector: has been dirty */
    uint32_t storers[PIECE_LINES];        /* see writeback_locality.h */
};
/* Of a sample: who reads 64 bytes each and who writes a sector, see capture_recapture.h, and the
 * same for words of those pairs that are watched. */
struct readers_piece {
    uint64_t pairs[PIECE_PAIRS];
    uint64_t words[];
};
struct writers_piece {
    uint64_t sectors[PIECE_SECTORS];
    uint64_t words[];
};
struct dense_piece {
    uint32_t lines[PIECE_LINES]; /* their numbers, in order of their first use */
};

/* What is known of an allocation's bytes. */
struct footprint {
    uint32_t first_line; /* of the device's memory */
    uint64_t length;     /* bytes */
    unsigned run_bits;   /* binary logarithm of the pairs of which one's words are watched */
    struct piece_map read, written;
    struct piece_map readers, writers, dense; /* of a sample */
    uint64_t last_access;                     /* ... that was noted for words, and whose */
    uint32_t last_mark;
    struct memory_estimate estimate;
};

/* Takes lines of the device's memory from *line on, and what it notes from the arena. */
void footprint_open(struct footprint *footprint, struct piece_arena *arena, uint64_t length,
                    uint32_t *line);
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
    const struct readers_piece *piece = piece_map_find(&footprint->readers, line / PIECE_LINES);
    return piece ? piece->pairs[2 * (line % PIECE_LINES) + (sectors & 3 ? 0 : 1)] : 0;
}
static inline uint64_t footprint_writer(const struct footprint *footprint, uint64_t line,
                                        uint8_t sectors) {
    unsigned first = sectors & 1 ? 0 : sectors & 2 ? 1 : sectors & 4 ? 2 : 3;
    const struct writers_piece *piece = piece_map_find(&footprint->writers, line / PIECE_LINES);
    return piece ? piece->sectors[4 * (line % PIECE_LINES) + first] : 0;
}

/* Fetches into the host's caches what is noted of it. */
static inline void footprint_expect_bytes(const struct footprint *footprint, uint64_t offset,
                                          bool reads) {
    size_t number = offset / PIECE_BYTES;
    const struct read_piece *read = reads ? piece_map_find(&footprint->read, number) : NULL;
    const struct written_piece *written =
        reads ? NULL : piece_map_find(&footprint->written, number);
    const uint64_t *bytes = read ? read->bytes : written ? written->bytes : NULL;
    if (bytes)
        __builtin_prefetch(&bytes[offset % PIECE_BYTES / 64], 1);
}
static inline void footprint_expect_line(const struct footprint *footprint, uint64_t line) {
    size_t number = line / PIECE_LINES;
    const struct readers_piece *readers = piece_map_find(&footprint->readers, number);
    const struct dense_piece *dense = piece_map_find(&footprint->dense, number);
    if (readers)
        __builtin_prefetch(&readers->pairs[2 * (line % PIECE_LINES)], 1);
    if (dense)
        __builtin_prefetch(&dense->lines[line % PIECE_LINES], 1);
}

/* Bytes are read that none has written, or written: how many for the first time. */
unsigned footprint_mark_bytes(struct footprint *footprint, uint64_t offset, uint64_t bytes,
                              bool writes);
/* Sectors of a line come from device memory, or become dirty: how many for the first time. */
unsigned footprint_mark_sectors(struct footprint *footprint, uint64_t line, uint8_t sectors,
                                bool writes);

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
